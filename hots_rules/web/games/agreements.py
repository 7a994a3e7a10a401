"""Going back by agreement: what was asked, who has agreed, and what the server adds to the log by itself."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import frozen

import hots_rules as hr
from hots_rules.web.refusals import NotYet
from hots_rules.web.storage.rows import AGREE, ASK_BACK, GO_BACK, REFUSE, ActionRow, SeatRow


@frozen
class BackRequest:
    """A player asks all others to go back."""

    player: str
    """Who asks."""
    plays: int
    """After how many plays the moment is."""
    waiting: tuple[str, ...]
    """Who has not agreed yet."""


def open_question(actions: Sequence[ActionRow], seats: Sequence[SeatRow]) -> BackRequest | None:
    """What is asked now: a question is open until somebody refuses it, or plays on."""
    agreed = set()
    for action in reversed(actions):
        if action.code == ASK_BACK:
            others = _asked(actions, seats, action.player)
            waiting = tuple(player for player in others if player not in agreed)
            return BackRequest(action.player, action.plays, waiting)
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


def own_line(actions: Sequence[ActionRow], seats: Sequence[SeatRow]) -> ActionRow | None:
    """What the server itself adds to a log: bots agree to everything, and when all have agreed the game goes back."""
    question = open_question(actions, seats)
    if question is None:
        return None
    bots = [seat.player for seat in seats if seat.bot and seat.player in question.waiting]
    if bots:
        return ActionRow(AGREE, f"{bots[0]} agrees", bots[0])
    if question.waiting:
        return None
    text = f"as it was after play {question.plays}"
    return ActionRow(GO_BACK, text, plays=question.plays)


def ask_back_row(
    game: hr.Game,
    actions: Sequence[ActionRow],
    seats: Sequence[SeatRow],
    player: str,
    plays: int,
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
