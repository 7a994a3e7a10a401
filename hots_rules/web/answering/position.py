"""A position that is set up: checked and drawn, asked about, and its odds; whoever sets it up knows all of it."""

from __future__ import annotations

from collections.abc import Mapping

import hots_rules as hr
from hots_rules import editing
from hots_rules.web.answering.odds import all_odds_told, ends_of_odds
from hots_rules.web.answering.seat import told_of
from hots_rules.web.games.open_from_log import Settings, begun, ruleset_named, split_settings
from hots_rules.web.replies import OddsTold, PositionDraft, PositionForm, Said

MAX_SHOWN_LENGTH = 200  # characters of a question that an error repeats
MAX_ACTIONS = 200  # that are told of a moment


def form_of(rules: hr.Ruleset) -> PositionForm:
    """What can be set in the positions of a ruleset, in its language."""
    form = editing.draft_form(rules)
    return {
        "variables": [
            {
                "name": each.name,
                "keys": each.keys,
                "type": each.type,
                "is_set": each.is_set,
            }
            for each in form.variables
        ],
        "choices": dict(form.choices),
    }


def drafted(name: str, language: str, text: str, change: str, settings: Settings) -> PositionDraft:
    """A position after a change, with its faults and its picture.

    Raises:
        HotsError: no such ruleset, option, reading or value.
    """
    rules = ruleset_named(name).in_language(language)
    options, readings = split_settings(rules, settings)
    found = editing.draft(rules, text, change, options=options, readings=readings)
    game = found.game
    going = None if game is None or game.is_over else game
    return {
        "text": found.text,
        "faults": found.faults,
        "board": "" if found.drawn is None else found.drawn.draw(live=True),
        "values": {each: dict(values) for each, values in found.values.items()},
        "next": _next_of(game) if game is not None else "",
        "actions": [] if going is None else [each.text for each in going.actions[:MAX_ACTIONS]],
        "odds": [] if going is None else ends_of_odds(going),
    }


def _next_of(game: hr.Game) -> str:
    """Who is to choose, and in which phase; at the end the outcome."""
    if game.is_over:
        return str(game.outcome or "")
    players = dict(zip(game.ruleset.players, game.ruleset.labels.players, strict=True))
    return f"{', '.join(players.get(each, each) for each in game.to_move)}: {game.phase_title}"


def asked_of_position(name: str, language: str, text: str, settings: Settings, words: str) -> Said:
    """The answer to a question about the game that begins at a position.

    Raises:
        HotsError: the position has faults, or the question is not understood.
    """
    return {"text": answer_to(_game_at(name, language, text, settings), words)}


def odds_of_position(
    name: str, language: str, text: str, settings: Settings, until: str, action: str
) -> OddsTold:
    """The odds of the game that begins at a position.

    Raises:
        HotsError: the position has faults, or the odds cannot be computed.
    """
    return all_odds_told(_game_at(name, language, text, settings), until, action)


def _game_at(
    name: str, language: str, text: str, settings: Mapping[str, bool | int | str]
) -> hr.Game:
    return begun(ruleset_named(name), "", "draft", settings, text or "\n").in_language(language)


def answer_to(game: hr.Game, words: str) -> str:
    """Why an action is legal or not, or the answer to a question, for who knows the whole game.

    Raises:
        UnreadableQuestion: the words are no action, and no question is near.
    """
    texts = [*filter(None, (told_of(game, line) for line in (words, f"why not {words}")))]
    if not texts:
        raise hr.UnreadableQuestion(words[:MAX_SHOWN_LENGTH])
    return "\n".join(texts)
