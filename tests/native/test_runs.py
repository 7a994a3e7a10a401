"""Runs of legal actions: where they are listed, and that machine code lists and chooses the same actions by them."""

import ast
from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import bits
from hots_rules.native.cached_code import native_code
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.lower import lower
from hots_rules.native.lowering.read import read_functions
from hots_rules.native.lowering.runs import lists_runs, run_of
from hots_rules.native.runtime.chance import NTH_BIT_SOURCE
from tests.native.stepping import BACKENDS, PRINTERS, Stepper, states_of

BOARDS = ["breakthrough-1.0", "connect-four-1.0", "reversi-1.0"]


def functions(text: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize(
    ("loop", "is_run"),
    [
        ("for c in bits(free): out.append(first + c)", True),
        ("for c in bits(free): out.append(first * 7 + c)", True),
        ("for c in bits(free): out.append(c + c)", False),
        ("for c in bits(free): out.append(first + d)", False),
        ("for c in bits(free): out.append(first - c)", False),
        ("for c in range(7): out.append(first + c)", False),
    ],
)
def test_a_run_is_a_code_and_each_member(loop: str, is_run: bool) -> None:
    (node,) = ast.parse(loop).body
    assert isinstance(node, ast.For)
    assert (run_of(node) is not None) is is_run


def test_runs_are_listed_where_there_is_one() -> None:
    run = "def f(out):\n for c in bits(free):\n  if not c: continue\n  out.append(7 + c)\n"
    assert lists_runs(functions(run))
    assert lists_runs(functions(run + "def g(out): out.append(0)"))
    assert not lists_runs(functions("def g(out): out.append(0)"))


@pytest.mark.parametrize("name", BOARDS)
def test_boards_list_runs(name: str) -> None:
    machine = hr.load(name).compiled.default_machine
    assert "RUNS" in lower(machine, has_runs=True).memory
    assert "RUNS" not in lower(machine).memory


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BOARDS)
def test_actions_are_listed_as_in_python(name: str, backend: str) -> None:
    machine = hr.load(name).compiled.default_machine
    code = native_code(machine, BACKENDS[backend]())
    assert "RUNS" in code.memory
    stepper, scenario = Stepper(code), next(iter(machine.facts.scenarios))
    for state in states_of(machine, scenario, str(Random(name).random()), 30):
        if state[0]:
            assert stepper.legal(state) == machine.legal(state)


@pytest.mark.parametrize("backend", PRINTERS)
def test_the_nth_bit_of_a_word_is_found(backend: str) -> None:
    memory = p.lay_out({"SLOTS": 1, "ERROR": 1, "SOURCE": 1})
    functions = read_functions(NTH_BIT_SOURCE, memory, {}, ["nth_bit"])
    program, printer = p.Program(functions, {}, memory), PRINTERS[backend]()
    instance = printer.load(printer.compile(program), program).instance()
    for word in (1, 0b101101, 1 << 63, (1 << 64) - 1, 0xF0F0_0000_0000_F0F0):
        members = list(bits(word))
        found = [instance.call("nth_bit", word, number) for number in range(len(members))]
        assert found == members


@pytest.mark.parametrize("backend", BACKENDS)
def test_too_many_actions_are_left_to_python(backend: str) -> None:
    rules = hr.load("breakthrough-1.0", limits=hr.Limits(actions=10))
    machine = rules.machine(rules.chosen({}, {}))
    code = native_code(machine, BACKENDS[backend]())
    stepper, start = Stepper(code), machine.begin("two-ranks")
    machine.run(start, start[0], "0")
    assert stepper.legal(start) is None
    assert stepper.play([code.slots.pack(start)], ["0"]) == [None]


def test_a_loop_over_a_type_visits_the_members_alone_for_which_it_does_something() -> None:
    lowered = lower(hr.load("hots-4.0").compiled.default_machine, has_runs=True)
    (listing,) = (function for function in lowered.functions if function.name == "list_move")
    (outer, _) = (node for node in p.walk(listing.body) if isinstance(node, p.ForBits))
    assert isinstance(outer.word, p.Local)
    assert outer.word.name.startswith("chosen")
