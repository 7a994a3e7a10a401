"""The record of a game that is over, with comments on what the players agreed."""

from __future__ import annotations

from attrs import evolve

import hots_rules as hr
from hots_rules.web.games.agreement_log import claim_text
from hots_rules.web.games.open_from_log import beginnings_of_seeds
from hots_rules.web.games.open_game import OpenGame


def final_record(open_game: OpenGame) -> hr.Record:
    """The record of a game.

    It has the line of play that counts. If the game went back, each outcome of chance is an entry of its own, as the
    game has several seeds, and a comment tells where each begins. If it was claimed, the last comment says so.
    """
    record = open_game.game.record
    comments: dict[int, list[str]] = {}
    for number, (line, plays) in enumerate(
        sorted(beginnings_of_seeds(open_game.row, open_game.actions).items()), 2
    ):
        seed = open_game.actions[line + 1].text
        if plays <= len(record.entries):
            words = f"The players went back to here; from here on seed {number} is {seed}."
            comments.setdefault(plays, []).append(words)
    if open_game.claim is not None:
        comments.setdefault(len(record.entries), []).append(claim_text(open_game, "en"))
    entries = [
        evolve(entry, comments=(*entry.comments, *comments.get(number, ())))
        for number, entry in enumerate(record.entries, 1)
    ]
    first = (*record.comments, *comments.get(0, ()))
    return evolve(record, entries=tuple(entries), comments=first)
