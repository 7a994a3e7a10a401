"""WebAssembly and LLVM compute what the integer program means, for programs that hypothesis makes up."""

from importlib import import_module

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from programs import ROOM, programs, words

from hots_rules.native import program as p
from hots_rules.native.backend import Backend
from hots_rules.native.python import load_python, signed

PRINTERS = {"wasm": ("wasmtime", "native"), "llvm": ("llvmlite", "llvm")}


def backend(name: str) -> Backend:
    """A back end, if its extra is installed."""
    library, extra = PRINTERS[name]
    pytest.importorskip(library, reason=f"the extra `{extra}` is not installed")
    found: Backend = getattr(
        import_module(f"hots_rules.native.{name}_code"), f"{name.title()}Backend"
    )()
    return found


@pytest.mark.parametrize("name", PRINTERS)
@settings(max_examples=60, phases=[Phase.explicit, Phase.generate])
@given(
    program=programs(),
    state=st.lists(words, min_size=ROOM, max_size=ROOM),
    args=st.tuples(words, words),
)
def test_machine_code_does_what_the_program_means(
    name: str, program: p.Program, state: list[int], args: tuple[int, int]
) -> None:
    printer = backend(name)
    instance = printer.load(printer.compile(program), program).instance()
    memory, run = load_python(program)
    memory[:ROOM] = [word & p.FULL for word in state]
    for cell, word in enumerate(state):
        instance.memory[cell] = word
    for function in program.functions:
        own = args[: len(function.params)]
        meant = run[function.name](memory, *[word & p.FULL for word in own])
        assert instance.call(function.name, *own) == signed(meant)
        assert instance.memory[: program.cells].tolist() == [signed(word) for word in memory]
