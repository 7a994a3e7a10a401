"""Every case of tests/cases, under every edition that it holds for."""

from __future__ import annotations

from functools import cache

import pytest
from casebook import HAMMER, Case, begin, cases, check, played

import hots_rules as hr

CASES = cases()


@cache
def _loaded(name: str) -> hr.Ruleset:
    return hr.load(name)


@pytest.mark.parametrize(
    ("case", "edition"),
    [
        pytest.param(case, edition, id=f"{case.file[:-3]}: {case.title} [{edition}]")
        for case in CASES
        for edition in case.editions
    ],
)
def test_case(case: Case, edition: str) -> None:
    ruleset = _loaded(edition)

    check(case, played(case, begin(case, ruleset)))


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.file[:-3]}: {case.title}") for case in CASES]
)
def test_case_cites_sections_that_exist(case: Case) -> None:
    assert case.sections, "a case names the section that it is derived from"
    for edition, number in case.cited():
        assert number in _loaded(edition).book.sections[edition], f"{edition}§{number}"


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.file[:-3]}: {case.title}") for case in CASES]
)
def test_parts_for_some_editions_are_for_editions_of_the_case(case: Case) -> None:
    for part, editions in case.own_parts().items():
        assert set(editions) <= set(case.editions), f"`{part}` names an edition that is not played"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.file[:-3]}: {case.title}")
        for case in CASES
        if case.listed("shows")
    ],
)
def test_case_that_shows_a_change_shows_declarations_that_an_edition_changes(case: Case) -> None:
    assert case.own_parts() or case.editions != list(HAMMER), "expected editions that differ"
    for shown in case.listed("shows"):
        kind, _, name = shown.partition(" ")
        assert any(_changes(edition, kind, name) for edition in HAMMER[1:]), shown


def _changes(edition: str, kind: str, name: str) -> bool:
    """Whether an edition declares this itself, or repeals it."""
    book = _loaded(edition).book
    found = book.entries.get((kind, name))
    gone = [entry for entry in book.repealed if (entry.kind, entry.name) == (kind, name)]
    return any(entry.edition == edition for entry in ([found] if found else []) + gone)
