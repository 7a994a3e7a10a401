"""Evidence that a difference has no effect: many games with and without it that agree in every decision."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_compare import TINY, house

import hots_rules as hr
from hots_rules.compare import agreements
from hots_rules.compare.sides import Side
from hots_rules.diagnostics import DEFAULT_LIMITS

RULES = """
rule never §2.1 "No peeking in 1400."
  forbid peek when year > 1400
rule soon §2.1 "No peeking."
  forbid peek when year = 1297
"""
HEAD = "old,new,difference,games,decisions,seed,digest\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A house rule with a rule that never applies, and one that does."""
    return house(tmp_path, RULES.replace("> 1400", "= 1305 and year = 1297"))


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The list is read anew before and after each test."""
    agreements._listed.cache_clear()
    yield
    agreements._listed.cache_clear()


def listed(
    monkeypatch: pytest.MonkeyPatch, path: Path, games: int, *, digest: str | None = None
) -> hr.compare.Diff:
    """The differences of the house rule, with a list that says so many games agree."""
    found = agreements.digest_of(*(Side.of(each, DEFAULT_LIMITS) for each in (TINY, path)))
    row = f"tiny-1.0,house,rule never,{games},123,0,{digest or found}\n"
    monkeypatch.setattr(agreements, "agreements_text", lambda: HEAD + row)
    return hr.diff(TINY, path)


def test_games_agree_where_a_difference_has_no_effect(path: Path) -> None:
    old, new = hr.load(TINY), hr.load(path)
    found = hr.compare.agreement(old, new, "never", games=3)

    assert found is not None
    assert (3, "tiny-1.0", False) == (found.games, found.ruleset, found.is_enough)
    assert found == hr.compare.agreement(old, new, "never", games=3)
    assert found.decisions > 3


def test_games_part_where_it_has_one(path: Path) -> None:
    assert hr.compare.agreement(hr.load(TINY), hr.load(path), "soon", games=3) is None


def test_a_difference_is_played_with_and_without_it_alone(path: Path) -> None:
    old, new = hr.load(TINY), hr.load(path)
    played, other = hr.compare.with_and_without(old, new, "soon")

    assert ("rule soon",) == hr.diff(other, played).ids
    assert not hr.diff(old, other)


def test_enough_games_are_reported_both_ways_round(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = listed(monkeypatch, path, 100_000)
    evidence = found.find("never").evidence

    assert evidence is not None
    assert (100_000, 123) == (evidence.games, evidence.decisions)
    assert found.find("soon").evidence is None
    assert found.mirrored() == hr.diff(path, TINY)
    assert "no effect seen in 100000 games of tiny-1.0" in hr.compare.table(TINY, path).markdown()


def test_fewer_games_or_those_of_other_rules_are_no_evidence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listed(monkeypatch, path, 99_999).find("never").evidence is None
    agreements._listed.cache_clear()
    assert listed(monkeypatch, path, 100_000, digest="of-others").find("never").evidence is None


def test_wording_is_no_part_of_what_a_listed_agreement_is_of(path: Path) -> None:
    sides = [Side.of(path, DEFAULT_LIMITS)]
    path.write_text(path.read_text("utf-8").replace("No peeking.", "Nobody peeks."), "utf-8")
    sides.append(Side.of(path, DEFAULT_LIMITS))

    assert agreements.digest_of(sides[0]) == agreements.digest_of(sides[1])
    path.write_text(path.read_text("utf-8").replace("year = 1297", "year = 1298"), "utf-8")
    assert agreements.digest_of(sides[0]) != agreements.digest_of(Side.of(path, DEFAULT_LIMITS))


def test_the_kept_list_can_be_read() -> None:
    assert agreements._listed() is not None
