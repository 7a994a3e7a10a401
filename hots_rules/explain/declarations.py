"""The declarations of a rulebook, by section or by name, as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import dedent

from attrs import define, evolve, field, frozen

from hots_rules.diagnostics import HotsError, Span, closest_match, fold_name
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.editions.labels import SENTENCES, SUMMARIZED
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import Entry, Rulebook
from hots_rules.syntax import tree

_SECTION = re.compile(r"§?\s*([0-9]+(?:\.[0-9]+)*)")


@frozen
class Declaration:
    """One declaration of a rulebook.

    >>> import hots_rules as hr
    >>> declaration = hr.explain.find_declarations(hr.load("hots-4.0"), "5.7")[0]
    >>> declaration.kind, declaration.edition, declaration.line
    ('define', 'hots-4.0', 28)

    Attributes:
        kind: "rule", "action", "table" and so on.
        name: its name.
        edition: the ruleset that declared or amended it last.
        replaces: the ruleset whose declaration was amended; None if none was.
        sections: the sections that it cites.
        summary: the sentence of the rulebook, if it has one.
        file: the file that contains it.
        line: its first line there.
        source: its text with the comment above it.
        cited: its sections with their editions and headings.
        wording: why play is the same, if an edition words it differently.
    """

    kind: str
    name: str
    edition: str
    replaces: str | None
    sections: tuple[str, ...]
    summary: str
    file: str
    line: int
    source: str = field(repr=False)
    cited: tuple[Citation, ...] = field(default=(), repr=False)
    wording: str = ""


@define
class UnknownRule(HotsError, KeyError, ValueError):
    """A name or a section that a ruleset does not have.

    >>> import hots_rules as hr
    >>> hr.explain.find_declarations(hr.load("hots-4.0"), "pilage")
    Traceback (most recent call last):
    hots_rules.explain.declarations.UnknownRule: `hots-4.0` has no section or name `pilage`
    help: did you mean `pillage`?

    Attributes:
        asked: the name or section.
        ruleset: the name of the ruleset.
        near: the nearest name or section that the ruleset has; None if none is near.
    """

    asked: str
    ruleset: str
    near: str | None = None

    @classmethod
    def among(cls, asked: str, ruleset: str, known: Iterable[str]) -> UnknownRule:
        """The error with the nearest of the names or sections that the ruleset has."""
        return cls(asked, ruleset, closest_match(asked, dict.fromkeys(known)))

    def __str__(self) -> str:
        suggestion = f"\nhelp: did you mean `{self.near}`?" if self.near else ""
        return f"`{self.ruleset}` has no section or name `{self.asked}`{suggestion}"


def find_declarations(ruleset: AnyRuleset, query: str) -> tuple[Declaration, ...]:
    """The declarations of a section, or with a name.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.explain.find_declarations(rules, "§5.7") == hr.explain.find_declarations(rules, "5.7")
    True

    Args:
        ruleset: the ruleset; the summaries are in its language, the sources as written.
        query: a section (`5.7`, `§5.7`), which may be one that nothing cites; or a name, in which `-`,
            `_` and space are equal, and which declarations of several kinds may share.

    Raises:
        UnknownRule: neither a section nor a name of the ruleset.
    """
    section = _SECTION.fullmatch(query.strip())
    declarations = _named(ruleset, query) if section is None else _of_section(ruleset, section[1])
    if ruleset.language == "en":
        return declarations
    return tuple(_translated(ruleset, declaration) for declaration in declarations)


def _translated(ruleset: AnyRuleset, declaration: Declaration) -> Declaration:
    """A declaration with its summary in the language of the ruleset, if its kind has labels."""
    kind, name, summary = declaration.kind, declaration.name, declaration.summary
    if kind not in SENTENCES | SUMMARIZED | {"question"}:
        return declaration
    return evolve(declaration, summary=ruleset.labels.sentence(kind, name, summary))


def _of_section(ruleset: AnyRuleset, section: str) -> tuple[Declaration, ...]:
    headings = section_headings(ruleset)
    declarations = declarations_citing(ruleset, section)
    if not declarations and not any(is_within(number, section) for number in headings):
        raise UnknownRule.among(section, ruleset.name, headings)
    return declarations


def _named(ruleset: AnyRuleset, name: str) -> tuple[Declaration, ...]:
    rulebook, folded = ruleset.rulebook, fold_name(name)
    entries = [entry for entry in rulebook.entries.values() if fold_name(entry.name) == folded]
    if not entries:
        names = [entry.name for entry in rulebook.entries.values()]
        raise UnknownRule.among(name, ruleset.name, names)
    return tuple(declaration_of(rulebook, entry) for entry in entries)


def declarations_citing(ruleset: AnyRuleset, section: str) -> tuple[Declaration, ...]:
    """The declarations that cite a section or a part of it, in the order of the sections.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> len(hr.explain.declarations_citing(rules, "5")) > 50
    True
    """
    order = {number: index for index, number in enumerate(section_headings(ruleset))}
    declarations: list[tuple[int, Declaration]] = []
    for entry in ruleset.rulebook.entries.values():
        parts = [number for number in entry.sections if is_within(number, section)]
        if parts:
            first = min(order.get(number, len(order)) for number in parts)
            declarations.append((first, declaration_of(ruleset.rulebook, entry)))
    declarations.sort(key=lambda pair: pair[0])
    return tuple(declaration for _, declaration in declarations)


def section_headings(ruleset: AnyRuleset) -> dict[str, str]:
    """The headings of the rulebook by section number, in its order; empty if it has no table of contents.

    >>> import hots_rules as hr
    >>> hr.explain.section_headings(hr.load("hots-4.0"))["0.1"]
    'Introduction'
    """
    return headings_of(ruleset.rulebook)


def headings_of(rulebook: Rulebook) -> dict[str, str]:
    """The headings of a rulebook, or of the last one below it that has some."""
    sections = rulebook.sections
    return sections.get(rulebook.name) or next(filter(None, reversed(sections.values())), {})


def is_within(number: str, section: str) -> bool:
    """Whether a section is another one or a part of it: 5.31 of 5.3, and 5.3 of 5."""
    if number == section or number.startswith(f"{section}."):
        return True
    # Rulebooks number the parts of 5.3 as 5.31, 5.32.
    return "." in section and number.startswith(section) and number[len(section) :].isdigit()


def declaration_of(rulebook: Rulebook, entry: Entry) -> Declaration:
    """The declaration of an entry of a rulebook."""
    changes = _changes(entry)
    span = changes[-1].span if changes else entry.node.span
    return Declaration(
        entry.kind,
        entry.name,
        entry.edition,
        entry.previous.edition if entry.previous is not None else None,
        entry.sections,
        entry.summary,
        span.file,
        span.line,
        source_of(rulebook, entry),
        entry.cited,
        entry.wording,
    )


def source_of(rulebook: Rulebook, entry: Entry) -> str:
    """The text of a declaration as its author wrote it, with the comment above it.

    >>> import hots_rules as hr
    >>> book = hr.load("hots-4.0").rulebook
    >>> entry = next(iter(book.of_kind("action")))
    >>> f"action {entry.name}" in hr.explain.source_of(book, entry)
    True
    """
    texts = [source_at(rulebook, entry.node.span)]
    texts += (source_at(rulebook, line.span) for line in _changes(entry))
    return "\n".join(dict.fromkeys(texts))


def _changes(entry: Entry) -> tuple[tree.AmendPart | tree.Settle, ...]:
    """The lines that change a declaration without redeclaring it, those of the newest rulebook first."""
    if not entry.lines:
        return ()
    before = _changes(entry.previous) if entry.previous is not None else ()
    own = (line for line in entry.lines if isinstance(line, tree.AmendPart | tree.Settle))
    return (*before, *own)


def source_at(rulebook: Rulebook, span: Span) -> str:
    """The lines of a span, with the comment above them."""
    lines = rulebook.source.texts.get(span.file, "").split("\n")
    first = span.line - 1
    while first > 0 and _is_comment(lines[first - 1]):
        first -= 1
    last = span.end_line
    if not lines[last - 1 : last] or not lines[last - 1][: span.end_column - 1].strip():
        last -= 1  # the span ends before the first word of this line
    while last > span.line and _is_blank_or_comment(lines[last - 1]):
        last -= 1
    return dedent("\n".join(lines[first:last])).rstrip()


def _is_comment(line: str) -> bool:
    """Whether a line is a comment on what follows; `# ----` is the heading of several declarations."""
    return line.startswith("#") and not line.startswith("# --")


def _is_blank_or_comment(line: str) -> bool:
    """Whether a line after a declaration belongs to the next one, or to none."""
    return not line.strip() or line.startswith("#")
