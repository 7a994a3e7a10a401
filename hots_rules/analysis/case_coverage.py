"""Coverage both ways: sections without a rule, rules without a case, conditions that no case met both ways."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

from attrs import asdict, frozen

from hots_rules.analysis.casebook import BadCase, Case, begin, known_entries, moments, read_cases
from hots_rules.analysis.coverage_recorder import Condition, CoverageRecorder, said_of_actions
from hots_rules.diagnostics import BadPosition, UnknownOption
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset

_KINDS = ("rule", "action", "event", "phase", "stage", "scenario", "option", "reading")


@frozen
class SectionCover:
    """A section: how many declarations cite it or a part of it, how many cases do, and why none is needed."""

    section: str
    heading: str
    rules: int
    cases: int
    note: str


@frozen
class RuleCover:
    """A declaration: its sections, and in how many cases it was at work."""

    kind: str
    name: str
    sections: tuple[str, ...]
    cases: int


@frozen
class ConditionCover:
    """A condition of a rule, and whether some case met it holding, and not holding."""

    rule: str
    timing: str
    of: str
    held: bool
    failed: bool


@frozen
class Coverage:
    """What the cases of a folder cover of a ruleset.

    `played` cases were played; `others` are for other rulesets, by their word or because they cannot begin in
    this one; `faults` are the cases that began and could not be played on.
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
        """The sections that no declaration cites, and of which nobody says why."""
        return tuple(one for one in self.sections if not one.rules and not one.note)

    @property
    def without_case(self) -> tuple[RuleCover, ...]:
        """The declarations that no case brings to work."""
        return tuple(one for one in self.rules if not one.cases)

    @property
    def one_sided(self) -> tuple[ConditionCover, ...]:
        """The conditions that no case met both holding and not."""
        return tuple(one for one in self.conditions if not (one.held and one.failed))

    def as_json(self) -> dict[str, Any]:
        """Plain data of a stable form, for `json`."""
        return asdict(self)


def coverage(
    ruleset: BaseRuleset[BaseGame],
    cases: str | PathLike[str] | None = None,
    *,
    watch: Callable[[int, int], None] = lambda _done, _of: None,
) -> Coverage:
    """What the cases in a folder cover of a ruleset; without a folder, which sections have rules.

    `watch` is told how many of how many cases are done. A case that names no editions is for every
    ruleset in which it can begin.

    Raises:
        BadCase: the folder is none, or a case in it cannot be read.
    """
    found = [] if cases is None else read_cases(cases)
    witness = CoverageRecorder(ruleset)
    played, faults = 0, []
    for number, case in enumerate(found):
        watch(number, len(found))
        try:
            played += _play(case, ruleset, witness)
        except BadCase as error:
            faults.append(str(error).partition("\n")[0])
    own = [case for case in found if not case.editions or ruleset.name in case.editions]
    return Coverage(
        ruleset.name,
        played,
        len(found) - played - len(faults),
        tuple(faults),
        _sections(ruleset, own),
        _rules(ruleset, witness),
        tuple(_condition(one, witness.met[key]) for key, one in witness.known.items()),
    )


def _play(case: Case, ruleset: BaseRuleset[BaseGame], witness: CoverageRecorder) -> bool:
    """Plays a case before the witness; false if it is for other rulesets."""
    if not _is_for(case, ruleset):
        return False
    try:
        game = begin(case, ruleset)
    except (BadPosition, UnknownOption):
        return False
    witness.saw_start(game)
    for after in moments(case, game):
        witness.saw_move(game, after)
        game = after
    if not game.is_over:
        for text in said_of_actions(case.said("expect", ruleset.name)):
            witness.saw_text(game, text)
    witness.end_case()
    return True


def _is_for(case: Case, ruleset: BaseRuleset[BaseGame]) -> bool:
    """Whether a case names a ruleset; if it names none, whether its position speaks of what the ruleset has."""
    if case.editions:
        return ruleset.name in case.editions
    return all(name in ruleset.schema.variables for _, name in known_entries(case))


def _sections(ruleset: BaseRuleset[BaseGame], cases: list[Case]) -> tuple[SectionCover, ...]:
    rulebook = ruleset.rulebook
    notes = rulebook.notes.get(ruleset.name, {})
    cited = [set(entry.sections) for entry in rulebook.entries.values()]
    own = [set(_own_sections(case, ruleset)) for case in cases]
    return tuple(
        SectionCover(
            number,
            heading,
            sum(_has(sections, number) for sections in cited),
            sum(_has(sections, number) for sections in own),
            notes.get(number, ""),
        )
        for number, heading in rulebook.sections.get(ruleset.name, {}).items()
    )


def _has(sections: set[str], number: str) -> bool:
    """Whether a section, or a part of it, is among some."""
    return any(one == number or one.startswith(f"{number}.") for one in sections)


def _own_sections(case: Case, ruleset: BaseRuleset[BaseGame]) -> list[str]:
    """The sections that a case cites of this ruleset; without an edition they are of the newest one."""
    found = []
    for cite in case.sections:
        edition, _, number = cite.rpartition("§")
        if ruleset.name.endswith(edition) if edition else len(ruleset.source.layers) == 1:
            found.append(number)
    return found


def _rules(ruleset: BaseRuleset[BaseGame], witness: CoverageRecorder) -> tuple[RuleCover, ...]:
    found = []
    for entry in ruleset.rulebook.of_kind(*_KINDS):
        kind = "phase" if entry.kind == "stage" else entry.kind
        cases = witness.at_work.get((kind, entry.name), 0)
        found.append(RuleCover(entry.kind, entry.name, entry.sections, cases))
    return tuple(found)


def _condition(one: Condition, met: set[bool]) -> ConditionCover:
    return ConditionCover(one.rule, one.timing, one.of, True in met, False in met)
