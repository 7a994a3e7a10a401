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
sys.path.insert(0, str(HOME))  # the cases, and which of them shows what

from tests.witness.shown import PAIRS, Pair, difference, loaded, shown_by  # noqa: E402

PAGE = Path(__file__).parent / "reference" / "editions.md"
HEAD = """\
# Differences between editions

This page is generated from the rulesets and the test cases by `docs/_generate.py`; do not edit it. `hots diff A B`
shows the same differences with the sources of both sides. `hots show RULESET NAME --history` shows the history of one
declaration.

Each section compares an edition with the older edition that extends it. A *difference in play* can change a game. A
test case in `tests/cases` shows it, with the result that each edition requires. A *difference of wording* cannot change
a game; the table gives the reason. *Depends on* lists the options, readings and definitions that the declaration uses.

[The atlas](../atlas/index.md) has a page for each difference in play, and a table that can be searched.
"""
_USED = ("option", "reading", "define")
MAX_CELLS = 12  # of a table that are listed


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_chapter(pair) for pair in PAIRS)])


def _chapter(pair: Pair) -> str:
    newer, older = (loaded(name) for name in pair)
    differences = difference(pair).differences
    in_play = [each for each in differences if each.plays]
    in_words = [each for each in differences if not each.plays]
    lines = [
        f"## From {newer.name} to {older.name}\n",
        f"*{newer.title}* compared with *{older.title}*: {len(in_play)} differences in play, "
        f"{len(in_words)} of wording.\n",
    ]
    if in_play:
        head = (newer.name, older.name, "difference", "test case", "depends on")
        lines += [f"### {older.name}: play\n", _table(head, _rows_in_play(pair, in_play))]
    if in_words:
        head = (newer.name, older.name, "difference", "why play is the same")
        lines += [f"### {older.name}: wording\n", _table(head, _rows_in_words(in_words))]
    return "\n".join(lines)


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    all_rows = [head, tuple("---" for _ in head), *rows]
    cells = ([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in all_rows)
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _rows_in_play(
    pair: Pair, differences: list[hr.compare.Difference]
) -> Iterator[tuple[str, ...]]:
    shown = shown_by(pair)
    for each in differences:
        cases = shown.get((each.kind, each.name), ())
        named = "; ".join(f"{case.file}: {case.title}" for case in cases[:3])
        used = ", ".join(f"`{name}`" for name in _dependencies(pair, each))
        yield (*_sections(each), _description(each), named or "none yet", used)


def _rows_in_words(differences: list[hr.compare.Difference]) -> Iterator[tuple[str, ...]]:
    for each in differences:
        why = "; ".join(each.reasons) or _WHY.get(each.kind) or _WHY[each.change]
        yield (*_sections(each), f"{each.kind} `{each.name}`: {each.summary}".rstrip(": "), why)


_WHY = {
    "invariant": "invariants are for tests and have no effect on play",
    "promise": "promises are for tests and have no effect on play",
    "label": "labels are words for players",
    "wording": "only the summary differs",
    "citation": "the same rule in another section",
}


def _sections(each: hr.compare.Difference) -> tuple[str, str]:
    return _cited(each.old), _cited(each.new)


def _cited(side: hr.explain.Declaration | None) -> str:
    """The sections that one side cites."""
    if side is None:
        return "–"
    return ", ".join(f"§{part.section} {part.heading}".strip() for part in side.cited) or "–"


def _description(each: hr.compare.Difference) -> str:
    head = f"{each.change} {each.kind} `{each.name}`"
    cells = [f"{cell.where}: {cell.old or '–'} → {cell.new or '–'}" for cell in each.changes]
    more = [f"and {len(cells) - MAX_CELLS} more"] if len(cells) > MAX_CELLS else []
    summaries = (side.summary if side else "" for side in (each.old, each.new))
    parts = [" → ".join(dict.fromkeys(filter(None, summaries))), *cells[:MAX_CELLS], *more]
    return f"{head}: {'; '.join(filter(None, parts))}".rstrip(": ")


def _dependencies(pair: Pair, each: hr.compare.Difference) -> list[str]:
    """The options, readings and definitions that either side uses."""
    found = set[str]()
    for name in pair:
        book = loaded(name).rulebook
        entry = book.entries.get((each.kind, each.name))
        words = set(words_in(entry.node)) if entry is not None else set[str]()
        found |= {word for word in words for kind in _USED if (kind, word) in book.entries}
    return sorted(found - {each.name})
