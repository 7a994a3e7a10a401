"""Machine code plays the games of Python: equal states, equal lists of legal actions, equal errors."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.compile.codes import HALT, POINT, DecisionPoint, DrawPoint, Slots
from hots_rules.compile.counting import CountingMachine
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import MissingLibrary
from hots_rules.game import load_source
from hots_rules.native import cached_code
from hots_rules.native.backend import Backend, Code, Instance, NativeFault
from hots_rules.native.backends import find_backend
from hots_rules.native.batch import NativeGames
from hots_rules.native.cached_code import is_kept, native_code
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.lower import lower
from hots_rules.native.printing.python import load_python, signed
from hots_rules.native.runtime.digests import ActionDigest
from hots_rules.rules import known_rulesets
from tests.native.stepping import (
    BACKENDS,
    Stepper,
    llvm,
    native_ends,
    portable_llvm,
    states_of,
    wasm,
)
from tests.playing import ruleset_of, some_choices
from tests.sizes import sample_size

LOWERED = sorted(known_rulesets())
GAMES = sample_size(20, 1000)


each_backend = pytest.mark.parametrize("backend", BACKENDS)
AS_ASKED = "it was asked for"


def machine_of(name: str) -> Machine:
    ruleset = hr.load(name)
    return ruleset.machine(ruleset.chosen({}, {}))


# ---------------------------------------------------------------- equality with Python
@pytest.mark.thorough
@pytest.mark.parametrize("name", LOWERED)
def test_games_end_as_in_python(name: str) -> None:
    machine = machine_of(name)
    codes = [native_code(machine, make()) for make in (wasm, llvm)]
    for scenario in hr.load(name).scenarios:
        assert_games_end_alike(machine, codes, scenario)


def assert_games_end_alike(machine: Machine, codes: Sequence[Code], scenario: str) -> None:
    """Assert that machine code plays random games of a scenario to the ends of Python."""
    seeds = [f"0/{number}" for number in range(GAMES)]
    known = [play_in_python(machine, machine.begin(scenario), seed) for seed in seeds]

    for code in codes:
        assert known == native_ends(code, machine.begin(scenario), GAMES)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOWERED)
@each_backend
def test_states_and_legal_actions_are_those_of_python_after_every_decision(
    name: str, backend: str
) -> None:
    machine = machine_of(name)
    code = native_code(machine, BACKENDS[backend]())
    player, lister = Stepper(code), Stepper(code)
    scenario, seed = next(iter(machine.facts.scenarios)), "every"
    known = states_of(machine, scenario, seed, sample_size(150, 600))

    for slots, found in zip(known, player.states(machine.begin(scenario), seed), strict=False):
        assert slots == found
        if slots[POINT]:
            assert machine.legal(slots) == lister.legal(slots)


class Twin:
    """The integer program in Python, with outcomes of chance from the machine."""

    def __init__(self, machine: Machine, seed: str) -> None:
        self.machine, self.seed = machine, seed
        self.lowered = lowered = lower(machine)
        put = [p.Function(name, ("x",), ()) for name in ("put_text", "put_number", "put_scope")]
        program = p.Program((*lowered.functions, *put), lowered.tables, lowered.memory)
        self.memory, self.run = load_python(program)

    @property
    def slots(self) -> Slots:
        return self.lowered.slots.unpack(self.memory[: self.lowered.slots.cells])

    def legal(self) -> list[int]:
        base = self.lowered.memory["OUT"].base
        count = self.run["legal"](self.memory, -1 - signed(self.memory[POINT]))
        return self.memory[base : base + count]

    def play(self, code: int) -> None:
        point = self.machine.points[-1 - signed(self.memory[POINT])]
        assert isinstance(point, DecisionPoint)
        if point.waiting is not None:
            cell = self.lowered.slots.cell(point.waiting)
            self.memory[cell] &= ~(1 << self.machine.player_of(code))
        action = self.machine.action_of(code)
        self.advance(signed(self.run["choose"](self.memory, action, code, point.after)))

    def advance(self, block: int) -> None:
        """Run blocks to the next decision, as `Machine.run` does."""
        while True:
            while block >= 0:
                block = signed(self.run["run_block"](self.memory, block))
            self.memory[POINT] = 0 if block == HALT else block & p.FULL
            assert not self.memory[self.lowered.memory["ERROR"].base]
            if block == HALT or isinstance(self.machine.points[-1 - block], DecisionPoint):
                return
            block = self.answer(-1 - block)

    def answer(self, number: int) -> int:
        point, slots = self.machine.points[number], self.slots
        assert not isinstance(point, DecisionPoint)
        if isinstance(point, DrawPoint):
            members = point.source(slots)
            assert members.bit_count() == self.run["source"](self.memory, number)
        else:
            assert point.number(slots) == self.run["number"](self.memory, number)
        outcome = self.machine.sample(slots, point, self.seed)
        self.memory[self.lowered.slots.cell(point.into)] = outcome
        return point.after


def assert_twin(machine: Machine, scenario: str, seed: str, most: int) -> None:
    """The integer program has the states and the legal actions of Python after every decision."""
    twin, chooser = Twin(machine, seed), Random(seed)
    packed = twin.lowered.slots.pack(machine.begin(scenario))
    twin.memory[: len(packed) // 8] = memoryview(packed).cast("Q").tolist()
    twin.advance(signed(twin.memory[POINT]))
    for slots in states_of(machine, scenario, seed, most):
        assert slots == twin.slots
        if slots[POINT]:
            legal = machine.legal(slots)
            assert legal == twin.legal()
            twin.play(legal[int(chooser.random() * len(legal))])


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOWERED)
def test_the_program_does_what_the_module_does(name: str) -> None:
    machine = machine_of(name)

    assert_twin(machine, next(iter(machine.facts.scenarios)), "twin", sample_size(60, 500))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland"])
def test_games_end_as_in_python_under_random_settings(name: str) -> None:
    ruleset = hr.load(name)
    for chosen in some_choices(ruleset)[: sample_size(1, 30)]:
        machine = ruleset.machine(ruleset.chosen(chosen["options"], chosen["readings"]))
        scenario = next(iter(machine.facts.scenarios))
        assert_twin(machine, scenario, "settings", 20)
        code = native_code(machine, wasm())
        seeds = [f"0/{number}" for number in range(5)]
        expected = [play_in_python(machine, machine.begin(scenario), seed) for seed in seeds]
        assert expected == native_ends(code, machine.begin(scenario), 5)


# A game with a set of 150 cards; some of its games break what the texts of FAULTS put into it.
DRAWN = """ruleset drawn-1.0 "Cards are drawn"
type Side = Red | Blue
players Side
type Card = 0..149
state
  deck       : set of Card
  hand[Side] : set of Card
  score      : -90..90 = 0
  turn       : 0..30
clock turn
action take §1 "Draw a card."
  permit when some deck
  draw c from deck for count(deck)
  remove c from deck
  add c to hand[actor]
  roll 2d6 as dice
  score += at_most(dice, 3) - c mod 3
action drop(c: Card) §1 "Drop a card."
  permit when c in hand[actor] and count(hand[actor]) < 9
  remove c from hand[actor]
  score -= c div 60
action wait §1 "Wait."
  permit when score < 80
phase game §1 "Ten turns."
  for n in 1..10
    for s in Red, Blue
      turn += 1
      choose s: take, drop, wait
  if count(hand[Red]) > count(hand[Blue])
    win Red
  win none
scenario table §1 "A table"
  deck := {c in Card where c mod 19 = 3}
  game()
positions begin at game
"""


# ---------------------------------------------------------------- batches
def counts(result: hr.analysis.Simulation) -> tuple[object, ...]:
    return result.games, result.finished, result.wins, result.reasons, result.decisions


@pytest.mark.thorough
@each_backend
def test_counts_depend_on_no_back_end_and_no_number_of_workers(backend: str) -> None:
    BACKENDS[backend]()
    rules = hr.load("goofspiel-1.0")
    known = hr.simulate(rules, "full-hands", games=150, seed="s", backend="python")

    for workers in (1, 3):
        found = hr.simulate(
            rules, "full-hands", games=150, seed="s", backend=backend, workers=workers
        )
        assert counts(known) == counts(found)
        assert (backend, AS_ASKED, workers) == (found.backend, found.why, found.workers)
    assert ("python", AS_ASKED, 1) == (known.backend, known.why, known.workers)


def test_a_simulation_that_is_stopped_goes_on_with_the_next_game() -> None:
    wasm()
    rules = hr.load("goofspiel-1.0")
    whole = hr.simulate(rules, "full-hands", games=200, seed=7, backend="python")
    simulation_run = hr.analysis.SimulationRun(rules, "full-hands", "7", backend="wasm", workers=2)

    for played in simulation_run.play(10_000):
        if played == 90:
            break
    for _ in simulation_run.play(110):
        pass

    assert counts(whole) == counts(simulation_run.result())


@pytest.mark.thorough
def test_playouts_go_on_from_states() -> None:
    wasm()
    rules = hr.load("hots-4.0")
    batch = Batch.of(rules, backend="wasm", workers=2)
    machine = batch.machine
    states = [*states_of(machine, "braveheart", "states", 25)]
    tasks = [(slots, f"from/{number}") for number, slots in enumerate(states)]

    found = list(batch.play(tasks, keeps_slots=True))

    assert [play_in_python(machine, list(slots), seed) for slots, seed in tasks] == found
    assert [machine.legal(slots) for slots in states] == list(batch.legal(states))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "backend"),
    [("hots-4.0", "wasm"), ("goofspiel-1.0", "wasm"), ("goofspiel-1.0", "llvm")],
)
def test_digests_of_the_legal_actions_are_those_of_python(name: str, backend: str) -> None:
    BACKENDS[backend]()
    rules = hr.load(name)
    batches = [Batch.of(rules, backend=each, has_digests=True) for each in ("python", backend)]
    start = batches[0].machine.begin(rules.scenarios[0])
    known, found = ([*batch.play((start, f"d/{i}") for i in range(5))] for batch in batches)
    plain = [*Batch.of(rules, backend=backend).play([(start, "d/0")])]

    assert [end.digest for end in known] == [end.digest for end in found]
    assert len({(end.digest, end.decisions) for end in known}) > 1
    assert [(known[0].decisions, 0)] == [(end.decisions, end.digest) for end in plain]


def test_another_list_of_legal_actions_gives_another_digest() -> None:
    digests = []
    for lists in ([[1, 2], [3]], [[1], [2, 3]], [[2, 1], [3]], [[1, 2], [4]], [[3], [1, 2]]):
        digest = ActionDigest(machine_of("hots-4.0"))
        for legal in lists:
            digest.note(legal)
        digests.append(digest.value)

    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize(
    ("name", "scenario"), [("lords-of-scotland", "3-players"), ("reversi-1.0", "four-discs")]
)
def test_games_without_instructions_of_the_processor_end_as_in_python(
    name: str, scenario: str
) -> None:
    machine, seeds = machine_of(name), ["0/0", "0/1", "0/2"]
    code = native_code(machine, portable_llvm())
    start = machine.begin(scenario)

    found = NativeGames(code).play([code.slots.pack(start)] * 3, seeds, keeps_slots=True)

    assert [play_in_python(machine, list(start), seed) for seed in seeds] == found


@pytest.mark.thorough
@each_backend
def test_long_and_odd_seeds_are_those_of_python(backend: str) -> None:
    BACKENDS[backend]()
    batch = Batch.of(hr.load("dominoes-1.0"), backend=backend)
    start = batch.machine.begin("full-bag")
    seeds = [
        "",
        "\0\0",
        "é" * 20,
        "x" * 111,
        "x" * 112,
        "x" * 126,
        "x" * 127,
        "x" * 128,
        "x" * 5000,
    ]

    found = list(batch.play(((start, seed) for seed in seeds), keeps_slots=True))

    assert [play_in_python(batch.machine, list(start), seed) for seed in seeds] == found


@pytest.mark.parametrize("backend", ["python", *BACKENDS])
@pytest.mark.parametrize("prefix", ["0/", "", "é\0/", "x" * 110, "x" * 111])
def test_numbered_games_end_as_one_by_one(backend: str, prefix: str) -> None:
    if backend != "python":
        BACKENDS[backend]()
    batch = Batch.of(hr.load("dominoes-1.0"), backend=backend, workers=2)
    start, numbers = batch.machine.begin("full-bag"), range(7, 103 if prefix == "0/" else 12)
    ends = [play_in_python(batch.machine, list(start), f"{prefix}{number}") for number in numbers]

    parts = list(batch.count(start, prefix, numbers))

    assert sum((part.ends for part in parts), Counter()) == Counter(
        (end.outcome, end.reason, end.is_over) for end in ends
    )
    assert sum(part.decisions for part in parts) == sum(end.decisions for end in ends)
    assert not any(part.left for part in parts)


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["python", *BACKENDS])
def test_a_game_that_is_over_stays_as_it_is(backend: str) -> None:
    if backend != "python":
        BACKENDS[backend]()
    batch = Batch.of(hr.load("dominoes-1.0"), backend=backend)
    start = batch.machine.begin("full-bag")
    end = play_in_python(batch.machine, list(start), "0")
    assert end.slots is not None and end.is_over

    (again,) = batch.play([(end.slots, "1")], keeps_slots=True)

    assert again == end._replace(decisions=0)
    assert list(batch.legal([end.slots])) == [[]]


@each_backend
def test_machine_code_plays_no_state_with_a_number_outside_its_bounds(backend: str) -> None:
    machine = machine_of("dominoes-1.0")
    code = native_code(machine, BACKENDS[backend]())
    start, refused = machine.begin("full-bag"), 0

    for slot, part in enumerate(code.slots.of_slot):
        for wrong in (part.bounds.low - 1, part.bounds.high + 1):
            slots = [*start[:slot], wrong, *start[slot + 1 :]]
            try:
                packed = code.slots.pack(slots)
            except ValueError:
                refused += 1
                continue
            assert NativeGames(code).play([packed], ["0"]) == [None]

    assert 0 < refused < 2 * len(start)


SINGLE = """ruleset one-1.0 "One"
players Side
type Side = Red | Blue
action rest §1 "No."
  permit
scenario single §1 "One choice."
  choose Red: rest
  win Red
"""


@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_a_scenario_with_a_choice_of_its_own_is_played_from_its_start(backend: str) -> None:
    if backend == "wasm":
        wasm()
    rules = ruleset_of(SINGLE)
    machine = rules.machine(rules.chosen({}, {}))
    assert not machine.is_over(machine.begin("single"))

    found = hr.simulate(rules, "single", games=3, backend=backend)

    assert (found.backend, found.wins["Red"], found.decisions) == (backend, 3, 3)


def test_python_plays_what_is_too_deep_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_(self: object, program: p.Program) -> bytes:
        raise RecursionError

    monkeypatch.setattr(type(wasm()), "compile", compile_)

    batch = Batch.of(ruleset_of(SINGLE.replace("one-1.0", "deep-1.0")), backend="wasm")

    assert batch.backend == "python"
    assert batch.why == (
        "the ruleset has an expression with too many parts within each other: divide it among definitions"
    )


class FaultsOnce:
    """Code of which the first program stops with a fault whenever it is called."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.instances = [FaultyInstance()]

    def instance(self) -> Instance:
        return self.instances.pop() if self.instances else self.code.instance()


class FaultyInstance:
    def __init__(self) -> None:
        self.memories = (memoryview(bytearray(1 << 20)).cast("q"),)

    def call(self, function: str, *words: int) -> int:
        raise NativeFault(function)


def test_after_a_fault_games_are_played_in_a_new_memory() -> None:
    machine = machine_of("dominoes-1.0")
    code = native_code(machine, wasm())
    player = NativeGames(evolve(code, code=FaultsOnce(code.code)))
    start = machine.begin("full-bag")

    ends = [player.play([code.slots.pack(start)], ["0"], keeps_slots=True) for _ in range(2)]

    assert ends == [[None], [play_in_python(machine, list(start), "0")]]


# ---------------------------------------------------------------- which back end
def test_auto_takes_machine_code_only_where_it_pays_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wasm()
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path))  # no earlier run has left machine code
    rules = ruleset_of(DRAWN.replace("drawn-1.0", "drawn-4.0"))

    few = hr.simulate(rules, "table", games=0)
    many = hr.simulate(rules, "table", games=20)
    kept_code = hr.simulate(rules, "table", games=0)

    assert ("python", "so few games do not pay for it") == (few.backend, few.why)
    assert ("wasm", "it is installed and pays off") == (many.backend, many.why)
    assert ("wasm", "it is installed and pays off") == (kept_code.backend, kept_code.why)


@pytest.mark.loads_anew
def test_without_the_extra_python_plays_and_a_named_back_end_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = ruleset_of(DRAWN.replace("drawn-1.0", "drawn-3.0"))  # no machine code is in memory
    for module in ("wasmtime", "llvmlite", "llvmlite.ir", "llvmlite.binding"):
        monkeypatch.setitem(sys.modules, module, None)
    for module in ("wasm_code", "llvm_code", "llvm"):
        monkeypatch.delitem(sys.modules, f"hots_rules.native.printing.{module}", raising=False)
    find_backend.cache_clear()
    monkeypatch.setattr("hots_rules.analysis.simulating.batches.is_installed", lambda name: False)

    found = hr.simulate(rules, "table", games=100)

    assert ("python", 100) == (found.backend, found.games)
    assert "`wasmtime` is not installed: pip install 'hots-rules[native]'" == found.why
    for name, extra in (("wasm", "native"), ("llvm", "llvm")):
        with pytest.raises(MissingLibrary, match=rf"pip install 'hots-rules\[{extra}\]'"):
            hr.simulate(rules, "table", games=1, backend=name)


def test_a_broken_library_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    wasm()

    def broken(name: str) -> Backend:
        raise ImportError("no such symbol")

    rules = ruleset_of(DRAWN.replace("drawn-1.0", "drawn-2.0"))
    monkeypatch.setattr("hots_rules.analysis.simulating.batches.find_backend", broken)

    assert "the library does not work: no such symbol" == hr.simulate(rules, "table").why
    with pytest.raises(MissingLibrary):
        hr.simulate(rules, "table", backend="wasm")


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"backend": "rust"}, "unknown backend `rust`"),
        ({"workers": 0}, "`workers` cannot be `0`"),
        ({"workers": True}, "`workers` cannot be `True`"),
    ],
)
def test_an_unknown_back_end_is_refused(wrong: dict[str, object], text: str) -> None:
    with pytest.raises(hr.ArgumentError, match=text):
        hr.simulate(hr.load("hots-4.0"), "braveheart", games=1, **wrong)  # type: ignore[arg-type]


def test_wide_sets_and_negative_numbers_are_those_of_python() -> None:
    rules = ruleset_of(DRAWN)
    machine = rules.machine(rules.chosen({}, {}))
    known = [play_in_python(machine, machine.begin("table"), f"0/{number}") for number in range(70)]

    assert_twin(machine, "table", "wide", 100)
    for make in (wasm, llvm):
        assert known == native_ends(native_code(machine, make()), machine.begin("table"), 70)


@pytest.mark.parametrize(
    "name", ["goofspiel-1.0", *(pytest.param(name, marks=pytest.mark.thorough) for name in LOWERED)]
)
def test_a_ruleset_that_counts_its_steps_is_played_by_machine_code(name: str) -> None:
    native_code(machine_of(name), wasm())  # kept code of the same module that does not count
    rules = load_source(hr.load(name).source, counts_steps=True)
    machine = rules.machine(rules.chosen({}, {}))
    scenario = rules.scenarios[0]

    assert isinstance(machine, CountingMachine)
    assert_games_end_alike(machine, [native_code(machine, wasm())], scenario)
    assert_twin(machine, scenario, "counted", 60)


@pytest.mark.parametrize("backend", ["wasm", pytest.param("llvm", marks=pytest.mark.thorough)])
def test_counted_steps_end_where_those_of_python_do(backend: str) -> None:
    BACKENDS[backend]()
    source = hr.load("goofspiel-1.0").source
    ends = set()
    for steps in (500, 2_000, 8_000, 32_000, 128_000):
        rules = load_source(source, hr.Limits(play_steps=steps), counts_steps=True)
        machine = rules.machine(rules.chosen({}, {}))
        code = native_code(machine, BACKENDS[backend]())
        played = native_ends(code, machine.begin("full-hands"), 4)
        for number, end in enumerate(played):
            try:
                known = play_in_python(machine, machine.begin("full-hands"), f"0/{number}")
            except hr.EngineError:
                known = None
            ends.add(known is None)
            assert known == end, steps

    assert {True, False} == ends


# ---------------------------------------------------------------- faults of rulesets
FAULTS = {
    "bound": ("score      : -90..90", "score      : -5..81"),
    "dead end": ("permit when score < 80", "permit when score < 1"),
    "the": ("score -= c div 60", "score -= the(hand[actor]) div 60"),
    "draw": ("permit when some deck\n", "permit when score < 90\n"),
}
TOLD = {
    "bound": "expected a value of -5..81",
    "dead end": "no action is legal in phase `game`",
    "the": "expected a set with one member",
    "draw": "cannot draw from an empty set, in rule `",
}


def errors(play: Callable[[str], object], *backends: str) -> set[tuple[str, str, str | None]]:
    """The errors of Python and other back ends."""
    found = set()
    for backend in ("python", *backends):
        with pytest.raises(hr.EngineError) as error:
            play(backend)
        found.add((str(error.value), error.value.message, error.value.position))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("fault", ["bound", "dead end", "the", "draw"])
def test_a_fault_of_a_ruleset_is_that_of_python(fault: str) -> None:
    backends = ("wasm", "llvm") if fault == "the" or sample_size(0, 1) else ("wasm",)
    for backend in backends:
        BACKENDS[backend]()
    rules = ruleset_of(DRAWN.replace("drawn-1.0", "faulty-1.0").replace(*FAULTS[fault]))

    (found,) = errors(lambda name: hr.simulate(rules, "table", games=70, backend=name), *backends)

    assert TOLD[fault] in found[0]


def test_too_many_steps_are_those_of_python() -> None:
    wasm()
    rules = ruleset_of(DRAWN.replace("drawn-1.0", "long-1.0"), hr.Limits(play_steps=400))

    (found,) = errors(lambda name: hr.simulate(rules, "table", games=3, backend=name), "wasm")

    assert "no decision within 400 steps" in found[0]


# ---------------------------------------------------------------- kept machine code
def test_a_first_game_loads_neither_the_parser_nor_the_typed_tree() -> None:
    code = """
import sys, hots_rules as hr
hr.simulate(hr.load("goofspiel-1.0"), "full-hands", games=1, backend="wasm")
print([name for name in ("lark", "hots_rules.syntax.tree", "hots_rules.rules.typed.tast") if name in sys.modules])
"""
    native_code(machine_of("goofspiel-1.0"), wasm())
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == found.stdout.strip()


@pytest.mark.thorough
@each_backend
def test_machine_code_is_kept(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path / "kept"))
    found, machine = BACKENDS[backend](), machine_of("goofspiel-1.0")
    start = machine.begin("full-hands")
    assert not is_kept(machine, found)
    known = native_ends(native_code(machine, found), start, 3)
    assert is_kept(machine, found)

    with monkeypatch.context() as patch:
        patch.setattr(type(found), "compile", _never)
        assert known == native_ends(native_code(machine, found), start, 3)
        patch.setattr(cached_code, "engine_hash", lambda *packages: "another engine")
        assert not is_kept(machine, found)

    files = list((tmp_path / "kept").glob("*.ruleset"))
    for file in files:
        file.write_bytes(file.read_bytes()[:-9])
    assert not is_kept(machine, found)
    assert known == native_ends(native_code(machine, found), start, 3)
    for file in files:
        file.chmod(0o666)
    with pytest.warns(hr.diagnostics.CacheWarning):
        assert not is_kept(machine, found)


def _never(self: Backend, program: p.Program) -> bytes:
    raise AssertionError(program)
