"""What the clauses of actions may cost when the legal actions are listed."""

from __future__ import annotations

from attrs import frozen

from hots_rules.compile.facts import ClauseFacts
from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset


@frozen
class ClauseCost:
    """The most steps that a clause takes in one list of legal actions.

    Attributes:
        steps: the most steps that the code takes for it in any position. What is computed before a loop, and a test of
            all values at once, count once; a loop has as many members as its set can have.
        action: the action.
        kind: "permit" or "forbid".
        rule: the rule, or the action, in which the clause stands.
        sections: the sections that it cites.
        file: its file.
        line: the line of its rule or action.

    >>> import hots_rules as hr
    >>> str(hr.explain.clause_costs(hr.load("connect-four-1.0"))[0]).partition(": ")[2]
    'forbid drop in discs-fall §2: up to 77 steps'
    """

    steps: int
    action: str
    kind: str
    rule: str
    sections: tuple[str, ...]
    file: str
    line: int

    @property
    def cited(self) -> str:
        """The rule with the sections that it cites."""
        return " ".join([self.rule, *(f"§{section}" for section in self.sections)])

    def __str__(self) -> str:
        steps = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        return f"{self.file}:{self.line}: {self.kind} {self.action} in {self.cited}: up to {steps}"


def clause_costs(ruleset: AnyRuleset) -> tuple[ClauseCost, ...]:
    """The most that each clause of each action costs when the legal actions are listed, the most expensive first.

    It is counted in the code that lists them, under the default options and readings.

    >>> import hots_rules as hr
    >>> dearest = hr.explain.clause_costs(hr.load("connect-four-1.0"))[0]
    >>> dearest.rule, dearest.action, dearest.steps
    ('discs-fall', 'drop', 77)
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    costs = map(_cost, ruleset.compiled.default_machine.facts.clauses)
    return tuple(sorted(costs, key=lambda cost: (-cost.steps, cost.file, cost.line)))


def _cost(clause: ClauseFacts) -> ClauseCost:
    origin = clause.origin
    return ClauseCost(
        clause.steps,
        clause.action,
        clause.kind,
        origin.rule,
        origin.sections,
        origin.span.file,
        origin.span.line,
    )
