"""A game on the table, for a person or a program: the board, the story, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.console import console, say

_STYLES = {"phase": "bold", "action": "", "chance": "dim", "event": "cyan", "set": "bold yellow"}


def say_steps(steps: Iterable[hr.Step]) -> None:
    """The lines of a story, each with its section."""
    for step in steps:
        indent = {"phase": 0, "set": 0, "action": 2}.get(step.kind, 4)
        say(str(step), _STYLES.get(step.kind, ""), indent=indent)


def step_json(step: hr.Step) -> dict[str, Any]:
    """A line of a story for a program."""
    return {
        "kind": step.kind,
        "name": step.name,
        "text": step.text,
        "values": dict(step.values),
        "rule": step.rule,
        "edition": step.edition,
        "sections": list(step.sections),
    }


def say_board(panels: Iterable[hr.BoardSection]) -> None:
    """A board, panel by panel."""
    for panel in panels:
        say()
        if panel.title:
            say(panel.title, "bold")
        width = max(len(name) for name, _ in panel.rows)
        for name, text in panel.rows:
            say(f"{name:{width}}  {text}", indent=2 if panel.title else 0)


def say_columns(cells: Iterable[str]) -> None:
    """A list, in columns that are read downwards if the terminal is wide; else one a line."""
    kept = list(cells)
    width = max(map(len, kept), default=0) + 3
    out = console()
    many = max(1, (out.width - 2) // width) if out.is_terminal else 1
    rows = -(-len(kept) // many)
    for row in range(rows):
        say("".join(f"{cell:{width}}" for cell in kept[row::rows]).rstrip(), indent=2)


def say_standing(game: hr.Game, language: str = "en") -> None:
    """Who won and why, or who is to choose."""
    if game.outcome is not None:
        say(str(game.outcome_in(language)), "bold green")
    elif game.is_over:
        say(translator(language).gettext("the game is over, without a winner named"), "bold green")
    else:
        said, called = translator(language), game.notation(language).players_called(game.to_move)
        players, phase = said.join_list(called), game.phase_in(language)
        say(said.gettext("to choose: {players}, in {phase}", players=players, phase=phase), "bold")


def standing_json(game: hr.Game, language: str = "en") -> dict[str, Any]:
    """How a game stands, for a program."""
    found = game.outcome_in(language)
    outcome = found and {
        "winner": found.winner,
        "reason": found.reason,
        "summary": found.summary,
        "sections": list(found.sections),
        "edition": found.edition,
    }
    return {"to_move": list(game.to_move), "phase": game.phase or None, "outcome": outcome}


def by_chance(game: hr.Game, but_not: str | None = None) -> hr.Action:
    """An action by chance: the same one for the same seed and the same number of decisions."""
    actions = [action for action in game.actions if action.player != but_not]
    return Random(f"{game.seed}/{len(game.moves)}").choice(actions)
