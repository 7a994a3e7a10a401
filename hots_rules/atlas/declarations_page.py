"""The table of the declarations that differ in play, and the page of those that differ in wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from hots_rules._text import with_signs
from hots_rules.atlas.collection import Collection
from hots_rules.atlas.entries import Atlas, AtlasEntry
from hots_rules.atlas.words import (
    FRONT,
    NONE,
    WORDING,
    effect_text,
    in_short,
    pair_of,
    reason_of,
    title_of,
)
from hots_rules.compare.difference import Difference
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.word_search import IDLE_WORDS
from hots_rules.report.markup import Content, Markup, joined, sentence, tag
from hots_rules.witness.witnesses import Witness

_CELL_CHANGES = 3


def declarations_page(atlas: Atlas, collection: Collection) -> Markup:
    main = [entry for entry in atlas.entries if entry.plays and not entry.below]
    in_play = sum(entry.plays for entry in atlas.entries)
    wording_only = len(atlas.entries) - in_play
    return tag(
        "article",
        list_of_editions(atlas),
        tag(
            "p",
            f"The table lists the declarations that differ in play ({in_play}) in the order of the book, those that "
            "belong together in one row. A cell that spans several columns is the same in all of them. ",
            tag("a", "The changes as a player tells them", href=FRONT),
            " come first. Those that ",
            tag("a", "differ in wording only", href=WORDING),
            f" ({wording_only}) have a page of their own.",
        ),
        search_box(),
        _ways_in(atlas, main),
        _table(atlas, main, collection),
        class_="atlas",
    )


def list_of_editions(atlas: Atlas) -> Markup:
    """The names of the rulesets, with their titles."""
    editions = zip(atlas.rulesets, atlas.titles, strict=True)
    return tag("ul", *(tag("li", tag("b", name), f": {title}") for name, title in editions))


def search_box() -> Markup:
    """The box over a table; `atlas.js` shows it and narrows the table."""
    return tag(
        "p",
        tag(
            "label",
            "Find ",
            tag(
                "input",
                type="search",
                placeholder="retreat, winter, 5.5, a name …",
                data_idle=" ".join(sorted(IDLE_WORDS)),
            ),
        ),
        tag("output"),
        class_="atlas-find",
        hidden="hidden",
    )


def _ways_in(atlas: Atlas, entries: list[AtlasEntry]) -> Markup:
    """The chapters and sections with differences, each with their number."""
    items = list[Content]()
    for chapter, group in groupby(entries, lambda entry: entry.section.partition(".")[0]):
        sections = [
            (section, len(list(those)))
            for section, those in groupby(group, lambda entry: entry.section)
        ]
        heading = atlas.sections.get(f"{chapter}.0", "") if chapter else "No section"
        links = list[Content]()
        for section, count in sections:
            text = f"{section} {atlas.sections.get(section, '')}".strip() or "all"
            links += [
                " · " if links else ": ",
                tag("a", text, href=f"#{anchor(section)}"),
                f" ({count})",
            ]
        items.append(tag("li", tag("b", f"{chapter} {heading}".strip()), *links))
    return tag("ul", *items, class_="atlas-ways")


def _table(atlas: Atlas, entries: list[AtlasEntry], collection: Collection) -> Markup:
    shows_matters = bool(collection.frequencies or collection.exhibits or collection.effects)
    matters = ["When it matters, and what it is worth"] if shows_matters else []
    rows = ((entry.section, _row(atlas, entry, collection, shows_matters)) for entry in entries)
    return sectioned_table(atlas, ("Difference", *atlas.rulesets, *matters), rows)


def sectioned_table(
    atlas: Atlas, heads: Sequence[str], rows: Iterable[tuple[str, Markup]]
) -> Markup:
    """A table of rows, each given with its section, with a head above those of one section."""
    bodies = list[Markup]()
    for section, group in groupby(rows, itemgetter(0)):
        heading = f"§{section} {atlas.sections.get(section, '')}" if section else "No section"
        head = tag("th", heading.rstrip(), colspan=str(len(heads)), id=anchor(section))
        bodies.append(tag("tbody", tag("tr", head), *(row for _, row in group)))
    row_of_heads = tag("thead", tag("tr", *(tag("th", text) for text in heads)))
    return tag("div", tag("table", row_of_heads, *bodies), class_="atlas-table table-wrapper")


def anchor(section: str) -> str:
    return f"s{section}"


def _row(atlas: Atlas, entry: AtlasEntry, collection: Collection, shows_matters: bool) -> Markup:
    helpers = [helper for helper in atlas.entries if helper.below == entry.id]
    sentence = "" if differ(entry) else entry.sentence
    links = joined(*(tag("a", helper.name, href=helper.page) for helper in helpers), between=", ")
    name = tag(
        "td",
        tag("a", title_of(entry), href=entry.page),
        tag("small", f" {entry.kind}"),
        tag("p", sentence) if sentence else None,
        tag("p", tag("small", "with ", links)) if helpers else None,
    )
    together = [entry, *helpers]
    matters = [tag("td", *_matters(atlas, together, collection))] if shows_matters else []
    words = frozenset[str]().union(*(member.words for member in together))
    sections = dict.fromkeys(number for member in together for number in member.sections)
    return tag(
        "tr",
        name,
        *_cells(atlas, entry),
        *matters,
        data_words=" ".join(sorted(words)),
        data_sections=" ".join(sections),
    )


def _cells(atlas: Atlas, entry: AtlasEntry) -> Iterator[Markup]:
    """A cell for each run of rulesets in which a declaration plays the same."""
    first = 0
    for number in range(1, len(atlas.rulesets) + 1):
        step = entry.steps[number - 1] if number < len(atlas.rulesets) else None
        if number < len(atlas.rulesets) and (step is None or not step.plays):
            continue
        yield tag("td", *_cell(entry, first, number - 1), colspan=str(number - first))
        first = number


def _cell(entry: AtlasEntry, first: int, last: int) -> Iterator[Content]:
    """What a declaration says in some rulesets: its sentence, else how its neighbours differ."""
    side = entry.sides[last]
    if side is None:
        yield NONE
        return
    cited = with_signs(side.sections)
    neighbours = (*entry.sides[max(first - 1, 0) : first], *entry.sides[last + 1 : last + 2])
    if _sentence(side) and differ(entry) and _sentence(side) not in map(_sentence, neighbours):
        yield _sentence(side)
    else:
        comment = side.comment
        if comment and comment != entry.sentence:
            yield tag("p", comment)
        before = entry.steps[first - 1] if first else None
        after = entry.steps[last] if last < len(entry.steps) else None
        parts = {change.where: change.new for change in (before.changes if before else ())}
        parts |= {change.where: change.old for change in (after.changes if after else ())}
        listed = [f"{where}: {text if text is not None else NONE}" for where, text in parts.items()]
        yield from (tag("p", tag("code", in_short(text))) for text in listed[:_CELL_CHANGES])
        if len(listed) > _CELL_CHANGES:
            yield f"and {len(listed) - _CELL_CHANGES} more"
        if not listed:
            yield entry.sentence or tag("code", in_short(side.source))
    yield tag("small", f" {cited}")


def differ(entry: AtlasEntry) -> bool:
    """Whether the rulesets have different sentences, or some have none."""
    return len(set(map(_sentence, entry.sides))) > 1


def _sentence(side: Declaration | None) -> str:
    """The sentence of a declaration, or the comment that stands for one."""
    return side.summary or side.comment if side is not None else ""


# ---------------------------------------------------------------- when it matters
def _matters(atlas: Atlas, entries: list[AtlasEntry], collection: Collection) -> Iterator[Content]:
    """What the newest witness of some entries shows, and how often these make the rulesets diverge, or occur."""
    exhibits = [
        exhibit
        for entry in entries
        for number in reversed(range(len(entry.steps)))
        if (exhibit := collection.exhibits.get((number, entry.id)))
    ]
    if exhibits:
        yield tag("p", *sentence(in_short(exhibits[0].witness.summary)))
    if collection.effects:
        yield tag("p", tag("small", *_effects(atlas, entries, collection)))
    if often := often_of(atlas, entries, collection, [exhibit.witness for exhibit in exhibits]):
        yield tag("p", tag("small", often))


def _effects(atlas: Atlas, entries: list[AtlasEntry], collection: Collection) -> Iterator[Content]:
    """The largest effect size among some entries, for each step that changes their play."""
    steps = [
        number
        for number in range(len(atlas.rulesets) - 1)
        if any((step := entry.steps[number]) is not None and step.plays for entry in entries)
    ]
    for number in steps:
        effects = (collection.effects.get((number, entry.id)) for entry in entries)
        largest = max(filter(None, effects), key=lambda effect: abs(effect.value), default=None)
        where = f" ({pair_of(atlas, number)})" if len(steps) > 1 else ""
        text = f"worth{where}: {effect_text(largest)}"
        yield tag("b", text) if largest and largest.is_significant else text
        yield tag("br")


def often_of(
    atlas: Atlas, entries: list[AtlasEntry], collection: Collection, witnesses: list[Witness]
) -> str:
    """How often the rulesets diverge because of some entries, else how often they come up."""
    if counted := [witness for witness in witnesses if witness.games]:
        most = max(counted, key=lambda witness: witness.divergent_games / witness.games)
        return f"diverges in {most.divergent_games} of {most.games} random games"
    counts = [
        (counts.of(entry.kind, entry.name), counts.games)
        for entry in entries
        for name, side in zip(atlas.rulesets, entry.sides, strict=True)
        if side is not None and (counts := collection.frequencies.get(name))
    ]
    if not counts:
        return ""
    most_seen, games = max(counts)
    return f"comes up in {most_seen} of {games} random games"


# ---------------------------------------------------------------- wording
def wording_page(atlas: Atlas) -> Markup:
    entries = [entry for entry in atlas.entries if not entry.plays]
    heads = (tag("th", text) for text in ("Section", "Declaration", "Where", "Why"))
    rows = (
        _wording_row(atlas, entry, number, step)
        for entry in entries
        for number, step in enumerate(entry.steps)
        if step is not None
    )
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return tag(
        "article",
        tag("p", "These cannot change a game. ", tag("a", "Differences in play", href=FRONT)),
        search_box(),
        tag("div", table, class_="atlas-table table-wrapper"),
        class_="atlas",
    )


def _wording_row(atlas: Atlas, entry: AtlasEntry, number: int, step: Difference) -> Markup:
    texts = [
        f"{change.old or NONE} → {change.new or NONE}" for change in step.changes[:_CELL_CHANGES]
    ]
    return tag(
        "tr",
        tag("td", f"§{entry.section}" if entry.section else NONE),
        tag(
            "td",
            tag("b", title_of(entry)),
            tag("small", f" {entry.kind}"),
            tag("p", entry.sentence),
        ),
        tag("td", pair_of(atlas, number)),
        tag("td", reason_of(step), *(tag("p", tag("code", in_short(text))) for text in texts)),
        data_words=" ".join(sorted(entry.words)),
        data_sections=" ".join(entry.sections),
    )
