"""Every play goes on, and comes to an end while somebody waits."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.diagnostics import Place, Span
from hots_rules.rules import bounds
from hots_rules.rules import typed as ty
from hots_rules.rules.book import name_span
from hots_rules.rules.calls import all_inside, call_of, stopping
from hots_rules.rules.checked import Checked
from hots_rules.rules.order import in_order


def nothing_calls_itself(book: Checked) -> None:
    """Phases and events may not come back to themselves: every play ends."""
    for circle in in_order(book.graph)[1]:
        names = " → ".join(key.partition(" ")[2] for key in circle)
        related = [Place(name_span(book.entry(key).node), "on the way") for key in circle[1:-1]]
        book.names.fault(
            "recursive-definition",
            f"expected play that goes on, got {names}",
            name_span(book.entry(circle[0]).node),
            related,
            "a phase or an event may not lead back to itself: write a loop",
        )


def nothing_takes_too_long(book: Checked) -> None:
    """Loops within loops, with all that they call, come to an end while somebody waits."""
    order, circles = in_order(book.graph)
    if circles or book.names.faults:
        return
    weigher = bounds.Weigher(book.typed, book.procedures)
    _check_definitions(book, weigher)
    if book.names.faults:
        return
    _check_expressions(book, weigher)
    asking = stopping(book.procedures)
    deep: dict[str, int] = {}
    for key in order:
        deep[key] = 1 + max((deep[other] for other in book.graph[key]), default=0)
        weigher.remember(key)
        if deep[key] == bounds.MAX_CALLS + 1:
            book.names.fault(
                "too-large",
                f"expected at most {bounds.MAX_CALLS} phases and events inside one another, got more",
                name_span(book.entry(key).node),
                help_="write some of them out",
            )
        for node in weigher.whole_runs(book.procedures[key], asking):
            if (steps := weigher.steps_of(node)) > bounds.MAX_STEPS and not _is_blamed(
                book, node, weigher, asking
            ):
                book.names.fault(
                    "too-large",
                    f"expected at most {bounds.MAX_STEPS} steps in one go, got up to {_said(steps)}",
                    name_span(book.entry(key).node),
                    help_="loops within loops multiply: bound them by what can really happen",
                )
                break


def _is_blamed(
    book: Checked, node: ty.Statement, weigher: bounds.Weigher, asking: set[str]
) -> bool:
    """Whether what is called takes too long by itself, and has been said to."""
    return any(
        weigher.steps(book.procedures[call]) > bounds.MAX_STEPS
        for found in all_inside((node,))
        if (call := call_of(found)) is not None and call not in asking
    )


def _check_definitions(book: Checked, weigher: bounds.Weigher) -> None:
    for name in book.typed.definitions:
        weight = weigher.definition(name)
        _check_weight(book, weight, name_span(book.names.entries["define", name].node))
        if book.names.faults:
            return


def _check_expressions(book: Checked, weigher: bounds.Weigher) -> None:
    total = 0
    for span, node in _expressions(book):
        weight = weigher.weigh(node)
        total += weight.parts
        _check_weight(book, weight, span)
    if total > bounds.MAX_TOTAL:
        book.names.fault(
            "too-large",
            f"expected at most {bounds.MAX_TOTAL} parts with all definitions written out, got {total}",
            book.names.head,
            help_="keep what many rules need in the state",
        )


def _expressions(book: Checked) -> Iterator[tuple[Span, ty.Expr]]:
    entries = book.names.entries
    for name, action in book.typed.actions.items():
        for clause in action.clauses:
            span = name_span(
                entries.get(("rule", clause.origin.rule), entries["action", name]).node
            )
            yield span, clause.when
            for exemption in clause.exemptions:
                yield name_span(entries["rule", exemption.origin.rule].node), exemption.when
    for name, invariant in book.typed.invariants.items():
        yield name_span(entries["invariant", name].node), invariant.condition
    for key, body in book.procedures.items():
        for statement in all_inside(body):
            for node in bounds.expressions_of(statement):
                yield name_span(book.entry(key).node), node


def _check_weight(book: Checked, weight: bounds.Weight, span: Span) -> None:
    for got, most, what in (
        (weight.depth, bounds.MAX_DEPTH, "levels inside one another"),
        (weight.parts, bounds.MAX_PARTS, "parts"),
        (weight.times, bounds.MAX_TIMES, "repetitions"),
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
