"""Evidence that a difference has no effect: many games with and without it that agree in every decision."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules._home import agreements_text
from hots_rules.compare import agreements
from hots_rules.compare.sides import Side
from hots_rules.diagnostics import DEFAULT_LIMITS
from tests.compare.test_compare import TINY, house

RULES = """
rule never §2.1 "No peeking in 1305 and 1297."
  forbid peek when year = 1305 and year = 1297
rule soon §2.1 "No peeking."
  forbid peek when year = 1297
"""
HEAD = "old,new,difference,games,decisions,seed,digest\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A house rule with a rule that never applies, and one that does."""
    return house(tmp_path, RULES)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The list is read anew before and after each test."""
    agreements._rows_by_pair.cache_clear()
    yield
    agreements._rows_by_pair.cache_clear()


def row(name: str, games: int, digest: str) -> str:
    return f"tiny-1.0,house,{name},{games},123,0,{digest}\n"


def listed(
    monkeypatch: pytest.MonkeyPatch, path: Path, games: int, *, digest: str | None = None
) -> hr.compare.Diff:
    """The differences of the house rule, with a list that says so many games agree."""
    found = agreements.digest_of(*(Side.of(each, DEFAULT_LIMITS) for each in (TINY, path)))
    rows = "".join(row(name, games, digest or found) for name in ("rule never", "secret hand"))
    monkeypatch.setattr(agreements, "agreements_text", lambda: HEAD + rows)
    return hr.diff(TINY, path)


def test_games_agree_where_a_difference_has_no_effect(path: Path) -> None:
    old, new = hr.load(TINY), hr.load(path)
    found = hr.witness.agreement(old, new, "never", games=3)

    assert found is not None
    assert (3, "tiny-1.0", False) == (found.games, found.ruleset, found.is_enough)
    assert found == hr.witness.agreement(old, new, "never", games=3)
    assert found.decisions > 3


def test_games_part_where_it_has_one(path: Path) -> None:
    assert hr.witness.agreement(hr.load(TINY), hr.load(path), "soon", games=3) is None


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
    assert (
        "no effect seen in 100000 games of tiny-1.0"
        in hr.compare.table(TINY, path).report().markdown()
    )


def test_fewer_games_or_those_of_other_rules_are_no_evidence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listed(monkeypatch, path, 99_999).find("never").evidence is None
    agreements._rows_by_pair.cache_clear()
    assert listed(monkeypatch, path, 100_000, digest="of-others").find("never").evidence is None


def test_wording_is_no_part_of_what_a_listed_agreement_is_of(path: Path) -> None:
    sides = [Side.of(path, DEFAULT_LIMITS)]
    path.write_text(path.read_text("utf-8").replace("No peeking.", "Nobody peeks."), "utf-8")
    sides.append(Side.of(path, DEFAULT_LIMITS))

    assert agreements.digest_of(sides[0]) == agreements.digest_of(sides[1])
    path.write_text(path.read_text("utf-8").replace("year = 1297", "year = 1298"), "utf-8")
    assert agreements.digest_of(sides[0]) != agreements.digest_of(Side.of(path, DEFAULT_LIMITS))


def test_of_a_secret_it_is_said_that_others_see_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    amended = "amend secret hand[s] known to all\n"
    path = house(tmp_path, RULES + amended)
    listed(monkeypatch, path, 100_000)
    shown = hr.compare.table(TINY, path).row("hand").evidence

    assert [each and each.games for each in shown] == [100_000]
    assert "it changes what a side sees" in hr.compare.table(TINY, path).report().markdown()


def test_rules_that_cannot_be_compared_by_codes_do_not_agree(tmp_path: Path) -> None:
    path = house(tmp_path, "")
    path.write_text(TINY.read_text("utf-8").replace("bid(n: 0..5)", "bid(n: 0..6)"), "utf-8")

    assert hr.diff(TINY, path).ids == ("action bid",)
    assert hr.witness.agreement(hr.load(TINY), hr.load(path), "bid", games=1) is None


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["never", "soon"])
def test_agreement_does_not_depend_on_the_back_end(path: Path, name: str) -> None:
    old, new = hr.load(TINY), hr.load(path)
    found = [
        hr.witness.agreement(old, new, name, games=70, backend=backend)
        for backend in ("python", "auto")
    ]

    assert found[0] == found[1]
    assert (found[0] is not None) == (name == "never")


ROWS = [*csv.DictReader(io.StringIO(agreements_text()))]


def test_what_is_kept_is_of_the_rules_as_they_are() -> None:
    for row in ROWS:
        found = hr.diff(row["old"], row["new"]).find(row["difference"])
        assert found.evidence is not None, row
        assert found.id == row["difference"]


@pytest.mark.nightly
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['difference']} of {row['old']}")
def test_games_of_what_is_kept_agree(row: dict[str, str]) -> None:
    pair = hr.load(row["old"]), hr.load(row["new"])

    assert hr.witness.agreement(*pair, row["difference"], games=1_000, seed="nightly") is not None
