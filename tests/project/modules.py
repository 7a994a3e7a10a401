"""The modules of the library and what each imports, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

from attrs import frozen

from tests.folders import HOME

LIBRARY = HOME / "hots_rules"


@frozen
class Import:
    """An import of a module of the library, and the name that is taken from it, if it is not a module."""

    line: int
    module: str
    name: str = ""


@frozen(eq=False, slots=False)
class Module:
    """A Python file of the library."""

    path: Path
    name: str

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return _parsed(self.path)

    @cached_property
    def stub(self) -> ast.Module:
        """The syntax tree of its stub; empty if there is none."""
        stub = self.path.with_suffix(".pyi")
        return _parsed(stub) if stub.is_file() else ast.Module([], [])

    @property
    def package(self) -> str:
        """The package it belongs to; empty for the modules of `hots_rules` itself."""
        parts = self.path.relative_to(LIBRARY).parts
        return parts[0] if len(parts) > 1 else ""

    @property
    def place(self) -> str:
        """Its path in the repository."""
        return self.path.relative_to(HOME).as_posix()

    def imports(self) -> Iterator[Import]:
        """Every import: also inside functions, under `TYPE_CHECKING`, and in the stub."""
        for node in (*ast.walk(self.tree), *ast.walk(self.stub)):
            if isinstance(node, ast.Import):
                yield from (Import(node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                yield from (_imported(node.lineno, base, alias.name) for alias in node.names)
            elif isinstance(node, ast.Call) and called(node) in {"import_module", "__import__"}:
                yield from (
                    Import(node.lineno, argument.value)
                    for argument in node.args[:1]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                )

    def _base(self, node: ast.ImportFrom) -> str:
        """The module after `from`, with the leading dots resolved."""
        own = self.name.split(".")
        package = own if self.path.stem == "__init__" else own[:-1]
        above = package[: len(package) - node.level + 1] if node.level else []
        return ".".join([*above, *([node.module] if node.module else [])])


@cache
def modules() -> dict[str, Module]:
    """The modules of the library by name."""
    return {module.name: module for module in map(_read, sorted(LIBRARY.rglob("*.py")))}


def _read(path: Path) -> Module:
    parts = path.relative_to(HOME).with_suffix("").parts
    name = ".".join(parts[:-1] if path.stem == "__init__" else parts)
    return Module(path, name)


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _imported(line: int, base: str, name: str) -> Import:
    """`from a import b` imports the module `a.b`, or a name of the module `a`."""
    path = HOME.joinpath(*base.split("."), name)
    if path.is_dir() or path.with_suffix(".py").is_file():
        return Import(line, f"{base}.{name}")
    return Import(line, base, name)


def imports_of(module: Module) -> list[Import]:
    """The imports of a module that are of this library."""
    return [one for one in module.imports() if one.module.split(".")[0] == "hots_rules"]


def called(node: ast.Call) -> str:
    """The last name of what is called: `open` in `open(path)` and in `path.open()`."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def import_circles() -> list[list[str]]:
    """The strongly connected components of the modules, of two and more, the largest first."""
    direct = {
        name: {one.module for one in imports_of(module)} & modules().keys() - {name}
        for name, module in modules().items()
    }
    reached = {name: _reached(direct, name) for name in direct}
    circles = {
        tuple(sorted(other for other in targets if name in reached[other]))
        for name, targets in reached.items()
        if name in targets
    }
    return sorted(map(list, circles), key=lambda circle: (-len(circle), circle))


def _reached(direct: dict[str, set[str]], start: str) -> set[str]:
    """The modules that a module imports, directly or through others."""
    reached: set[str] = set()
    pending = [start]
    while pending:
        new = direct[pending.pop()] - reached
        reached |= new
        pending += new
    return reached
