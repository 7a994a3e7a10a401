"""Formatting a game for one player."""

from __future__ import annotations

from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.play.game import BaseGame


def redacted_formatter(game: BaseGame, player: str) -> RedactedFormatter:
    """The formatter of a game's values that shows a player what that player may know.

    Raises:
        UnknownOption: no such player.
    """
    slots = game.state.slots
    visibility = tracker_of(game, viewer_of(game, player)).eyes.look(slots)
    return RedactedFormatter(visibility, slots, game.ruleset.labels)
