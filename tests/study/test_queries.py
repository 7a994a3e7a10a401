"""The queries of the page on studies run on the files of a study, in the programs that they are for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.cli.results_folder import ResultsFolder
from tests.needs import needs

PAGE = Path(__file__).parents[2] / "docs/how-to/studies.md"
PROGRAMS = ("duckdb", "polars", "pandas")
GAMES = 8


def query_of(program: str) -> str:
    blocks = re.findall(r"```python\n(import .*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (query,) = (block for block in blocks if block.startswith(f"import {program}"))
    return query


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[hr.study.Study, Path]:
    needs("pyarrow")
    folder = tmp_path_factory.mktemp("study")
    plan = hr.study.StudyPlan(("hots-3.x", "hots-4.0"), "braveheart", games=GAMES)
    rulesets = [hr.load(name) for name in plan.sides]
    return hr.study.study(rulesets, plan, store=ResultsFolder(folder / "games")), folder


@pytest.mark.nightly
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_query_of_the_page_runs(
    program: str,
    study: tuple[hr.study.Study, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip(program, reason=f".ci/nightly installs {program}")
    monkeypatch.chdir(study[1])
    exec(query_of(program), {})
    printed = capsys.readouterr().out

    expected = {"duckdb": f" {GAMES} ", "polars": "Scotland", "pandas": "\n"}
    assert expected[program] in printed
