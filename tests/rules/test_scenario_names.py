"""`scenario = long-game`: a condition on the scenario, which the state recognizes."""

import pytest

import hots_rules as hr
from hots_rules.diagnostics import RulesetError
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source

RULES = """ruleset sample-1.0 "A sample"
players Who
type Who = Red | Blue
type Weather = dry | wet
state
  turn    : 0..5
  rounds  : 1..5 = 1
  weather : Weather
define long = {long}
action wait §1 "Wait."
  permit
  {effect}
phase play §1 "Play."
  while turn < rounds up to 5
    choose Red: wait
    turn += 1
  win {winner}
scenario short-game §1 "Short"
  {short}
  play()
scenario long-game §1 "Long"
  rounds := 3
  weather := wet
  play()
scenario wet-game §1 "Wet"
  weather := wet
  play()
"""


def text(
    long: str = "scenario = long-game",
    effect: str = "turn += 0",
    short: str = "rounds := 2",
    winner: str = "if long then Blue else Red",
) -> str:
    """The sample with some of its parts replaced."""
    return RULES.format(long=long, effect=effect, short=short, winner=winner)


def headlines(rules: str) -> list[str]:
    """The headlines of the faults of a ruleset."""
    layer = Layer("sample-1.0", "A sample", None, {"sample.rules": rules}, "")
    try:
        load_rulebook(Source((layer,)))
    except RulesetError as error:
        return [fault.headline for fault in error.faults]
    return []


@pytest.mark.parametrize(
    ("scenario", "winner"), [("short-game", "Red"), ("long-game", "Blue"), ("wet-game", "Red")]
)
def test_a_game_knows_its_scenario(tmp_path, scenario: str, winner: str) -> None:
    path = tmp_path / "sample.rules"
    path.write_text(text(), "utf-8")
    game = hr.load(path).start(scenario, seed=1)
    while game.to_move:
        game = game.play("Red: wait")

    assert game.outcome is not None
    assert winner == game.outcome.winner


def test_a_position_is_one_of_its_scenario(tmp_path) -> None:
    path = tmp_path / "sample.rules"
    path.write_text(text() + "positions begin at play\n", "utf-8")
    rules = hr.load(path)

    for rounds, winner in ((3, "Blue"), (2, "Red")):
        game = rules.position(f"turn {rounds - 1}\nrounds {rounds}\nweather wet", seed=0).play(
            "Red: wait"
        )
        assert game.outcome is not None
        assert winner == game.outcome.winner


@pytest.mark.parametrize(
    ("rules", "headline"),
    [
        (text(long="scenario = lang-game"), "`lang-game` is not a scenario"),
        (text(long="scenario > long-game"), "expected `=` or `!=` after `scenario`, got `>`"),
        (
            text(effect="rounds := 3"),  # not by scenarios alone
            "no variable distinguishes the scenario `long-game` from the others",
        ),
        (
            text(short="rounds := 3"),  # as in the long game
            "no variable distinguishes the scenario `long-game` from the others",
        ),
        (
            text(short="rounds := turn + 1"),  # no constant
            "no variable distinguishes the scenario `long-game` from the others",
        ),
    ],
)
def test_a_scenario_that_cannot_be_known_is_told(rules: str, headline: str) -> None:
    assert [headline] == headlines(rules)


def test_no_limit_is_above_every_number() -> None:
    assert [] == headlines(
        text(winner="if turn < (if long then no limit else 1) then Blue else Red")
    )
    assert ["expected numbers up to 2,147,483,648, got up to 2,147,483,649"] == headlines(
        text(winner="if turn < (if long then no limit + 1 else 1) then Blue else Red")
    )
