"""Values of a state as text for one viewer."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.redact import RedactedFormatter, _holds
from hots_rules.rules.typed import value_types as types
from tests.playing import ruleset_of

PASSING = """ruleset passing-1.0 "Passing"
players Side
type Side = White | Black
state
  passes[Side] : bool
secret passes[s] known to s
action stay() §1 "Stay."
  permit when not passes[actor]
action pass() §1 "Pass."
  permit when not passes[actor]
  passes[actor] := true
phase game §1 "Each passes or stays."
  for s in White, Black
    choose s: stay, pass
  win none
scenario first §1 "Passing"
  game()
"""



def test_a_set_names_what_is_seen_first_and_counts_the_rest() -> None:
    game = hr.load("dominoes-1.0").start("full-bag", seed=1)
    tracker, slots = tracker_of(game, 0), game.state.slots
    visibility = tracker.visibility(slots)
    formatter = RedactedFormatter(visibility, slots, tracker.labels)
    tile = tracker.observer.secret_types[0].piece_type
    own = [code for code in range(len(tile.values)) if not visibility.pieces[0] >> code & 1]
    hidden = [code for code in range(len(tile.values)) if visibility.pieces[0] >> code & 1]

    texts = {formatter.format_value(code, tile) for code in hidden}
    assert texts == {"an unknown tile", "a tile of Ben"}
    assert formatter.format_value(own[0], tile) == tracker.labels.format_value(own[0], tile)
    held = sum(1 << code for code in (*own[:2], *hidden))
    shown = ", ".join(tracker.labels.format_value(code, tile) for code in own[:2])
    count = len(hidden)
    bens = sum(formatter.format_value(code, tile) == "a tile of Ben" for code in hidden)
    text = formatter.format_value(held, types.SetType(tile))
    assert text.startswith(f"{{{shown}, ")
    assert text.index("a tile of Ben") < text.index("an unknown tile")
    assert str(bens) in text
    assert str(count - bens) in text


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_card_of_an_event_is_shown_to_whoever_holds_one(viewer: int) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1)
    tracker, slots = tracker_of(game, viewer), game.state.slots
    formatter = RedactedFormatter(tracker.visibility(slots), slots, tracker.labels)
    hand = game.state.schema.variables["hand"]
    card, held = hand.keys[1], {}
    for offset, (side, code) in enumerate(hand.key_codes):
        if side == viewer:
            held[code] = slots[hand.base + offset]

    assert 5 == sum(held.values()) and 0 in held.values()
    for code, number in held.items():
        shown = tracker.labels.format_value(code, card) if number else "hidden"
        assert formatter.format_event_value(code, card) == shown
    side = hand.keys[0]
    assert formatter.format_event_value(1 - viewer, side) == ["England", "Scotland"][1 - viewer]


RED, GREEN, COLOUR = "red", "green", "Colour"
PLAIN = types.WordType(COLOUR, (RED, GREEN))
WITH_NONE = types.WordType(COLOUR, (types.NONE, "".join("red"), "".join(["gre", "en"])))


def test_a_set_holds_its_members() -> None:
    assert [False, True] == [_holds(0b10, types.SetType(PLAIN), code, PLAIN) for code in (0, 1)]
    assert not _holds(0b10, types.SetType(PLAIN), 1, types.IntType(0, 9))


def test_a_cell_holds_a_word_whatever_its_code() -> None:
    assert _holds(2, WITH_NONE, 1, PLAIN)
    assert not _holds(1, WITH_NONE, 1, PLAIN)


def test_a_number_is_no_word() -> None:
    assert not _holds(1, types.IntType(0, 9), 1, PLAIN)
    assert not _holds(1, PLAIN, 1, types.IntType(0, 9))


def test_a_truth_that_is_hidden_is_shown_as_hidden_and_not_as_true() -> None:
    game = ruleset_of(PASSING).start("first", seed=1)

    for played in (game.play("White: stay"), game.play("White: pass")):
        [others] = hr.explain.render_board(played, "Black")
        assert others.rows == (("passes", "White hidden"),)
    [others] = hr.explain.render_board(played, "White")
    assert others.rows == (("passes", "White, Black hidden"),)
