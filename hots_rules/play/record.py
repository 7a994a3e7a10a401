"""A game as text: how it began, its actions one a line, and a seal of the state that they lead to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hots_rules.compile.machine import RNG
from hots_rules.diagnostics import BadRecord, HotsError
from hots_rules.play.ruleset import Ruleset, load
from hots_rules.rules import known_rulesets
from hots_rules.state.position import position_text

if TYPE_CHECKING:
    from hots_rules.play.game import Game

HEAD = "hots_rules record 1"
KEYS = ("ruleset", "rng", "seed", "chance", "scenario", "option", "reading", "position")
MAX_BYTES = 8_000_000
_SEAL = re.compile(r"state ([0-9a-f]{16})")


def record_text(game: Game) -> str:
    """The record of a game; `replay` reads it and comes to the same state."""
    lines = [
        HEAD,
        f"ruleset {game.ruleset.name} {game.ruleset.content_hash}",
        f"rng {RNG}",
        f"seed {game.seed}",
        f"chance {game.chance}",
    ]
    if game.begun_at is None:
        lines.append(f"scenario {game.scenario}")
    lines += [f"option {name} {_word(value)}" for name, value in game.options.items()]
    lines += [f"reading {name} {_word(value)}" for name, value in game.readings.items()]
    if game.begun_at is not None:
        lines += [f"position {line}" for line in game.begun_at.splitlines()]
    return "\n".join([*lines, "", *_moves(game), f"state {seal(game)}"]) + "\n"


def seal(game: Game) -> str:
    """A digest of the state of a game and of how it ended, the same however states are packed."""
    text = f"{position_text(game.state)}{game.to_move}{game.outcome}"
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _moves(game: Game) -> Iterator[str]:
    """The text of each action: where a label had two meanings at its moment, the exact notation."""
    notation = game.notation()
    at = None if all(_has_one_meaning(game, code) for code in game.moves) else beginning(game)
    for code in game.moves:
        if at is None:
            yield notation.text(code)
        else:
            yield next(action.text for action in at.actions if action.code == code)
            at = at.play_code(code)


def _has_one_meaning(game: Game, code: int) -> bool:
    return code >= 0 and all(
        game.notation().text(code) not in game.notation(language)._shared
        for language in game.ruleset.shape.languages
    )
