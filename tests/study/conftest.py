"""The two sides of the studies of several files."""

from __future__ import annotations

from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.study import StudySide
from tests.study.test_study import HOUSE


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "straight.rules"
    path.write_text(HOUSE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def sides(house: Path) -> list[StudySide]:
    return [
        StudySide("breakthrough-1.0", hr.load("breakthrough-1.0")),
        StudySide("house", hr.load(house)),
    ]
