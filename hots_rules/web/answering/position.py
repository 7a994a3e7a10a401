"""A position that is set up: checked and drawn, asked about, and its odds; whoever sets it up knows all of it."""

from __future__ import annotations

from collections.abc import Mapping

import hots_rules as hr
from hots_rules import editing
from hots_rules.web.answering.odds import odds_ends_now, odds_for_all_knowing
from hots_rules.web.answering.seat import about
from hots_rules.web.games.open_from_log import ChosenSettings, begun, ruleset_named, split_settings
from hots_rules.web.replies import OddsTold, PositionDraft, PositionForm, Said

MAX_ACTIONS = 200  # that are told of a moment


def form_of(rules: hr.Ruleset) -> PositionForm:
    """What can be set in the positions of a ruleset, in its language."""
    form = editing.draft_form(rules)
    return {
        "variables": [
            {
                "name": variable.name,
                "keys": variable.keys,
                "type": variable.type,
                "is_set": variable.is_set,
            }
            for variable in form.variables
        ],
        "choices": dict(form.choices),
    }


def drafted(
    name: str, language: str, text: str, change: str, settings: ChosenSettings
) -> PositionDraft:
    """A position after a change, with its faults and its picture.

    Raises:
        HotsError: no such ruleset, option, reading or value.
    """
    rules = ruleset_named(name).in_language(language)
    options, readings = split_settings(rules, settings)
    draft = editing.draft(rules, text, change, options=options, readings=readings)
    game = draft.game
    going = None if game is None or game.is_over else game
    return {
        "text": draft.text,
        "faults": draft.faults,
        "board": "" if draft.drawn is None else draft.drawn.draw(live=True),
        "values": {variable: dict(values) for variable, values in draft.values.items()},
        "next": _next_of(game) if game is not None else "",
        "actions": [] if going is None else [action.text for action in going.actions[:MAX_ACTIONS]],
        "odds": [] if going is None else odds_ends_now(going),
    }


def _next_of(game: hr.Game) -> str:
    """Who is to choose, and in which phase; at the end the outcome."""
    if game.is_over:
        return str(game.outcome or "")
    players = dict(zip(game.ruleset.players, game.ruleset.labels.players, strict=True))
    return (
        f"{', '.join(players.get(player, player) for player in game.to_move)}: {game.phase_title}"
    )


def asked_of_position(
    name: str, language: str, text: str, settings: ChosenSettings, words: str
) -> Said:
    """The answer to a question about the game that begins at a position.

    Raises:
        HotsError: the position has faults, or the question is not understood.
    """
    return {"text": about(_game_at(name, language, text, settings), None, words)}


def odds_of_position(
    name: str, language: str, text: str, settings: ChosenSettings, until: str, action: str
) -> OddsTold:
    """The odds of the game that begins at a position.

    Raises:
        HotsError: the position has faults, or the odds cannot be computed.
    """
    return odds_for_all_knowing(_game_at(name, language, text, settings), until, action)


def _game_at(
    name: str, language: str, text: str, settings: Mapping[str, bool | int | str]
) -> hr.Game:
    return begun(ruleset_named(name), "", "draft", settings, text or "\n").in_language(language)
