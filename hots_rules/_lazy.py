"""Public names of a package, each imported when it is first used.

The stub `__init__.pyi` of a package is the one list of its public names, written as lines
`from MODULE import NAME as NAME` and nothing else. Type checkers and editors read the stub, and
`attach` makes the same names at run time, so that `import hots_rules` stays fast.

No module of a package may have the name of one of its public names: importing the module would hide the name.
"""

import sys
from collections.abc import Callable
from importlib import import_module

STUB = "__init__.pyi"


def attach(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package, from its stub.

    An `__init__.py` holds its docstring and `__getattr__, __dir__, __all__ = attach(__name__)`; `dir` of the package
    then shows its public names alone.

    >>> import hots_rules.records
    >>> "Journal" in dir(hots_rules.records)
    True
    """
    module = sys.modules[package]
    loader = module.__loader__
    # The loader reads the stub, so that a package in a zip archive works as well.
    stub = loader.get_data(f"{module.__path__[0]}/{STUB}")  # type: ignore[union-attr]
    origins = _origins(stub.decode())
    names = sorted(origins)

    def get(name: str) -> object:
        if name not in origins:
            raise AttributeError(
                f"module `{package}` has no attribute `{name}`", name=name, obj=module
            )
        origin = origins[name]
        if origin == package:  # a subpackage
            return import_module(f"{package}.{name}")
        value: object = getattr(import_module(origin), name)
        setattr(module, name, value)
        return value

    return get, names.copy, names


def _origins(stub: str) -> dict[str, str]:
    """The module of each name that a stub imports."""
    origins: dict[str, str] = {}
    module = ""
    words = iter(stub.split())
    for word in words:
        if word == "from":
            module = next(words)
        elif word == "as":
            origins[next(words).rstrip(",")] = module
    return origins
