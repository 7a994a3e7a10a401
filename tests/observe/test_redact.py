"""Values of a state as text for one viewer."""

from __future__ import annotations

import hots_rules as hr
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.rules.typed import value_types as types


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
