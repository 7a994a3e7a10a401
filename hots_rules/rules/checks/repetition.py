"""Why an expression or block is costly: its loops inside one another, each with its repetitions."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from attrs import frozen

from hots_rules.diagnostics import Fault, RelatedPlace, Span
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import call_of
from hots_rules.rules.typed.tast import Body, Expr
from hots_rules.rules.typed.visitor import blocks_of, children, expressions_of
from hots_rules.rules.wording import number_text
from hots_rules.syntax import tree
from hots_rules.syntax.walk import walk as walk_tree

MAX_SHOWN = 4
_LOOPS = (tree.For, tree.Quantifier, tree.DistanceIn, tree.Comprehension)


@frozen
class Repetition:
    """A loop on the way to the costliest part: its local name, empty for a `while`, and how often it runs at most."""

    name: str
    times: int
    owner: str
    span: Span | None = None


def repetitions_in_body(estimator: CostEstimator, body: Body, owner: str) -> list[Repetition]:
    """The loops around the costliest part of the statements of a procedure, the outermost first."""
    repetitions: list[Repetition] = []
    while body:
        node = max(body, key=lambda statement: estimator.steps((statement,)))
        if isinstance(node, tast.ForEach):
            repetitions.append(Repetition(node.local.word, estimator.iterations(node), owner))
        elif isinstance(node, tast.Loop):
            repetitions.append(Repetition("", estimator.iterations(node), owner, node.span))
        inner = blocks_of(node)
        if (call := call_of(node)) is not None:
            inner, owner = (estimator.procedures.get(call, ()),), call
        body = max(inner, key=estimator.steps, default=())
        own = max(
            expressions_of(node),
            key=lambda expression: estimator.cost_of(expression).steps,
            default=None,
        )
        if own is not None and estimator.cost_of(own).steps > estimator.steps(body):
            return repetitions + repetitions_in(estimator, own, owner)
    return repetitions


def repetitions_in(estimator: CostEstimator, node: Expr, owner: str) -> list[Repetition]:
    """The loops around the costliest part of an expression, those of the definitions that it calls included."""
    repetitions: list[Repetition] = []
    while True:
        parts = list(children(node))
        if isinstance(node, tast.Quantified | tast.Comprehension):
            body = parts[-1]
            if estimator.cost_of(body).steps > 1:
                repetitions.append(Repetition(node.local.word, estimator.times(node), owner))
        if isinstance(node, tast.DefinitionCall) and node.define in estimator.typed.definitions:
            body = estimator.typed.definitions[node.define].body
            if estimator.cost_of(node).steps >= estimator.cost_of(body).steps:
                parts.append(body)
        if isinstance(node, tast.After):
            key = f"action {node.action}"
            if estimator.cost_of(node).steps > 2 * sum(
                estimator.cost_of(part).steps for part in parts
            ):
                return repetitions + repetitions_in_body(estimator, estimator.procedures[key], key)
        if not parts:
            return repetitions
        deeper = max(parts, key=lambda part: estimator.cost_of(part).steps)
        if isinstance(node, tast.DefinitionCall) and deeper is parts[-1]:
            owner = f"define {node.define}"
        node = deeper


def too_large(
    context: CheckContext, key: str, headline: str, repetitions: list[Repetition], remedy: str
) -> None:
    """Reports a cost that is too large at the loop that multiplies it most, with the loops around that one."""
    name = key.partition(" ")[2]
    entry = _entry(context, key)
    fallback = context.span_of(entry.kind, entry.name) if entry else context.symbols.head
    shown = sorted(repetitions, key=lambda loop: loop.times, reverse=True)[:MAX_SHOWN]
    factors = [f"{number_text(loop.times)} {f'for `{loop.name}`' if loop.name else 'of `while`'}"
            for loop in repetitions if loop in shown]  # fmt: skip
    total = prod(loop.times for loop in repetitions)
    numbers = f": {' × '.join(factors)}, in `{name}`" if total > 1 else f", in `{name}`"
    spans = [loop.span or _span(context, loop) for loop in shown]
    places = [RelatedPlace(span, f"up to {number_text(loop.times)} times")
              for loop, span in zip(shown[1:], spans[1:], strict=True) if span]  # fmt: skip
    place = next((span for span in spans[:1] if span), fallback)
    fault = Fault("too-large", headline + numbers, place, tuple(places), help=remedy)
    context.symbols.faults.add(fault)


def _entry(context: CheckContext, key: str) -> Entry | None:
    kind, _, name = key.partition(" ")
    entries = context.symbols.entries
    return entries.get((kind, name)) or entries.get(
        ("stage", name) if kind == "phase" else ("", "")
    )


def _span(context: CheckContext, loop: Repetition) -> Span | None:
    """The place of a loop: in its declaration, or in the rule that answers an event."""
    for entry in _entries_with(context, loop.owner):
        for node in walk_tree(entry.node):
            if isinstance(node, _LOOPS) and node.name.text == loop.name:
                return node.name.span
    return None


def _entries_with(context: CheckContext, owner: str) -> Iterator[Entry]:
    if (entry := _entry(context, owner)) is not None:
        yield entry
    if owner.startswith("event "):
        yield from (
            candidate for candidate in context.symbols.entries.values() if candidate.kind == "rule"
        )
