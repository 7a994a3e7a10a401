"""Checks that the effect for which `after` asks is certain, and never leads back to itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from hots_rules.diagnostics import RelatedPlace, Span
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.termination import expressions_outside_definitions
from hots_rules.rules.graph import dependency_order
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import Procedures, called_by, direct_calls, is_suspension
from hots_rules.rules.typed.tast import Expr, Statement
from hots_rules.rules.typed.visitor import (
    expressions,
    parts_through_definitions,
    walk,
    walk_statements,
)

REMEDY: Final = "ask about an action that meets no dice, draws and choices, or let the phase make them after the action"


def every_effect_is_certain(context: CheckContext) -> None:
    """The effect of an action for which `after` asks meets no chance and no choice."""
    nodes = [definition.body for definition in context.typed.definitions.values()]
    nodes += [node for _, node in expressions_outside_definitions(context)]

    def place_of(key: str, statement: Statement) -> Span:
        bodies = [
            part
            for part in context.procedures[key]
            if isinstance(part, tast.WithOrigin | tast.Branch)
            and any(inner is statement for inner in walk_statements((part,)))
        ]
        origins = (
            part.origin
            for part in walk_statements(tuple(bodies))
            if isinstance(part, tast.WithOrigin)
        )
        return next((origin.span for origin in origins), context.span_of_procedure(key))

    report_uncertain_effects(context.symbols, nodes, context.procedures, place_of)


def report_uncertain_effects(
    symbols: SymbolTable,
    nodes: Iterable[Expr],
    bodies: Procedures,
    place_of: Callable[[str, Statement], Span] | None = None,
) -> None:
    """A fault for each action for whose effect expressions ask, and that meets chance or a choice.

    `place_of` gives the place of a statement of a procedure, where it is to be shown.
    """
    asked = {
        part.span: part for node in nodes for part in walk(node) if isinstance(part, tast.After)
    }
    for span, part in asked.items():
        uncertain = (
            (key, statement)
            for key in sorted(called_by(bodies, part.action))
            for statement in walk_statements(bodies.get(key, ()))
            if is_suspension(statement)
        )
        for key, statement in uncertain:
            name, what = key.partition(" ")[2], _WAITS[type(statement)]
            related = [RelatedPlace(place_of(key, statement), f"this {what}")] if place_of else []
            subject = "it" if key == f"action {part.action}" else f"`{name}`"
            headline = f"the effect of `{part.action}` is not certain: {subject} {what}"
            symbols.fault("uncertain-effect", headline, span, related, REMEDY)
            break


_WAITS: Final = {
    tast.RollDice: "rolls dice",
    tast.DrawRandom: "draws at random",
    tast.Choose: "asks for a choice",
}


def no_effect_leads_to_itself(context: CheckContext) -> None:
    """What an action does never depends on what it would do."""
    graph = {key: _asked_in(context, body) for key, body in context.procedures.items()}
    if not any(graph.values()):
        return
    for key, body in context.procedures.items():
        graph[key] |= direct_calls(body)
    for cycle in dependency_order(graph).cycles:
        remedy = "ask with `after` in a condition of the action, not in what it does"
        context.fault_of_cycle(cycle, "the effect of `{}` depends on itself", remedy)


def _asked_in(context: CheckContext, body: tast.Body) -> set[str]:
    """The actions for whose effects a procedure asks, also through definitions."""
    parts = parts_through_definitions(expressions(body), context.typed.definitions.get)
    return {f"action {part.action}" for part in parts if isinstance(part, tast.After)}
