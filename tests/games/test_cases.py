"""Every case of tests/cases, under every edition that it covers."""

from __future__ import annotations

from functools import cache

import pytest

import hots_rules as hr
from hots_rules.testing.casebook import split_list
from tests.casebook import HAMMER, Case, cases, check, play_case, start_case
from tests.listing import assert_none

CASES = cases()


@cache
def _loaded(name: str) -> hr.Ruleset:
    return hr.load(name)


def check_case(case: Case, edition: str) -> None:
    """Play a case under an edition, and assert what it expects."""
    check(case, play_case(case, start_case(case, _loaded(edition))))


@pytest.mark.parametrize(
    ("file", "edition"),
    [
        pytest.param(*each, marks=pytest.mark.thorough if each[1] in HAMMER[1:] else ())
        for each in sorted({(case.file, edition) for case in CASES for edition in case.editions})
    ],
)
def test_cases_of_a_file(file: str, edition: str) -> None:
    failing = []
    for case in CASES:
        if case.file == file and edition in case.editions:
            try:
                check_case(case, edition)
            except (AssertionError, hr.HotsError) as error:
                failing.append(f"{case.title}: {error}")

    assert_none(failing)


# ------------------------------------------------------------------ citations, parts and changes
def test_cases_cite_sections_that_exist() -> None:
    uncited = [f"{_name(case)}: no section cited" for case in CASES if not case.sections]
    unknown = [
        f"{_name(case)}: no section {edition}§{number}"
        for case in CASES
        for edition, number in case.cited()
        if number not in _loaded(edition).rulebook.sections[edition]
    ]

    assert_none(uncited + unknown)


def test_parts_for_some_editions_are_for_editions_of_the_case() -> None:
    faults = [
        f"{_name(case)}: `{part}` is for {edition}, which the case does not cover"
        for case in CASES
        for part, editions in _edition_parts(case).items()
        for edition in editions
        if edition not in case.editions
    ]

    assert_none(faults)


def test_cases_that_show_a_change_show_what_an_edition_changes() -> None:
    showing = [case for case in CASES if case.items("shows")]
    editions = {*HAMMER, *(edition for case in showing for edition in case.editions)}
    older = [edition for edition in editions if len(_loaded(edition).source.layers) > 1]
    changed = set().union(*map(_changed, older))
    faults = [
        f"{_name(case)}: no difference between editions"
        for case in showing
        if not _edition_parts(case) and case.editions == list(HAMMER)
    ]
    faults += [
        f"{_name(case)}: no edition changes `{declaration}`"
        for case in showing
        for declaration in case.items("shows")
        if declaration not in changed
    ]

    assert showing
    assert_none(faults)


def test_every_change_of_an_edition_has_a_case_that_shows_it() -> None:
    shown = {declaration for case in CASES for declaration in case.items("shows")}
    missing = [
        f"{edition}: {name}" for edition in HAMMER[1:] for name in sorted(_changed(edition) - shown)
    ]

    assert_none(missing)


def _name(case: Case) -> str:
    return f"{case.file}: {case.title}"


def _edition_parts(case: Case) -> dict[str, list[str]]:
    """The parts for some editions only, each with those editions."""
    return {name: split_list(name.partition(" ")[2]) for name in case.parts if " " in name}


@cache
def _changed(edition: str) -> set[str]:
    """The declarations that an edition changes in play, against the one that it extends.

    Who knows a value is left out: no position shows it. `tests/games/test_hammer.py` compares views.
    """
    base = _loaded(edition).source.layers[-2].name
    differences = hr.diff(_loaded(base), _loaded(edition)).differences
    return {
        f"{change.kind} {change.name}"
        for change in differences
        if change.plays and change.kind != "secret"
    }
