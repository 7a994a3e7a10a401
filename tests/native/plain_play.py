"""A game played by the plain meaning of its rules: a reading of its statements beside the compiled ones.

It knows the statements of the rulesets of `rulesets.py`: no events, and no choice of several players at once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import product

from attrs import define, field

import hots_rules as hr
from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr, Statement

Cell = tuple[str, tuple[int, ...]]
Asked = set[int] | None
"""The codes of the legal actions, or None where an outcome of chance is wanted; empty if there is nothing to draw."""
Play = Generator[Asked, int, None]
"""It asks, and is sent the code of an action or of an outcome."""


class _Over(Exception):
    """The game is over."""


class _Left(Exception):
    """The innermost loop was left."""


@define
class PlainPlay:
    """The state of a game, and what the statements of its ruleset do with it."""

    ruleset: hr.Ruleset
    typed: tast.TypedRuleset = field(init=False)
    cells: dict[Cell, int] = field(init=False)
    evaluator: Evaluator = field(init=False)
    winners: tuple[str, ...] = field(default=(), init=False)

    def __attrs_post_init__(self) -> None:
        self.typed = typed = self.ruleset.compiled.typed
        self.cells = {
            (name, keys): variable.initial
            for name, variable in typed.variables.items()
            for keys in product(*map(codes_of, variable.keys))
        }
        self.evaluator = Evaluator(typed, {}, lambda name, keys: self.cells[name, keys])

    def play(self, scenario: str) -> Play:
        """The whole game of a scenario."""
        try:
            yield from self._run(self.typed.scenarios[scenario].body, {})
        except _Over:
            return

    def invariants(self) -> list[bool]:
        """Whether each invariant holds."""
        each = self.typed.invariants.values()
        return [bool(self._value(invariant.condition, {})) for invariant in each]

    def _value(self, node: Expr, local: dict[str, int]) -> int:
        return self.evaluator.value(node, local)

    def _run(self, body: Body, local: dict[str, int]) -> Play:
        for node in body:
            yield from self._statement(node, local)

    def _statement(self, node: Statement, local: dict[str, int]) -> Play:
        match node:
            case tast.Store():
                value = self._value(node.value, local)
                self.cells[node.variable, self._values(node.keys, local)] = value
            case tast.Bind():
                local[node.local.name] = self._value(node.value, local)
            case tast.Branch():
                held = (case.body for case in node.cases if self._value(case.condition, local))
                yield from self._run(next(held, node.otherwise), local)
            case tast.ForEach():
                yield from self._loop(node, local)
            case tast.Choose():
                yield from self._choose(node, local)
            case tast.RollDice() | tast.DrawRandom():
                is_empty = isinstance(node, tast.DrawRandom) and not self._value(node.source, local)
                local[node.local.name] = yield set() if is_empty else None
            case tast.CallPhase():
                phase = self.typed.phases[node.phase]
                args = self._values(node.args, local)
                names = [param.name for param in phase.params]
                yield from self._run(phase.body, dict(zip(names, args, strict=True)))
            case tast.EndGame():
                self.winners = self._winners(node.winners, local)
                raise _Over
            case tast.Leave():
                raise _Left
            case tast.WithOrigin():
                yield from self._run(node.body, local)
            case _:
                raise NotImplementedError(node)

    def _values(self, nodes: tuple[Expr, ...], local: dict[str, int]) -> tuple[int, ...]:
        return tuple(self._value(node, local) for node in nodes)

    def _winners(self, node: Expr, local: dict[str, int]) -> tuple[str, ...]:
        value, players = self._value(node, local), self.ruleset.players
        if isinstance(node.type, types.SetType):
            return tuple(players[number] for number in bits(value))
        return players[value : value + 1]  # nobody is after the last

    def _loop(self, node: tast.ForEach, local: dict[str, int]) -> Play:
        try:
            for member in self._domain(node, local):
                local[node.local.name] = member
                yield from self._run(node.body, local)
        except _Left:
            return

    def _domain(self, node: tast.ForEach, local: dict[str, int]) -> Iterator[int]:
        if isinstance(node.domain, tuple):
            return iter(self._values(node.domain, local))
        first = self._value(node.domain, local)
        if node.last is None:
            return iter(bits(first))
        return iter(range(first, self._value(node.last, local) + 1))

    def _choose(self, node: tast.Choose, local: dict[str, int]) -> Play:
        player = self._value(node.players, local)
        legal = {}
        for form in self.ruleset.notation.forms:
            if form.name not in node.actions:
                continue
            action = self.typed.actions[form.name]
            for args in product(*(codes_of(type_) for _, type_ in form.params)):
                if self._is_legal(action, player, args):
                    legal[form.encode(player, args)] = action, args
        action, args = legal[(yield set(legal))]
        yield from self._run(action.body, _named(action.params, player, args))

    def _is_legal(self, action: tast.ActionDef, player: int, args: tuple[int, ...]) -> bool:
        held = {
            clause.kind
            for clause in action.clauses
            if self._value(clause.when, _named(clause.params, player, args))
        }
        return held == {"permit"}


def _named(params: tuple[tast.Local, ...], player: int, args: tuple[int, ...]) -> dict[str, int]:
    names = (param.name for param in params)
    return {"actor": player, **dict(zip(names, args, strict=True))}


def cells_of(game: hr.Game) -> dict[Cell, int]:
    """The state of a game in the same form."""
    slots, variables = game.state.slots, game.ruleset.schema.variables.values()
    return {
        (variable.name, keys): slots[variable.base + offset]
        for variable in variables
        for offset, keys in enumerate(variable.key_codes)
    }
