"""How a game was opened, in sentences for every seat and every spectator, from the first moment on and for ever."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.web.replies import OpeningFact
from hots_rules.web.storage.rows import GIVEN, NEW_SEED, SHARES, TABLE, ActionRow, GameRow, SeatRow


def opening_facts(
    row: GameRow,
    seats: Sequence[SeatRow],
    actions: Sequence[ActionRow],
    rules: hr.Ruleset,
    language: str,
) -> list[OpeningFact]:
    """Where the dice come from, and what of the beginning was chosen by whoever opened the game.

    Args:
        row: how the game began.
        seats: its seats.
        actions: its log.
        rules: its ruleset in the language.
        language: the language.
    """
    words = translator(language)
    facts = [*_of_dice(row, seats, actions, words), *_of_beginning(row, rules, words)]
    return [{"kind": kind, "text": text} for kind, text in facts]


def _of_dice(
    row: GameRow, seats: Sequence[SeatRow], actions: Sequence[ActionRow], words: Translator
) -> Iterator[tuple[str, str]]:
    gettext = words.gettext
    if row.dice == SHARES:
        yield "dice_shares", gettext("The dice come from shares of the table and of every player.")
        if not row.has_claims and sum(not seat.bot for seat in seats) > 1:
            text = gettext(
                "But whoever opened the game has had all keys, and may have given all shares."
            )
            yield "dice_keys", text
    elif row.dice == TABLE:
        yield "dice_table", gettext("The dice come from the table alone.")
    elif row.dice == GIVEN:
        text = gettext("The seed was given: whoever opened the game may know all dice.")
        yield "dice_given", text
    else:
        text = gettext("This game is older than the notes on seeds: its seed may have been given.")
        yield "dice_unknown", text
    is_told = row.dice in (SHARES, TABLE)
    if not is_told and any(line.code == NEW_SEED for line in actions):
        text = gettext("Since the players went back, the dice come from the table alone.")
        yield "dice_later", text


def _of_beginning(row: GameRow, rules: hr.Ruleset, words: Translator) -> Iterator[tuple[str, str]]:
    if row.position:
        text = words.gettext(
            "The game began at a position that whoever opened it has set up, with all that is hidden there."
        )
        yield "position", text
    for name, choice in json.loads(row.settings).items():
        setting = {**rules.options, **rules.readings}[name]
        if choice != setting.default:
            texts = dict(zip(setting.values, setting.summaries, strict=False))
            text = texts.get(choice, str(choice))
            if isinstance(choice, bool):
                text = words.gettext("Yes") if choice else words.gettext("No")
            yield "setting", f"{setting.summary or name}: {text}"
    if row.has_odds:
        yield "odds", words.gettext("The table tells the players odds.")
