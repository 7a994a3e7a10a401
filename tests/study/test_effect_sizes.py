"""What differences are worth: kept in a file, found by difference, and shown in the atlas."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.study.studies import share_of_wins

HOUSE = """ruleset wild-1.0 "House rules: men capture straight ahead, and their own"
  extends breakthrough-1.0
repeal rule no-capture-straight-ahead
repeal rule own-men-block
"""
GAMES = 40


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wild") / "wild.rules"
    path.write_text(HOUSE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def kept(house: Path) -> str:
    """The file that the command keeps: the differences are taken back from the house rule, one at a time."""
    out = house.with_name("effects.csv")
    asked = ["attribute", str(house), "breakthrough-1.0", "--scenario", "two-ranks"]
    asked += ["--player", "White", "--games", str(GAMES), "--seed", "3", "--orders", "0"]
    run = CliRunner().invoke(app, [*asked, "-o", str(out)])
    assert run.exit_code == 0, run.output
    return out.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_a_worth_is_what_a_difference_changes_in_the_newer_ruleset(house: Path, kept: str) -> None:
    old, new = hr.load("breakthrough-1.0"), hr.load(house)
    found = hr.study.effects_of(old, new, kept)

    assert set(found) == {"rule no-capture-straight-ahead", "rule own-men-block"}
    for name, worth in found.items():
        without = hr.compare.hybrid(new, old, [name])
        assert worth.value == pytest.approx(
            share_of_wins(new, GAMES) - share_of_wins(without, GAMES), abs=1e-6
        )
        assert worth.low <= worth.value <= worth.high
        assert (worth.games, worth.seed, worth.policy) == (GAMES, "3", "random")


@pytest.mark.thorough
def test_the_other_way_round_it_has_the_other_sign(house: Path, kept: str) -> None:
    old, new = hr.load("breakthrough-1.0"), hr.load(house)
    there, back = hr.study.effects_of(old, new, kept), hr.study.effects_of(new, old, kept)

    assert {name: -worth.value for name, worth in back.items()} == pytest.approx(
        {name: worth.value for name, worth in there.items()}
    )


def test_a_ruleset_that_plays_otherwise_by_now_has_none(
    house: Path, kept: str, tmp_path: Path
) -> None:
    other = tmp_path / "wild.rules"
    other.write_text(HOUSE.replace("repeal rule own-men-block\n", ""), encoding="utf-8")

    assert hr.study.effects_of("breakthrough-1.0", other, kept) == {}
    assert hr.study.effects_of("breakthrough-1.0", house, "") == {}


@pytest.mark.thorough
def test_a_second_run_takes_the_place_of_the_first(house: Path, kept: str) -> None:
    rules = hr.load("breakthrough-1.0"), hr.load(house)
    found = attributed(*rules)
    both = hr.study.update_effects(kept, found, *rules)
    again = hr.study.update_effects(both, found, *rules)

    assert both == again
    assert len(both.splitlines()) == 1 + 2 * 2


def test_the_atlas_shows_what_each_difference_is_worth(house: Path, kept: str) -> None:
    pair = hr.load("breakthrough-1.0"), hr.load(house)
    atlas = hr.atlas.atlas(*pair)
    shown = hr.atlas.collect(atlas, pair, effects_text=kept)
    entries = list(hr.atlas.pages_of(atlas, shown))
    (declared,) = (page.html for page in entries if page.name == "declarations.html")
    effects = hr.study.effects_of(*pair, kept)

    for entry in atlas.entries:
        (page,) = (each.html for each in entries if each.name == entry.page)
        assert f"White wins {effects[entry.id].points}" in page
        assert f"Measured in {GAMES} games of two-ranks" in page
        assert effects[entry.id].points in declared
    unmeasured = list(hr.atlas.pages_of(atlas, hr.atlas.Collection()))
    assert all("not measured" in page.html for page in unmeasured[3:])


def test_a_difference_that_cannot_be_played_alone_has_its_fault(house: Path) -> None:
    """The command keeps why a group has no numbers, the report names it, and so does the page of the atlas."""
    pair = hr.load("breakthrough-1.0"), hr.load(house)
    group = ("rule own-men-block",)
    unplayable = hr.study.Unplayable(group[0], group, "expected a value of 0..8, got 9")
    found = evolve(attributed(*pair), alone=(), unplayable=(unplayable,))
    text = hr.study.update_effects("", found, *pair)

    assert hr.study.effects_of(*pair, text) == {}
    assert hr.study.faults_of_unmeasured(*pair, text) == {group[0]: unplayable.fault}
    assert f"| {group[0]} | {unplayable.fault} |" in found.report().markdown()
    atlas = hr.atlas.atlas(*pair)
    pages = hr.atlas.pages_of(atlas, hr.atlas.collect(atlas, pair, effects_text=text))
    assert sum(unplayable.fault in page.html for page in pages) == 1


def test_a_fault_counts_only_for_differences_without_a_worth(house: Path, kept: str) -> None:
    pair = hr.load("breakthrough-1.0"), hr.load(house)
    group = ("rule own-men-block", "rule no-capture-straight-ahead")
    unplayable = hr.study.Unplayable(group[0], group, "expected a value of 0..8, got 9")
    found = evolve(attributed(*pair), alone=(), unplayable=(unplayable,))
    rows = hr.study.update_effects("", found, *pair).splitlines()[1:]

    assert hr.study.faults_of_unmeasured(*pair, "\n".join((*kept.splitlines(), *rows))) == {}


def test_a_file_of_an_older_version_is_read(house: Path, kept: str) -> None:
    """It has no column for faults."""
    older = "\n".join(line.rpartition(",")[0] for line in kept.splitlines())
    pair = hr.load("breakthrough-1.0"), hr.load(house)

    assert hr.study.effects_of(*pair, older) == hr.study.effects_of(*pair, kept)
    assert hr.study.faults_of_unmeasured(*pair, older) == {}


def attributed(old: hr.Ruleset, new: hr.Ruleset) -> hr.study.Attribution:
    return hr.study.attribute(
        old, new, hr.study.AttributionPlan(scenario="two-ranks", player="White", games=5, orders=0)
    )


def test_the_kept_worths_are_of_the_rulesets_as_they_are() -> None:
    """Each pair of neighbours has effects, and most of its differences have one."""
    editions = hr.atlas.editions_of(hr.load("hots-4.0"))
    for old, new in pairwise(editions):
        found = hr.study.effects_of(old, new)
        ids = [each.id for each in hr.diff(old, new).differences if each.plays]
        assert len(found.keys() & set(ids)) >= 0.8 * len(ids)
        assert all(worth.games >= 4_000 for worth in found.values())
