"""Battles of Hammer of the Scots in Fife, for tests of odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import hots_rules as hr
from tests.folders import TESTS

QUIET = TESTS / "positions" / "quiet.txt"


def battle(
    scots: Mapping[str, int], english: Mapping[str, int], edition: str = "hots-4.0", **chosen: Any
) -> hr.Game:
    """English blocks attack from Mentieth into Fife, each block with its steps; at the first decision there."""
    lines = []
    for line in QUIET.read_text("utf-8").splitlines():
        name = line.partition(":")[0]
        if name in scots:
            line = f"{name}: side Scotland, place Fife, strength {scots[name]}"
        elif name in english:
            line = f"{name}: side England, place Mentieth, strength {english[name]}"
        elif "place Fife" in line:
            line = f"{name}: side Scotland, place Pool, strength 0"
        lines.append(line)
    game = hr.load(edition).position("\n".join(lines), seed=1, **chosen)
    game = game.play("England: play Move 3").play("Scotland: play Move 1")
    for name in english:
        game = game.play(f"England: move {name} Mentieth-Fife")
    return game.play("England: end moves").play("Scotland: end moves")
