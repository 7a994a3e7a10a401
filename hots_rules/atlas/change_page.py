"""The first page of an atlas: the changes of the rulebook, what every ruleset says, and what they do in play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from hots_rules._text import with_signs
from hots_rules.atlas.collection import Collection
from hots_rules.atlas.declarations_page import (
    list_of_editions,
    often_of,
    search_box,
    sectioned_table,
)
from hots_rules.atlas.entries import Atlas, AtlasEntry
from hots_rules.atlas.words import DECLARATIONS, WORDING, in_short, title_of
from hots_rules.compare.rulebook_changes import ChangeCell, RulebookChange
from hots_rules.explain.word_search import words_of
from hots_rules.report.markup import Content, Markup, joined, sentence, tag
from hots_rules.rules.wording import count_noun

_MAX_SECTIONS = 4  # of a cell


def change_page(atlas: Atlas, collection: Collection) -> Markup:
    """The changes in the order of the book, to search and to print."""
    # Those that are alike between these editions are listed too: a cell that spans them says so.
    changes, listed = atlas.changes, atlas.changes.differences.changes
    count = count_noun(len(listed), "change")
    wording_only = sum(not atlas_entry.plays for atlas_entry in atlas.entries)
    return tag(
        "article",
        list_of_editions(atlas),
        tag(
            "p",
            f"{count} of the rulebook, in the order of the book. A cell that spans several "
            "columns is the same in all of them. The ",
            tag("a", "declarations that carry them", href=DECLARATIONS),
            " are listed one by one, and so are those that ",
            tag("a", "differ in wording only", href=WORDING),
            f" ({wording_only}).",
        ),
        search_box(),
        sectioned_table(
            atlas,
            ("Change", *atlas.rulesets),
            ((change.section, _row(atlas, collection, change)) for change in listed),
        ),
        *(tag("p", tag("small", method)) for method in (*changes.terms(), *changes.methods())),
        class_="atlas",
    )


def _row(atlas: Atlas, collection: Collection, change: RulebookChange) -> Markup:
    entries = [atlas.by_id[member] for member in change.members if member in atlas.by_id]
    words = frozenset[str]().union(
        words_of(" ".join((change.title, change.play, *_lines(change)))),
        *(atlas_entry.words for atlas_entry in entries),
    )
    sections = dict.fromkeys(
        (change.section, *(number for atlas_entry in entries for number in atlas_entry.sections))
    )
    return tag(
        "tr",
        tag("td", *_title_cell(atlas, collection, change, entries)),
        *_cells(change),
        id=f"change-{change.name}",
        data_words=" ".join(sorted(words)),
        data_sections=" ".join(filter(None, sections)),
    )


def _lines(change: RulebookChange) -> Iterator[str]:
    return (line for cell in change.cells for line in cell.lines)


def _title_cell(
    atlas: Atlas, collection: Collection, change: RulebookChange, entries: list[AtlasEntry]
) -> Iterator[Content]:
    """The title of a change, what it does in play, and its declarations, folded."""
    yield tag("b", change.title)
    yield from (tag("p", tag("small", note)) for note in atlas.changes.notes(change))
    witnesses = [
        exhibit.witness
        for atlas_entry in entries
        for number in reversed(
            range(len(atlas_entry.steps))
        )  # of equal ones the newest is the example
        if (exhibit := collection.exhibits.get((number, atlas_entry.id)))
    ]
    if witnesses:
        example = min(witnesses, key=lambda witness: witness.size)
        yield tag("p", tag("small", "For example: ", *sentence(in_short(example.summary))))
    if often := often_of(atlas, entries, collection, witnesses):
        yield tag("p", tag("small", often))
    links = [
        tag("a", title_of(atlas_entry), href=atlas_entry.page)
        if atlas_entry.plays
        else atlas_entry.id
        for atlas_entry in entries
    ]
    if links:
        summary = tag("summary", f"in {count_noun(len(links), 'declaration')}")
        yield tag("details", summary, tag("p", joined(*links, between=", ")))


def _cells(change: RulebookChange) -> Iterator[Markup]:
    """A cell for each run of rulesets that say the same."""
    for _, run in groupby(change.cells, lambda cell: cell.lines):
        cells = list(run)
        yield tag("td", *_cell(cells), colspan=str(len(cells)))


def _cell(cells: list[ChangeCell]) -> Iterator[Content]:
    yield from (tag("p", line) for line in cells[0].lines)
    cited = next((cell.sections for cell in reversed(cells) if cell.sections), ())
    if cited:
        yield tag("small", with_signs(cited[:_MAX_SECTIONS]))
