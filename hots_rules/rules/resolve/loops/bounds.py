"""The bounds of loops that are written without one, where the rules show an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from attrs import define, evolve, field, frozen

from hots_rules.rules.resolve.expressions.narrowing import Bindings, DefinitionOf, core
from hots_rules.rules.resolve.loops.measures import (
    CountingNames,
    MapMeasure,
    Measure,
    NumberMeasure,
    SetMeasure,
)
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import calls_of, procedures, state_read
from hots_rules.rules.typed.tast import Body, Const, Expr, Local, Operation, Statement
from hots_rules.rules.typed.visitor import map_statement, walk_statements

MAX_LOOKUPS = 5_000  # of definitions, for one measure
MAX_VALUES = 8  # of a map of which the entries with each value are measured


def with_bounds(typed: tast.TypedRuleset, symbols: SymbolTable) -> tast.TypedRuleset:
    """The ruleset with a bound for each loop; a fault where a loop has none and no end can be seen."""
    bounds = _Bounds(typed, symbols, procedures(typed))
    return evolve(
        typed,
        phases={name: evolve(p, body=bounds.body(p.body)) for name, p in typed.phases.items()},
        scenarios={
            name: evolve(s, body=bounds.body(s.body)) for name, s in typed.scenarios.items()
        },
        actions={name: evolve(a, body=bounds.body(a.body)) for name, a in typed.actions.items()},
        events={
            name: evolve(
                event, handlers=tuple(evolve(h, body=bounds.body(h.body)) for h in event.handlers)
            )
            for name, event in typed.events.items()
        },
    )


@define
class _Bounds:
    """Gives loops their bounds."""

    typed: tast.TypedRuleset
    symbols: SymbolTable
    procedures: dict[str, Body]

    def body(self, body: Body) -> Body:
        """The statements, with a bound for each loop."""
        return tuple(self._statement(node) for node in body)

    def _statement(self, node: Statement) -> Statement:
        inner = map_statement(node, lambda part: part, self.body)
        if isinstance(inner, tast.Loop) and inner.bound is None:
            return evolve(inner, bound=self._bound(inner))
        return inner

    def _bound(self, loop: tast.Loop) -> Expr:
        for measure in self._measures(loop):
            if _Progress(self.typed, measure).advances(loop.body, frozenset(), is_called=False):
                return Const(measure.iterations, types.IntType(0, measure.iterations))
        self.symbols.fault(
            "endless-loop",
            "this `while` has no bound, and nothing shows that it ends",
            loop.span,
            help_="state the most iterations it can need, as in `while … up to 40`, or take something "
            "in each iteration from a set that the condition needs",
        )
        return Const(0, types.IntType(0, 0))

    def _measures(self, loop: tast.Loop) -> Iterator[Measure]:
        """The measures that the condition depends on, and that nothing in the loop sets back."""
        changes: dict[str, list[tast.Store | tast.Reset]] = {}
        for node in self._reached(loop.body):
            if isinstance(node, tast.Store | tast.Reset):
                changes.setdefault(node.variable, []).append(node)
        read = state_read([loop.condition], self.typed)
        for name in sorted(changes.keys() & read):
            for measure in _measures_of(self.typed, self.typed.variables[name], loop.condition):
                if all(measure.allows(change) for change in changes[name]):
                    yield measure

    def _reached(self, body: Body) -> Iterator[Statement]:
        """All statements that may run in a block, with everything that it calls."""
        pending, seen = [body], set[str]()
        while pending:
            for node in walk_statements(pending.pop()):
                yield node
                for call in (calls_of(node) & self.procedures.keys()) - seen:
                    seen.add(call)
                    pending.append(self.procedures[call])


def _measures_of(
    typed: tast.TypedRuleset, variable: tast.Variable, condition: Expr
) -> Iterator[Measure]:
    define = _limited(typed.definitions)
    match variable.type:
        case types.IntType():
            yield NumberMeasure(variable, condition, define, falls=True)
            yield NumberMeasure(variable, condition, define, falls=False)
        case types.SetType() if not variable.keys:
            yield SetMeasure(variable, condition, define)
        case types.WordType() if len(variable.keys) == 1:
            for code in range(min(len(variable.type.values), MAX_VALUES)):
                yield MapMeasure(variable, condition, define, going_code=code)


def _limited(definitions: Mapping[str, tast.Definition]) -> DefinitionOf:
    """The definitions by name, up to a number of questions: each may ask for several others."""
    lookups = count()
    return lambda name: definitions.get(name) if next(lookups) < MAX_LOOKUPS else None


@frozen
class _Progress:
    """Whether statements are certain to bring a measure closer to its end."""

    typed: tast.TypedRuleset
    measure: Measure
    _found: dict[tuple[str, CountingNames], bool] = field(factory=dict, init=False)

    def advances(self, body: Body, counting: CountingNames, *, is_called: bool = True) -> bool:
        """Whether every path through a block advances the measure or leaves the loop.

        In a procedure that the loop calls (`is_called`), `return` and `leave` do not leave the loop.
        """
        for node in body:
            if isinstance(node, tast.EndGame) or self._statement(node, counting, is_called):
                return True
            if isinstance(node, tast.Leave | tast.Return):
                return not is_called
            if is_called and any(isinstance(n, tast.Return) for n in walk_statements((node,))):
                return False  # the statements after it may be skipped
            if isinstance(node, tast.Bind | tast.DrawRandom) and self._is_counting(node, counting):
                counting |= {node.local.name}
        return False

    def _statement(self, node: Statement, counting: CountingNames, is_called: bool) -> bool:
        match node:
            case tast.Store() | tast.Reset() if node.variable == self.measure.variable.name:
                return self.measure.advances(node, counting)
            case tast.Branch():
                blocks = (*(case.body for case in node.cases), node.otherwise)
                return all(self.advances(block, counting, is_called=is_called) for block in blocks)
            case tast.Choose(each=None):
                return all(map(self._action, node.actions))
            case tast.CallPhase() if node.phase in self.typed.phases:
                phase = self.typed.phases[node.phase]
                passed = _passed(phase.params, node.args, counting)
                return self._once(f"phase {phase.name}", passed, phase.body)
            case tast.EmitEvent() if node.event in self.typed.events:
                return self._event(node, counting)
        return False

    def _once(self, key: str, counting: CountingNames, body: Body) -> bool:
        """Whether a procedure advances the measure; a recursive call counts as not advancing it."""
        if (key, counting) not in self._found:
            self._found[key, counting] = False
            self._found[key, counting] = self.advances(body, counting)
        return self._found[key, counting]

    def _action(self, name: str) -> bool:
        """Whether an action advances, with the parameters that count because the action is legal."""
        action = self.typed.actions[name]
        counting = frozenset(
            param.name for place, param in enumerate(action.params) if self._counts(action, place)
        )
        return self._once(f"action {name}", counting, action.body)

    def _counts(self, action: tast.ActionDef, place: int) -> bool:
        """Whether a parameter counts in every legal action: all permits require it, or a rule forbids the rest."""
        counts = self.measure.counts
        permits = [clause for clause in action.clauses if clause.kind == "permit"]
        forbids = [
            clause
            for clause in action.clauses
            if clause.kind == "forbid" and clause.guard is None and not clause.exemptions
        ]
        return any(counts(c.params[place], c.when, holds=False) for c in forbids) or (
            bool(permits) and all(counts(c.params[place], c.when) for c in permits)
        )

    def _event(self, node: tast.EmitEvent, counting: CountingNames) -> bool:
        """Whether an event advances: by a handler that always runs, or by its effects and all that can replace them."""
        event = self.typed.events[node.event]
        advancing: dict[str, list[bool]] = {"before": [], "on": [], "instead": [], "after": []}
        for place, handler in enumerate(event.handlers):
            passed = _passed(handler.params, node.args, counting)
            does = self._once(f"event {event.name} {place}", passed, handler.body)
            is_certain = handler.when is None and handler.guard is None
            advancing[handler.timing].append(does and (is_certain or handler.timing == "instead"))
        is_replaced_well = any(advancing["on"]) and all(advancing["instead"])
        return any(advancing["before"]) or any(advancing["after"]) or is_replaced_well

    def _is_counting(self, node: tast.Bind | tast.DrawRandom, counting: CountingNames) -> bool:
        if isinstance(node, tast.DrawRandom):
            return self.measure.holds_only_counting(node.source, Bindings())
        return self._is_member(node.value, counting, Bindings())

    def _is_member(self, value: Expr, counting: CountingNames, bound: Bindings) -> bool:
        match core(value):
            case Local() as local:
                return local.name in counting
            case Operation(op="the", args=(source,)):
                return self.measure.holds_only_counting(source, bound)
            case tast.DefinitionCall() as call:
                inside = bound.inside(call, self.measure.definition_of)
                return inside is not None and self._is_member(inside[0], frozenset(), inside[1])
        return False


def _passed(
    params: tuple[Local, ...], args: tuple[Expr, ...], counting: CountingNames
) -> CountingNames:
    """The parameters that get a value that counts."""
    return frozenset(
        param.name
        for param, arg in zip(params, args, strict=False)
        if isinstance(value := core(arg), Local) and value.name in counting
    )
