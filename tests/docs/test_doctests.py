"""The examples in docstrings run, and everything public is documented, with an example."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import attrs
import pytest

from tests.folders import HOME
from tests.listing import assert_none
from tests.needs import needs
from tests.project.modules import modules

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Modules that need a library which is not installed everywhere.
NEEDED = {
    "hots_rules.adapters.gymnasium": "gymnasium",
    "hots_rules.adapters.open_spiel": "pyspiel",
    "hots_rules.adapters.pettingzoo": "pettingzoo",
    "hots_rules.formats.training.batch_step": "numpy",
    "hots_rules.formats.training.game_batch": "numpy",
    "hots_rules.native.printing.llvm": "llvmlite",
    "hots_rules.native.printing.llvm_code": "llvmlite",
    "hots_rules.native.printing.wasm_code": "wasmtime",
}
# Modules whose examples take long: they search, count or play many games.
SLOW = {
    "hots_rules.talk.battles.battles",
    "hots_rules.analysis.players.ismcts",
    "hots_rules.analysis.chances.odds",
    "hots_rules.api",
    "hots_rules.witness.equivalence",
    "hots_rules.atlas.html_files",
    "hots_rules.atlas.exhibits",
    "hots_rules.atlas.entries",
    "hots_rules.compare.hybrids",
    "hots_rules.study.estimates",
    "hots_rules.study.result",
    "hots_rules.witness.search",
    "hots_rules.talk.lookup.find",
    "hots_rules.formats.wasm_export",
    "hots_rules.testing.leaks",
    "hots_rules.web.application",
}
# The library, and its packages with a list of public names.
PUBLIC = [name for name, module in modules().items() if module.stub.body]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough if name in SLOW else ())
        for name, module in modules().items()
        if ">>> " in module.path.read_text("utf-8")
    ],
)
def test_examples_in_docstrings_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDED:
        needs(NEEDED[name])
    monkeypatch.chdir(tmp_path)
    faults: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder().find(import_module(name)):
        runner.run(test, out=faults.append)

    assert "" == "".join(faults)
    assert runner.summarize(verbose=False).attempted > 0


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_function_and_class_has_an_example(package: str) -> None:
    assert_none(
        f"{package}.{name}"
        for name, value in public(package)
        if ">>> " not in (vars(value).get("__doc__") or value.__doc__ or "")
    )


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_method_is_documented(package: str) -> None:
    assert_none(
        f"{package}.{name}.{method}"
        for name, value in public(package)
        if inspect.isclass(value)
        for method, attribute in vars(value).items()
        if not method.startswith("_") and is_undocumented(attribute)
    )


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_attribute_is_documented(package: str) -> None:
    assert_none(
        f"{package}.{name}.{field.name}"
        for name, value in public(package)
        if inspect.isclass(value) and attrs.has(value)
        for field in attrs.fields(value)
        if not field.name.startswith("_") and not is_named(field.name, value)
    )


def public(package: str) -> Iterator[tuple[str, type]]:
    """The public functions and classes of a package, without those that another package defines."""
    module = import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        home = getattr(value, "__module__", None) or ""
        is_own = home.startswith(f"{package}.") and not inspect.ismodule(value)
        if is_own and (inspect.isclass(value) or inspect.isfunction(value)):
            yield name, value


def is_undocumented(attribute: object) -> bool:
    """Whether a method or a property has no docstring."""
    for wrapped in ("fget", "func", "__func__"):
        attribute = getattr(attribute, wrapped, attribute)
    return inspect.isfunction(attribute) and not attribute.__doc__


def is_named(field: str, value: type) -> bool:
    """Whether a field has a docstring of its own, or is named in the docstring of its class or of one above."""
    classes = [each for each in value.__mro__ if each.__module__ in modules()]
    text = "\n".join(each.__doc__ or "" for each in classes)
    listed = re.search(rf"`{field}`|^\s*{field}(?: \(.*\))?:", text, re.M)
    return bool(listed) or any(field in documented_fields(each) for each in classes)


def documented_fields(value: type) -> set[str]:
    """The fields of a class with a string below them."""
    tree = modules()[value.__module__].tree
    bodies = [
        node.body
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name == value.__name__
    ]
    return {
        statement.target.id
        for body in bodies
        for statement, below in pairwise(body)
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }


def test_what_can_be_pickled_says_that_untrusted_pickles_are_dangerous() -> None:
    home = HOME
    pages = [module.path for module in modules().values()] + sorted(home.glob("docs/how-to/*.md"))
    offered = re.compile(r"and pickled|survive pickling|A pickled")
    warned = re.compile(r"an\s+untrusted\s+pickle\s+can\s+run\s+any\s+code:", re.I)
    texts = {str(page): page.read_text("utf-8") for page in pages}

    assert any(map(offered.search, texts.values()))
    assert_none(
        name
        for name, text in texts.items()
        if len(offered.findall(text)) > len(warned.findall(text))
    )
