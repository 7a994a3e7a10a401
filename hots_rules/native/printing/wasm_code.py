"""Machine code through WebAssembly and wasmtime."""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from weakref import finalize

import wasmtime
from attrs import evolve, field, frozen

from hots_rules.native.backend import NativeFault
from hots_rules.native.lowering import program as p


@frozen
class WasmBackend:
    """WebAssembly, compiled by wasmtime: quick to compile, and nothing can leave its memory.

    The code itself says which version of wasmtime it is of, and another one does not load it.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.printing.wasm_code import WasmBackend
    >>> double = p.Function("double", ("x",), (p.Return(p.Binary("add", p.Local("x"), p.Local("x"))),), True)
    >>> program = p.Program((double,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1}))
    >>> backend = WasmBackend()
    >>> backend.load(backend.compile(program), program).instance().call("double", 21)
    42
    """

    name: str = field(default="wasm", init=False)
    version: str = field(init=False)
    _engine: wasmtime.Engine = field(factory=wasmtime.Engine, init=False)

    @version.default
    def _version(self) -> str:
        # When it was installed: its metadata load slowly, and it refuses code of another version itself.
        return f"{os.stat(wasmtime.__file__).st_mtime_ns} {platform.machine()}"

    def __attrs_post_init__(self) -> None:
        # What is left when Python ends is closed before its modules are, on which closing depends.
        atexit.register(self._engine.close)

    def compile(self, program: p.Program) -> bytes:
        """See `Backend.compile`."""
        # A late import: kept code needs no printer.
        from hots_rules.native.printing.inlining import inlined
        from hots_rules.native.printing.wasm import to_wasm
        from hots_rules.native.printing.wasm_pairs import CALLED, to_pairs

        pairs = b""
        if {"batch", *CALLED} <= {function.name for function in program.functions}:
            exported = [
                evolve(function, is_exported=function.is_exported or function.name in CALLED)
                for function in program.functions
            ]
            program = evolve(program, functions=tuple(exported))
            with suppress(wasmtime.WasmtimeError):  # a processor may have no vectors
                pairs = self._compiled(to_pairs(program.memory))
        code = self._compiled(to_wasm(inlined(program)))
        return len(code).to_bytes(8, "little") + code + pairs

    def _compiled(self, module: bytes) -> bytes:
        return bytes(wasmtime.Module(self._engine, module).serialize())

    def load(self, code: bytes, program: p.Program) -> WasmCode:
        """See `Backend.load`."""
        end = 8 + int.from_bytes(code[:8], "little")
        try:
            modules = [
                wasmtime.Module.deserialize(self._engine, part)
                for part in (code[8:end], code[end:])
                if part
            ]
        except wasmtime.WasmtimeError as error:
            raise NativeFault(str(error)) from None
        return WasmCode(self._engine, modules, program.cells)


@frozen
class WasmCode:
    """A compiled module; see `Code`."""

    _engine: wasmtime.Engine
    _modules: Sequence[wasmtime.Module]
    """The program, and the one that plays the games of several memories in turns, if there is one."""
    _cells: int

    def __attrs_post_init__(self) -> None:
        for module in self._modules:
            finalize(self, module.close)

    def instance(self) -> WasmInstance:
        """See `Code.instance`."""
        store = wasmtime.Store(self._engine)
        program, *pairs = self._modules
        count = max(
            (int(needed.module) + 1 for module in pairs for needed in module.imports), default=1
        )
        copies = [wasmtime.Instance(store, program, []).exports(store) for _ in range(count)]
        functions = {export.name: copies[0][export.name] for export in program.exports}
        for module in pairs:
            imports = [copies[int(needed.module)][needed.name] for needed in module.imports]
            functions["batch"] = wasmtime.Instance(store, module, imports).exports(store)["batch"]
        memories = tuple(self._words(exports["memory"], store) for exports in copies)
        return WasmInstance(memories, store, functions)

    def _words(self, memory: wasmtime.Memory, store: wasmtime.Store) -> memoryview:
        address = ctypes.addressof(memory.data_ptr(store).contents)
        cells = (ctypes.c_int64 * self._cells).from_address(address)
        return memoryview(cells).cast("B").cast("q")


@frozen
class WasmInstance:
    """A module with its memory; see `Instance`."""

    memories: tuple[memoryview, ...]
    _store: wasmtime.Store
    _functions: Mapping[str, wasmtime.Func]

    def __attrs_post_init__(self) -> None:
        finalize(self, self._store.close)

    def call(self, function: str, *words: int) -> int:
        """See `Instance.call`."""
        try:
            return int(self._functions[function](self._store, *words))
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise NativeFault(str(error)) from None
