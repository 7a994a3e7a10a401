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


# ------------------------------------------------------------------ what the cases show
@cache
def _changed(edition: str) -> set[str]:
    """The declarations that an edition changes in play, against the one that it extends."""
    below = HAMMER[HAMMER.index(edition) - 1]
    differences = hr.diff(_loaded(below), _loaded(edition)).differences
    return {f"{one.kind} {one.name}" for one in differences if one.plays}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.file[:-3]}: {case.title}")
        for case in CASES
        if case.listed("shows")
    ],
)
def test_case_that_shows_a_change_shows_what_an_edition_changes(case: Case) -> None:
    changed = set().union(*map(_changed, HAMMER[1:]))

    assert case.own_parts() or case.editions != list(HAMMER), "expected editions that differ"
    assert set(case.listed("shows")) <= changed


@pytest.mark.parametrize("edition", HAMMER[1:])
def test_every_change_of_an_edition_has_a_case_that_shows_it(edition: str) -> None:
    shown = {declaration for case in CASES for declaration in case.listed("shows")}

    assert set() == _changed(edition) - shown
