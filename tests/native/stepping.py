"""Machine code, one decision at a time, for tests that compare it with Python."""

from collections.abc import Iterator
from random import Random

from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.compile.codes import POINT, Slots
from hots_rules.compile.machine import Machine
from hots_rules.native import cached_code
from hots_rules.native.backend import Backend
from hots_rules.native.batch import Ended, NativeGames
from hots_rules.native.cached_code import NativeCode, native_code
from hots_rules.native.runtime.games import row_of
from tests.needs import needs
from tests.sizes import sample_size


def wasm() -> Backend:
    """WebAssembly, if it is installed."""
    needs("wasmtime")
    from hots_rules.native.printing.wasm_code import WasmBackend

    return WasmBackend()


def llvm() -> Backend:
    """LLVM, if it is installed."""
    needs("llvmlite")
    from hots_rules.native.printing.llvm_code import LlvmBackend

    return LlvmBackend(level=sample_size(0, 2))


def portable_llvm() -> Backend:
    """LLVM without the instructions that only some processors have, if it is installed."""
    needs("llvmlite")
    from hots_rules.native.printing.llvm_code import LlvmBackend

    return LlvmBackend(level=sample_size(0, 2), is_portable=True)


BACKENDS = {"wasm": wasm, "llvm": llvm}
PRINTERS = BACKENDS | {"portable llvm": portable_llvm}


class Stepper(NativeGames):
    """One game, which stops after each decision."""

    def states(self, start: Slots, seed: str) -> Iterator[Slots]:
        """The first state, and one after each decision; it ends where only Python can go on."""
        self.begin([self._code.slots.pack(start)], [row_of(seed)])
        self.go_on(0)
        memory, words = self._memories[0], self._instance.memories[0]
        while not memory.cell("GAME"):
            yield self._code.slots.unpack(words[: self._code.slots.cells])
            self.go_on(1)
        (end,) = memory.ends(keeps_slots=True)
        if end and end.slots is not None:
            yield end.slots

    def legal(self, state: Slots) -> list[int] | None:
        """The codes of the legal actions at a decision; None if only Python can tell."""
        memory, words = self._code.memory, self._instance.memories[0]
        packed = memoryview(self._code.slots.pack(state)).cast("q")
        words[: len(packed)] = packed
        words[memory["ERROR"].base] = 0
        count = self._instance.call("legal", -1 - state[POINT])
        if words[memory["ERROR"].base]:
            return None
        base = memory["OUT"].base
        return words[base : base + count].tolist()


def native_ends(code: NativeCode, start: Slots, games: int) -> list[Ended | None]:
    """How games end in machine code."""
    player, packed = NativeGames(code), code.slots.pack(start)
    ends: list[Ended | None] = []
    for first in range(0, games, cached_code.BATCH):
        numbers = range(first, min(first + cached_code.BATCH, games))
        seeds = [f"0/{number}" for number in numbers]
        ends += player.play([packed] * len(seeds), seeds, keeps_slots=True)
    return ends


def states_of(machine: Machine, scenario: str, seed: str, most: int) -> Iterator[Slots]:
    """The states of a random game in Python, one after each decision, until nobody has a legal action."""
    slots, chooser = machine.begin(scenario), Random(seed)
    machine.run(slots, slots[POINT], seed)
    for _ in range(most):
        yield slots
        if not slots[POINT]:
            return
        legal = machine.legal(slots)
        if not legal:
            return
        slots = list(slots)
        machine.play(slots, legal[int(chooser.random() * len(legal))], seed)


def check_equal_games(machine: Machine, scenario: str, *, games: int, states: int) -> None:
    """Whole games end alike in Python and in machine code, and one game has equal states and lists of actions.

    Raises:
        AssertionError: they differ.
    """
    seeds = [f"0/{number}" for number in range(games)]
    ends = [play_in_python(machine, machine.begin(scenario), seed) for seed in seeds]
    for make in BACKENDS.values():
        code = native_code(machine, make())
        assert native_ends(code, machine.begin(scenario), games) == ends
        player, lister = Stepper(code), Stepper(code)
        in_python = states_of(machine, scenario, "every", states)
        in_code = player.states(machine.begin(scenario), "every")
        for slots, same in zip(in_python, in_code, strict=False):
            assert slots == same
            if slots[0]:
                assert machine.legal(slots) == lister.legal(slots)
