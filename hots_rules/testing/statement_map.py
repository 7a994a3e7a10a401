"""The statements of a rulebook: each with the rules that carry it and the cases that show it, or why it needs none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from os import PathLike
from types import MappingProxyType

from attrs import asdict, field, frozen

from hots_rules.diagnostics import Fault, check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.report.blocks import Heading, Items, Table
from hots_rules.report.whole import Report
from hots_rules.rules.editions.statements import (
    BETWEEN_CASES,
    Statement,
    statement_rows,
    statements_in,
)
from hots_rules.testing.case_coverage import coverable_entries
from hots_rules.testing.casebook import Case, is_for, read_cases

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "heading": "it names what follows",
        "component": "it describes the box, the map or the blocks",
        "example": "it shows what another statement says, and nothing else",
        "advice": "a suggestion, history or a comment, which binds nobody",
        "repeated": "it repeats or points to what another section says",
    }
)
"""Why a statement needs neither a rule nor a case, and what each reason means."""
MAX_WORDS = 10  # of a statement
MAX_SHARE = 0.25  # of the statements that need no case


@frozen(repr=False)
class StatementCoverage:
    """The statements of a rulebook, compared with its rules and cases; true if nothing is missing.

    >>> import hots_rules as hr
    >>> hr.testing.statement_coverage(hr.load("hots-3.x"))
    <StatementCoverage of hots-3.x: 419 statements, 0 rules without one, 0 faults>

    Attributes:
        ruleset: the name of the ruleset.
        statements: its statements, in the order of the text.
        unstated: the declarations that no statement names in a section that they cite, with the section.
        faults: what is wrong with the list of statements.
    """

    ruleset: str
    statements: tuple[Statement, ...]
    unstated: tuple[str, ...]
    faults: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.unstated and not self.faults

    @property
    def reasons(self) -> dict[str, int]:
        """How many statements need no case, by reason."""
        counts = Counter(statement.reason for statement in self.statements)
        return {reason: counts[reason] for reason in REASONS}

    def report(self) -> Report:
        """What is missing, the numbers, and every statement with its rules and cases."""
        shown = sum(not statement.reason for statement in self.statements)
        numbers = [("shown by cases", str(shown))]
        numbers += [(reason, str(count)) for reason, count in self.reasons.items()]
        whole = f"{self.ruleset}: {len(self.statements)} statements"
        missing = f"{len(self.unstated)} rules without a statement, {len(self.faults)} faults"
        rows = [
            (str(statement), " ".join(statement.rules), BETWEEN_CASES.join(statement.cases))
            if not statement.reason
            else (str(statement), statement.reason, "")
            for statement in self.statements
        ]
        return Report(
            f"Statements of {self.ruleset}",
            (
                Heading(whole),
                Table.of(("statements", ""), numbers),
                Heading(missing),
                Items((*self.unstated, *self.faults)),
                Table.of(("statement", "rules", "cases"), rows),
            ),
        )

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return {**asdict(self), "reasons": self.reasons}

    def __repr__(self) -> str:
        return (
            f"<StatementCoverage of {self.ruleset}: {len(self.statements)} statements, "
            f"{len(self.unstated)} rules without one, {len(self.faults)} faults>"
        )


def statements(ruleset: AnyRuleset) -> tuple[Statement, ...]:
    """The statements of the rulebook of a ruleset, from the `statements.csv` of its folder; empty without one.

    >>> import hots_rules as hr
    >>> print(hr.testing.statements(hr.load("hots-4.0"))[4])
    §0.1 5. Each of them is a game by itself

    Raises:
        RulesetError: the list is malformed.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    return statements_in(ruleset.source.layers[-1])


def statement_coverage(
    ruleset: AnyRuleset, cases: str | PathLike[str] | Sequence[Case] | None = None
) -> StatementCoverage:
    """The statements of a rulebook, checked both ways against its rules and cases.

    Each statement has rules and cases, or a reason why it needs none; each section has statements. Each secret, and
    each declaration that a case can use, carries a statement in every section that it cites.

    >>> import hots_rules as hr
    >>> hr.testing.statement_coverage(hr.load("hots-4.0")).unstated
    ()

    Args:
        ruleset: the ruleset.
        cases: the folder of its cases, or the cases; without them the titles of cases are not checked.

    Raises:
        BadCase: there is no such folder, or a case in it cannot be read.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    read = read_cases(cases) if isinstance(cases, str | PathLike) else cases
    rows = list(statement_rows(ruleset.source.layers[-1]))
    listed = tuple(row for row in rows if isinstance(row, Statement))
    checker = _Checker(ruleset, None if read is None else _titles(read, ruleset))
    faults = [f"line {row.place.line}: {row.headline}" for row in rows if isinstance(row, Fault)]
    faults += (fault for statement in listed for fault in checker.faults_of(statement))
    faults += checker.faults_of_list(listed)
    return StatementCoverage(ruleset.name, listed, tuple(_unstated(ruleset, listed)), tuple(faults))


def _unstated(ruleset: AnyRuleset, listed: Sequence[Statement]) -> Iterator[str]:
    """The declarations that cite a section none of whose statements names them, with these sections.

    One may cite a section that is no more than a heading, if a statement elsewhere names it. Where a text is silent,
    so that a declaration cites the text below it, the statements of that one carry it.
    """
    carried = defaultdict[str, set[str]](set)
    for statement in listed:
        for name in statement.rules:
            carried[name].add(statement.section)
    bare = {statement.section for statement in listed if statement.reason == "heading"}
    bare -= {statement.section for statement in listed if statement.reason != "heading"}
    for declared in (*coverable_entries(ruleset), *ruleset.rulebook.of_kind("secret")):
        cited = {cite.section for cite in declared.cited if cite.edition == ruleset.name}
        missing = cited - carried[declared.name] - (bare if carried[declared.name] else set())
        if missing:
            yield " ".join(
                (declared.kind, declared.name, *(f"§{number}" for number in sorted(missing)))
            )


def _titles(cases: Sequence[Case], ruleset: AnyRuleset) -> frozenset[str]:
    """The titles of the cases that are played in a ruleset."""
    return frozenset(case.title for case in cases if is_for(case, ruleset))


def _section_of(statement: Statement) -> str:
    return statement.section


@frozen
class _Checker:
    """What is wrong with statements; `titles` are those of the cases, None if they are not known."""

    ruleset: AnyRuleset
    titles: frozenset[str] | None
    names: frozenset[str] = field(init=False, repr=False)

    @names.default
    def _names_of_declarations(self) -> frozenset[str]:
        return frozenset(name for _, name in self.ruleset.rulebook.entries)

    def faults_of(self, statement: Statement) -> Iterator[str]:
        """What is wrong with one statement."""
        if len(statement.text.split()) > MAX_WORDS:
            yield f"{statement}: it has more than {MAX_WORDS} words"
        if statement.reason:
            if statement.reason not in REASONS:
                yield f"{statement}: `{statement.reason}` is none of {', '.join(REASONS)}"
            if statement.rules or statement.cases:
                yield f"{statement}: it has a reason, and rules or cases too"
        elif not statement.rules or not statement.cases:
            yield f"{statement}: it needs rules and cases, or a reason"
        yield from (
            f"{statement}: nothing is named `{name}`"
            for name in statement.rules
            if name not in self.names
        )
        if self.titles is not None:
            yield from (
                f"{statement}: no case `{title}` is played in {self.ruleset.name}"
                for title in statement.cases
                if title not in self.titles
            )

    def faults_of_list(self, listed: Sequence[Statement]) -> Iterator[str]:
        """Sections without statements, places that are out of order, and too many reasons."""
        sections = list(self.ruleset.rulebook.sections.get(self.ruleset.name, {}))
        stated = {statement.section for statement in listed}
        if not listed:
            yield f"`{self.ruleset.name}` lists no statements"
            return
        yield from (f"§{number}: no statement" for number in sections if number not in stated)
        yield from (f"§{number}: no such section" for number in sorted(stated - {*sections}))
        runs = [(section, list(run)) for section, run in groupby(listed, _section_of)]
        if [section for section, _ in runs] != [number for number in sections if number in stated]:
            yield "the sections are out of order"
        for section, run in runs:
            places = [(statement.number, statement.of) for statement in run]
            if places != [(number, len(run)) for number in range(1, len(run) + 1)]:
                yield f"§{section}: statements are missing or out of order"
        without = sum(bool(statement.reason) for statement in listed)
        if without > MAX_SHARE * len(listed):
            yield f"{without} of {len(listed)} statements have a reason: more than a quarter"
