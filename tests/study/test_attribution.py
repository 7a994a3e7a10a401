"""What each difference is worth: Shapley values over games with some of the differences."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.study import Attribution, AttributionPlan, attribute
from hots_rules.study.attribution import attributing
from tests.study.studies import share_of_wins

HOUSE = """ruleset wild-1.0 "House rules: men capture straight ahead, and their own; Black begins"
  extends breakthrough-1.0
repeal rule no-capture-straight-ahead
repeal rule own-men-block
amend rule nobody-left §3 "Whoever has lost all men wins."
  after arrived(s, to) when no men(foe(s))
    win foe(s)
"""
GAMES = 120


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> tuple[hr.Ruleset, hr.Ruleset]:
    path = tmp_path_factory.mktemp("wild") / "wild.rules"
    path.write_text(HOUSE, encoding="utf-8")
    return hr.load("breakthrough-1.0"), hr.load(path)


@pytest.fixture(scope="module")
def found(rules: tuple[hr.Ruleset, hr.Ruleset]) -> Attribution:
    return attribute(
        *rules, AttributionPlan(scenario="two-ranks", player="White", games=GAMES, seed=3, orders=6)
    )


@pytest.mark.thorough
def test_the_values_add_up_to_the_whole_change(
    rules: tuple[hr.Ruleset, hr.Ruleset], found: Attribution
) -> None:
    assert share_of_wins(rules[1], GAMES) - share_of_wins(rules[0], GAMES) == pytest.approx(
        found.total
    )
    assert found.shares


@pytest.mark.thorough
def test_with_all_orders_a_value_is_that_of_its_definition(
    rules: tuple[hr.Ruleset, hr.Ruleset], found: Attribution
) -> None:
    """The mean over all orders of what a group changes after those before it, from rulesets made here."""
    parts = {share.name: share.differences for share in found.shares}
    assert found.orders == len(list(permutations(parts)))
    share = found.shares[0]
    value = 0.0
    for order in permutations(parts):
        before = [each for name in order[: order.index(share.name)] for each in parts[name]]
        with_it = hr.compare.hybrid(*rules, [*before, *share.differences])
        without = hr.compare.hybrid(*rules, before) if before else rules[0]
        value += (share_of_wins(with_it, GAMES) - share_of_wins(without, GAMES)) / found.orders

    assert value == pytest.approx(share.value)
    assert share.value in share.interval


@pytest.mark.thorough
def test_groups_without_effect_are_one(rules: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    few = attribute(
        *rules, AttributionPlan(scenario="two-ranks", player="White", games=20, most=1, orders=2)
    )

    assert len(few.shares) <= 2
    assert {"others"} >= {share.name for share in few.shares[1:]} or few.shares[0].name == "others"


def test_a_player_that_there_is_not_is_refused(rules: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    with pytest.raises(hr.UnknownName, match="Whyte"):
        attribute(*rules, AttributionPlan(scenario="two-ranks", player="Whyte"))


def test_the_ruleset_that_lacks_a_player_names_its_own(
    rules: tuple[hr.Ruleset, hr.Ruleset],
) -> None:
    hammer = hr.load("hots-4.0")
    plan = AttributionPlan(scenario="two-ranks", player="White")

    for pair in ((rules[0], hammer), (hammer, rules[0])):
        with pytest.raises(hr.UnknownName, match="Scotland") as refused:
            attribute(*pair, plan)
        assert "Black" not in str(refused.value)


def test_a_ruleset_in_between_that_cannot_be_played_is_avoided(
    rules: tuple[hr.Ruleset, hr.Ruleset], found: Attribution, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One group fails unless another one is there: it is among the others, and no order begins with it."""
    names = [share.name for share in found.shares if share.name != "others"]
    plain = attributing.hybrid

    def picky(old: hr.Ruleset, new: hr.Ruleset, ids: list[str]) -> hr.Ruleset:
        if names[0] in ids and names[1] not in ids:
            raise hr.EngineError("no such position")
        return plain(old, new, ids)

    monkeypatch.setattr(attributing, "hybrid", picky)
    avoided = attribute(
        *rules, AttributionPlan(scenario="two-ranks", player="White", games=GAMES, seed=3, orders=6)
    )
    by_name = {share.name: share.differences for share in avoided.shares}

    assert names[0] not in by_name
    assert names[0] in by_name["others"]
    assert 1 <= avoided.orders < found.orders
    assert avoided.total == pytest.approx(found.total)


def test_the_command_prints_what_each_group_is_worth(tmp_path: Path) -> None:
    house = tmp_path / "wild.rules"
    house.write_text(HOUSE, encoding="utf-8")
    asked = [
        "attribute",
        "breakthrough-1.0",
        str(house),
        "--scenario",
        "two-ranks",
        "--games",
        "20",
    ]
    run = CliRunner().invoke(app, [*asked, "--player", "White"])
    assert run.exit_code == 0
    assert "White wins in two-ranks" in run.output
    assert "| rule own-men-block |" in run.output
    listed = CliRunner().invoke(app, [*asked, "--player", "White", "--json"])
    assert json.loads(listed.output)["games"] == 20
    wrong = CliRunner().invoke(app, [*asked, "--player", "Whyte"])
    assert wrong.exit_code == 2
