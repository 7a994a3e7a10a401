"""The names of a ruleset in the cases and the positions of its folder: where they are, for another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from hots_rules.diagnostics import Span
from hots_rules.editing.casebook.blocks import case_places
from hots_rules.editing.workspace import Workspace

POSITIONS = "positions"
RENAMED = frozenset({"variable", "value", "action", "option", "reading", "scenario", "define"})
_BLOCK = re.compile(r"^```case\n(.*?)^```", re.MULTILINE | re.DOTALL)


def is_position(path: str) -> bool:
    """Whether a file is a position that cases may begin at."""
    return path.endswith(".txt") and PurePosixPath(path).parent.name == POSITIONS


def names_in_cases(
    space: Workspace, heads: tuple[str, ...], old: str, new: str
) -> Iterator[tuple[str, Span, str]]:
    """Where the cases and the positions of some rulesets have a name: the file, the place, and what to write there.

    A name of several words stands there with spaces.
    """
    written = {old: new, old.replace("_", " "): new.replace("_", " ")}
    pattern = re.compile(
        "|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in sorted(written))
    )
    about = [path for path in sorted(space.texts) if _is_about(space, path, heads)]
    folders = {folder for path in about for folder in PurePosixPath(path).parents}
    for path, text in sorted(space.texts.items()):
        if path in about:
            parts = [(match.start(1), match[1]) for match in _BLOCK.finditer(text)]
        elif is_position(path) and PurePosixPath(path).parent.parent in folders:
            parts = [(0, text)]
        else:
            continue
        for start, part in parts:
            for match in pattern.finditer(part):
                at = start + match.start()
                yield path, _span(path, text, at, len(match[0])), written[match[0]]


def _is_about(space: Workspace, path: str, heads: tuple[str, ...]) -> bool:
    if not path.endswith(".md"):
        return False
    return any(head in place.rulesets for place in case_places(space, path) for head in heads)


def _span(path: str, text: str, at: int, size: int) -> Span:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Span(path, line, column, line, column + size)
