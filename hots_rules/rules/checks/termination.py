"""Every play goes on, and comes to an end while somebody waits."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.diagnostics import Place, Span
from hots_rules.rules.checks import cost
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.graph import MAX_SHOWN, dependency_order, describe_cycle
from hots_rules.rules.rulebook import name_span
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import suspending
from hots_rules.rules.typed.visitor import expressions_of, walk_statements


def nothing_calls_itself(book: CheckContext) -> None:
    """Phases and events may not come back to themselves: every play ends."""
    for circle in dependency_order(book.graph)[1]:
        spans = [name_span(book.entry(key).node) for key in circle[:-1]]
        book.names.fault(
            "recursive-definition",
            f"expected play that goes on, got {describe_cycle([_name(key) for key in circle])}",
            spans[0],
            [Place(span, "on the way") for span in spans[1:MAX_SHOWN]],
            "a phase or an event may not lead back to itself: write a loop",
        )


def _name(key: str) -> str:
    return key.partition(" ")[2]


def nothing_takes_too_long(book: CheckContext) -> None:
    """Loops within loops, with all that they call, come to an end while somebody waits."""
    order, circles = dependency_order(book.graph)
    if circles or book.names.faults:
        return
    weigher = cost.CostEstimator(book.typed, book.procedures)
    for check in (_check_definitions, _check_expressions):
        check(book, weigher)
        if book.names.faults:
            return
    _check_depth(book, order)
    asking = suspending(book.procedures)
    too_long = set[str]()
    for key in order:
        weigher.remember(key)
        steps = weigher.steps_in_one_go(book.procedures[key], asking)
        if steps > cost.MAX_STEPS:
            too_long.add(key)
            if not book.graph[key] & (too_long - asking):
                _say_too_long(book, key, steps)


def _say_too_long(book: CheckContext, key: str, steps: int) -> None:
    book.names.fault(
        "too-large",
        f"expected at most {cost.MAX_STEPS} steps in one go, got up to {_said(steps)}",
        name_span(book.entry(key).node),
        help_="loops within loops multiply: bound them by what can really happen",
    )


def _check_depth(book: CheckContext, order: list[str]) -> None:
    deep: dict[str, int] = {}
    for key in order:
        deep[key] = 1 + max((deep[other] for other in book.graph[key]), default=0)
        if deep[key] == cost.MAX_CALLS + 1:
            book.names.fault(
                "too-large",
                f"expected at most {cost.MAX_CALLS} phases and events inside one another, got more",
                name_span(book.entry(key).node),
                help_="write some of them out",
            )


def _check_definitions(book: CheckContext, weigher: cost.CostEstimator) -> None:
    """Those that others need come first, so that no chain is too long to follow."""
    known = book.typed.definitions
    for name in dependency_order({name: cost.needed(known[name].body) for name in known})[0]:
        _check_weight(
            book, weigher.definition(name), name_span(book.names.entries["define", name].node)
        )
        if book.names.faults:
            return


def _check_expressions(book: CheckContext, weigher: cost.CostEstimator) -> None:
    total = 0
    for span, node in _expressions(book):
        weight = weigher.weigh(node)
        total += weight.parts
        _check_weight(book, weight, span)
    if total > cost.MAX_TOTAL:
        book.names.fault(
            "too-large",
            f"expected at most {cost.MAX_TOTAL} parts with all definitions written out, got {total}",
            book.names.head,
            help_="keep what many rules need in the state",
        )


def _expressions(book: CheckContext) -> Iterator[tuple[Span, tast.Expr]]:
    entries = book.names.entries
    for name, action in book.typed.actions.items():
        for clause in action.clauses:
            span = name_span(
                entries.get(("rule", clause.origin.rule), entries["action", name]).node
            )
            yield span, clause.when
            for exemption in clause.exemptions:
                yield name_span(entries["rule", exemption.origin.rule].node), exemption.when
    for secret in book.typed.secrets:
        for part in (part for audience in secret.audiences for part in audience if part):
            yield name_span(entries["secret", secret.name].node), part
    for name, policy in book.typed.policies.items():
        for _, _, when in policy.clauses:
            yield name_span(entries["policy", name].node), when
    for name, question in book.typed.questions.items():
        yield name_span(entries["question", name].node), question.body
    for name, invariant in book.typed.invariants.items():
        yield name_span(entries["invariant", name].node), invariant.condition
    for key, body in book.procedures.items():
        for statement in walk_statements(body):
            for node in expressions_of(statement):
                yield name_span(book.entry(key).node), node


def _check_weight(book: CheckContext, weight: cost.Cost, span: Span) -> None:
    for got, most, what in (
        (weight.depth, cost.MAX_DEPTH, "levels inside one another"),
        (weight.parts, cost.MAX_PARTS, "parts"),
        (weight.times, cost.MAX_TIMES, "repetitions"),
    ):
        if got > most:
            book.names.fault(
                "too-large",
                f"expected an expression of at most {most} {what} with its definitions written out, got {_said(got)}",
                span,
                help_="keep the answer in the state, or ask about fewer things",
            )
            return


def _said(number: int) -> str:
    return str(number) if number < 10**12 else "more than a million million"
