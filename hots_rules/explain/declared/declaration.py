"""A declaration of a rulebook as it is written, and all of them with the headings of its sections."""

from __future__ import annotations

from itertools import takewhile

from attrs import field, frozen

from hots_rules.rules.editions.sections import Citation


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

    @property
    def comment(self) -> str:
        """The comment above it, in a line; else the one behind its first line."""
        lines = self.source.splitlines()
        above = " ".join(line.lstrip("# ") for line in takewhile(_is_comment, lines))
        first = lines[0] if lines else ""
        return above or ("" if '"' in first else first.partition("#")[2].strip())


def _is_comment(line: str) -> bool:
    return line.startswith("#")


@frozen
class Contents:
    """The declarations in force of a rulebook, in the order of its files, without their trees.

    `headings` are those of the rulebook by section number, or of the last one below it that has some.
    """

    declarations: tuple[Declaration, ...]
    headings: dict[str, str]
