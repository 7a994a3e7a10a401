"""Upper bounds of the work between two decisions, in steps.

A step is a statement that runs, or a part of an expression that is evaluated. Every loop has a bound, but loops within
loops multiply, and so do definitions within definitions. The counts are worst cases: play stays far below most of them.
"""

from __future__ import annotations

from math import prod

from attrs import Factory, define, evolve, field, frozen

from hots_rules.rules.checks.masks import MaskTest
from hots_rules.rules.checks.set_sizes import Bounds, SetSizes
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import Procedures, call_of, direct_calls, is_suspension
from hots_rules.rules.typed.tast import Body, Expr, Statement
from hots_rules.rules.typed.visitor import (
    blocks_of,
    children,
    expressions,
    expressions_of,
    walk,
    walk_statements,
)

MAX_STEPS = 50_000_000  # between two decisions, dice or draws
MAX_EVALUATION = MAX_STEPS  # of one expression
MAX_DEPTH = 60  # of an expression with its definitions written out
MAX_PARTS = 20_000  # of such an expression
MAX_TOTAL = 500_000  # parts of all such expressions
MAX_CALLS = 60  # procedures inside one another
# Operands of a set are combined one by one; this many count as one level.
_OPERANDS_PER_LEVEL = 16


@frozen
class Cost:
    """The depth and the size of an expression with its definitions written out, and the steps of its evaluation."""

    depth: int
    parts: int
    steps: int


def needed(node: Expr) -> set[str]:
    """The definitions that an expression names."""
    return {part.define for part in walk(node) if isinstance(part, tast.DefinitionCall)}


@define
class CostEstimator:
    """Estimates the expressions and statements of a ruleset in which nothing is recursive.

    Attributes:
        typed: the ruleset.
        procedures: its procedures.
        sizes: the most members of its sets.
        masks: the conditions that are tested for all members at once.
    """

    typed: tast.TypedRuleset
    procedures: Procedures
    sizes: SetSizes = field(
        default=Factory(lambda self: SetSizes(self.typed), takes_self=True), kw_only=True
    )
    masks: MaskTest = field(
        init=False, default=Factory(lambda self: MaskTest(self.typed, self.sizes), takes_self=True)
    )
    _definitions: dict[str, Cost] = field(factory=dict)
    _bounds: Bounds = field(factory=dict)
    """The most members of the parameters of the definition that is being estimated."""
    _steps: dict[str, int] = field(factory=dict)
    _effects: dict[str, Cost] = field(factory=dict)
    # By its id, with the expression to keep it alive: hashing a long one costs more.
    _costs: dict[int, tuple[Expr, Cost]] = field(factory=dict)
    _times: dict[int, tuple[Expr, int]] = field(factory=dict)
    _splits: dict[int, tuple[Expr, tuple[tuple[Expr, ...], tuple[Expr, ...]]]] = field(factory=dict)

    # -------------------------------------------------------------- expressions
    def cost_of_definition(self, name: str) -> Cost:
        """The cost of a definition's body."""
        if name not in self._definitions:
            self._definitions[name] = Cost(0, 0, 0)  # ends the recursion of a faulty definition
            around, self._bounds = self._bounds, self.sizes.parameters[name]
            self._definitions[name] = self.cost_of(self.typed.definitions[name].body)
            self._bounds = around
        return self._definitions[name]

    def _cost_of_call(self, name: str) -> Cost:
        """The cost of a definition where it is used: one that reads no state is looked up in a table."""
        cost = self.cost_of_definition(name)
        entries = prod(types.size(param.type) for param in self.typed.definitions[name].params)
        if (
            not self.sizes.is_static_definition(name)
            or entries > types.MAX_TABLE
            or entries * cost.steps > MAX_EVALUATION
        ):
            return cost
        return evolve(cost, parts=1, steps=1)

    def cost_of(self, node: Expr) -> Cost:
        """The cost of an expression."""
        entry = self._costs.get(id(node))
        if entry is None:
            entry = self._costs[id(node)] = node, self._estimated(node)
        return entry[1]

    def _estimated(self, node: Expr) -> Cost:
        costs = [self.cost_of(child) for child in children(node)]
        if isinstance(node, tast.DefinitionCall) and node.define in self.typed.definitions:
            costs.append(self._cost_of_call(node.define))
        if isinstance(node, tast.After):
            costs.append(self._cost_of_effect(f"action {node.action}"))
        depth = 1 + max((cost.depth for cost in costs), default=0)
        if isinstance(node, tast.Operation) and node.op in {"union", "intersection", "set"}:
            depth += len(costs) // _OPERANDS_PER_LEVEL
        size = 1 + sum(cost.parts for cost in costs)
        steps = 1 + sum(cost.steps for cost in costs)
        if isinstance(node, tast.PositionNumber):
            steps += self._cells
        if isinstance(node, tast.Quantified | tast.Comprehension):
            steps = self._steps_of_loop(node, 1 + sum(source.steps for source in costs[:-1]))
        return Cost(depth, size, steps)

    def _steps_of_loop(self, node: tast.Quantified | tast.Comprehension, own: int) -> int:
        """The steps of a loop with its own; a test of all members at once is evaluated once."""
        masked, tested = self._split(node)
        own += sum(self.cost_of(part).steps for part in masked)
        if not tested:
            return own
        steps = sum(self.cost_of(part).steps for part in tested)
        return own + self.times(node) * steps

    def times(self, node: tast.Quantified | tast.Comprehension) -> int:
        """How often the body of a loop in an expression is evaluated at most, once for each member."""
        kept = self._times.get(id(node))
        if kept is None:
            kept = self._times[id(node)] = node, self._times_anew(node)
        return kept[1]

    def _times_anew(self, node: tast.Quantified | tast.Comprehension) -> int:
        if isinstance(node, tast.Quantified) and node.kind in {"reach", "distance"}:
            return types.size(node.local.type)
        masked, tested = self._split(node)
        if not tested:
            return 1
        whole = tast.Operation("and", masked, types.BOOL) if masked else None
        return self.sizes.members(node.local, node.source, whole, self._bounds)

    def _split(
        self, node: tast.Quantified | tast.Comprehension
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        kept = self._splits.get(id(node))
        if kept is None:
            kept = self._splits[id(node)] = node, self.masks.split(node)
        return kept[1]

    @property
    def _cells(self) -> int:
        """How many cells the state has."""
        return sum(prod(map(types.size, var.keys)) for var in self.typed.variables.values())

    def _cost_of_effect(self, key: str) -> Cost:
        """The cost of a procedure whose effect an expression asks for, with a step for each cell of the state."""
        if key not in self._effects:
            self._effects[key] = Cost(0, 0, 0)  # ends the recursion of a faulty procedure
            body = self.procedures[key]
            around, self._bounds = self._bounds, {}
            own = [self.cost_of(part) for part in expressions(body)]
            costs = [*own, *map(self._cost_of_effect, sorted(direct_calls(body)))]
            self.estimate_procedure(key)
            self._bounds = around
            self._effects[key] = Cost(
                1 + max((cost.depth for cost in costs), default=0),
                1 + sum(cost.parts for cost in costs),
                self._steps[key] + self._cells,
            )
        return self._effects[key]

    # -------------------------------------------------------------- statements
    def estimate_procedure(self, key: str) -> None:
        """Estimates a procedure, after those that it calls."""
        self._steps[key] = self.steps(self.procedures[key])

    def steps(self, body: Body) -> int:
        """The most steps that a block takes."""
        return sum(self._steps_of(node) for node in body)

    def _steps_of(self, node: Statement) -> int:
        own = 1 + sum(self.cost_of(part).steps for part in expressions_of(node))
        match node:
            case tast.ForEach():
                return own + self.iterations(node) * (self.steps(node.body) + 1)
            case tast.Loop():
                return 1 + self.iterations(node) * (own + self.steps(node.body))
        if (call := call_of(node)) is not None:
            return own + self._steps.get(call, 0)
        return own + sum(map(self.steps, blocks_of(node)))

    def iterations(self, node: tast.ForEach | tast.Loop) -> int:
        """How often a loop runs at most."""
        if isinstance(node, tast.Loop):
            type_ = node.bound.type if node.bound is not None else None
            return max(type_.high, 0) if isinstance(type_, types.IntType) else 0
        if isinstance(node.domain, tuple):
            return len(node.domain)
        every = types.size(node.local.type)
        return every if node.last is not None else min(every, self.sizes.most(node.domain))

    def steps_between_stops(self, body: Body, stops: set[str]) -> int:
        """The most steps without a decision or chance; `stops` are the procedures that have one."""
        total = 0
        for node in body:
            if _may_stop(node, stops):
                total += sum(self.steps_between_stops(block, stops) for block in blocks_of(node))
            else:
                total += self._steps_of(node)
        return total


def _may_stop(node: Statement, stops: set[str]) -> bool:
    return any(
        is_suspension(inner) or call_of(inner) in stops for inner in walk_statements((node,))
    )
