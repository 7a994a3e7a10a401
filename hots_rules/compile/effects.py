"""The effect of an action, statement by statement, over cells that change: the reference semantics of `after`.

The action meets no chance and no choice, so its effect is a function of the state. Compiled code must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product, repeat, takewhile
from typing import Protocol

from attrs import define, field, frozen

from hots_rules.compile.codes import bits, codes_of
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr, Statement

Cell = tuple[str, tuple[int, ...]]
"""A variable with its keys."""


class Evaluating(Protocol):
    """What evaluates expressions while cells change: `evaluate.Evaluator`."""

    @property
    def typed(self) -> tast.TypedRuleset: ...

    def value(self, node: Expr, local: Mapping[str, int]) -> int: ...


@define
class ChangedCells:
    """A state of which some cells have changed; what else is known about it is forgotten at each change."""

    load_before: Callable[[str, tuple[int, ...]], int]
    memo: dict[tast.CallKey, int] = field(factory=dict)
    _changed: dict[Cell, int] = field(factory=dict)

    def load(self, variable: str, keys: tuple[int, ...]) -> int:
        """The value of a cell."""
        code = self._changed.get((variable, keys))
        return self.load_before(variable, keys) if code is None else code

    def store(self, variable: str, keys: tuple[int, ...], code: int) -> None:
        """Change a cell."""
        self._changed[variable, keys] = code
        self.memo.clear()


class _LoopEnds(Exception):
    """The innermost loop ends."""


class _PhaseEnds(Exception):
    """The phase ends."""


class _GameEnds(Exception):
    """The game ends."""


@frozen
class EffectRunner:
    """Runs the statements of actions, phases and events; `spend` is called for each of them."""

    evaluator: Evaluating
    cells: ChangedCells
    spend: Callable[[], None]

    def act(self, action: str, args: Iterable[int]) -> None:
        """The effect of an action, of which the first argument is the player.

        Raises:
            EngineError: a value is out of its range, or the action meets chance or a choice.
        """
        declared = self.evaluator.typed.actions[action]
        names = ["actor", *(param.name for param in declared.params)]
        try:
            self._body(declared.body, dict(zip(names, args, strict=True)))
        except _GameEnds:
            return

    def _body(self, body: Body, local: Mapping[str, int]) -> None:
        """The statements of a block, with names of its own."""
        inner = dict(local)
        for statement in body:
            self._statement(statement, inner)

    def _statement(self, node: Statement, local: dict[str, int]) -> None:
        self.spend()
        evaluate = self.evaluator.value
        match node:
            case tast.Store():
                keys = tuple(evaluate(key, local) for key in node.keys)
                self.cells.store(node.variable, keys, evaluate(node.value, local))
            case tast.Reset():
                self._reset(node, local)
            case tast.Bind():
                local[node.local.name] = evaluate(node.value, local)
            case tast.Branch():
                cases = (case.body for case in node.cases if evaluate(case.condition, local))
                self._body(next(cases, node.otherwise), local)
            case tast.ForEach():
                members = self._members(node, local)
                self._repeat(({node.local.name: member} for member in members), node.body, local)
            case tast.Loop():
                assert node.bound is not None
                turns = repeat(dict[str, int](), evaluate(node.bound, local))
                going = takewhile(lambda _: evaluate(node.condition, local), turns)
                self._repeat(going, node.body, local)
            case tast.EmitEvent():
                self._event(node.event, tuple(evaluate(arg, local) for arg in node.args))
            case tast.CallPhase():
                phase = self.evaluator.typed.phases[node.phase]
                args = (evaluate(arg, local) for arg in node.args)
                names = (param.name for param in phase.params)
                try:
                    self._body(phase.body, dict(zip(names, args, strict=True)))
                except _PhaseEnds:
                    return
            case tast.WithOrigin():
                self._body(node.body, local)
            case tast.EndGame():
                raise _GameEnds
            case tast.Leave():
                raise _LoopEnds
            case tast.Return():
                raise _PhaseEnds
            case tast.Choose() | tast.RollDice() | tast.DrawRandom():
                raise EngineError(
                    "the effect of the action is not certain: it meets chance or a choice"
                )

    def _repeat(
        self, turns: Iterable[Mapping[str, int]], body: Body, local: Mapping[str, int]
    ) -> None:
        try:
            for names in turns:
                self._body(body, {**local, **names})
        except _LoopEnds:
            return

    def _members(self, node: tast.ForEach, local: Mapping[str, int]) -> Iterable[int]:
        evaluate = self.evaluator.value
        if isinstance(node.domain, tuple):
            return [evaluate(part, local) for part in node.domain]
        first = evaluate(node.domain, local)
        return bits(first) if node.last is None else range(first, evaluate(node.last, local) + 1)

    def _reset(self, node: tast.Reset, local: Mapping[str, int]) -> None:
        variable = self.evaluator.typed.variables[node.variable]
        blank = types.blank_code(variable.type)
        if node.keys:
            keys = tuple(self.evaluator.value(key, local) for key in node.keys)
            self.cells.store(node.variable, keys, blank)
            return
        for every in product(*(codes_of(key) for key in variable.keys)):
            self.cells.store(node.variable, every, blank)

    # -------------------------------------------------------------- events
    def _event(self, name: str, args: tuple[int, ...]) -> None:
        """The handlers of an event, in the order in which they are woven."""
        by_timing: dict[str, list[tast.HandlerDef]] = {}
        for handler in self.evaluator.typed.events[name].handlers:
            by_timing.setdefault(handler.timing, []).append(handler)
        for handler in by_timing.get("before", ()):
            self._handle(handler, args)
        if not any(self._handle(handler, args) for handler in by_timing.get("instead", ())):
            for handler in by_timing.get("on", ()):
                self._handle(handler, args)
        for handler in by_timing.get("after", ()):
            self._handle(handler, args)

    def _handle(self, handler: tast.HandlerDef, args: tuple[int, ...]) -> bool:
        """Run a handler whose conditions hold; returns whether they do."""
        local = dict(zip((param.name for param in handler.params), args, strict=True))
        for condition in (handler.guard, handler.when):
            if condition is not None and not self.evaluator.value(condition, local):
                return False
        self._body(handler.body, local)
        return True
