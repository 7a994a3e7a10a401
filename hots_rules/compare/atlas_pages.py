"""The pages of an atlas: its front page, a page for each difference of play, and one for those of wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from xml.etree.ElementTree import Element

from attrs import field, frozen

from hots_rules.analysis.frequency import Frequencies
from hots_rules.compare.ask import EditionAnswer
from hots_rules.compare.atlases import Atlas, AtlasEntry
from hots_rules.compare.difference import Difference
from hots_rules.compare.markup import Content, html, picture, tag
from hots_rules.compare.witnesses import Witness
from hots_rules.explain.declarations import Declaration
from hots_rules.explain.word_search import IDLE_WORDS

FRONT, WORDING = "index.html", "wording.html"
MAX_CHANGES = 40  # of one difference
_CELL_CHANGES = 3
_CELL_LETTERS = 200
_NONE = "–"
_VERDICTS = {"happens": "what happens"}


@frozen
class Exhibit:
    """A witness of a difference as a page shows it.

    >>> import hots_rules as hr
    >>> witness = hr.compare.Witness("legal", "a", "b", "year 1301\\n", "Red: wait")
    >>> answers = hr.compare.EditionAnswer("a", "legal", ()), hr.compare.EditionAnswer("b", "illegal", ())
    >>> hr.compare.Exhibit(witness, answers).svg
    ''

    Attributes:
        witness: the witness.
        answers: what the two rulesets answer.
        svg: the position as the text of an SVG file; empty if there is none, or it is too large.
    """

    witness: Witness
    answers: tuple[EditionAnswer, EditionAnswer]
    svg: str = ""


@frozen
class Collection:
    """What is known of the differences of an atlas besides their texts.

    >>> import hots_rules as hr
    >>> hr.compare.Collection().exhibits
    {}

    Attributes:
        exhibits: the witness of a difference, by the number of the step and its id.
        missing: why a difference has none, likewise.
        frequencies: how often declarations come up, by the name of the ruleset.
    """

    exhibits: Mapping[tuple[int, str], Exhibit] = field(factory=dict)
    missing: Mapping[tuple[int, str], str] = field(factory=dict)
    frequencies: Mapping[str, Frequencies] = field(factory=dict)


@frozen
class Page:
    """A page of an atlas.

    >>> import hots_rules as hr
    >>> hr.compare.Page("index.html", "Differences", "<p>none</p>").title
    'Differences'

    Attributes:
        name: its file name.
        title: its title.
        html: its content without the title, for the body of a document.
    """

    name: str
    title: str
    html: str


def pages_of(atlas: Atlas, shown: Collection) -> Iterator[Page]:
    """All pages of an atlas, the front page first; `documents` makes documents of them.

    >>> import hots_rules as hr
    >>> front, *_ = hr.compare.pages_of(hr.compare.atlas("hots-3.x", "hots-4.0"), hr.compare.Collection())
    >>> front.title
    'Differences between hots-3.x and hots-4.0'
    """
    playing = [entry for entry in atlas.entries if entry.plays]
    yield Page(FRONT, _front_title(atlas), html(_front(atlas, shown)))
    yield Page(WORDING, "Differences of wording", html(_wording(atlas)))
    for before, entry, after in zip([None, *playing], playing, [*playing[1:], None], strict=False):
        body = tag("article", class_="atlas")
        for part in _entry_page(atlas, entry, shown):
            body.append(part)
        body.append(_neighbours(before, after))
        yield Page(entry.page, _title(entry), html(body))


# ---------------------------------------------------------------- front page
def _front(atlas: Atlas, shown: Collection) -> Element:
    main = [entry for entry in atlas.entries if entry.plays and not entry.below]
    in_play = sum(entry.plays for entry in atlas.entries)
    in_words = len(atlas.entries) - in_play
    return tag(
        "article",
        tag(
            "ul",
            *(
                tag("li", tag("b", name), f": {title}")
                for name, title in zip(atlas.rulesets, atlas.titles, strict=True)
            ),
        ),
        tag(
            "p",
            f"{in_play} declarations differ in play. The table lists them in the order of the book, those that "
            "belong together in one row. A cell that spans several columns is the same in all of them. ",
            f"Another {in_words} ",
            tag("a", "differ in wording only", href=WORDING),
            ".",
        ),
        _search_box(),
        _ways_in(atlas, main),
        _table(atlas, main, shown),
        class_="atlas",
    )


def _search_box() -> Element:
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


def _ways_in(atlas: Atlas, entries: list[AtlasEntry]) -> Element:
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
                tag("a", text, href=f"#{_anchor(section)}"),
                f" ({count})",
            ]
        items.append(tag("li", tag("b", f"{chapter} {heading}".strip()), *links))
    return tag("ul", *items, class_="atlas-ways")


def _table(atlas: Atlas, entries: list[AtlasEntry], shown: Collection) -> Element:
    often = [tag("th", "When it matters")] if shown.frequencies or shown.exhibits else []
    heads = tag(
        "tr", tag("th", "Difference"), *(tag("th", name) for name in atlas.rulesets), *often
    )
    table = tag("table", tag("thead", heads))
    width = str(1 + len(atlas.rulesets) + len(often))
    for section, group in groupby(entries, lambda entry: entry.section):
        heading = (
            f"§{section} {atlas.sections.get(section, '')}".rstrip() if section else "No section"
        )
        head = tag("tr", tag("th", heading, colspan=width, id=_anchor(section)))
        rows = (_row(atlas, entry, shown, bool(often)) for entry in group)
        table.append(tag("tbody", head, *rows))
    return tag("div", table, class_="atlas-table table-wrapper")


def _anchor(section: str) -> str:
    return f"s{section}"


def _row(atlas: Atlas, entry: AtlasEntry, shown: Collection, has_often: bool) -> Element:
    parts = [each for each in atlas.entries if each.below == entry.id]
    sentence = "" if _differ(entry) else entry.sentence
    name = tag("td", tag("a", _title(entry), href=entry.page), tag("small", f" {entry.kind}"))
    if sentence:
        name.append(tag("p", sentence))
    if parts:
        links = _joined(tag("a", part.name, href=part.page) for part in parts)
        name.append(tag("p", tag("small", "with ", *links)))
    often = [tag("td", *_matters(atlas, [entry, *parts], shown))] if has_often else []
    words = frozenset[str]().union(*(each.words for each in (entry, *parts)))
    sections = dict.fromkeys(part for each in (entry, *parts) for part in each.sections)
    return tag(
        "tr",
        name,
        *_cells(atlas, entry),
        *often,
        data_words=" ".join(sorted(words)),
        data_sections=" ".join(sections),
    )


def _cells(atlas: Atlas, entry: AtlasEntry) -> Iterator[Element]:
    """A cell for each run of rulesets in which a declaration plays the same."""
    first = 0
    for number in range(1, len(atlas.rulesets) + 1):
        step = entry.steps[number - 1] if number < len(atlas.rulesets) else None
        if number < len(atlas.rulesets) and (step is None or not step.plays):
            continue
        yield tag("td", *_cell(entry, first, number - 1), colspan=str(number - first))
        first = number


def _cell(entry: AtlasEntry, first: int, last: int) -> Iterator[Content]:
    """What a declaration says in some rulesets: its sentence, else what the neighbours have differently."""
    side = entry.sides[last]
    if side is None:
        yield _NONE
        return
    cited = " ".join(f"§{number}" for number in side.sections)
    if _differ(entry) and side.summary:
        yield side.summary
    else:
        comment = side.comment
        if comment and comment != entry.sentence:
            yield tag("p", comment)
        before = entry.steps[first - 1] if first else None
        after = entry.steps[last] if last < len(entry.steps) else None
        parts = {each.where: each.new for each in (before.changes if before else ())}
        parts |= {each.where: each.old for each in (after.changes if after else ())}
        listed = [
            f"{where}: {text if text is not None else _NONE}" for where, text in parts.items()
        ]
        yield from (tag("p", tag("code", _short(text))) for text in listed[:_CELL_CHANGES])
        if len(listed) > _CELL_CHANGES:
            yield f"and {len(listed) - _CELL_CHANGES} more"
        if not listed:
            yield entry.sentence or tag("code", _short(side.source))
    yield tag("small", f" {cited}")


def _differ(entry: AtlasEntry) -> bool:
    """Whether the rulesets have different sentences, or some have none."""
    return len({side and side.summary for side in entry.sides}) > 1


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _CELL_LETTERS else f"{line[:_CELL_LETTERS]}…"


# ---------------------------------------------------------------- wording
def _wording(atlas: Atlas) -> Element:
    entries = [entry for entry in atlas.entries if not entry.plays]
    table = tag(
        "table",
        tag(
            "thead",
            tag("tr", *(tag("th", text) for text in ("Section", "Declaration", "Where", "Why"))),
        ),
        tag("tbody"),
    )
    for entry in entries:
        for number, step in enumerate(entry.steps):
            if step is not None:
                table[1].append(_wording_row(atlas, entry, number, step))
    return tag(
        "article",
        tag("p", "These cannot change a game. ", tag("a", "Differences in play", href=FRONT)),
        _search_box(),
        tag("div", table, class_="atlas-table table-wrapper"),
        class_="atlas",
    )


def _wording_row(atlas: Atlas, entry: AtlasEntry, number: int, step: Difference) -> Element:
    texts = [f"{each.old or _NONE} → {each.new or _NONE}" for each in step.changes[:_CELL_CHANGES]]
    return tag(
        "tr",
        tag("td", f"§{entry.section}" if entry.section else _NONE),
        tag(
            "td", tag("b", _title(entry)), tag("small", f" {entry.kind}"), tag("p", entry.sentence)
        ),
        tag("td", _pair(atlas, number)),
        tag("td", _reason(step), *(tag("p", tag("code", _short(text))) for text in texts)),
        data_words=" ".join(sorted(entry.words)),
        data_sections=" ".join(entry.sections),
    )


def _reason(step: Difference) -> str:
    """Why play is the same."""
    return "; ".join(step.reasons).rstrip(".") or _WHY.get(step.kind) or _WHY[step.change]


_WHY = {
    "invariant": "an invariant is for tests",
    "label": "words for players",
    "wording": "only the sentence differs",
    "citation": "the same in another section",
}


# ---------------------------------------------------------------- the page of a difference
def _entry_page(atlas: Atlas, entry: AtlasEntry, shown: Collection) -> Iterator[Element]:
    yield tag("p", tag("a", "All differences", href=FRONT), _place(atlas, entry))
    if entry.sentence:
        yield tag("p", entry.sentence, class_="atlas-sentence")
    yield tag("p", tag("code", entry.id))
    yield _sides(atlas, entry, shown)
    for number, step in enumerate(entry.steps):
        if step is not None:
            yield from _step(atlas, entry, number, step, shown)
    yield from _related(atlas, entry)


def _place(atlas: Atlas, entry: AtlasEntry) -> str:
    if not entry.section:
        return ""
    chapter = atlas.sections.get(f"{entry.section.partition('.')[0]}.0", "")
    return f" › {chapter} › §{entry.section} {atlas.sections.get(entry.section, '')}"


def _sides(atlas: Atlas, entry: AtlasEntry, shown: Collection) -> Element:
    """The sentence and the sections of each ruleset, and how often the declaration comes up there."""
    often = ["Comes up in random games"] if shown.frequencies else []
    heads = ("Ruleset", "Says", "Sections", *often)
    table = tag("table", tag("thead", tag("tr", *(tag("th", head) for head in heads))))
    body = tag("tbody")
    for name, side in zip(atlas.rulesets, entry.sides, strict=True):
        cells = [tag("td", *_says(side)), tag("td", *_cited(side))]
        if often:
            cells.append(tag("td", _count(entry, side, shown.frequencies.get(name))))
        body.append(tag("tr", tag("th", name), *cells))
    table.append(body)
    return tag("div", table, class_="table-wrapper")


def _says(side: Declaration | None) -> Iterator[Content]:
    if side is None:
        yield tag("i", "has no such declaration")
    else:
        yield side.summary or tag("code", _short(side.source))


def _cited(side: Declaration | None) -> Iterator[Content]:
    for citation in side.cited if side is not None else ():
        yield tag("div", f"{citation.edition} §{citation.section} {citation.heading}".rstrip())


def _count(entry: AtlasEntry, side: Declaration | None, counts: Frequencies | None) -> str:
    if side is None or counts is None:
        return _NONE
    return f"{counts.of(entry.kind, entry.name)} of {counts.games}"


def _step(
    atlas: Atlas, entry: AtlasEntry, number: int, step: Difference, shown: Collection
) -> Iterator[Element]:
    yield tag("h2", f"{_pair(atlas, number)}: {step.change}")
    if not step.plays:
        yield tag("p", f"Play is the same: {_reason(step)}.")
        return
    if step.changes:
        yield _changes(step)
    if exhibit := shown.exhibits.get((number, entry.id)):
        yield from _exhibit(exhibit)
    elif reason := shown.missing.get((number, entry.id)):
        yield tag("p", f"No position is known that shows it: {reason}")
    yield tag(
        "details",
        tag("summary", "Both declarations"),
        *(
            tag("figure", tag("figcaption", name), tag("pre", _source(side)))
            for name, side in zip(atlas.rulesets[number:], (step.old, step.new), strict=False)
        ),
    )
    old, new = atlas.rulesets[number : number + 2]
    yield tag(
        "p",
        "At the command line: ",
        tag("code", f'hots witness {old} {new} --difference "{entry.id}"'),
    )


def _changes(step: Difference) -> Element:
    rows = [
        tag(
            "tr",
            tag("td", each.where),
            *(
                tag("td", tag("code", _NONE if text is None else text))
                for text in (each.old, each.new)
            ),
        )
        for each in step.changes[:MAX_CHANGES]
    ]
    if len(step.changes) > MAX_CHANGES:
        rows.append(
            tag("tr", tag("td", f"and {len(step.changes) - MAX_CHANGES} more", colspan="3"))
        )
    return tag("div", tag("table", tag("tbody", *rows)), class_="table-wrapper")


def _source(side: Declaration | None) -> str:
    return "none" if side is None else f"{side.file}:{side.line}\n{side.source}"


def _exhibit(exhibit: Exhibit) -> Iterator[Element]:
    """A witness: its position, the way from there, the action, and both answers."""
    witness = exhibit.witness
    yield tag("h3", "Where it matters")
    yield tag("p", witness.summary)
    if witness.games:
        yield tag(
            "p", f"The two part because of it in {witness.parted} of {witness.games} random games."
        )
    if exhibit.svg:
        yield tag("figure", picture(exhibit.svg), tag("figcaption", "The moment of the action"))
    begin = witness.position or f"scenario {witness.scenario}"
    lines = [begin.rstrip(), *(f"play {text}" for text in witness.play)]
    yield tag("details", tag("summary", "The position as text"), tag("pre", "\n".join(lines)))
    if witness.action:
        yield tag("p", "Action: ", tag("b", witness.action))
    if witness.chance:
        yield tag("p", "Then: ", ", ".join(witness.chance))
    chosen = (
        ", ".join(f"{name}={value}" for name, value in each.items()) for each in witness.settings
    )
    answers = zip(exhibit.answers, chosen, strict=True)
    yield tag("div", *(_answer(answer, text) for answer, text in answers), class_="atlas-answers")


def _answer(answer: EditionAnswer, chosen: str) -> Element:
    verdict = _VERDICTS.get(answer.verdict, answer.verdict)
    return tag(
        "section",
        tag("h4", f"{answer.edition}: {verdict}"),
        tag("p", f"with {chosen}") if chosen else None,
        tag("ul", *(tag("li", line) for line in answer.lines[:MAX_CHANGES]))
        if answer.lines
        else None,
        tag("p", "So ", "; ".join(answer.changes[:MAX_CHANGES]), ".") if answer.changes else None,
        tag("p", tag("small", "; ".join(map(str, answer.cited)))) if answer.cited else None,
    )


def _related(atlas: Atlas, entry: AtlasEntry) -> Iterator[Element]:
    main = entry.below or entry.id
    group = [
        each for each in atlas.entries if main in (each.id, each.below) and each.id != entry.id
    ]
    for title, ids in (
        ("Belongs together with", [each.id for each in group if each.plays]),
        ("Options and readings that touch it", entry.choices),
    ):
        if ids:
            yield tag("h2", title)
            yield tag("ul", *(tag("li", *_reference(atlas, each)) for each in ids))


def _reference(atlas: Atlas, id_: str) -> Iterator[Content]:
    entry = atlas.by_id.get(id_)
    if entry is None or not entry.plays:
        yield tag("code", id_)
        text = atlas.choices.get(id_, "")
    else:
        yield tag("a", _title(entry), href=entry.page)
        text = entry.sentence
    yield f": {text}" if text else ""


def _neighbours(before: AtlasEntry | None, after: AtlasEntry | None) -> Element:
    named = (("Before: ", before), ("Next: ", after))
    links = [
        tag("span", text, tag("a", _title(each), href=each.page)) for text, each in named if each
    ]
    return tag("p", *links, class_="atlas-neighbours")


# ---------------------------------------------------------------- words
def _title(entry: AtlasEntry) -> str:
    words = entry.name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _front_title(atlas: Atlas) -> str:
    return f"Differences between {', '.join(atlas.rulesets[:-1])} and {atlas.rulesets[-1]}"


def _pair(atlas: Atlas, number: int) -> str:
    return " → ".join(atlas.rulesets[number : number + 2])


def _joined(elements: Iterable[Element]) -> list[Content]:
    found = list[Content]()
    for element in elements:
        found += [", ", element] if found else [element]
    return found


def _matters(atlas: Atlas, entries: list[AtlasEntry], shown: Collection) -> Iterator[Content]:
    """What the newest witness of some entries shows, and how often they part the rulesets, or come up."""
    exhibits = [
        exhibit
        for entry in entries
        for number in reversed(range(len(entry.steps)))
        if (exhibit := shown.exhibits.get((number, entry.id)))
    ]
    if exhibits:
        yield tag("p", _short(exhibits[0].witness.summary))
    if often := _often(atlas, entries, shown, [exhibit.witness for exhibit in exhibits]):
        yield tag("p", tag("small", often))


def _often(
    atlas: Atlas, entries: list[AtlasEntry], shown: Collection, witnesses: list[Witness]
) -> str:
    """How often the rulesets part because of some entries, else how often they come up."""
    if counted := [each for each in witnesses if each.games]:
        most = max(counted, key=lambda each: each.parted / each.games)
        return f"parts {most.parted} of {most.games} games"
    counts = [
        (counts.of(entry.kind, entry.name), counts.games)
        for entry in entries
        for name, side in zip(atlas.rulesets, entry.sides, strict=True)
        if side is not None and (counts := shown.frequencies.get(name))
    ]
    if not counts:
        return ""
    most_seen, games = max(counts)
    return f"comes up in {most_seen} of {games} games"
