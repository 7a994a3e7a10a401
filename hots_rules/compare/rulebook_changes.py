"""The changes of a rulebook as a player would list them; each groups differences of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import field, frozen

from hots_rules.compare.diff_rows import DiffRow
from hots_rules.compare.difference import N
from hots_rules.compare.sides import SectionOrder, Side, age
from hots_rules.report.blocks import ABSENT
from hots_rules.rules.editions.declared_changes import ChangeWords, DeclaredChange, declared_changes
from hots_rules.rules.graph import reachable
from hots_rules.rules.kinds import HELPERS

_SERVING = HELPERS | {"invariant", "promise"}
"""The kinds that only serve others, which a player would not list as changes."""
_NAME = re.compile(r"[A-Za-z][\w-]*")


@frozen
class ChangeStep:
    """Two neighbouring rulesets, one of which extends the other, on the way from a column to the next.

    >>> from hots_rules.compare.rulebook_changes import ChangeStep
    >>> ChangeStep("hots-2.3", "hots-3.x", "hots-2.3", 0).is_up
    True

    Attributes:
        old: the name of the first ruleset.
        new: the name of the second.
        declarer: the one that extends the other, which declares what changes.
        pair: the number of the pair of columns that it lies between.
    """

    old: str
    new: str
    declarer: str
    pair: int

    @property
    def is_up(self) -> bool:
        """Whether it leads from the ruleset that extends to the one below."""
        return self.declarer == self.old


@frozen
class ChangeCell:
    """What one ruleset says of a change.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").changes[0].cells[0].sections
    ('4.4', '5.9')

    Attributes:
        lines: its sentences.
        sections: the sections of its first member there, as this ruleset numbers them.
    """

    lines: tuple[str, ...]
    sections: tuple[str, ...] = ()


@frozen
class RulebookChange:
    """A change of the rulebook: differences that a player would list as one.

    An edition declares it in `changes.toml`. Differences that nobody declared are grouped: those of one section, with
    the definitions, types, variables and secrets that they use.

    >>> import hots_rules as hr
    >>> change = hr.compare.table("hots-3.x", "hots-4.0").changes[2]
    >>> change.section, change.is_declared, change.is_alike
    ('5.3', True, False)

    Attributes:
        name: its name; if nobody declared it, its section or the name of its only rule.
        title: what a player calls it.
        section: its section in the newest rulebook; empty if it has none.
        cells: what each ruleset says.
        members: the ids of its differences, the main ones first.
        play: what it does in play, as it stands in `teller`; empty if no edition says so.
        teller: the oldest ruleset of the table, which `play` describes; empty if nobody declared the change.
        steps: the steps that change it; none if nobody declared the change.
    """

    name: str
    title: str
    section: str
    cells: tuple[ChangeCell, ...]
    members: tuple[str, ...]
    play: str = ""
    teller: str = ""
    steps: tuple[ChangeStep, ...] = field(default=(), repr=False)

    @property
    def is_declared(self) -> bool:
        """Whether an edition declares it."""
        return bool(self.steps)

    @property
    def is_alike(self) -> bool:
        """Whether all rulesets say the same, in different declarations."""
        return len({cell.lines for cell in self.cells}) == 1

    @property
    def id(self) -> str:
        """Its name among all changes."""
        return f"change {self.name}"


def rulebook_changes(
    sides: Sequence[Side], rows: Sequence[DiffRow], order: SectionOrder, language: str
) -> tuple[RulebookChange, ...]:
    """The changes of the rows of a table, in the order of the book; each difference of play is in exactly one.

    A difference of wording is in one only if an edition declares it there.

    Args:
        sides: the rulesets of the table.
        rows: its rows.
        order: the order of the sections.
        language: the language of titles and sentences; what is not translated is in English.

    Raises:
        RulesetError: a file of changes is not of its form.
    """
    maker = _ChangeMaker.of(sides, order, language)
    changes = [*maker.declared(rows)]
    placed = {member for change in changes for member in change.members}
    rest = [row for row in rows if row.effect == "behavioural" and row.id not in placed]
    changes += maker.grouped(rest)
    changes.sort(key=lambda change: (not change.section, order.place(change.section)))
    return tuple(changes)


def steps_between(sides: Sequence[Side]) -> Iterator[ChangeStep]:
    """The way from each side to the next through the rulesets that they extend; none between different games."""
    for pair, (first, second) in enumerate(pairwise(sides)):
        old, new = ([layer.name for layer in side.source.layers] for side in (first, second))
        shared = sum(1 for names in zip(old, new, strict=False) if len(set(names)) == 1)
        if shared:
            for here, below in pairwise(reversed(old[shared - 1 :])):
                yield ChangeStep(here, below, here, pair)
            for below, here in pairwise(new[shared - 1 :]):
                yield ChangeStep(below, here, here, pair)


@frozen
class _ChangeMaker:
    """Makes the changes, from the sides, the steps between them and what editions declare."""

    sides: Sequence[Side]
    order: SectionOrder
    language: str
    steps: Sequence[ChangeStep]
    by_edition: Mapping[str, Sequence[DeclaredChange]]

    @classmethod
    def of(cls, sides: Sequence[Side], order: SectionOrder, language: str) -> _ChangeMaker:
        by_edition: dict[str, Sequence[DeclaredChange]] = {}
        for side in sides:
            by_edition |= declared_changes(side.source)
        return cls(sides, order, language, tuple(steps_between(sides)), by_edition)

    # -------------------------------------------------------------- declared
    def declared(self, rows: Sequence[DiffRow]) -> Iterator[RulebookChange]:
        """The declared changes with the rows that they name; a row of several is listed in the first of them."""
        placed: dict[str, list[DiffRow]] = {}
        alive = set[str]()
        for row in rows:
            names = dict.fromkeys(self._holders(row))
            if row.effect == "behavioural":
                alive.update(names)
            if names:
                placed.setdefault(next(iter(names)), []).append(row)
        for name in dict.fromkeys(change.name for _, change in self._declared_by_step()):
            if name in alive:
                yield self._change(name, placed.get(name, ()))

    def _declared_by_step(self) -> Iterator[tuple[int, DeclaredChange]]:
        """Each declared change with the number of its step."""
        for at, step in enumerate(self.steps):
            for change in self.by_edition.get(step.declarer, ()):
                yield at, change

    def _holders(self, row: DiffRow) -> Iterator[str]:
        """The names of the changes that name a row where it changes."""
        for at, change in self._declared_by_step():
            if row.changes[self.steps[at].pair] and row.id in change.members:
                yield change.name

    def _change(self, name: str, rows: Sequence[DiffRow]) -> RulebookChange:
        declared = {at: change for at, change in self._declared_by_step() if change.name == name}
        words_at = {at: change.words(self.language) for at, change in declared.items()}
        first = next(iter(declared.values()))
        listed = [member for change in declared.values() for member in change.members]
        ids = {row.id for row in rows}
        members = tuple(member for member in dict.fromkeys(listed) if member in ids)
        cells = tuple(
            ChangeCell((self._sentence(words_at, column),), self._sections(side, listed))
            for column, side in enumerate(self.sides)
        )
        steps = tuple(self.steps[at] for at in declared)
        title = next(iter(words_at.values())).title
        oldest = max(range(len(self.sides)), key=lambda column: age(self.sides[column]))
        play = words_at[self._teller(words_at, oldest)[0]].play
        teller = self.sides[oldest].name
        return RulebookChange(name, title, first.section, cells, members, play, teller, steps)

    def _sentence(self, words_at: Mapping[int, ChangeWords], column: int) -> str:
        at, is_own = self._teller(words_at, column)
        return words_at[at].own if is_own else words_at[at].below

    def _teller(self, words_at: Mapping[int, ChangeWords], column: int) -> tuple[int, bool]:
        """The step whose text describes a column: the next that changes it, else the last; and whether by its `own`."""
        after = [at for at in words_at if self.steps[at].pair >= column]
        at = min(after) if after else max(words_at)
        return at, self.steps[at].is_up == bool(after)

    def _sections(self, side: Side, members: Iterable[str]) -> tuple[str, ...]:
        """The sections of the first of some members that a side has."""
        for member in members:
            kind, _, name = member.partition(" ")
            pair = side.declarations.get((kind, name))
            if pair is not None and pair[0].sections:
                return pair[0].sections
        return ()

    # -------------------------------------------------------------- grouped
    def grouped(self, rows: Sequence[DiffRow]) -> Iterator[RulebookChange]:
        """Differences that nobody declared: those of one section, with the helpers that they use.

        A helper belongs to the first rule that uses it, directly or through other helpers; one of its own sections
        comes before others. What no rule uses is with others of its section.
        """
        mains = [row for row in rows if row.kind not in _SERVING]
        helpers = [row for row in rows if row.kind in _SERVING]
        groups: dict[str, list[DiffRow]] = {}
        for row in mains:
            groups.setdefault(row.section, []).append(row)
        sources = {row.id: _sources_of(row) for row in rows}
        for helper, users in users_of_helpers(mains, helpers, sources):
            near = [row for row in users if row.section == helper.section]
            user = next(iter(near or users), None)
            groups.setdefault(user.section if user else helper.section, []).append(helper)
        for section, members in groups.items():
            yield self._group(section, members)

    def _group(self, section: str, members: Sequence[DiffRow]) -> RulebookChange:
        mains = [row for row in members if row.kind not in _SERVING] or members
        name = mains[0].name if len(mains) == 1 else f"§{section}" if section else mains[0].name
        heading = self.order.headings.get(section, "")
        title = heading if heading and len(mains) > 1 else mains[0].name.replace("_", " ")
        cells = tuple(
            ChangeCell(
                tuple(line for row in mains for line in _lines(row, column)),
                mains[0].cells[column].sections,
            )
            for column in range(len(self.sides))
        )
        return RulebookChange(
            name, title.replace("-", " "), section, cells, tuple(row.id for row in members)
        )


def _lines(row: DiffRow, column: int) -> Iterator[str]:
    """What a ruleset says of a row: the sentence of a rule with what differs."""
    cell = row.cells[column]
    if cell.version is None:
        yield ABSENT
        return
    if row.sentence:
        yield row.sentence
    yield from cell.lines


def _sources_of(row: DiffRow) -> list[str]:
    return [cell.declaration.source for cell in row.cells if cell.declaration is not None]


def names_in(source: str) -> frozenset[str]:
    """The words of a source that may name a declaration."""
    return frozenset(_NAME.findall(source))


def users_of_helpers(
    mains: Sequence[N], helpers: Sequence[N], sources: Mapping[str, Iterable[str]]
) -> Iterator[tuple[N, list[N]]]:
    """Each helper with the others that use it, directly or through other helpers.

    `sources` has the source of each in all rulesets, by its id; a name in it is a use.
    """
    graph = {}
    for id_, texts in sources.items():
        names = frozenset[str]().union(*map(names_in, texts))
        graph[id_] = [helper.id for helper in helpers if helper.name in names]
    uses = {main.id: reachable(graph, [main.id]) for main in mains}
    for helper in helpers:
        yield helper, [main for main in mains if helper.id in uses[main.id]]
