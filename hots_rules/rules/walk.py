"""Walking the typed tree: what stands in an expression, in a statement, in a block."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.rules import typed as ty
from hots_rules.rules.typed import Body, Expr, Statement


def parts(node: Expr) -> tuple[Expr, ...]:
    """The expressions right inside an expression."""
    match node:
        case ty.Prim():
            return node.args
        case ty.Load():
            return node.keys
        case ty.ColumnOf():
            return (node.key,)
        case ty.Named():
            return node.args
        case ty.Convert() | ty.Narrow() | ty.IsIn():
            return (node.body,)
        case ty.Choice():
            return (node.condition, node.then, node.otherwise)
        case ty.Quantified():
            return (node.source, node.body)
        case ty.Filtered():
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
        case ty.Branch():
            for _, block in node.cases:
                yield from block
            yield from node.otherwise
        case ty.Each() | ty.Loop() | ty.By():
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
        case ty.Store():
            return (*node.keys, node.value)
        case ty.Reset():
            return node.keys
        case ty.Bind():
            return (node.value,)
        case ty.Branch():
            return tuple(condition for condition, _ in node.cases)
        case ty.Each():
            domain = node.domain if isinstance(node.domain, tuple) else (node.domain,)
            return domain if node.last is None else (*domain, node.last)
        case ty.Loop():
            return (node.condition, node.bound)
        case ty.Decide():
            return (node.players,)
        case ty.Throw():
            return node.keys if node.number is None else (node.number, *node.keys)
        case ty.Pick():
            return (
                (node.source, *node.keys)
                if node.weight is None
                else (node.source, node.weight, *node.keys)
            )
        case ty.Raise() | ty.Run():
            return node.args
        case ty.End():
            return (node.player,)
    return ()


def expressions(body: Body) -> Iterator[Expr]:
    """Every expression that stands in a block, and in the blocks inside it."""
    for node in all_inside(body):
        yield from expressions_of(node)
