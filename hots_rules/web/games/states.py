"""What a seat is told of a game in memory: what it sees of the game, and what goes on beside it."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from hots_rules.web.answering.odds import ends_of_odds
from hots_rules.web.answering.seat import state_of
from hots_rules.web.games.agreement_log import doings_of, ending_text
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.replies import ClockTimes, Doing, OpenQuestion, State

TOLD_AT_ONCE = 2  # plays: their log takes less time than a thread


class _Around(TypedDict):
    """What goes on around the game."""

    number: int
    sitting: dict[str, str]
    question: OpenQuestion | None
    is_mixing: bool
    clock: ClockTimes | None
    doings: list[Doing]


async def state_now(
    open_game: OpenGame,
    player: str | None,
    language: str,
    since: int | None = None,
    *,
    is_drawn: bool = True,
) -> State:
    """All that a seat, or a spectator, is told now.

    Args:
        open_game: the game.
        player: the player of the seat; None for a spectator.
        language: the language of the texts.
        since: the log tells the plays after this number of plays.
        is_drawn: whether the board is drawn.

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
    new_plays = len(game.moves) - (-TOLD_AT_ONCE if since is None else since)
    if is_drawn or new_plays > TOLD_AT_ONCE:
        seen = await asyncio.to_thread(state_of, game, player, since, is_drawn=is_drawn)
    else:
        seen = state_of(game, player, since, is_drawn=is_drawn)
    odds = await asyncio.to_thread(ends_of_odds, game) if has_odds else []
    if ending:
        seen = {**seen, "is_over": True, "outcome": ending, "phase": ""}
    if ending or around["is_mixing"]:
        seen = {**seen, "view": {**seen["view"], "actions": [], "to_move": []}}
    return {**seen, **around, "odds": odds}


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
    return {
        "number": open_game.number,
        "sitting": open_game.sitting,
        "question": asked,
        "is_mixing": open_game.waits_for_seed,
        "clock": clock_times,
        "doings": doings_of(open_game, language),
    }
