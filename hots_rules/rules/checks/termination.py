"""Checks that play never runs in a circle, and reaches the next decision in reasonable time."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.rules.checks import cost, repetition
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.set_sizes import SetSizes
from hots_rules.rules.graph import dependency_order
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import suspending
from hots_rules.rules.typed.visitor import expressions_of, walk_statements
from hots_rules.rules.wording import number_text


def nothing_calls_itself(context: CheckContext) -> None:
    """No phase or event leads back to itself."""
    for cycle in dependency_order(context.graph).cycles:
        context.fault_of_cycle(cycle, "`{}` calls itself", "write a loop instead")


def nothing_takes_too_long(context: CheckContext) -> None:
    """Nested loops, with all that they call, take a bounded number of steps between decisions.

    Sets that read no state are computed only where their types alone would be too large.
    """
    order, cycles = dependency_order(context.graph)
    if cycles or context.symbols.faults:
        return
    _check_steps(context, order, SetSizes(context.typed))
    if context.symbols.faults and context.static_values is not None:
        # What the types alone refuse is checked again with the sets as they are.
        context.symbols.faults.take()
        values = context.static_values(context.typed)
        _check_steps(context, order, SetSizes(context.typed, values))


def _check_steps(context: CheckContext, order: list[str], sizes: SetSizes) -> None:
    estimator = cost.CostEstimator(context.typed, context.procedures, sizes=sizes)
    for check in (_check_definitions, _check_expressions):
        check(context, estimator)
        if context.symbols.faults:
            return
    _check_nesting(context, order)
    stops = suspending(context.procedures)
    too_long = set[str]()
    for key in order:
        estimator.estimate_procedure(key)
        steps = estimator.steps_between_stops(context.procedures[key], stops)
        if steps > cost.MAX_STEPS:
            too_long.add(key)
            # Only the innermost procedure that is too long is reported, not its callers.
            if not context.graph[key] & (too_long - stops):
                repetition.too_large(
                    context,
                    key,
                    f"expected at most {number_text(cost.MAX_STEPS)} steps without a decision, "
                    f"got up to {number_text(steps)}",
                    repetition.repetitions_in_body(estimator, context.procedures[key], key),
                    "loops within loops multiply: give each loop a tighter bound",
                )


def _check_nesting(context: CheckContext, order: list[str]) -> None:
    """Checks that phases and events are not too many inside one another."""
    depths: dict[str, int] = {}
    for key in order:
        depths[key] = 1 + max((depths[called] for called in context.graph[key]), default=0)
        if depths[key] == cost.MAX_CALLS + 1:
            context.symbols.fault(
                "too-large",
                f"more than {cost.MAX_CALLS} phases and events inside one another",
                context.span_of_procedure(key),
                help_="write some of them out",
            )


def _check_definitions(context: CheckContext, estimator: cost.CostEstimator) -> None:
    """Checks each definition after those that it needs, so that no recursion is deep."""
    definitions = context.typed.definitions
    graph = {name: cost.needed(definitions[name].body) for name in definitions}
    for name in dependency_order(graph).nodes:
        _check_cost(context, estimator, definitions[name].body, f"define {name}")
        if context.symbols.faults:
            return


def _check_expressions(context: CheckContext, estimator: cost.CostEstimator) -> None:
    """Checks each expression outside definitions, and all of them together."""
    total = 0
    for key, node in expressions_outside_definitions(context):
        total += estimator.cost_of(node).parts
        _check_cost(context, estimator, node, key)
    if total > cost.MAX_TOTAL:
        context.symbols.fault(
            "too-large",
            f"expected at most {number_text(cost.MAX_TOTAL)} parts with all definitions written out, "
            f"got {number_text(total)}",
            context.symbols.head,
            help_="keep what many rules need in the state",
        )


def expressions_outside_definitions(context: CheckContext) -> Iterator[tuple[str, tast.Expr]]:
    """Every expression of the ruleset outside definitions, with the kind and the name of its declaration."""
    for action in context.typed.actions.values():
        for clause in action.clauses:
            yield f"{clause.origin.kind} {clause.origin.rule}", clause.when
            for exemption in clause.exemptions:
                yield f"rule {exemption.origin.rule}", exemption.when
    for secret in context.typed.secrets:
        for part in (part for audience in secret.audiences for part in audience.conditions):
            yield f"secret {secret.name}", part
    for name, policy in context.typed.policies.items():
        for preference in policy.clauses:
            yield f"policy {name}", preference.when
    for name, question in context.typed.questions.items():
        yield f"question {name}", question.body
    for name, invariant in context.typed.invariants.items():
        yield f"invariant {name}", invariant.condition
    for name, promise in context.typed.promises.items():
        yield f"promise {name}", promise.condition
    for key, body in context.procedures.items():
        for statement in walk_statements(body):
            for node in expressions_of(statement):
                yield key, node


def _check_cost(
    context: CheckContext, estimator: cost.CostEstimator, node: tast.Expr, key: str
) -> None:
    """Checks that an expression is neither too deep nor too long, and computed in few steps."""
    estimate = estimator.cost_of(node)
    for got, most, what in (
        (estimate.depth, cost.MAX_DEPTH, "levels inside one another"),
        (estimate.parts, cost.MAX_PARTS, "parts"),
        (estimate.steps, cost.MAX_EVALUATION, "steps"),
    ):
        if got > most:
            repetition.too_large(
                context,
                key,
                f"expected an expression of at most {number_text(most)} {what} with its definitions written out, "
                f"got {number_text(got)}",
                repetition.repetitions_in(estimator, node, key) if what == "steps" else [],
                "keep the result in the state, or ask about fewer things",
            )
            return
