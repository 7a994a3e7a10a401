"""Going back and a draw by agreement: what was asked, who has agreed, and what the server adds to the log by itself."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from attrs import frozen

import hots_rules as hr
from hots_rules.web.refusals import NotYet
from hots_rules.web.storage.rows import (
    ABORT,
    AGREE,
    ASK_BACK,
    DRAW,
    GO_BACK,
    OFFER_DRAW,
    REFUSE,
    RESIGN,
    ActionRow,
    SeatRow,
)


@frozen
class Request:
    """What a player asks all others: to go back, or to end the game as a draw."""

    player: str
    """Who asks."""
    plays: int
    """The number of plays before the moment to go back to."""
    waiting: tuple[str, ...]
    """Who has not agreed yet."""
    is_draw: bool = False
    """Whether a draw is offered."""


def open_question(actions: Sequence[ActionRow], seats: Sequence[SeatRow]) -> Request | None:
    """The request that is open: it is until somebody refuses it, or plays on; None if there is none."""
    agreed = set()
    for action in reversed(actions):
        if action.code in (ASK_BACK, OFFER_DRAW):
            others = _asked(actions, seats, action.player)
            waiting = tuple(player for player in others if player not in agreed)
            return Request(action.player, action.plays, waiting, action.code == OFFER_DRAW)
        if action.code != AGREE:
            return None
        agreed.add(action.player)
    return None


def _asked(actions: Sequence[ActionRow], seats: Sequence[SeatRow], asker: str) -> list[str]:
    """Who has to agree: the others who were ever to choose, as not every seat takes part; all of them at the start."""
    others = [seat.player for seat in seats if seat.player != asker]
    chose = {action.player for action in actions if action.code >= 0}
    chose.update(*(json.loads(action.waiting) for action in actions))
    return [player for player in others if player in chose] or others


def server_line(actions: Sequence[ActionRow], seats: Sequence[SeatRow]) -> ActionRow | None:
    """The next line that the server adds to a log: the answer of a bot, or what all have agreed to; else None.

    Bots agree to go back, and refuse a draw.
    """
    question = open_question(actions, seats)
    if question is None:
        return None
    bots = [seat.player for seat in seats if seat.bot and seat.player in question.waiting]
    if bots and question.is_draw:
        return ActionRow(REFUSE, f"{bots[0]} refuses", bots[0])
    if bots:
        return ActionRow(AGREE, f"{bots[0]} agrees", bots[0])
    if question.waiting:
        return None
    if question.is_draw:
        return ActionRow(DRAW, "the players agree on a draw")
    text = f"as it was after play {question.plays}"
    return ActionRow(GO_BACK, text, plays=question.plays)


def ask_back_row(
    game: hr.Game, actions: Sequence[ActionRow], seats: Sequence[SeatRow], player: str, plays: int
) -> ActionRow:
    """The line with which a player asks to go back to a moment.

    Where that moment waits for chance, the choice before it is meant.

    Raises:
        NotYet: something is asked already, or there is no such moment before this one.
    """
    if open_question(actions, seats) is not None:
        raise NotYet("the last question is not answered yet")
    if not game.moves:
        raise NotYet("there is no moment before the first action")
    if not 0 <= plays < len(game.moves):
        raise NotYet(f"name a moment before this one: from 0 to {len(game.moves) - 1} plays")
    moment = game.back(len(game.moves) - plays)
    while moment.to_move == ("chance",) and moment.moves:
        moment = moment.back()
    text = f"{player} asks to go back to play {len(moment.moves)}"
    return ActionRow(ASK_BACK, text, player, len(moment.moves))


def answer_row(
    actions: Sequence[ActionRow], seats: Sequence[SeatRow], player: str, agrees: bool
) -> ActionRow:
    """The line with which a player answers what is asked; who has asked may withdraw it.

    Raises:
        NotYet: the player is not asked for an answer.
    """
    question = open_question(actions, seats)
    if question is None or (agrees and player not in question.waiting):
        raise NotYet("nothing is asked that this seat could answer")
    if agrees:
        return ActionRow(AGREE, f"{player} agrees", player)
    return ActionRow(REFUSE, f"{player} refuses", player)


# ------------------------------------------------------------------ the end of a game
def resign_row(actions: Sequence[ActionRow], playing: Collection[str], player: str) -> ActionRow:
    """The line with which a player gives a game up, so that the other one wins.

    Raises:
        NotYet: nobody has played, or more than two take part.
    """
    if not has_begun(actions):
        raise NotYet("before the first action a game is aborted, and not resigned")
    if len(playing) != 2:
        raise NotYet("only a game of two is resigned; offer a draw to end this one")
    return ActionRow(RESIGN, f"{player} resigns", player)


def draw_row(actions: Sequence[ActionRow], seats: Sequence[SeatRow], player: str) -> ActionRow:
    """The line with which a player offers a draw.

    Raises:
        NotYet: something is asked already, or nobody has played.
    """
    if open_question(actions, seats) is not None:
        raise NotYet("the last question is not answered yet")
    if not has_begun(actions):
        raise NotYet("before the first action a game is aborted, and no draw is offered")
    return ActionRow(OFFER_DRAW, f"{player} offers a draw", player)


def abort_row(actions: Sequence[ActionRow], player: str) -> ActionRow:
    """The line with which a player ends a game before the first action.

    Raises:
        NotYet: somebody has played.
    """
    if has_begun(actions):
        raise NotYet("a game is aborted before the first action only")
    return ActionRow(ABORT, f"{player} aborts the game", player)


def has_begun(actions: Sequence[ActionRow]) -> bool:
    """Whether anybody has played, also if it was taken back."""
    return any(line.code >= 0 for line in actions)
