"""Walking the typed tree: what stands in an expression, in a statement, in a block."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Statement


def parts(node: Expr) -> tuple[Expr, ...]:
    """The expressions right inside an expression."""
    match node:
        case tast.Operation():
            return node.args
        case tast.Load():
            return node.keys
        case tast.ColumnLookup():
            return (node.key,)
        case tast.DefinitionCall():
            return node.args
        case tast.Convert() | tast.Narrow() | tast.TypeTest():
            return (node.body,)
        case tast.Conditional():
            return (node.condition, node.then, node.otherwise)
        case tast.Quantified():
            return (node.source, node.body)
        case tast.Comprehension():
            return (node.source, node.condition)
    return ()


def walk(node: Expr) -> Iterator[Expr]:
    """An expression and all that is inside it."""
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(parts(found))


def inside(node: Statement) -> Iterator[Statement]:
    """The statements right inside a statement."""
    match node:
        case tast.Branch():
            for _, block in node.cases:
                yield from block
            yield from node.otherwise
        case tast.ForEach() | tast.Loop() | tast.WithOrigin():
            yield from node.body


def all_inside(body: Body) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        pending += inside(node)


def expressions_of(node: Statement) -> tuple[Expr, ...]:
    """The expressions right inside a statement."""
    match node:
        case tast.Store():
            return (*node.keys, node.value)
        case tast.Reset():
            return node.keys
        case tast.Bind():
            return (node.value,)
        case tast.Branch():
            return tuple(condition for condition, _ in node.cases)
        case tast.ForEach():
            domain = node.domain if isinstance(node.domain, tuple) else (node.domain,)
            return domain if node.last is None else (*domain, node.last)
        case tast.Loop():
            return (node.condition, node.bound)
        case tast.Choose():
            return (node.players,)
        case tast.RollDice():
            return node.keys if node.number is None else (node.number, *node.keys)
        case tast.DrawRandom():
            return (
                (node.source, *node.keys)
                if node.weight is None
                else (node.source, node.weight, *node.keys)
            )
        case tast.EmitEvent() | tast.CallPhase():
            return node.args
        case tast.EndGame():
            return (node.player,)
    return ()


def expressions(body: Body) -> Iterator[Expr]:
    """Every expression that stands in a block, and in the blocks inside it."""
    for node in all_inside(body):
        yield from expressions_of(node)
