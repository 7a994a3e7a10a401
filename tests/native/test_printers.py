"""WebAssembly and LLVM compute what the integer program means, for programs that hypothesis makes up."""

import os
from importlib import import_module

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hots_rules.native.backend import Backend, NativeFault
from hots_rules.native.lowering import program as p
from hots_rules.native.printing.python import load_python, signed
from tests.native.programs import ROOM, fitting_state, programs, tamed, words
from tests.needs import needs

# A program is small enough to read as it is; to shrink it takes minutes.
QUICK = [Phase.explicit, Phase.reuse, Phase.generate]
EXAMPLES = 3000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 40
LIBRARIES = {"wasm": "wasmtime", "llvm": "llvmlite"}


def backend(name: str) -> Backend:
    """A back end, if its extra is installed."""
    needs(LIBRARIES[name])
    found: Backend = getattr(
        import_module(f"hots_rules.native.printing.{name}_code"), f"{name.title()}Backend"
    )()
    return found


def assert_computes(
    name: str, program: p.Program, meaning: p.Program, state: list[int], args: tuple[int, int]
) -> None:
    """Assert that the machine code of a program does what another one means, with each function once."""
    printer = backend(name)
    instance = printer.load(printer.compile(program), program).instance()
    memory, run = load_python(meaning)
    for cell, word in enumerate(fitting_state(program, state)):
        instance.memories[0][cell] = word
        memory[cell] = word & p.FULL
    for function in program.functions:
        own = args[: len(function.params)]
        meant = run[function.name](memory, *[word & p.FULL for word in own])
        assert instance.call(function.name, *own) == signed(meant)
        assert instance.memories[0][: program.cells].tolist() == [signed(word) for word in memory]


states = st.lists(words, min_size=ROOM, max_size=ROOM)
pairs = st.tuples(words, words)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LIBRARIES)
@settings(phases=QUICK, max_examples=EXAMPLES)
@given(program=programs(), state=states, args=pairs)
def test_machine_code_does_what_the_program_means(
    name: str, program: p.Program, state: list[int], args: tuple[int, int]
) -> None:
    assert_computes(name, program, program, state, args)


@pytest.mark.thorough
@settings(phases=QUICK, max_examples=EXAMPLES)
@given(program=programs(is_wild=True), state=states, args=pairs)
def test_llvm_keeps_every_index_inside(
    program: p.Program, state: list[int], args: tuple[int, int]
) -> None:
    assert_computes("llvm", program, tamed(program), state, args)


def reader(room: int) -> p.Program:
    """A program that reads the cell of its argument, and a function that divides by it."""
    read = p.Function("read", ("x",), (p.Return(p.Load(0, p.Local("x"), room)),), True)
    ratio = p.Binary("div", p.Const(100), p.Local("x"))
    divide = p.Function("divide", ("x",), (p.Return(ratio),), True)
    return p.Program((read, divide), {}, p.lay_out({"SLOTS": room, "ERROR": 1}))


def test_wasm_cannot_leave_its_memory() -> None:
    printer, program = backend("wasm"), reader(2)
    instance = printer.load(printer.compile(program), program).instance()
    for function, word in (("read", 1 << 27), ("read", -1), ("divide", 0)):
        with pytest.raises(NativeFault):
            instance.call(function, word)


def test_code_of_another_version_is_a_fault() -> None:
    printer, program = backend("wasm"), reader(2)
    with pytest.raises(NativeFault):
        printer.load(b"\0" + printer.compile(program)[1:], program)


def test_llvm_divides_by_nothing_less_than_1() -> None:
    printer, program = backend("llvm"), reader(2)
    instance = printer.load(printer.compile(program), program).instance()
    assert [instance.call("divide", word) for word in (0, 1, 7)] == [100, 100, 14]


@pytest.mark.parametrize("name", ["wasm", "llvm"])
def test_what_is_within_choices_and_negations_is_printed_once(name: str) -> None:
    word: p.Expr = p.Const(0)
    for _ in range(40):
        word = p.Binary("mul", p.Unary("not", word), p.Const(1))
    for number in range(40):
        is_here = p.Binary("eq", p.Local("x"), p.Const(number))
        word = p.Conditional(is_here, p.Binary("mul", p.Local("x"), p.Const(3)), word)
    function = p.Function("chosen", ("x",), (p.Return(word),), True)
    program, printer = (
        p.Program((function,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1})),
        backend(name),
    )
    instance = printer.load(printer.compile(program), program).instance()
    assert [instance.call("chosen", x) for x in (0, 39, 40)] == [0, 117, 0]
