"""What is drawn in secret: whoever sees the outcome, or what is done with it, has been told something by the play."""

from __future__ import annotations

from random import Random

import pytest

import hots_rules as hr
from tests.observe.tokens import SHIPPED, begun
from tests.playing import played_out, ruleset_of

CUPS = """ruleset cups-1.0 "Cups"
players Side
type Side = A | B
type Face = Ones | Twos | Threes
state
  cup[Side]   : Face?
  left[Side]  : set of Face
  times[Face] : 0..9
secret cup[s] known to s §1
secret left[s] known to s §1
action shake(to: Side) §1 "Shake the cup of a player."
  permit
  draw x from Face
  cup[to] := x
action look(to: Side) §1 "Shake twice, and leave the second one in a set."
  permit
  draw x from Face
  cup[B] := x
  draw y from Face
  left[to] := left[to] | {y}
action tell §1 "Shake the cup of B, and tell everybody."
  permit
  draw x from Face
  cup[B] := x
  times[x] := min(times[x] + 1, 9)
action wait §1 "Do nothing."
  permit
phase play §1 "Play."
  for n in 1..9
    choose A: shake, look, tell, wait
scenario s §1 "S"
  play()
"""


@pytest.fixture(scope="module")
def cups() -> hr.Game:
    return ruleset_of(CUPS).start("s", seed=1)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("shake A", True),
        ("shake B", False),
        ("look A", True),
        ("look B", False),
        ("tell", True),
        ("wait", False),
    ],
)
def test_a_play_that_shows_what_was_drawn_cannot_be_undone(cups, action: str, told: bool) -> None:
    after = cups.play(f"A: {action}")

    assert after.undo_limit("A") == int(told)
    assert after.undo_limit("B") == 1  # another player has chosen
    later = after.play("A: wait")
    assert later.undo_limit("A") == int(told)


@pytest.mark.parametrize("name", SHIPPED)
def test_an_outcome_that_is_told_cannot_be_undone(name: str) -> None:
    """In random games: what a player's own play tells him that chance gave, he has seen."""
    game = begun(name, seed=2)
    for later in played_out(game, Random(2), 120):
        if later.moves and later.moves[-1] >= 0:
            player = later.ruleset.players[later.machine.player_of(later.moves[-1])]
            given = {step.text for step in later.trace if step.kind == "chance"}
            told = [step.text for step in later.observed_trace(player) if step.kind == "chance"]
            if any(text in given for text in told):
                assert later.undo_limit(player) == len(later.moves)


AT_ONCE = """ruleset at-once-1.0 "At once"
players Side
type Side = A | B | C
type Face = Ones | Twos | Threes
state
  cup[Side] : Face?
secret cup[s] known to s §1
action shake §1 "Shake your cup."
  permit
  draw x from Face
  cup[actor] := x
action wait §1 "Do nothing."
  permit
phase play §1 "Play."
  for n in 1..9
    choose each s in Side: shake, wait
scenario s §1 "S"
  play()
"""


@pytest.mark.parametrize("player", ["A", "B", "C"])
def test_what_chance_gives_for_a_choice_in_secret_is_told_to_the_chooser_alone(player: str) -> None:
    """Else a draw would tell that a player has not waited."""
    begun = ruleset_of(AT_ONCE).start("s", seed=1)
    shaken, waited = (begun.play(f"{player}: {what}") for what in ("shake", "wait"))

    for viewer in ("A", "B", "C", None):
        told = [[str(step) for step in game.observed_trace(viewer)] for game in (shaken, waited)]
        assert (told[0] == told[1]) == (viewer != player)
        kinds = [step.kind for step in shaken.observed_trace(viewer)]
        assert ("chance" in kinds) == (viewer == player)
