"""The back ends that can be installed, by name."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from hots_rules.native.backend import Backend

LIBRARIES: Final = MappingProxyType({"wasm": "wasmtime", "llvm": "llvmlite"})
"""The library that each back end needs."""
EXTRAS: Final = MappingProxyType({"wasm": "native", "llvm": "llvm"})
"""The extra that installs it."""


def is_installed(name: str) -> bool:
    """Whether the library of a back end is there; it may be broken."""
    return find_spec(LIBRARIES[name]) is not None


@cache
def find_backend(name: str) -> Backend:
    """A back end, the same one each time.

    Raises:
        ImportError: its library is missing or broken.
    """
    try:
        if name == "wasm":
            # Late imports: the library is an extra, and slow to load.
            from hots_rules.native.printing.wasm_code import WasmBackend

            return WasmBackend()
        from hots_rules.native.printing.llvm_code import LlvmBackend

        return LlvmBackend()
    except (AttributeError, OSError, RuntimeError) as error:
        raise ImportError(f"`{LIBRARIES[name]}` does not work: {error}") from error
