"""Internal variables are a part of the state, and neither drawn nor told."""

from __future__ import annotations

from pathlib import Path

import pytest

import hots_rules as hr
from tests.playing import ruleset_of

TRIPS = """ruleset trips-1.0 "Trips"
players Side
type Side = White | Black
type Place = Home | Field | Away
state
  place[Side]  : Place
  pot          : 0..40
  visits[Side] : 0..9 internal
  last         : Place? = none internal
  internal     : 1..3 = 1
action go(to: Place) §1 "Go."
  permit when place[actor] != to
  place[actor] := to
  visits[actor] := min(visits[actor] + 1, 9)
  last := to
  pot += internal
rule no-return §1 "Nobody follows at once."
  forbid go(to) when last = to because "{last} was the last place"
phase game §1 "In turn."
  for i in 1..4
    for s in White, Black
      choose s: go
    clear visits
  if visits[White] > visits[Black]
    win White
  win none
scenario first §1 "Trips"
  game()
positions begin at game
"""


@pytest.fixture
def game() -> hr.Game:
    return ruleset_of(TRIPS).start("first", seed=1).play("White: go Field")


def test_an_internal_variable_is_in_no_view(game: hr.Game) -> None:
    for player in ("White", "Black", None):
        view = game.view(player)
        assert set(view.state) == {"place", "pot", "internal"}
        assert "visits" not in str(view)
        assert "visits" not in view._repr_html_()


def test_an_internal_variable_is_in_no_picture(game: hr.Game) -> None:
    sections = hr.explain.render_board(game)
    assert {row[0] for section in sections for row in section.rows} == {"pot", "internal", "place"}
    for picture in (game.draw(), game.draw("White")):
        assert "visits" not in str(picture)
        assert "last" not in str(picture)


def test_an_internal_variable_is_in_no_trace_and_no_log(game: hr.Game) -> None:
    for _ in range(5):
        game = game.play(game.actions[0])
        assert not {"visits", "last"} & {step.name for step in game.trace}
        assert not {"visits", "last"} & {step.name for step in game.view("White", since=0).log}
        preview = game.preview(game.actions[0], game.to_move[0])
        assert not {"visits", "last"} & {effect.path[0] for effect in preview.effects}


def test_an_internal_variable_is_in_the_state_the_position_and_the_record(
    game: hr.Game, tmp_path: Path
) -> None:
    assert game.state["visits"] == {"White": 1, "Black": 0}
    assert "last Field" in game.position.splitlines()
    again = game.ruleset.position(game.position)
    assert again.state["last"] == game.state["last"]
    game.save(tmp_path / "game.txt")
    assert hr.read(tmp_path / "game.txt", game.ruleset).state == game.state


def test_a_reason_may_name_an_internal_variable(game: hr.Game) -> None:
    (reason,) = game.why_not("Black: go Field").against
    assert "Field was the last place" in str(reason)


def test_internal_is_a_part_of_the_digest() -> None:
    shown = TRIPS.replace("? = none internal", "? = none")
    assert ruleset_of(shown).content_hash != ruleset_of(TRIPS).content_hash


@pytest.mark.parametrize("when", ["giver[c] = p", "gave(p, c)"])
def test_nothing_internal_decides_who_knows_a_secret(when: str) -> None:
    text = f"""ruleset memory-1.0 "Memory"
players Side
type Side = North | East
type Card = c1 | c2
type Place = Stock | Hand(owner: Side)
state
  place[Card] : Place
  giver[Card] : Side? internal
secret Card[c]
  known to each p in Side when place[c] = Hand(p)
  known to each p in Side when {when}
define gave(p: Side, c: Card) = giver[c] = p
action go §1 "Go."
  permit
  giver[c1] := actor
phase game §1 "Twice."
  for i in 1..2
    choose North: go
  if gave(North, c1)
    win North
  win none
scenario first §1 "One"
  game()
"""
    with pytest.raises(
        hr.RulesetError, match="who knows `Card` depends on `giver`, which is internal"
    ):
        ruleset_of(text)
    ruleset_of(text.replace(" internal", ""))
