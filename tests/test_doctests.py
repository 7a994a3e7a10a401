"""The examples in docstrings run, each module's by itself; public names have one."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from listing import assert_none
from modules import modules

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Modules that need a library which is not installed everywhere.
NEEDED = {
    "hots_rules.adapters.open_spiel": "pyspiel",
    "hots_rules.adapters.pettingzoo": "pettingzoo",
}
# Packages whose public functions and classes all have an example.
WITH_EXAMPLES = ("formats", "records")


@pytest.mark.parametrize(
    "name", [name for name, module in modules().items() if ">>> " in module.path.read_text("utf-8")]
)
def test_examples_in_docstrings_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name], reason="an extra is not installed")
    monkeypatch.chdir(tmp_path)
    faults: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder().find(import_module(name)):
        runner.run(test, out=faults.append)

    assert "" == "".join(faults)
    assert runner.summarize(verbose=False).attempted > 0


@pytest.mark.parametrize("package", WITH_EXAMPLES)
def test_every_public_function_and_class_has_an_example(package: str) -> None:
    module = import_module(f"hots_rules.{package}")
    own = {name: getattr(module, name) for name in module.__all__}
    assert_none(
        f"{package}.{name}"
        for name, value in own.items()
        if getattr(value, "__module__", "").startswith(module.__name__)
        if ">>> " not in (value.__doc__ or "")
    )
