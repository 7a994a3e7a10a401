"""The rows of a table of differences: as values, and as a reader sees them."""

from __future__ import annotations

from attrs import frozen

from hots_rules.compare.agreements import Agreement
from hots_rules.compare.difference import changes_play
from hots_rules.explain.declared.declaration import Declaration


@frozen
class DiffCell:
    """One ruleset in a row of a table.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").row("infantry_blocks").cells[0].sections
    ('2.24',)

    Attributes:
        version: equal numbers play the same; None where the ruleset has no such declaration.
        lines: what it says, as far as the rulesets differ.
        declaration: the declaration; None where there is none, and for labels.
    """

    version: int | None
    lines: tuple[str, ...] = ()
    declaration: Declaration | None = None

    @property
    def sections(self) -> tuple[str, ...]:
        """The numbers of the sections that it cites."""
        return self.declaration.sections if self.declaration is not None else ()


@frozen
class DiffRow:
    """A declaration that is not the same in all rulesets of a table.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").row("phase must_retreat").changes
    ('amended',)

    Attributes:
        id: the name of the difference, as in a `Diff`.
        kind: "rule", "action", "table" and so on.
        name: its name.
        section: its section in the newest book that has it; empty if it cites none.
        changes: for each ruleset but the first, its change from the one before, as `Difference.change`;
            empty where nothing changes.
        effect: "wording" or "behavioural", as in a `Difference`.
        plays: whether it can change play.
        sentence: the sentence of the rulebook, if all rulesets have the same.
        reasons: why play is the same, if an edition says so.
        cells: one for each ruleset.
        evidence: as in a `Difference`, for each ruleset but the first.
    """

    id: str
    kind: str
    name: str
    section: str
    changes: tuple[str, ...]
    effect: str
    plays: bool
    sentence: str
    reasons: tuple[str, ...]
    cells: tuple[DiffCell, ...]
    evidence: tuple[Agreement | None, ...] = ()

    def playing(self, change: str) -> str:
        """The change if it can change play, else empty."""
        return change if change and changes_play(self.kind, change) else ""


@frozen
class ShownRow:
    """A row as a reader sees it: what differs, how, and what each ruleset says.

    Declarations that only moved to another section, all in the same way, are in one row.

    >>> import hots_rules as hr
    >>> shown = hr.compare.table("hots-3.x", "hots-4.0").within("2.24").shown()[-1].rows[0]
    >>> shown.title, shown.changes, shown.cells
    ('define infantry_blocks', 'other section', (('§2.24',), ('§2.25',)))

    Attributes:
        title: the kind and the name of each declaration.
        changes: how the rulesets differ, in words.
        notes: what is said of all rulesets: the sentence that they share, or why play is the same.
        cells: for each ruleset, what it says, as lines; empty if the notes say everything.
        effect: "wording" or "behavioural".
        rows: the rows of the table.
    """

    title: str
    changes: str
    notes: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    effect: str
    rows: tuple[DiffRow, ...]


@frozen
class ShownSection:
    """A section as a reader sees it.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").within("2.24").shown()[-1].title[:5]
    '§2.25'

    Attributes:
        title: its number and heading; those of each book where the books number it differently.
        rows: its rows.
    """

    title: str
    rows: tuple[ShownRow, ...]
