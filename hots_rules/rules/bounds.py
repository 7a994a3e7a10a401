"""How much a ruleset can make the machine do before it asks anybody again.

Every loop has a bound, but loops within loops multiply, and so do definitions within definitions.
What is counted is how often something can be done at most; most of it is never reached.
"""

from __future__ import annotations

from attrs import define, field, frozen

from hots_rules.rules import finite as t
from hots_rules.rules import typed as ty
from hots_rules.rules.calls import Procedures, all_inside, call_of, inside
from hots_rules.rules.typed import Body, Expr, Statement

MAX_STEPS = 10_000_000  # of statements between two questions
MAX_TIMES = 2_000_000  # that a part of one expression is worked out
MAX_DEPTH = 60  # of an expression with its definitions written out
MAX_PARTS = 20_000  # of such an expression
MAX_TOTAL = 500_000  # of all such expressions
MAX_CALLS = 60  # of procedures, one inside the other


@frozen
class Weight:
    """Of an expression with its definitions written out: how deep, how large, how often its parts are done."""

    depth: int
    parts: int
    times: int


def parts_of(node: Expr) -> tuple[Expr, ...]:
    """The expressions right inside an expression."""
    match node:
        case ty.Prim() | ty.Named():
            return node.args
        case ty.Load():
            return node.keys
        case ty.ColumnOf():
            return (node.key,)
        case ty.Convert() | ty.Narrow() | ty.IsIn():
            return (node.body,)
        case ty.Choice():
            return (node.condition, node.then, node.otherwise)
        case ty.Quantified():
            return (node.source, node.body)
        case ty.Filtered():
            return (node.source, node.condition)
    return ()


def needed(node: Expr) -> set[str]:
    """The definitions that an expression names."""
    found, pending = set[str](), [node]
    while pending:
        part = pending.pop()
        pending += parts_of(part)
        if isinstance(part, ty.Named):
            found.add(part.define)
    return found


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


@define
class Weigher:
    """Weighs expressions and statements of one ruleset, in which nothing may need itself."""

    typed: ty.Typed
    known: Procedures
    _definitions: dict[str, Weight] = field(factory=dict)
    _steps: dict[str, int] = field(factory=dict)

    def definition(self, name: str) -> Weight:
        """The weight of a definition's body."""
        if name not in self._definitions:
            self._definitions[name] = Weight(0, 0, 0)  # should it need itself, it ends all the same
            self._definitions[name] = self.weigh(self.typed.definitions[name].body)
        return self._definitions[name]

    def weigh(self, node: Expr) -> Weight:
        """The weight of an expression."""
        parts = [self.weigh(part) for part in parts_of(node)]
        if isinstance(node, ty.Named) and node.define in self.typed.definitions:
            parts.append(self.definition(node.define))
        depth = 1 + max((part.depth for part in parts), default=0)
        if isinstance(node, ty.Prim) and node.op in {"union", "both", "members"}:
            depth += len(parts) // 16  # they are joined one after the other
        size = 1 + sum(part.parts for part in parts)
        times = sum(part.times for part in parts)
        if isinstance(node, ty.Quantified | ty.Filtered):
            times = parts[0].times + t.size(node.local.type) * max(parts[1].times, 1)
        return Weight(depth, size, times)

    # -------------------------------------------------------------- statements
    def steps(self, body: Body) -> int:
        """How many steps a block takes at most."""
        return sum(self.steps_of(node) for node in body)

    def steps_of(self, node: Statement) -> int:
        """How many steps a statement takes at most."""
        own = 1 + sum(self.weigh(part).times for part in expressions_of(node))
        match node:
            case ty.Each():
                return own + _length(node) * max(self.steps(node.body), 1)
            case ty.Loop():
                bound = node.bound.type.high if isinstance(node.bound.type, t.IntType) else 0
                return max(bound, 0) * (own + self.steps(node.body))
        if (call := call_of(node)) is not None:
            return own + self._steps.get(call, 0)
        return own + self.steps(tuple(inside(node)))

    def remember(self, key: str) -> None:
        """Works out a procedure, once what it calls has been."""
        self._steps[key] = self.steps(self.known[key])

    def steps_in_one_go(self, body: Body, asking: set[str]) -> int:
        """How many steps are done at most without a question between them."""
        total = 0
        for node in body:
            if _asks(node, asking):
                total += self.steps_in_one_go(tuple(inside(node)), asking)
            else:
                total += self.steps_of(node)
        return total


def _length(node: ty.Each) -> int:
    if isinstance(node.domain, tuple):
        return len(node.domain)
    return t.size(node.local.type)


def _asks(node: Statement, asking: set[str]) -> bool:
    return any(
        isinstance(found, ty.Decide | ty.Throw | ty.Pick) or call_of(found) in asking
        for found in all_inside((node,))
    )
