"""The one way to go through the typed tree, or to rebuild it: every pass uses these functions.

`children` and `map_children` list the same parts in the same order; so do `expressions_of`,
`blocks_of` and `map_statement` for statements. A new node needs a case in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from attrs import evolve

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Local, Statement

Change = Callable[[Expr], Expr]


# ---------------------------------------------------------------- expressions
def children(node: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression."""
    return _CHILDREN[type(node)](node)


def _no_children(_node: Expr) -> tuple[Expr, ...]:
    return ()


# By the class: a pass asks so often that trying one class after the other takes half of its time.
_CHILDREN: Mapping[type, Callable[[Any], tuple[Expr, ...]]] = MappingProxyType(
    {
        **dict.fromkeys((tast.Operation, tast.DefinitionCall, tast.Construct), attrgetter("args")),
        tast.Load: attrgetter("keys"),
        tast.ColumnLookup: lambda node: (node.key,),
        **dict.fromkeys((tast.Convert, tast.Narrow, tast.TypeTest), lambda node: (node.body,)),
        tast.Conditional: attrgetter("condition", "then", "otherwise"),
        tast.Quantified: lambda node: (node.source, *_present(node.goal), node.body),
        tast.Comprehension: attrgetter("source", "condition"),
        tast.LetIn: attrgetter("value", "body"),
        tast.PositionNumber: lambda node: (node.player,),
        tast.After: lambda node: (*node.args, *node.values, node.body),
        **dict.fromkeys((tast.Const, tast.Local, tast.Setting), _no_children),
    }
)


def map_children(node: Expr, change: Change) -> Expr:
    """The expression with each of its children changed."""
    match node:
        case tast.Operation():
            return tast.Operation(node.op, tuple(map(change, node.args)), node.type)
        case tast.DefinitionCall():
            return tast.DefinitionCall(node.define, tuple(map(change, node.args)), node.type)
        case tast.Load():
            return tast.Load(node.variable, tuple(map(change, node.keys)), node.type)
        case tast.ColumnLookup():
            return tast.ColumnLookup(node.table, node.column, change(node.key), node.type)
        case tast.Construct():
            args = tuple(map(change, node.args))
            return tast.Construct(node.first, node.strides, args, node.type)
        case tast.Convert():
            return tast.Convert(change(node.body), node.type)
        case tast.Narrow():
            return evolve(node, body=change(node.body))
        case tast.TypeTest():
            return tast.TypeTest(change(node.body), node.tested, node.type)
        case tast.Conditional():
            condition, then = change(node.condition), change(node.then)
            return tast.Conditional(condition, then, change(node.otherwise), node.type)
        case tast.Quantified():
            source = change(node.source)
            goal = None if node.goal is None else change(node.goal)
            body = change(node.body)
            return tast.Quantified(node.kind, node.local, source, body, node.type, goal)
        case tast.Comprehension():
            source = change(node.source)
            return tast.Comprehension(node.local, source, change(node.condition), node.type)
        case tast.LetIn():
            value = change(node.value)
            return tast.LetIn(node.local, value, change(node.body), node.type)
        case tast.PositionNumber():
            return evolve(node, player=change(node.player))
        case tast.After():
            args, values = tuple(map(change, node.args)), tuple(map(change, node.values))
            return evolve(node, args=args, values=values, body=change(node.body))
        case tast.Const() | tast.Local() | tast.Setting():
            return node


def rewrite(node: Expr, change: Change) -> Expr:
    """The expression with every part of it changed, innermost first."""
    return change(map_children(node, lambda child: rewrite(child, change)))


def walk(node: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))


def mentions(node: Expr, local: Local) -> bool:
    """Whether a local name occurs in an expression."""
    return any(isinstance(part, Local) and part.name == local.name for part in walk(node))


def free_locals(node: Expr) -> dict[str, Local]:
    """The local names that occur in an expression and are not bound in it."""
    parts = list(walk(node))
    bound = {local.name for part in parts for local in tast.bound_by(part)}
    return {part.name: part for part in parts if isinstance(part, Local) and part.name not in bound}


def parts_through_definitions(
    nodes: Iterable[Expr],
    definition_of: Callable[[str], tast.Definition | None],
    effect_of: Callable[[str], Iterable[Expr]] | None = None,
) -> Iterator[Expr]:
    """The parts of expressions, and of the definitions that they call, directly or not.

    `effect_of` gives what the effect of an action evaluates: `after` it these are parts, too.
    """
    seen, pending = set[tuple[str, str]](), list(nodes)
    while pending:
        for part in walk(pending.pop()):
            yield part
            if isinstance(part, tast.DefinitionCall) and ("define", part.define) not in seen:
                seen.add(("define", part.define))
                if (definition := definition_of(part.define)) is not None:
                    pending.append(definition.body)
            elif isinstance(part, tast.After) and effect_of and ("after", part.action) not in seen:
                seen.add(("after", part.action))
                pending += effect_of(part.action)


def variables_read(
    nodes: Iterable[Expr],
    definition_of: Callable[[str], tast.Definition | None],
    effect_of: Callable[[str], Iterable[Expr]],
) -> set[str]:
    """The state variables that expressions read, directly, through definitions, or after an action."""
    variables = set[str]()
    for part in parts_through_definitions(nodes, definition_of, effect_of):
        if isinstance(part, tast.Load):
            variables.add(part.variable)
        elif isinstance(part, tast.PositionNumber):
            variables.update(part.variables)
    return variables


# ---------------------------------------------------------------- statements
def expressions_of(node: Statement) -> tuple[Expr, ...]:
    """The expressions directly inside a statement."""
    match node:
        case tast.Store():
            return (*node.keys, node.value)
        case tast.Reset():
            return node.keys
        case tast.Bind():
            return (node.value,)
        case tast.Branch():
            return tuple(case.condition for case in node.cases)
        case tast.ForEach():
            domain = node.domain if isinstance(node.domain, tuple) else (node.domain,)
            return (*domain, *_present(node.last))
        case tast.Loop():
            return (node.condition, *_present(node.bound))
        case tast.Choose():
            return (node.players,)
        case tast.RollDice():
            return (*_present(node.number), *node.keys)
        case tast.DrawRandom():
            return (node.source, *_present(node.weight), *node.keys)
        case tast.EmitEvent() | tast.CallPhase():
            return node.args
        case tast.EndGame():
            return (node.winners,)
        case tast.Leave() | tast.Return() | tast.WithOrigin():
            return ()


def _present(node: Expr | None) -> tuple[Expr, ...]:
    return () if node is None else (node,)


def blocks_of(node: Statement) -> tuple[Body, ...]:
    """The blocks directly inside a statement."""
    match node:
        case tast.Branch():
            return (*(case.body for case in node.cases), node.otherwise)
        case tast.ForEach() | tast.Loop() | tast.WithOrigin():
            return (node.body,)
    return ()


def map_statement(node: Statement, change: Change, block: Callable[[Body], Body]) -> Statement:
    """The statement with each of its expressions and blocks changed."""

    def change_optional(part: Expr | None) -> Expr | None:
        return None if part is None else change(part)

    def map_all(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(map(change, parts))

    match node:
        case tast.Store():
            return tast.Store(node.variable, map_all(node.keys), change(node.value), node.span)
        case tast.Reset():
            return tast.Reset(node.variable, map_all(node.keys))
        case tast.Bind():
            return tast.Bind(node.local, change(node.value))
        case tast.Branch():
            cases = tuple(tast.Case(change(c.condition), block(c.body)) for c in node.cases)
            return tast.Branch(cases, block(node.otherwise))
        case tast.ForEach():
            domain = map_all(node.domain) if isinstance(node.domain, tuple) else change(node.domain)
            return tast.ForEach(node.local, domain, change_optional(node.last), block(node.body))
        case tast.Loop():
            condition, bound = change(node.condition), change_optional(node.bound)
            return tast.Loop(condition, bound, block(node.body), node.span)
        case tast.Choose():
            return tast.Choose(change(node.players), node.each, node.actions)
        case tast.RollDice():
            number = change_optional(node.number)
            return tast.RollDice(number, node.sides, node.local, map_all(node.keys))
        case tast.DrawRandom():
            source, weight = change(node.source), change_optional(node.weight)
            return tast.DrawRandom(node.local, source, weight, map_all(node.keys))
        case tast.EmitEvent():
            return tast.EmitEvent(node.event, map_all(node.args), node.span)
        case tast.CallPhase():
            return tast.CallPhase(node.phase, map_all(node.args), node.span)
        case tast.EndGame():
            return tast.EndGame(change(node.winners))
        case tast.WithOrigin():
            return tast.WithOrigin(node.origin, block(node.body))
        case tast.Leave() | tast.Return():
            return node


def walk_statements(body: Body) -> Iterator[Statement]:
    """All statements of a block and of the blocks inside it."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        for block in blocks_of(node):
            pending += block


def expressions(body: Body) -> Iterator[Expr]:
    """Every expression directly inside a statement of a block, or of the blocks inside it."""
    for node in walk_statements(body):
        yield from expressions_of(node)
