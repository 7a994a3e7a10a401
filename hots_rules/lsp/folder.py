"""The files of the open folders: which are read, and never one that a link leads to from outside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hots_rules._files import leads_out, read_file
from hots_rules._text import plain_text
from hots_rules.editing import is_position

MAX_FILES, MAX_BYTES, MAX_DEPTH = 2_000, 2_000_000, 12
SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build"})
ENDINGS = (".rules", ".md")


def is_inside(path: Path, roots: tuple[Path, ...]) -> bool:
    """Whether a file is in one of the open folders, links followed."""
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(root) for root in roots)


def is_wanted(path: Path) -> bool:
    """Whether a file may be a part of a ruleset, have cases, or be a position of theirs."""
    return path.name.endswith(ENDINGS) or path.name == "sections.csv" or is_position(str(path))


def folder_texts(roots: tuple[Path, ...]) -> dict[str, str]:
    """The texts of the rules, the sections and the Markdown files of some folders, by path."""
    texts: dict[str, str] = {}
    for root in roots:
        for path in _files(root, 0):
            if len(texts) >= MAX_FILES:
                break
            if (text := text_of(path, roots)) is not None:
                texts[str(path)] = text
    return texts


def text_of(path: Path, roots: tuple[Path, ...]) -> str | None:
    """The text of a file in the open folders; None if it is not there, too large, or no text."""
    if not is_inside(path, roots) or leads_out(path):
        return None
    with suppress(OSError, UnicodeDecodeError):
        data = read_file(path, MAX_BYTES)
        if len(data) <= MAX_BYTES:
            return plain_text(data.decode("utf-8"))
    return None


def _files(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in SKIPPED or leads_out(entry):
            continue
        if entry.is_dir():
            if depth < MAX_DEPTH:
                yield from _files(entry, depth + 1)
        elif is_wanted(entry):
            yield entry
