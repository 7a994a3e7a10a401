"""Coverage of a ruleset: sections without a rule, rules without a case, conditions without branch coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from types import MappingProxyType

from attrs import asdict, frozen

from hots_rules.diagnostics import ArgumentError, BadPosition, check_kind
from hots_rules.explain.declared.declarations import is_within
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.report.blocks import Table
from hots_rules.report.whole import Report
from hots_rules.rules.rulebook import Entry
from hots_rules.testing.casebook import Case, case_games, is_for, read_cases, start_case
from hots_rules.testing.coverage_recorder import CoverageRecorder, expected_actions, inert_rules
from hots_rules.testing.errors import BadCase

# By whether a condition was true in some case, and whether it was false in some case.
_OUTCOMES = MappingProxyType(
    {
        (True, False): "always true",
        (False, True): "always false",
        (False, False): "never evaluated",
    }
)
_KINDS = ("rule", "action", "event", "phase", "stage", "scenario", "option", "reading")


@frozen
class SectionCover:
    """The coverage of a section.

    Attributes:
        section: its number.
        heading: its heading.
        rules: the number of declarations that cite it or a part of it.
        cases: the number of cases that do.
        note: why it needs no rule; empty if it does.
    """

    section: str
    heading: str
    rules: int
    cases: int
    note: str


@frozen
class RuleCover:
    """The coverage of a declaration.

    Attributes:
        kind: "rule", "action", "event" and so on.
        name: its name.
        sections: the sections that it cites.
        cases: the number of cases in which it was used.
    """

    kind: str
    name: str
    sections: tuple[str, ...]
    cases: int

    def __str__(self) -> str:
        return " ".join((self.kind, self.name, *(f"§{section}" for section in self.sections)))


@frozen
class ConditionCover:
    """The branch coverage of a condition.

    Attributes:
        rule: the rule that contains it.
        timing: "permit", "forbid" or "exempt"; or "on", "before", "instead" or "after" an event.
        of: the action or event.
        held: whether it was true in a case.
        failed: whether it was false in a case.
    """

    rule: str
    timing: str
    of: str
    held: bool
    failed: bool

    def __str__(self) -> str:
        outcome = _OUTCOMES.get((self.held, self.failed), "both true and false")
        return f"{self.rule}: {self.timing} {self.of}: {outcome}"


@frozen(repr=False)
class Coverage:
    """The coverage of a ruleset by the cases of a folder: the result of `coverage`.

    >>> import hots_rules as hr
    >>> report = hr.testing.coverage(hr.load("hots-4.0"))
    >>> report.without_rule, report.sections[0].heading
    ((), 'Introduction')

    Attributes:
        ruleset: the name of the ruleset.
        played: the number of cases played.
        others: the number of cases for other rulesets, or that cannot begin in this one.
        faults: for each case that could not be played to its end, the first line of the error.
        sections: the coverage of each section.
        rules: the coverage of each declaration.
        conditions: the coverage of each condition.
    """

    ruleset: str
    played: int
    others: int
    faults: tuple[str, ...]
    sections: tuple[SectionCover, ...]
    rules: tuple[RuleCover, ...]
    conditions: tuple[ConditionCover, ...]

    @property
    def without_rule(self) -> tuple[SectionCover, ...]:
        """The sections that no declaration cites, and that have no note why."""
        return tuple(cover for cover in self.sections if not cover.rules and not cover.note)

    @property
    def without_case(self) -> tuple[RuleCover, ...]:
        """The declarations that no case uses."""
        return tuple(cover for cover in self.rules if not cover.cases)

    @property
    def one_sided(self) -> tuple[ConditionCover, ...]:
        """The conditions that were not both true and false in some case."""
        return tuple(cover for cover in self.conditions if not (cover.held and cover.failed))

    def report(self) -> Report:
        """What is not covered, and the sections that need no rule; cases are left out if none were read."""
        noted = [cover for cover in self.sections if cover.note and not cover.rules]
        uncovered = f"{len(self.sections)} sections, {len(self.without_rule)} without a rule"
        shown = [f"§{cover.section} {cover.heading}" for cover in self.without_rule]
        shown += [f"§{cover.section} {cover.heading}: {cover.note}" for cover in noted]
        tables = [Table.of_heads(f"{self.ruleset}: {uncovered}", shown)]
        if self.played or self.others or self.faults:
            played = f"{self.played} cases played, {self.others} for other rulesets"
            silent = f"{len(self.rules)} declarations, {len(self.without_case)} without a case"
            partial = (
                f"{len(self.conditions)} conditions, {len(self.one_sided)} without branch coverage"
            )
            tables += (
                Table.of_heads(played, self.faults),
                Table.of_heads(silent, map(str, self.without_case)),
                Table.of_heads(partial, map(str, self.one_sided)),
            )
        return Report(f"Coverage of {self.ruleset}", tuple(tables))

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return asdict(self)

    def __repr__(self) -> str:
        uncovered = (
            f"{len(self.without_rule)} of {len(self.sections)} sections without a rule",
            f"{len(self.without_case)} of {len(self.rules)} rules without a case",
            f"{len(self.one_sided)} of {len(self.conditions)} conditions without branch coverage",
        )
        return f"<Coverage of {self.ruleset} by {self.played} cases: {', '.join(uncovered)}>"


def coverage(
    ruleset: AnyRuleset,
    cases: str | PathLike[str] | Sequence[Case] | None = None,
    *,
    is_own: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Coverage:
    """The coverage of a ruleset by the cases of a folder.

    >>> import hots_rules as hr
    >>> hr.testing.coverage(hr.load("hots-4.0")).played
    0

    Args:
        ruleset: the ruleset.
        cases: the folder, or the cases; without one, only the sections are covered, by rules. A case that names no
            editions is for every ruleset in which it can begin.
        is_own: whether only what the ruleset itself declares or changes is covered, not what it takes from another one.
        on_progress: called with the number of cases played and the number of all.

    Raises:
        BadCase: there is no such folder, or a case in it cannot be read.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    read = list(cases) if isinstance(cases, Sequence) and not isinstance(cases, str) else []
    if isinstance(cases, str | PathLike):
        read = read_cases(cases)
    recorder = CoverageRecorder(ruleset)
    played, faults = 0, []
    for number, case in enumerate(read):
        on_progress(number, len(read))
        try:
            played += _play(case, ruleset, recorder)
        except BadCase as error:
            faults.append(str(error).partition("\n")[0])
    own = [case for case in read if not case.editions or ruleset.name in case.editions]
    names = _own_names(ruleset) if is_own else None
    conditions = (
        ConditionCover(
            condition.rule, condition.timing, condition.of, True in values, False in values
        )
        for key, condition in recorder.conditions.items()
        for values in [recorder.values[key]]
        if names is None or condition.rule in names
    )
    return Coverage(
        ruleset.name,
        played,
        len(read) - played - len(faults),
        tuple(faults),
        _section_covers(ruleset, own),
        tuple(
            cover
            for cover in _rule_covers(ruleset, recorder)
            if names is None or cover.name in names
        ),
        tuple(conditions),
    )


def _own_names(ruleset: AnyRuleset) -> set[str]:
    """The names of what a ruleset itself declares or changes."""
    files = ruleset.source.layers[-1].files
    return {
        entry.name
        for entry in ruleset.rulebook.entries.values()
        if any(node.span.file in files for node in (entry.node, *entry.lines))
    }


def _play(case: Case, ruleset: AnyRuleset, recorder: CoverageRecorder) -> bool:
    """Plays a case and records it; false if it is for other rulesets."""
    if not is_for(case, ruleset):
        return False
    try:
        game = start_case(case, ruleset)
    except (BadPosition, ArgumentError):
        return False
    recorder.record_start(game)
    for after in case_games(case, game):
        recorder.record_move(game, after)
        game = after
    if not game.is_over:
        for text in expected_actions(case.lines("expect", ruleset.name)):
            recorder.record_action_text(game, text)
    recorder.end_case()
    return True


def _section_covers(ruleset: AnyRuleset, cases: list[Case]) -> tuple[SectionCover, ...]:
    rulebook = ruleset.rulebook
    notes = rulebook.notes.get(ruleset.name, {})
    by_rules = [set(entry.sections) for entry in rulebook.entries.values()]
    by_cases = [_cited_sections(case, ruleset) for case in cases]
    return tuple(
        SectionCover(
            number,
            heading,
            sum(_cites(sections, number) for sections in by_rules),
            sum(_cites(sections, number) for sections in by_cases),
            notes.get(number, ""),
        )
        for number, heading in rulebook.sections.get(ruleset.name, {}).items()
    )


def _cites(sections: set[str], number: str) -> bool:
    """Whether a section or a part of it is among the cited ones."""
    return any(is_within(cited, number) for cited in sections)


def _cited_sections(case: Case, ruleset: AnyRuleset) -> set[str]:
    """The sections of this ruleset that a case cites; without an edition they are of the newest one."""
    numbers = set()
    for citation in case.sections:
        edition, _, number = citation.rpartition("§")
        if ruleset.name.endswith(edition) if edition else len(ruleset.source.layers) == 1:
            numbers.add(number)
    return numbers


def coverable_entries(ruleset: AnyRuleset) -> Iterator[Entry]:
    """The declarations that a case can use."""
    inert = inert_rules(ruleset.rulebook.typed)
    for entry in ruleset.rulebook.of_kind(*_KINDS):
        if not entry.settled and (entry.kind != "rule" or entry.name not in inert):
            yield entry


def _rule_covers(ruleset: AnyRuleset, recorder: CoverageRecorder) -> tuple[RuleCover, ...]:
    covers = []
    for entry in coverable_entries(ruleset):
        kind = "phase" if entry.kind == "stage" else entry.kind
        cases = recorder.uses.get((kind, entry.name), 0)
        covers.append(RuleCover(entry.kind, entry.name, entry.sections, cases))
    return tuple(covers)
