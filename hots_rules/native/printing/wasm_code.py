"""Machine code through WebAssembly and wasmtime."""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
from collections.abc import Mapping
from weakref import finalize

import wasmtime
from attrs import field, frozen

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

        return bytes(wasmtime.Module(self._engine, to_wasm(inlined(program))).serialize())

    def load(self, code: bytes, program: p.Program) -> WasmCode:
        """See `Backend.load`."""
        try:
            module = wasmtime.Module.deserialize(self._engine, code)
        except wasmtime.WasmtimeError as error:
            raise NativeFault(str(error)) from None
        return WasmCode(self._engine, module, program.cells)


@frozen
class WasmCode:
    """A compiled module; see `Code`."""

    _engine: wasmtime.Engine
    _module: wasmtime.Module
    _cells: int

    def __attrs_post_init__(self) -> None:
        finalize(self, self._module.close)

    def instance(self) -> WasmInstance:
        """See `Code.instance`."""
        store = wasmtime.Store(self._engine)
        exports = wasmtime.Instance(store, self._module, []).exports(store)
        functions = {export.name: exports[export.name] for export in self._module.exports}
        memory = functions.pop("memory")
        address = ctypes.addressof(memory.data_ptr(store).contents)
        cells = (ctypes.c_int64 * self._cells).from_address(address)
        return WasmInstance((memoryview(cells).cast("B").cast("q"),), store, functions)


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
