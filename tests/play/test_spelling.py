"""Names that differ only by case: the exact spelling is meant, and a check reports the values that are alike."""

import pytest

import hots_rules as hr
from tests.playing import ruleset_of

RULES = """ruleset ranks-1.0 "Ranks alike"
players Who
type Who = Ann | ann
type Rank = J | j | Q
state
  asked   : Rank?
  Seen    : set of Rank
  seen    : set of Rank
  n[Rank] : 0..3
event told(r: Rank) §1 "{r} is told"
rule telling §1 "Told."
  after told(r)
    add r to seen
action ask(r: Rank) §1 "Ask."
  permit when r not in seen
  asked := r
  told(r)
  draw x from Rank
  n[x] := 1
action Ask(r: Rank) §1 "Ask loudly."
  permit when r in seen
  asked := r
phase game §1 "Game."
  while true up to 5
    choose Ann: ask, Ask
  win none
scenario plain §1 "Plain"
  game()
scenario Plain §1 "With a rank seen"
  add J to Seen
  game()
question number(r: Rank) = n[r] §1 "how many {r}"
positions begin at game
"""


def game_of(text: str = RULES) -> hr.Game:
    """A game of the sample, in which every outcome of chance is an action."""
    return ruleset_of(text).start("plain", seed=1, chance="ask")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Ann: ask J", "J"),
        ("ask j", "j"),
        ("Ann: ask(J)", "J"),
        ("ASK J", "J"),
        ("Ann: ask q", "Q"),
    ],
)
def test_an_action_has_the_value_that_is_spelled(text: str, asked: str) -> None:
    assert game_of().play(text).state["asked"] == asked


def test_an_action_is_the_one_that_is_spelled() -> None:
    game = game_of().play("Ann: ask J").play("draw Q")

    assert "Ann: Ask J" in [action.text for action in game.actions]
    assert game.play("Ann: Ask J").state["asked"] == "J"
    with pytest.raises(hr.IllegalAction):
        game.play("Ann: ask J")


def test_a_player_is_the_one_that_is_spelled() -> None:
    with pytest.raises(hr.IllegalAction, match="it is for Ann to choose now"):
        game_of().play("ann: ask J")


@pytest.mark.parametrize("rank", ["J", "j"])
def test_an_outcome_and_its_record_have_the_value_that_is_spelled(rank: str) -> None:
    game = game_of().play("Ann: ask Q").play(f"chance: draw {rank}")

    assert [name for name, number in game.state["n"].items() if number] == [rank]
    assert hr.replay(game.record, game.ruleset) == game


def test_a_position_has_the_variables_and_values_that_are_spelled() -> None:
    rules = ruleset_of(RULES)
    state = rules.position("Seen {J}; seen {j}; J: n 1; j: n 2").state

    assert (state["Seen"], state["seen"]) == (["J"], ["j"])
    assert (state["n"]["J"], state["n"]["j"]) == (1, 2)
    assert rules.position("like Plain").state["Seen"] == ["J"]


@pytest.mark.parametrize(("rank", "number"), [("J", 1), ("j", 2)])
def test_a_question_is_about_the_value_that_is_spelled(rank: str, number: int) -> None:
    game = ruleset_of(RULES).position("J: n 1; j: n 2")

    assert game.ask(f"how many {rank}").value == number


def test_a_preview_is_of_the_action_that_is_spelled() -> None:
    effects = game_of().preview("Ann: ask J", player="Ann").effects

    assert effects[0].after == "J"


def test_values_that_differ_only_by_case_are_reported() -> None:
    found = hr.explain.alike_values(ruleset_of(RULES))

    assert [(fault.code, fault.place.line) for fault in found] == [
        ("ambiguous-name", 3),
        ("ambiguous-name", 4),
    ]
    assert found[1].headline == "`J` and `j` of `Rank` differ only in case or accents"


def test_labels_that_differ_only_by_accents_are_reported() -> None:
    labels = 'label fr\n  Q = "Élan"\n  J = "elan"\n'
    found = hr.explain.alike_values(ruleset_of(RULES.replace("J | j | Q", "J | K | Q") + labels))

    assert "`elan` and `Élan` of `Rank` differ only in case or accents" in [
        f.headline for f in found
    ]


def test_equal_labels_are_not_alike() -> None:
    labels = 'label fr\n  Q = "Roi"\n  J = "Roi"\n'
    text = RULES.replace("J | j | Q", "J | K | Q").replace("Ann | ann", "Ann | Ben") + labels

    assert hr.explain.alike_values(ruleset_of(text)) == ()
