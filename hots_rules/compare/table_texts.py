"""A table of differences as sentences, Markdown and HTML.

Texts of rulesets are a stranger's: control characters are replaced, and signs of Markdown and HTML are escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise, takewhile

from attrs import evolve

from hots_rules._translate import Translator, translator
from hots_rules.compare.agreements import Agreement
from hots_rules.compare.difference import WORDING_CHANGES, changes_play
from hots_rules.compare.markup import document
from hots_rules.compare.tables import DiffCell, DiffRow, DiffTable, ShownRow, ShownSection
from hots_rules.diagnostics import printable
from hots_rules.rules.editions.sections import Citation

_BEHAVIOURAL = ("amended", "added", "repealed")
MAX_LINES = 12  # of a cell
_STYLE = """\
body { font-family: sans-serif; }
table { border-collapse: collapse; }
td, th { border: 1px solid #999; padding: 0.3em; text-align: left; vertical-align: top; font-weight: normal; }
th[colspan] { background: #eee; font-weight: bold; }
tr.behavioural > th { background: #fff6d5; }
"""
_MARKDOWN = re.compile(r"([\\`*_{\[\]<>|~$])")


def short_names(editions: Iterable[str]) -> tuple[str, ...]:
    """The names of rulesets without the beginning, up to a hyphen, that all of them share."""
    names = tuple(editions)
    shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    start = "".join(letters[0] for letters in shared).rfind("-") + 1
    return tuple(name[start:] for name in names)


# ---------------------------------------------------------------- what is shown
def summaries(table: DiffTable) -> tuple[str, ...]:
    """How many declarations of each ruleset differ from the one before, in a sentence each."""
    t = translator(table.language)
    pairs = enumerate(pairwise(table.editions))
    return tuple(f"{old} → {new}: {_summary(t, table, at)}" for at, (old, new) in pairs)


def _summary(t: Translator, table: DiffTable, at: int) -> str:
    """`9 amended, 7 added, 2 repealed; 11 play differently. 4 differ in wording alone.`"""
    changes = [(row.kind, row.changes[at]) for row in table.rows]
    counts = Counter(change for _, change in changes)
    playing = sum(changes_play(kind, change) for kind, change in changes if change)
    said = [
        t.ngettext("{number} amended", "{number} amended", counts["amended"]),
        t.ngettext("{number} added", "{number} added", counts["added"]),
        t.ngettext("{number} repealed", "{number} repealed", counts["repealed"]),
    ]
    listed = [text for text, change in zip(said, _BEHAVIOURAL, strict=True) if counts[change]]
    alone = sum(counts[change] for change in WORDING_CHANGES)
    plays = t.ngettext("{number} plays differently", "{number} play differently", playing)
    worded = t.ngettext(
        "{number} differs in wording or section alone",
        "{number} differ in wording or section alone",
        alone,
    )
    sentences = [f"{', '.join(listed)}; {plays}"] if listed else []
    sentences += [worded] if alone else []
    if sentences:
        return f"{'. '.join(sentences)}."
    return (
        t.gettext("nothing plays differently") if table.plays_only else t.gettext("no differences")
    )


def shown_sections(table: DiffTable) -> tuple[ShownSection, ...]:
    """The sections of a table in the order of the book."""
    return tuple(
        ShownSection(_section_title(table, section, rows), tuple(_shown_rows(table, rows)))
        for section, rows in table.by_section().items()
    )


def _section_title(table: DiffTable, section: str, rows: Sequence[DiffRow]) -> str:
    """`§5.3 Retreats`, or `§5.3 Retreats (3.x §5.2 Retirada)` where another book numbers it differently."""
    t = translator(table.language)
    if not section:
        return t.gettext("without a section")
    places: dict[str, list[Citation]] = {}
    for at in range(len(table.editions)):
        sides = (row.cells[at].declaration for row in rows)
        cited = [citation for side in sides if side is not None for citation in side.cited]
        same = (citation for citation in cited if citation.section == section)
        if (found := next(same, next(iter(cited), None))) is not None:
            places.setdefault(found.section, []).append(evolve(found, edition=table.columns[at]))
    own = _place_title(table, section, places.pop(section, []))
    others = "; ".join(_place_title(table, number, found) for number, found in places.items())
    return f"{own} ({others})" if others else own


def _place_title(table: DiffTable, number: str, cited: Sequence[Citation]) -> str:
    """A section with its heading, and with the names of its rulesets unless the book that gives the order has it."""
    editions = [citation.edition for citation in cited]
    heading = next((citation.heading for citation in cited), "")
    if table.columns[table.editions.index(table.book)] in editions:
        return f"§{number} {table.headings.get(number, heading)}".rstrip()
    return f"{', '.join(editions)} §{number} {heading}".rstrip()


def _shown_rows(table: DiffTable, rows: Sequence[DiffRow]) -> Iterator[ShownRow]:
    """The rows of a section; declarations that stand in another section alike are in one row."""
    moved: dict[tuple[object, ...], list[DiffRow]] = {}
    for row in rows:
        if set(row.changes) <= {"", "citation"}:
            sections = (_sections(cell.sections) for cell in row.cells)
            moved.setdefault(tuple(sections), []).append(row)
        else:
            yield _shown_row(table, row)
    for group in moved.values():
        cells = tuple((_sections(cell.sections),) for cell in group[0].cells)
        names = ", ".join(f"{row.kind} {row.name}" for row in group)
        changes = _change_words(table, group[0])
        yield ShownRow(names, changes, (), cells, "wording", tuple(group))


def _shown_row(table: DiffTable, row: DiffRow) -> ShownRow:
    t = translator(table.language)
    reasons = (t.gettext("play is the same: {reason}", reason=each) for each in row.reasons)
    agreed = (_evidence(t, row.kind, each) for each in row.evidence if each is not None)
    notes = tuple(filter(None, (row.sentence, *reasons, *agreed)))
    cells = tuple(_cell_lines(t, cell) for cell in row.cells)
    is_said = any(line for cell in cells for line in cell)
    title = f"{row.kind} {row.name}"
    changes = _change_words(table, row)
    return ShownRow(title, changes, notes, cells if is_said else (), row.effect, (row,))


def _evidence(t: Translator, kind: str, found: Agreement) -> str:
    if kind == "secret":
        return t.ngettext(
            "it changes what a side sees; play agreed in {number} game of {ruleset} with and without it",
            "it changes what a side sees; play agreed in {number} games of {ruleset} with and without it",
            found.games,
            ruleset=found.ruleset,
        )
    return t.ngettext(
        "no effect seen in {number} game of {ruleset} with and without it",
        "no effect seen in {number} games of {ruleset} with and without it",
        found.games,
        ruleset=found.ruleset,
    )


def _cell_lines(t: Translator, cell: DiffCell) -> tuple[str, ...]:
    if cell.version is None:
        return ("–",)
    more = len(cell.lines) - MAX_LINES
    if more <= 1:
        return cell.lines
    return (*cell.lines[:MAX_LINES], t.ngettext("and {number} more", "and {number} more", more))


def _sections(numbers: Sequence[str]) -> str:
    return " ".join(f"§{number}" for number in numbers) or "–"


def _change_words(table: DiffTable, row: DiffRow) -> str:
    """How the rulesets differ, in a word for each kind of change; what can change play comes alone."""
    t = translator(table.language)
    words = {
        "added": t.gettext("added"),
        "repealed": t.gettext("repealed"),
        "amended": t.gettext("amended"),
        "wording": t.gettext("other words"),
        "citation": t.gettext("other section"),
    }
    changes = [change for change in dict.fromkeys(row.changes) if change]
    behavioural = [change for change in changes if change not in WORDING_CHANGES]
    return ", ".join(words[change] for change in behavioural or changes)


# ---------------------------------------------------------------- Markdown
def markdown(table: DiffTable) -> str:
    """The summaries, then a table for each section."""
    lines = [f"- {_plain(sentence)}" for sentence in summaries(table)]
    head = [_plain(word) for word in ("", *short_names(table.editions))]
    for section in shown_sections(table):
        lines += ["", f"### {_plain(section.title)}", "", _piped(head), _piped(["---"] * len(head))]
        lines += [_piped(_markdown_cells(row, len(table.editions))) for row in section.rows]
    return "\n".join(lines) + "\n"


def _markdown_cells(row: ShownRow, columns: int) -> list[str]:
    title = f"**{_plain(row.title)}**"
    head = "<br>".join([f"{title} ({_plain(row.changes)})", *map(_plain, row.notes)])
    cells = row.cells or ((),) * columns
    return [head, *("<br>".join(map(_plain, cell)) for cell in cells)]


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """A text in which no sign has a meaning in Markdown."""
    return _MARKDOWN.sub(r"\\\1", " ".join(printable(text).split())).replace("&", "&amp;")


# ---------------------------------------------------------------- HTML
def html(table: DiffTable) -> str:
    """One element with the summaries and a table, in which each section has a body of its own."""
    head = "".join(f'<th scope="col">{_escaped(name)}</th>' for name in table.editions)
    parts = [
        '<div class="hots-diff">',
        *(f"<p>{_escaped(sentence)}</p>" for sentence in summaries(table)),
        "<table>",
        f"<thead><tr><th></th>{head}</tr></thead>",
    ]
    for section in shown_sections(table):
        width = len(table.editions) + 1
        title = f'<th scope="rowgroup" colspan="{width}">{_escaped(section.title)}</th>'
        rows = (_html_row(row, len(table.editions)) for row in section.rows)
        parts += ["<tbody>", f"<tr>{title}</tr>", *rows, "</tbody>"]
    return "\n".join([*parts, "</table>", "</div>"]) + "\n"


def page(table: DiffTable) -> str:
    """A page for a browser with the table."""
    return document(" → ".join(table.editions), html(table), style=_STYLE, language=table.language)


def _html_row(row: ShownRow, columns: int) -> str:
    head = [f"<strong>{_escaped(row.title)}</strong> <em>{_escaped(row.changes)}</em>"]
    head += map(_escaped, row.notes)
    cells = row.cells or ((),) * columns
    data = "".join(f"<td>{'<br>'.join(map(_escaped, cell))}</td>" for cell in cells)
    ids = " ".join(each.id.replace(" ", "-") for each in row.rows)
    first = f'<th scope="row">{"<br>".join(head)}</th>'
    return f'<tr class="{row.effect}" data-differences="{_escaped(ids)}">{first}{data}</tr>'


def _escaped(text: str) -> str:
    return escape(printable(text))
