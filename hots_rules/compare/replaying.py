"""A game under another ruleset: the same beginning and actions, and the settings that the ruleset has."""

from __future__ import annotations

from typing import cast

from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.restart import begin_as
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.records.recording import format_choice, initial_game, kept_choices, record_game


def start_under(game: BaseGame, ruleset: AnyRuleset) -> tuple[BaseGame, tuple[str, ...]]:
    """The beginning of a game under another ruleset, with the settings that exist there.

    It also returns a note on each setting that does not exist there and is not at its default.

    Raises:
        UnknownName: the ruleset has no such scenario.
        BadPosition: the ruleset does not allow the position at which the game began.
    """
    if ruleset is game.ruleset:
        return initial_game(game), ()
    options, readings, _ = supported_settings(game.options, game.readings, ruleset)
    *_, lost = supported_settings(
        _non_default(game, game.options), _non_default(game, game.readings), ruleset
    )
    return begin_as(game, ruleset, options, readings), lost


def replay_under(
    game: G,
    ruleset: BaseRuleset[G] | None = None,
    *,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> G:
    """The game replayed under another ruleset, or with other options and readings.

    The seed is the same. Options and readings of the game that the ruleset does not have are dropped.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.compare.replay_under(game, hr.load("hots-3.x")).ruleset.name
    'hots-3.x'

    Args:
        game: the game.
        ruleset: the other ruleset; that of the game if omitted.
        options: options that replace those of the game; they must exist.
        readings: readings that replace those of the game; they must exist.

    Raises:
        UnknownName: the ruleset has no such scenario.
        ArgumentError: it has no such option, reading or value.
        BadPosition: the ruleset does not allow the position at which the game began.
        UnreadableAction: an action does not exist in the ruleset.
        IllegalAction: an action is not legal in it.
    """
    check_kind("game", game, BaseGame, "a game")
    rules = ruleset if ruleset is not None else cast("BaseRuleset[G]", game.ruleset)
    own_options, own_readings, _ = supported_settings(game.options, game.readings, rules)
    replayed = begin_as(
        game, rules, {**own_options, **(options or {})}, {**own_readings, **(readings or {})}
    )
    for entry in record_game(game).entries:
        replayed = replayed.play(entry.text)
    return replayed


def _non_default(game: BaseGame, chosen: Choices) -> Choices:
    """The settings that are not at their defaults."""
    settings = game.ruleset.settings
    return {name: value for name, value in chosen.items() if value != settings[name].default}


def supported_settings(
    options: Choices, readings: Choices, ruleset: AnyRuleset
) -> tuple[Choices, Choices, tuple[str, ...]]:
    """The options and readings that a ruleset has, and a note on each of the others."""
    kept_options, lost_options = kept_choices(options, ruleset.options)
    kept_readings, lost_readings = kept_choices(readings, ruleset.readings)
    notes = (
        f"{name} {format_choice(value)}: {ruleset.name} has no such choice, it is left out"
        for name, value in {**lost_options, **lost_readings}.items()
    )
    return kept_options, kept_readings, tuple(notes)
