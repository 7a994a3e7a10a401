"""Every case of tests/cases, under every edition that it names."""

from __future__ import annotations

from functools import cache

import pytest
from casebook import Case, begin, cases, check, played

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
def test_case_cites_a_section_of_its_edition(case: Case) -> None:
    assert case.sections, "a case names the section that it is derived from"
    for edition in case.editions:
        assert set(case.sections) <= set(_loaded(edition).book.sections[edition])
