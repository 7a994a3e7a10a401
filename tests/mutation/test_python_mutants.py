"""Mutants of Python modules: what changes nothing that runs, and lists that agree with the code."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.folders import HOME
from tests.mutation import mutate_python
from tests.mutation.judged import EQUIVALENT, SCORES, TESTS, UNNOTICED, listed, modules
from tests.mutation.mutate_python import report
from tests.mutation.python_mutants import PythonMutant, mutant_of, what_runs

MODULE = "hots_rules/web/games/clocks.py"
TEXT = "@cache\ndef f(x: int | None) -> int:\n    y: int = x + 1\n    return y\n"


def test_a_mutant_is_named_by_the_lines_that_it_changes() -> None:
    changed = mutant_of("f.py", TEXT, TEXT.replace("x + 1", "x - 1"))
    removed = mutant_of("f.py", TEXT, TEXT.replace("@cache\n", ""))

    assert (changed.number, changed.line, changed.mutation) == (
        3,
        "y: int = x + 1",
        "y: int = x - 1",
    )
    assert (removed.number, removed.line, removed.mutation) == (1, "@cache", "")


@pytest.mark.parametrize("other", ["int & None", "None | int"])
def test_an_annotation_changes_nothing_that_runs(other: str) -> None:
    assert what_runs(TEXT.replace("int | None", other)) == what_runs(TEXT)
    assert what_runs(TEXT.replace("x + 1", "x - 1")) != what_runs(TEXT)
    assert what_runs("f(+, 1)") == ""


@pytest.mark.parametrize("file", [EQUIVALENT, UNNOTICED], ids=lambda file: file.stem)
def test_what_is_listed_is_in_its_module_and_has_a_reason(file: Path) -> None:
    known = modules([])
    for (module, line, mutation), reason in listed(file).items():
        text = " ".join((HOME / module).read_text(encoding="utf-8").split())
        assert module in known
        assert " ".join(line.split()) in text, (module, line)
        assert reason and line != mutation


def test_the_modules_of_the_scores_and_their_tests_are_there() -> None:
    with SCORES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    assert {row["module"] for row in rows} <= set(modules([]))
    for row in rows:
        assert 0 <= int(row["noticed"]) + int(row["equivalent"]) <= int(row["mutants"])
    assert all((HOME / file).exists() for files in TESTS.values() for file in files.split())


def test_a_night_fails_where_too_few_mutants_are_noticed_or_one_is_not_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = [PythonMutant(MODULE, n, f"line {n}", f"mutant {n}", "") for n in range(12)]
    lists = {EQUIVALENT: {chosen[0].change: "the same"}, UNNOTICED: {chosen[1].change: "rare"}}
    monkeypatch.setattr(mutate_python, "listed", lists.__getitem__)

    rows, wrong = report(chosen, set(chosen[2:]), "2026-01-01")
    row = {"module": MODULE, "mutants": 12, "noticed": 10, "equivalent": 1, "date": "2026-01-01"}
    assert (rows, wrong) == ([row], [])
    assert report(chosen, set(chosen[3:]), "2026-01-01")[1] == [
        f"not noticed: {chosen[2]}",
        f"{MODULE}: 9 of 11 are noticed",
    ]
