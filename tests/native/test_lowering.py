"""Rulesets that hypothesis makes up and mutants of real ones: machine code plays as Python does, or refuses."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, product
from random import Random

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, reject, settings

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.compile.codes import FIRST_FREE, POINT, Slots
from hots_rules.compile.machine import Machine
from hots_rules.game import load_source
from hots_rules.native.cached_code import NativeCode
from hots_rules.native.lowering.lower import lower
from hots_rules.native.lowering.program import WORD
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.complete import complete
from hots_rules.rules import find_source
from hots_rules.rules.typed.value_types import MAX_BITS
from tests.mutation.mutants import mutants
from tests.native.rulesets import rulesets
from tests.native.stepping import BACKENDS, Stepper, native_ends, states_of
from tests.playing import SAMPLES, ruleset_of
from tests.sizes import NIGHT, sample_size

QUICK = [Phase.explicit, Phase.reuse, Phase.generate]
MADE, MUTANTS, FEW = sample_size(4, 400), sample_size(1, 80), sample_size(0, 15)
MUTANTS_BY = list(BACKENDS)[: sample_size(1, 2)]
DECISIONS = 40
BATCH = 8


def machine_of(rules: hr.Ruleset) -> Machine:
    return rules.machine(rules.chosen({}, {}))


def code_of(machine: Machine, backend: str, most_decisions: int = 2000) -> NativeCode:
    """Machine code that is not kept."""
    printer, lowered = BACKENDS[backend](), lower(machine)
    program = complete(lowered, most_games=BATCH, most_decisions=most_decisions)
    loaded = printer.load(printer.compile(program), program)
    return NativeCode(loaded, dict(program.memory), lowered.slots)


def until_fault(states: Iterator[Slots]) -> tuple[list[Slots], bool]:
    """States as long as there are any, and whether a fault of the ruleset ended them."""
    found: list[Slots] = []
    try:
        for slots in states:
            found.append(slots)
    except hr.EngineError:
        return found, True
    return found, False


def assert_plays_alike(
    machine: Machine,
    scenario: str,
    seeds: Iterable[str],
    backends: Iterable[str] = BACKENDS,
    what: str = "",
) -> None:
    """Assert that back ends have the states and legal lists of Python after each decision of some games."""
    codes = {backend: code_of(machine, backend) for backend in backends}
    for seed, (backend, code) in product(seeds, codes.items()):
        meant, is_faulty = until_fault(states_of(machine, scenario, seed, DECISIONS))
        player, lister = Stepper(code), Stepper(code)
        found = list(islice(player.states(machine.begin(scenario), seed), DECISIONS))
        assert found == meant, (backend, seed, what)
        for slots in meant[: -1 if is_faulty else None]:
            if slots[POINT]:
                assert lister.legal(slots) == machine.legal(slots), (backend, seed, what)


# ---------------------------------------------------------------- generated rulesets
@pytest.mark.thorough
@settings(phases=QUICK, max_examples=MADE, suppress_health_check=list(HealthCheck))
@given(rulesets())
def test_generated_rulesets_are_played_as_in_python(text: str) -> None:
    try:
        rules = ruleset_of(text)
    except hr.RulesetError:
        reject()  # as with a comparison that is always true
    assert_plays_alike(machine_of(rules), "table", ("a", "b"))


# ---------------------------------------------------------------- mutants
MUTATED = dict.fromkeys(SAMPLES, MUTANTS) | dict.fromkeys(
    ["hots-4.0", "hots-3.x", "hots-2.3", "lords-of-scotland"], FEW
)
"""How many mutants of each ruleset are tried; each night has others."""


def mutated_rules(name: str) -> Iterator[tuple[str, hr.Ruleset]]:
    """Rulesets that differ from a shipped one in one place, in random order, each with its difference."""
    source = find_source(name)
    *below, layer = source.layers
    every = [(file, mutant) for file, text in layer.files.items() for mutant in mutants(text, file)]
    for file, mutant in Random(f"mutants {name} {NIGHT}").sample(every, len(every)):
        text = layer.files[file]
        changed = evolve(layer, files={**layer.files, file: mutant.apply(text)})
        with suppress(hr.RulesetError):
            yield mutant.describe(text), load_source(evolve(source, layers=(*below, changed)))


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name, count in MUTATED.items() if count])
def test_mutants_are_played_as_in_python_or_refused(name: str) -> None:
    tried = played = 0
    for difference, rules in islice(mutated_rules(name), MUTATED[name]):
        tried += 1
        machine = machine_of(rules)
        scenario = next(iter(machine.facts.scenarios))
        try:
            lower(machine)
        except NotLowered:
            continue
        played += 1
        assert_plays_alike(machine, scenario, ("0", "1"), MUTANTS_BY, difference)

    # A small game has fewer mutants than are asked for.
    assert played > tried // 2, "most are refused"


# ---------------------------------------------------------------- wide sets
WIDE = """ruleset wide-1.0 "Sets as large as the language allows"
type Side = Red | Blue
players Side
type Card = 3072..4095
state
  deck    : set of Card
  taken   : set of Card
  sum_of  : 0..9999999
  turn    : 0..99
clock turn
action take(c: Card) §1 "Take a card that is drawn, and those near it."
  permit when c in deck and c mod 640 = 63
  draw d from deck for count(deck)
  deck := deck - {d, c}
  taken := taken | {d} | {x in Card where x > c and x < c + 3}
  sum_of := (sum x in taken & deck: x) + count(taken)
action pass §1 "Pass."
  permit when some taken or no deck
phase game §1 "Rounds."
  for n in 1..5
    for s in Red, Blue
      turn += 1
      choose s: take, pass
  win none
scenario table §1 "A table"
  deck := {c in Card where c mod 64 = 63 or c mod 64 = 0 or c = 4094}
  game()
positions begin at game
"""


@pytest.mark.thorough
def test_sets_of_the_limit_of_the_language_are_those_of_python() -> None:
    machine = machine_of(ruleset_of(WIDE))
    assert lower(machine).slots.of_slot[FIRST_FREE].cells == MAX_BITS // WORD
    for wider in ("3071..4095", "3072..4096"):
        with pytest.raises(hr.RulesetError):
            ruleset_of(WIDE.replace("3072..4095", wider))

    assert_plays_alike(machine, "table", ("0", "1", "2"))
    ends = [play_in_python(machine, machine.begin("table"), f"0/{number}") for number in range(4)]
    for backend in BACKENDS:
        assert native_ends(code_of(machine, backend), machine.begin("table"), 4) == ends


# ---------------------------------------------------------------- states that no game reaches
STATES = {"goofspiel-1.0": 40} | dict.fromkeys(["hots-4.0", "lords-of-scotland"], FEW * 200)


@pytest.mark.parametrize("name", [name for name, count in STATES.items() if count])
def test_states_that_no_game_reaches_stay_in_their_bounds_and_between_the_guard_pages(
    name: str,
) -> None:
    """An index that leaves the memory ends the process, and one that is wrong within it shows in other cells."""
    rules = load_source(find_source(name), hr.Limits(play_steps=1_000_000))
    machine, chooser = machine_of(rules), Random(name)
    code = code_of(machine, "llvm", most_decisions=50)
    scenario = next(iter(machine.facts.scenarios))
    real = list(states_of(machine_of(hr.load(name)), scenario, "0", 100))
    player, decisions = Stepper(code), 0
    for number in range(STATES[name]):
        slots = list(chooser.choice(real))
        for slot in chooser.sample(range(len(slots)), chooser.choice((1, 4, 16, len(slots)))):
            slots[slot] = chooser.randint(*code.slots.of_slot[slot].bounds)

        for found in player.states(slots, str(number)):
            decisions += 1
            for part, value in zip(code.slots.of_slot, found, strict=True):
                assert part.bounds.low <= value <= part.bounds.high, (number, part)

    assert decisions > STATES[name]
