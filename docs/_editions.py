"""Writes docs/reference/editions.md: how each edition differs from the next newer one, from the rulesets alone.

`docs/_generate.py` runs it with the other tables.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import hots_rules as hr
from hots_rules.rules.rulebook import words_in

HOME = Path(__file__).parent.parent
sys.path.insert(0, str(HOME / "tests"))  # the cases, and which of them shows what

from shown import PAIRS, Pair, difference, loaded, shown_by  # noqa: E402

PAGE = Path(__file__).parent / "reference" / "editions.md"
HEAD = """\
# The editions

Written by `docs/_generate.py` from the rulesets and the cases; do not edit it. `hots diff` shows the same with the
sources of both sides, `hots show RULESET NAME --history` how one declaration came to be.

Each table goes from a printing to the one that extends it. A difference *plays* where it can change what happens,
and then a case of `tests/cases` shows it, with the outcome that each text demands; otherwise it is one of *wording*,
with the reason why play is the same. What a difference *hangs on* are the options, readings and definitions that
it names.
"""
_ON = ("option", "reading", "define")
MAX_CELLS = 12  # of a table that are written out


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_chapter(pair) for pair in PAIRS)])


def _chapter(pair: Pair) -> str:
    newer, older = (loaded(name) for name in pair)
    found = difference(pair)
    played = [one for one in found.differences if one.plays]
    words = [one for one in found.differences if not one.plays]
    lines = [
        f"## From {newer.name} to {older.name}\n",
        f"*{newer.title}*, and *{older.title}*: {len(played)} differences that play, {len(words)} of wording.\n",
    ]
    if played:
        head = (newer.name, older.name, "what is otherwise", "shown by", "hangs on")
        lines += [f"### {older.name}: what plays\n", _table(head, _played(pair, played))]
    if words:
        head = (newer.name, older.name, "what is worded otherwise", "why play is the same")
        lines += [f"### {older.name}: wording\n", _table(head, _worded(words))]
    return "\n".join(lines)


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    all_rows = [head, tuple("---" for _ in head), *rows]
    cells = ([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in all_rows)
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _played(pair: Pair, found: list[hr.Difference]) -> Iterator[tuple[str, ...]]:
    shown = shown_by(pair)
    for one in found:
        cases = shown.get((one.kind, one.name), ())
        named = "; ".join(f"{case.file}: {case.title}" for case in cases[:3])
        hangs = ", ".join(f"`{name}`" for name in _hangs_on(pair, one))
        yield (*_sections(one), _said(one), named or "no case yet", hangs)


def _worded(found: list[hr.Difference]) -> Iterator[tuple[str, ...]]:
    for one in found:
        why = "; ".join(one.reasons) or _WHY.get(one.kind) or _WHY[one.change]
        yield (*_sections(one), f"{one.kind} `{one.name}`: {one.summary}".rstrip(": "), why)


_WHY = {
    "invariant": "an invariant is for tests, and says nothing about play",
    "label": "labels are words for players",
    "wording": "the declaration is the same, its summary is not",
    "citation": "the same rule in another section",
}


def _sections(one: hr.Difference) -> tuple[str, str]:
    sides = (one.old, one.new)
    return tuple(_cited(side) for side in sides)  # type: ignore[return-value]


def _cited(side: hr.Declaration | None) -> str:
    """The sections of one side; those of another printing with its name."""
    if side is None:
        return "–"
    return ", ".join(f"§{each.section} {each.heading}".strip() for each in side.cited) or "–"


def _said(one: hr.Difference) -> str:
    head = f"{one.change} {one.kind} `{one.name}`"
    cells = [f"{each.where}: {each.old or '–'} → {each.new or '–'}" for each in one.changes]
    more = [f"and {len(cells) - MAX_CELLS} more"] if len(cells) > MAX_CELLS else []
    sides = (side.summary if side else "" for side in (one.old, one.new))
    said = [" → ".join(dict.fromkeys(filter(None, sides))), *cells[:MAX_CELLS], *more]
    return f"{head}: {'; '.join(filter(None, said))}".rstrip(": ")


def _hangs_on(pair: Pair, one: hr.Difference) -> list[str]:
    """The options, readings and definitions that either side names."""
    found = set[str]()
    for name in pair:
        book = loaded(name).book
        entry = book.entries.get((one.kind, one.name))
        words = set(words_in(entry.node)) if entry is not None else set[str]()
        found |= {word for word in words for kind in _ON if (kind, word) in book.entries}
    return sorted(found - {one.name})
