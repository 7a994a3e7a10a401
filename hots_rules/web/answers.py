"""What a seat gets: its view, its board and its log, and why something is not legal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import hots_rules as hr

LONGEST_SHOWN = 200  # characters of a question that an error repeats
LONGEST_LOG = 60  # plays that a state tells when it is not asked for more
_TOLD = frozenset({"action", "chance", "event"})
Data = dict[str, object]


def state_of(game: hr.Game, player: str | None, since: int | None = None) -> Data:
    """All that a seat, or a spectator, sees of a game.

    Args:
        game: the game in the language of the seat.
        player: the player of the seat; None for a spectator.
        since: the log tells the plays after this number of plays.

    Raises:
        UnknownOption: no such player.
    """
    plays = len(game.moves)
    first = max(plays - LONGEST_LOG, 0) if since is None else min(max(since, 0), plays)
    view = game.view(player, since=first)
    names = dict(zip(game.ruleset.players, game.ruleset.labels.players, strict=True))
    message = json.loads(hr.to_json(view))
    del message["log"]  # it is told below, without the steps that nobody reads
    return {
        "title": game.ruleset.title,
        "players": names,
        "seat": player,
        "phase": "" if game.is_over else game.phase_title,
        "outcome": None if game.outcome is None else str(game.outcome),
        "is_over": game.is_over,
        "view": message,
        "board": game.draw(player, live=True, public=True),
        "log_since": first,
        "log": list(_told(view.log)),
    }


def _told(steps: Sequence[hr.observe.Step]) -> Iterator[Data]:
    """The steps of a log that are told, with their sections."""
    for step in steps:
        if step.kind in _TOLD:
            yield {"kind": step.kind, "text": step.text, "sections": step.sections}


def why_not(game: hr.Game, player: str, words: str) -> str:
    """Why an action of a seat is not legal, or nothing can be done with some things, as that player may know.

    Args:
        game: the game in the language of the seat.
        player: the player of the seat.
        words: the text of an action, the names of things that were chosen, or a question.

    Raises:
        UnknownOption: no such player.
        UnreadableQuestion: the words are no action, and no question is near.
    """
    try:
        return game.why_not(words, player=player).text("paragraph")
    except (hr.UnreadableAction, hr.AmbiguousAction):
        for question in (f"why not {words}", words):
            said = hr.explain.reply(game, question, player)
            if said is not None and said.text:
                return said.text
    raise hr.UnreadableQuestion(words[:LONGEST_SHOWN])
