"""What a seat is told of a game in memory: what it sees of the game, and what goes on beside it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TypedDict

from hots_rules.web.answering.odds import odds_ends_now
from hots_rules.web.answering.opponents import how_it_plays
from hots_rules.web.answering.seat import DrawInParts, state_of
from hots_rules.web.games.agreement_log import doings_of, ending_text
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.games.opening_facts import opening_facts
from hots_rules.web.games.seating import seating_of
from hots_rules.web.replies import ClockTimes, Doing, OpeningFact, OpenQuestion, Seating, State

TOLD_AT_ONCE = 2  # plays: their log, and what changes in a picture, take less time than a thread


class _Around(TypedDict):
    """What goes on around the game."""

    number: int
    sitting: dict[str, str]
    bots: dict[str, str]
    question: OpenQuestion | None
    is_mixing: bool
    clock: ClockTimes | None
    doings: list[Doing]
    seating: Seating
    opening: list[OpeningFact]


async def state_now(
    open_game: OpenGame,
    player: str | None,
    language: str,
    since: int | None = None,
    *,
    is_drawn: bool = True,
    known_picture: str | None = None,
) -> State:
    """All that a seat, or a spectator, is told now.

    Args:
        open_game: the game.
        player: the player of the seat; None for a spectator.
        language: the language of the texts.
        since: the log tells the plays after this number of plays.
        is_drawn: whether the board is drawn.
        known_picture: the name of the picture that the seat has, or any other text: the board is a picture in parts
            then.

    Raises:
        UnknownName: no such language.
    """
    # All is read before anything waits, and other requests change the open game.
    game = open_game.game.in_language(language)
    around, ending = _around(open_game, language), ending_text(open_game, language)
    has_odds = (
        open_game.row.has_odds
        and player is not None
        and not (open_game.is_over or open_game.waits_for_seed)
    )
    # The whole log, without `since`, is told at once only while it is empty.
    most_plays = 0 if since is None else since + TOLD_AT_ONCE
    pictured = None
    if is_drawn and known_picture is not None:
        pictured = pictured_at(open_game, str(open_game.number), known_picture)
    is_at_once = len(game.moves) <= most_plays and (
        not is_drawn or (pictured is not None and open_game.pictures.has_sent(game, player))
    )
    if not is_at_once:
        seen = await asyncio.to_thread(
            state_of, game, player, since, is_drawn=is_drawn, pictured=pictured
        )
    else:
        seen = state_of(game, player, since, is_drawn=is_drawn, pictured=pictured)
    odds = await asyncio.to_thread(odds_ends_now, game) if has_odds else []
    if ending:
        seen = {**seen, "is_over": True, "outcome": ending, "phase": ""}
    if ending or around["is_mixing"]:
        seen = {**seen, "view": {**seen["view"], "actions": [], "to_move": []}}
    return {**seen, **around, "odds": odds}


def pictured_at(
    open_game: OpenGame, moment: str, known_picture: str, *, with_values: bool = True
) -> DrawInParts:
    """Draws a game at a moment, which has a name of its own, for a seat that knows a picture."""
    return partial(
        open_game.pictures.changes_since,
        moment=moment,
        known_picture=known_picture,
        with_values=with_values,
    )


def _around(open_game: OpenGame, language: str) -> _Around:
    question, times, clock = open_game.question, open_game.times, open_game.clock
    asked: OpenQuestion | None = None
    if question is not None:
        asked = {
            "player": question.player,
            "kind": "draw" if question.is_draw else "back",
            "plays": question.plays,
            "waiting": question.waiting,
        }
    clock_times: ClockTimes | None = None
    if times is not None and clock is not None:
        clock_times = {
            "left": times.left,
            "running": times.running,
            "days": clock.days,
            "increment": clock.increment,
        }
    rules = open_game.game.ruleset.in_language(language)
    return {
        "number": open_game.number,
        "sitting": open_game.sitting,
        "bots": {player: how_it_plays(rules, kind) for player, kind in open_game.bots.items()},
        "question": asked,
        "is_mixing": open_game.waits_for_seed,
        "clock": clock_times,
        "doings": doings_of(open_game, language),
        "seating": seating_of(open_game.row, open_game.seats, open_game.playing),
        "opening": opening_facts(
            open_game.row, open_game.seats, open_game.actions, rules, language
        ),
    }
