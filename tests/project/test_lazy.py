"""Public names: one stub lists those of a package, and each is imported when it is first used."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import hots_rules

HOME = Path(hots_rules.__file__).parent
STUBS = sorted(HOME.rglob("__init__.pyi"))
LINE = re.compile(r"from ([\w.]+) import (\w+) as \2")


def package_of(stub: Path) -> str:
    return ".".join(("hots_rules", *stub.parent.relative_to(HOME).parts))


@pytest.mark.parametrize("stub", STUBS, ids=package_of)
def test_every_name_of_a_stub_can_be_used(stub: Path) -> None:
    lines = stub.read_text(encoding="utf-8").splitlines()
    package = import_module(package_of(stub))
    names = [found[2] for line in lines if (found := LINE.fullmatch(line))]

    assert len(lines) == len(names), "expected lines `from MODULE import NAME as NAME` alone"
    assert sorted(names) == package.__all__ == dir(package)
    for name in names:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("stub", STUBS, ids=package_of)
def test_no_module_hides_a_public_name_of_its_package(stub: Path) -> None:
    origins = dict(LINE.findall(line)[0][::-1] for line in stub.read_text("utf-8").splitlines())
    modules = {path.stem for path in stub.parent.glob("*.py")}

    # A module may be public itself.
    assert set() == {name for name in origins if name in modules} & {
        name for name, origin in origins.items() if origin != package_of(stub)
    }


def test_every_package_for_users_is_listed() -> None:
    """An editor that completes `hr.` offers each package with public names."""
    packages = {stub.parent.name for stub in STUBS if stub.parent != HOME}

    assert packages | {"testing"} <= set(dir(hots_rules))


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"`hots_rules\.records` has no attribute `nothing`"):
        hots_rules.records.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_package_imports_nothing_before_a_name_is_used() -> None:
    code = "import sys, hots_rules.records; print('hots_rules.records.journal' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False\n" == said.stdout
