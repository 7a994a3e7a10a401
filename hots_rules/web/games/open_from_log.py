"""A game opened from its log, or from a snapshot and the lines of the log after it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Literal

from attrs import evolve

import hots_rules as hr
from hots_rules._gc_policy import keep_all
from hots_rules.web.refusals import TableError
from hots_rules.web.storage.rows import (
    GO_BACK,
    NEW_SEED,
    TAKE_BACK,
    ActionRow,
    GameRow,
    SnapshotRow,
)

ChosenSettings = Mapping[str, bool | int | str]
Chance = Literal["auto", "ask"]


@cache
def ruleset_named(name: str) -> hr.Ruleset:
    """A ruleset that `hr.rulesets` lists; a path names none.

    Raises:
        UnknownName: there is no such ruleset.
    """
    if name not in hr.rulesets():
        raise hr.UnknownName("ruleset", name, hr.rulesets())
    rules = hr.load(name)
    keep_all()  # a ruleset is many objects, and stays
    return rules


def replayed(row: GameRow, actions: Iterable[ActionRow]) -> hr.Game:
    """The game of a log.

    Raises:
        TableError: the ruleset has changed since the game began.
    """
    return continued(_beginning(row, row.seed), actions)


def _beginning(row: GameRow, seed: str, chance: Chance = "auto") -> hr.Game:
    rules = ruleset_named(row.ruleset)
    if not hr.records.has_content(rules, row.content):
        raise TableError("the ruleset of this game has changed since it began; it cannot be opened")
    return begun(rules, row.scenario, seed, json.loads(row.settings), row.position, chance)


# ------------------------------------------------------------------ snapshots
def snapshot_of(game: hr.Game, actions: Sequence[ActionRow]) -> SnapshotRow:
    """The snapshot of the game of a log; `opened` is the inverse."""
    return SnapshotRow(len(actions), hr.formats.snapshot(game, _log_lines(actions)))


def opened(
    row: GameRow, actions: Sequence[ActionRow], snapshot: SnapshotRow | None = None
) -> hr.Game:
    """The game of a log, from its snapshot if it fits; else, since the log is the truth, by replaying it.

    Raises:
        TableError: the ruleset has changed since the game began.
    """
    if snapshot is not None and 0 < snapshot.number <= len(actions):
        before, later = actions[: snapshot.number], actions[snapshot.number :]
        beginning = _beginning(row, *_seed_and_chance(row, before))
        with suppress(hr.BadMessage):
            game = hr.formats.from_snapshot(snapshot.text, beginning, _log_lines(before))
            return continued(game, later)
    return replayed(row, actions)


def _log_lines(actions: Iterable[ActionRow]) -> list[str]:
    """The lines of a log as far as the moves of the game depend on them: actions, moments gone back to, and seeds."""
    return [
        f"{line.code} {line.plays} {line.text if line.code == NEW_SEED else ''}" for line in actions
    ]


def _seed_and_chance(row: GameRow, actions: Sequence[ActionRow]) -> tuple[str, Chance]:
    """The seed that holds after the lines of a log, and whether outcomes of chance are plays, see `_after`."""
    later = [line.text for line in actions if line.code == NEW_SEED]
    has_gone_back = any(line.code == GO_BACK for line in actions)
    return [row.seed, *later][-1], "ask" if has_gone_back else "auto"


# ------------------------------------------------------------------ the beginning, and what follows
def begun(
    rules: hr.Ruleset,
    scenario: str,
    seed: str | None,
    settings: ChosenSettings,
    position: str = "",
    chance: Chance = "auto",
) -> hr.Game:
    """A game at its beginning.

    Args:
        rules: the ruleset.
        scenario: one of its scenarios.
        seed: the seed of the dice; 128 random bits if None.
        settings: the values of options and readings by their names; the others are as usual.
        position: where the game begins, as text; at the beginning of the scenario if empty.
        chance: what answers chance, see `hr.Game`.

    Raises:
        HotsError: no such scenario, option, reading or value, or the seed or the position is malformed.
    """
    options, readings = split_settings(rules, settings)
    if position:
        return rules.position(
            position, seed=seed, chance=chance, options=options, readings=readings
        )
    return rules.start(scenario, seed=seed, chance=chance, options=options, readings=readings)


def split_settings(
    rules: hr.Ruleset, settings: ChosenSettings
) -> tuple[dict[str, bool | int | str], dict[str, bool | int | str]]:
    """The options and the readings among settings."""
    readings = {name: value for name, value in settings.items() if name in rules.readings}
    options = {name: value for name, value in settings.items() if name not in readings}
    return options, readings


def continued(game: hr.Game, actions: Iterable[ActionRow]) -> hr.Game:
    """A game after more lines of its log."""
    for action in actions:
        game = _after(game, action)
    return game


def _after(game: hr.Game, action: ActionRow) -> hr.Game:
    if action.code >= 0:
        return after_chance(game.play_code(action.code))
    if action.code == TAKE_BACK:
        return game.back()
    if action.code == GO_BACK:
        return hr.records.with_explicit_chance(game.back(len(game.moves) - action.plays))
    if action.code == NEW_SEED:
        return after_chance(evolve(game, seed=action.text))
    return game


def after_chance(game: hr.Game) -> hr.Game:
    """A game after the outcomes of chance before its next choice.

    After a game went back, its outcomes are actions, as it has several seeds; the last one gives them.
    """
    while game.to_move == ("chance",):
        game = game.play(game.sample_chance(game.seed))
    return game


def beginnings_of_seeds(row: GameRow, actions: Sequence[ActionRow]) -> dict[int, int]:
    """The number of plays before each later seed of a game, by the line of the log at which the game went back."""
    game, beginnings = replayed(row, ()), {}
    for line, action in enumerate(actions):
        game = _after(game, action)
        if action.code == GO_BACK:
            beginnings[line] = len(game.moves)
    return beginnings
