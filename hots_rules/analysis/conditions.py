"""The conditions of a ruleset whose branch coverage is measured."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from hots_rules.rules.typed import tast

# "action" or "event", its name, the index of the clause, the index of its exemption or -1
Key = tuple[str, str, int, int]


@frozen
class Condition:
    """A condition of a clause of an action, or of a rule that answers an event.

    Attributes:
        rule: the rule that contains it.
        timing: "permit", "forbid" or "exempt"; or "on", "before", "instead" or "after" an event.
        of: the action or event.
        when: the condition.
        guard: the condition on options and readings under which the clause exists.
        params: the parameters of the action or event.
    """

    rule: str
    timing: str
    of: str
    when: tast.Expr = field(repr=False)
    guard: tast.Expr | None = field(repr=False)
    params: tuple[tast.Local, ...] = field(repr=False)


def conditions_of(typed: tast.TypedRuleset) -> dict[Key, Condition]:
    """All conditions that are no constants, under any options and readings."""
    return {
        key: condition
        for key, condition in (*_of_actions(typed), *_of_events(typed))
        if not isinstance(condition.when, tast.Const)
    }


def _of_actions(typed: tast.TypedRuleset) -> Iterator[tuple[Key, Condition]]:
    for name, action in typed.actions.items():
        for index, clause in enumerate(action.clauses):
            rule, source = clause.origin.rule, (clause.when, clause.guard, clause.params)
            yield ("action", name, index, -1), Condition(rule, clause.kind, name, *source)
            for number, lifted in enumerate(clause.exemptions):
                rule, source = lifted.origin.rule, (lifted.when, lifted.guard, lifted.params)
                yield ("action", name, index, number), Condition(rule, "exempt", name, *source)


def _of_events(typed: tast.TypedRuleset) -> Iterator[tuple[Key, Condition]]:
    for name, event in typed.events.items():
        for index, handler in enumerate(event.handlers):
            if handler.when is not None:
                source = handler.when, handler.guard, handler.params
                rule, timing = handler.origin.rule, handler.timing
                yield ("event", name, index, -1), Condition(rule, timing, name, *source)
