"""`repeated(player, N)`: the last positions are kept in internal variables, and compared by their numbers.

Each decision of one player stores the numbers of its position, so the value is that of ordinary expressions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from attrs import define, evolve, field

from hots_rules.diagnostics import Span
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.positions import KEPT, NEXT, NUMBER
from hots_rules.rules.typed.tast import INVALID, Body, Const, Expr, Operation, Statement
from hots_rules.rules.typed.visitor import map_statement
from hots_rules.rules.wording import count_noun
from hots_rules.syntax import tree

Declared = TypeVar("Declared", tast.PhaseDef, tast.ActionDef, tast.HandlerDef)
MAX_KEPT = 1_000  # positions


def repeated(scope: Scope, node: tree.Apply) -> Expr:
    """How many of the last decisions were made by a player in the same position as now."""
    symbols, args = scope.symbols, node.args or ()
    if len(args) != 2:
        symbols.fault(
            "wrong-arguments",
            f"expected {count_noun(2, 'argument')} for `repeated`, got {len(args)}",
            node.name.span,
            help_="write a player and how many decisions are looked at: `repeated(mover, 100)`",
        )
        return INVALID
    player, most = scope.resolve_as(args[0], symbols.players), scope.resolve(args[1])
    if not isinstance(most, Const) or not 1 <= most.value <= MAX_KEPT:
        symbols.fault(
            "out-of-range",
            f"expected a number of 1 to {MAX_KEPT:,} that is the same in every state",
            args[1].span,
            help_="say after how many decisions a position no longer counts",
        )
        return INVALID
    if (secret := next((name for kind, name in symbols.entries if kind == "secret"), "")) != "":
        symbols.fault(
            "not-allowed-here",
            f"`repeated` compares whole positions, and `{secret}` is secret",
            node.name.span,
            help_="keep what all may compare in a variable, and count it there",
        )
        return INVALID
    kept = symbols.kept_positions
    if kept is None:
        kept = symbols.kept_positions = most.value
    if kept != most.value:
        symbols.fault(
            "wrong-arguments",
            f"expected {kept} decisions for `repeated` as elsewhere, got {most.value}",
            args[1].span,
            help_="a ruleset keeps one number of positions: give it a name, as in `define kept = 100`",
        )
    return _count(scope, player, kept)


def _count(scope: Scope, player: Expr, kept: int) -> Expr:
    """The number of kept positions that are the current one: `sum of 1 if all numbers are equal else 0`."""
    inner, places = scope.inner(), types.IntType(1, kept)
    who = inner.bind("who", player.type)
    numbers = [position_number(scope, half, who) for half in (0, 1)]
    current = [inner.bind("number", NUMBER) for _ in numbers]
    place = inner.bind("place", places)
    same = tuple(
        Operation("eq", (tast.Load(name, (place,), _STORED), local), types.BOOL)
        for name, local in zip(KEPT, current, strict=True)
    )
    one, zero = (Const(code, types.IntType(code, code)) for code in (1, 0))
    one_if_same = tast.Conditional(
        Operation("and", same, types.BOOL), one, zero, types.IntType(0, 1)
    )
    all_places = Const(types.all_values(places), types.SetType(places))
    count: Expr = tast.Quantified("sum", place, all_places, one_if_same, types.IntType(0, kept))
    for local, number in zip(reversed(current), reversed(numbers), strict=True):
        count = tast.LetIn(local, number, count, count.type)
    return tast.LetIn(who, player, count, count.type)


_STORED = types.IntType(0, NUMBER.high)


def position_number(scope: Scope, half: int, player: Expr) -> tast.PositionNumber:
    """One of the numbers of the position with a player who is to choose."""
    shown = tuple(
        name for name, variable in scope.symbols.variables.items() if not variable.is_internal
    )
    return tast.PositionNumber(half, player, shown, NUMBER)


def keep_positions(typed: tast.TypedRuleset, kept: int | None, scope: Scope) -> tast.TypedRuleset:
    """The ruleset with what it keeps of the last positions, if it asks for them."""
    if kept is None:
        return typed
    places = types.IntType(1, kept)
    origin = tast.Origin("repeated", typed.name, (), "", Span.nowhere())
    variables = dict(typed.variables)
    for name in KEPT:
        variables[name] = tast.Variable(name, (places,), _STORED, 0, origin, True)
    variables[NEXT] = tast.Variable(NEXT, (), places, 1, origin, True)
    keeper = _PositionKeeper(scope, places)
    return evolve(
        typed,
        variables=variables,
        phases=keeper.added_to_all(typed.phases),
        scenarios=keeper.added_to_all(typed.scenarios),
        actions=keeper.added_to_all(typed.actions),
        events={
            name: evolve(event, handlers=tuple(map(keeper.added_to, event.handlers)))
            for name, event in typed.events.items()
        },
    )


@define
class _PositionKeeper:
    """Puts statements that keep the position before each choice of one player."""

    scope: Scope
    places: types.IntType
    _nowhere: Span = field(factory=Span.nowhere, init=False)

    def added_to_all(self, declarations: Mapping[str, Declared]) -> dict[str, Declared]:
        """Declarations with the statements that keep positions."""
        return {name: self.added_to(declaration) for name, declaration in declarations.items()}

    def added_to(self, declaration: Declared) -> Declared:
        """A declaration with the statements that keep positions."""
        return evolve(declaration, body=self._body(declaration.body))

    def _body(self, body: Body) -> Body:
        return tuple(part for statement in body for part in self._statement(statement))

    def _statement(self, node: Statement) -> Body:
        if isinstance(node, tast.Choose) and node.each is None:
            return (*self._keep_position(node.players), node)
        return (map_statement(node, lambda part: part, self._body),)

    def _keep_position(self, player: Expr) -> Body:
        """Stores the numbers of the position at the next place, and moves on to the place after it."""
        place = tast.Load(NEXT, (), self.places)
        size = Const(self.places.high, types.IntType(self.places.high, self.places.high))
        one = Const(1, types.IntType(1, 1))
        remainder = Operation("mod", (place, size), types.IntType(0, self.places.high - 1))
        following = Operation("add", (remainder, one), self.places)
        stored = (
            tast.Store(name, (place,), position_number(self.scope, half, player), self._nowhere)
            for half, name in enumerate(KEPT)
        )
        return (*stored, tast.Store(NEXT, (), following, self._nowhere))
