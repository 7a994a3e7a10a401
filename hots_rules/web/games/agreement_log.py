"""What was done beside the actions of a game, in words, and as comments of its record."""

from __future__ import annotations

from types import MappingProxyType

from attrs import evolve

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.web.games.agreements import open_question
from hots_rules.web.games.open_from_log import beginnings_of_seeds
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.replies import Doing
from hots_rules.web.storage import rows

MAX_TOLD = 50
GIVEN_SEED = "The seed was given when the game was opened."
_KINDS = MappingProxyType(
    {
        rows.ASK_BACK: "asked",
        rows.AGREE: "agreed",
        rows.REFUSE: "refused",
        rows.GO_BACK: "went_back",
        rows.NEW_SEED: "new_seed",
        rows.CLAIM: "claimed",
        rows.START_CLOCK: "started_clock",
        rows.CLOSE: "closed",
        rows.RESIGN: "resigned",
        rows.OFFER_DRAW: "asked",
        rows.DRAW: "drawn",
        rows.ABORT: "aborted",
    }
)


def doings_of(open_game: OpenGame, language: str) -> list[Doing]:
    """The last of what was done beside the actions, oldest first."""
    actions = open_game.actions
    numbers = [number for number in open_game.asides if actions[number].code in _KINDS]
    return [
        {
            "number": number,
            "kind": _KINDS[actions[number].code],
            "player": actions[number].player,
            "text": _text(open_game, number, language),
        }
        for number in numbers[-MAX_TOLD:]
    ]


def ending_text(open_game: OpenGame, language: str) -> str:
    """How somebody has ended the game; empty if nobody has."""
    return "" if open_game.ending is None else _text(open_game, open_game.number - 1, language)


def _text(open_game: OpenGame, number: int, language: str) -> str:
    line, words = open_game.actions[number], translator(language)
    names = names_of(open_game.game, language)
    player = names.get(line.player, "")
    match line.code:
        case rows.ASK_BACK:
            return words.gettext(
                "{player} asks to go back to play {plays}.", player=player, plays=line.plays
            )
        case rows.AGREE:
            return words.gettext("{player} agrees.", player=player)
        case rows.REFUSE if _answers_draw(open_game, number):
            return words.gettext("{player} does not want a draw.", player=player)
        case rows.REFUSE:
            return words.gettext("{player} does not want to go back.", player=player)
        case rows.GO_BACK:
            return words.gettext(
                "The game is as it was after play {plays}; the next dice come from another seed.",
                plays=line.plays,
            )
        case rows.START_CLOCK:
            return words.gettext("{player} starts the clock.", player=player)
        case rows.NEW_SEED:
            return words.gettext("The other seed is made, and the game goes on.")
        case rows.RESIGN:
            winners = [names[p] for p in names if p in open_game.playing and p != line.player]
            return words.gettext(
                "{player} resigns; {winner} wins.", player=player, winner=words.join_list(winners)
            )
        case rows.OFFER_DRAW:
            return words.gettext("{player} offers a draw.", player=player)
        case rows.DRAW:
            return words.gettext("The players have agreed on a draw.")
        case rows.ABORT:
            return words.gettext(
                "{player} has ended the game before the first action.", player=player
            )
        case rows.CLOSE:
            return words.gettext("Whoever runs the table has ended the game.")
    late = words.join_list([names[player] for player in open_game.late_at(number)])
    return words.gettext(
        "{player} claims the game: the time of {late} is out.", player=player, late=late
    )


def _answers_draw(open_game: OpenGame, number: int) -> bool:
    """Whether a line answers the offer of a draw."""
    question = open_question(open_game.actions[:number], open_game.seats)
    return question is not None and question.is_draw


def names_of(game: hr.Game, language: str) -> dict[str, str]:
    """The names of the players in a language."""
    rules = game.ruleset.in_language(language)
    return dict(zip(rules.players, rules.labels.players, strict=True))


def final_record(open_game: OpenGame) -> hr.Record:
    """The record of a game.

    It has the line of play that counts. If the game went back, each outcome of chance is an entry of its own, as the
    game has several seeds, and a comment tells where each begins. If somebody has ended it, the last comment says so.
    """
    record = open_game.game.record
    comments: dict[int, list[str]] = {}
    for number, (line, plays) in enumerate(
        sorted(beginnings_of_seeds(open_game.row, open_game.actions).items()), 2
    ):
        later = open_game.actions[line + 1 : line + 2]  # none, or its end, if no seed was mixed
        if plays <= len(record.entries) and [row.code for row in later] == [rows.NEW_SEED]:
            seed = later[0].text
            words = f"The players went back to here; from here on seed {number} is {seed}."
            comments.setdefault(plays, []).append(words)
    if open_game.ending is not None:
        comments.setdefault(len(record.entries), []).append(ending_text(open_game, "en"))
    entries = [
        evolve(entry, comments=(*entry.comments, *comments.get(number, ())))
        for number, entry in enumerate(record.entries, 1)
    ]
    given = [GIVEN_SEED] if open_game.row.dice == rows.GIVEN else []
    first = (*record.comments, *given, *comments.get(0, ()))
    return evolve(record, entries=tuple(entries), comments=first)
