"""How much a ruleset can make the machine do before it asks anybody again.

Every loop has a bound, but loops within loops multiply, and so do definitions within definitions.
What is counted is how often something can be done at most; most of it is never reached.
"""

from __future__ import annotations

from attrs import define, field, frozen

from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import Procedures, call_of
from hots_rules.rules.typed.tast import Body, Expr, Statement
from hots_rules.rules.typed.visitor import (
    blocks_of,
    children,
    expressions_of,
    walk,
    walk_statements,
)

MAX_STEPS = 10_000_000  # of statements between two questions
MAX_TIMES = 2_000_000  # that a part of one expression is worked out
MAX_DEPTH = 60  # of an expression with its definitions written out
MAX_PARTS = 20_000  # of such an expression
MAX_TOTAL = 500_000  # of all such expressions
MAX_CALLS = 60  # of procedures, one inside the other


@frozen
class Cost:
    """Of an expression with its definitions written out: how deep, how large, how often its parts are done."""

    depth: int
    parts: int
    times: int


def needed(node: Expr) -> set[str]:
    """The definitions that an expression names."""
    return {part.define for part in walk(node) if isinstance(part, tast.DefinitionCall)}


@define
class CostEstimator:
    """Weighs expressions and statements of one ruleset, in which nothing may need itself."""

    typed: tast.TypedRuleset
    known: Procedures
    _definitions: dict[str, Cost] = field(factory=dict)
    _steps: dict[str, int] = field(factory=dict)

    def definition(self, name: str) -> Cost:
        """The weight of a definition's body."""
        if name not in self._definitions:
            self._definitions[name] = Cost(0, 0, 0)  # should it need itself, it ends all the same
            self._definitions[name] = self.weigh(self.typed.definitions[name].body)
        return self._definitions[name]

    def weigh(self, node: Expr) -> Cost:
        """The weight of an expression."""
        weights = [self.weigh(part) for part in children(node)]
        if isinstance(node, tast.DefinitionCall) and node.define in self.typed.definitions:
            weights.append(self.definition(node.define))
        depth = 1 + max((part.depth for part in weights), default=0)
        if isinstance(node, tast.Operation) and node.op in {"union", "intersection", "set"}:
            depth += len(weights) // 16  # they are joined one after the other
        size = 1 + sum(part.parts for part in weights)
        times = sum(part.times for part in weights)
        if isinstance(node, tast.Quantified | tast.Comprehension):
            times = weights[0].times + types.size(node.local.type) * max(weights[1].times, 1)
        return Cost(depth, size, times)

    # -------------------------------------------------------------- statements
    def steps(self, body: Body) -> int:
        """How many steps a block takes at most."""
        return sum(self.steps_of(node) for node in body)

    def steps_of(self, node: Statement) -> int:
        """How many steps a statement takes at most."""
        own = 1 + sum(self.weigh(part).times for part in expressions_of(node))
        match node:
            case tast.ForEach():
                return own + _length(node) * max(self.steps(node.body), 1)
            case tast.Loop():
                bound = node.bound.type.high if isinstance(node.bound.type, types.IntType) else 0
                return max(bound, 0) * (own + self.steps(node.body))
        if (call := call_of(node)) is not None:
            return own + self._steps.get(call, 0)
        return own + sum(map(self.steps, blocks_of(node)))

    def remember(self, key: str) -> None:
        """Works out a procedure, once what it calls has been."""
        self._steps[key] = self.steps(self.known[key])

    def steps_in_one_go(self, body: Body, asking: set[str]) -> int:
        """How many steps are done at most without a question between them."""
        total = 0
        for node in body:
            if _asks(node, asking):
                total += sum(self.steps_in_one_go(block, asking) for block in blocks_of(node))
            else:
                total += self.steps_of(node)
        return total


def _length(node: tast.ForEach) -> int:
    if isinstance(node.domain, tuple):
        return len(node.domain)
    return types.size(node.local.type)


def _asks(node: Statement, asking: set[str]) -> bool:
    return any(
        isinstance(found, tast.Choose | tast.RollDice | tast.DrawRandom) or call_of(found) in asking
        for found in walk_statements((node,))
    )
