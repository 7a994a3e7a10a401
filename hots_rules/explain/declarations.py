"""What a rulebook says about a section, or under a name, as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import dedent
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from hots_rules.diagnostics import HotsError, Span, closest_match, fold_name
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.labels import SENTENCES, SUMMARIZED
from hots_rules.rules.editions.sections import Citation

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Entry, Rulebook

_SECTION = re.compile(r"§?\s*([0-9]+(?:\.[0-9]+)*)")


@frozen
class Declaration:
    """One declaration, with the file and line where it stands.

    `edition` is the ruleset that said so last; `replaces` the one whose declaration it replaced.
    `cited` are its sections with their editions and headings, `wording` why an edition that words it
    otherwise plays the same.
    """

    kind: str
    name: str
    edition: str
    replaces: str | None
    sections: tuple[str, ...]
    summary: str
    file: str
    line: int
    source: str
    cited: tuple[Citation, ...] = ()
    wording: str = ""


class UnknownRule(HotsError):
    """A name or a section that a ruleset does not have, with the nearest one that it has."""

    def __init__(self, asked: str, ruleset: str, near: str | None = None) -> None:
        self.asked = asked
        self.ruleset = ruleset
        self.near = near
        super().__init__(asked, ruleset, near)

    @classmethod
    def nearest(cls, asked: str, ruleset: str, known: Iterable[str]) -> UnknownRule:
        """One that says which name was probably meant."""
        return cls(asked, ruleset, closest_match(asked, dict.fromkeys(known)))

    def __str__(self) -> str:
        mend = f"\nhelp: did you mean `{self.near}`?" if self.near else ""
        return f"expected a section or a name of `{self.ruleset}`, got `{self.asked}`{mend}"


def find_declarations(ruleset: BaseRuleset[BaseGame], query: str) -> tuple[Declaration, ...]:
    """The declarations of a section (`5.7`, `§5.7`) or with a name, in which `-`, `_` and space are equal.

    A section that nothing cites gives an empty tuple. Summaries that players read are in the language of
    the ruleset; sources are as written.

    Raises:
        UnknownRule: neither a section nor a name of the ruleset.
    """
    found = _found(ruleset, query)
    if ruleset.language == "en":
        return found
    return tuple(_translated(ruleset, declaration) for declaration in found)


def _translated(ruleset: BaseRuleset[BaseGame], declaration: Declaration) -> Declaration:
    """A declaration with its summary in the language of the ruleset, if it is of a kind with labels."""
    kind, name, summary = declaration.kind, declaration.name, declaration.summary
    if kind not in SENTENCES | SUMMARIZED | {"question"}:
        return declaration
    return evolve(declaration, summary=ruleset.labels.sentence(kind, name, summary))


def _found(ruleset: BaseRuleset[BaseGame], asked: str) -> tuple[Declaration, ...]:
    section = _SECTION.fullmatch(asked.strip())
    if section is None:
        return named(ruleset, asked)
    known = section_headings(ruleset)
    found = declarations_citing(ruleset, section[1])
    if not found and not any(is_within(number, section[1]) for number in known):
        raise UnknownRule(asked, ruleset.name, closest_match(section[1], known))
    return found


def declarations_citing(ruleset: BaseRuleset[BaseGame], section: str) -> tuple[Declaration, ...]:
    """The declarations that cite a section or a part of it, in the order of the sections."""
    order = {number: place for place, number in enumerate(section_headings(ruleset))}
    found: list[tuple[int, Declaration]] = []
    for entry in ruleset.book.entries.values():
        parts = [number for number in entry.sections if is_within(number, section)]
        if parts:
            first = min(order.get(number, len(order)) for number in parts)
            found.append((first, shown(ruleset.book, entry)))
    return tuple(one for _, one in sorted(found, key=lambda pair: pair[0]))


def named(ruleset: BaseRuleset[BaseGame], name: str) -> tuple[Declaration, ...]:
    """The declarations of a name: several, where things of different kinds share it.

    Raises:
        UnknownRule: nothing has that name.
    """
    wanted = fold_name(name)
    book = ruleset.book
    found = [entry for entry in book.entries.values() if fold_name(entry.name) == wanted]
    if not found:
        names = [entry.name for entry in book.entries.values()]
        raise UnknownRule.nearest(name, ruleset.name, names)
    return tuple(shown(book, entry) for entry in found)


def section_headings(ruleset: BaseRuleset[BaseGame]) -> dict[str, str]:
    """The sections of the rulebook by number, in its order; empty if it has no list of them."""
    sections = ruleset.book.sections
    return sections.get(ruleset.name) or next(filter(None, reversed(sections.values())), {})


def is_within(number: str, section: str) -> bool:
    """Whether a section is another one or a part of it: 5.31 of 5.3, and 5.3 of 5."""
    if number == section or number.startswith(f"{section}."):
        return True
    # The books count the parts of 5.3 as 5.31, 5.32.
    return "." in section and number.startswith(section) and number[len(section) :].isdigit()


def source_of(book: Rulebook, entry: Entry) -> str:
    """The text of a declaration as its author wrote it, with the comment above it."""
    return text_at(book, entry.node.span)


def text_at(book: Rulebook, span: Span) -> str:
    """The lines of a place, with the comment above them."""
    lines = book.source.texts.get(span.file, "").split("\n")
    first = span.line - 1
    while first > 0 and _is_comment(lines[first - 1]):
        first -= 1
    last = span.end_line
    if not lines[last - 1 : last] or not lines[last - 1][: span.end_column - 1].strip():
        last -= 1  # it ends before the first word of this line
    while last > span.line and _is_no_part(lines[last - 1]):
        last -= 1
    return dedent("\n".join(lines[first:last])).rstrip()


def _is_comment(line: str) -> bool:
    """Whether a line comments on what follows; a ruled one is the heading of more."""
    return line.startswith("#") and not line.startswith("# --")


def _is_no_part(line: str) -> bool:
    """Whether a line after a declaration belongs to the next one, or to none."""
    return not line.strip() or line.startswith("#")


def shown(book: Rulebook, entry: Entry) -> Declaration:
    """A declaration for readers."""
    before = entry.previous.edition if entry.previous is not None else None
    span = entry.node.span
    return Declaration(
        entry.kind,
        entry.name,
        entry.edition,
        before,
        entry.sections,
        entry.summary,
        span.file,
        span.line,
        source_of(book, entry),
        entry.cited,
        entry.wording,
    )
