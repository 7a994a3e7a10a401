"""Dice, draws and shuffles: where luck decides."""

from __future__ import annotations

from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.expressions.sets import member_of, set_of
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Body, Expr, Operation, Statement
from hots_rules.syntax import tree

MAX_SIDES = 100
MAX_DICE = 16
MAX_OUTCOMES = 10_000


def _keys(scope: Scope, keys: tuple[tree.Expr, ...] | None) -> tuple[Expr, ...]:
    return tuple(scope.expr(key) for key in keys or ())


def roll(scope: Scope, node: tree.Roll) -> Statement:
    """`roll n d6 as dice`, or `roll d6 as die`, which is a number."""
    sides = int(node.die.text[1:])
    if not 2 <= sides <= MAX_SIDES:
        scope.names.fault(
            "out-of-range",
            f"expected a die of 2 to {MAX_SIDES} sides, got `{node.die}`",
            node.die.span,
            help_="for other numbers draw from a set",
        )
        sides = 6
    keys = _keys(scope, node.keys)
    if node.number is None:
        return tast.RollDice(None, sides, scope.bind(node.name.text, types.IntType(1, sides)), keys)
    number, most = _number_of_dice(scope, node.number, sides)
    local = scope.bind(node.name.text, types.DiceType(most, sides))
    return tast.RollDice(number, sides, local, keys)


def _number_of_dice(scope: Scope, node: tree.Expr, sides: int) -> tuple[Expr, int]:
    number = scope.expr(node)
    if not isinstance(number.type, types.IntType):
        scope.wrong("a number of dice", number, node.span)
        return INVALID, 1
    most = number.type.high
    if most > MAX_DICE or (most > 0 and types.size(types.DiceType(most, sides)) > MAX_OUTCOMES):
        scope.names.fault(
            "too-large",
            f"expected a roll of at most {MAX_DICE} dice and {MAX_OUTCOMES} outcomes, got {most} d{sides}",
            node.span,
            help_="roll fewer dice at a time, or say with `min` how many there can be",
        )
        return INVALID, 1
    most = max(most, 0)
    return scope.fit(number, types.IntType(0, most), node.span), most


def draw(scope: Scope, node: tree.Draw) -> Statement:
    """`draw x from S`, perhaps weighted by an expression in `x`."""
    source = set_of(scope, node.source)
    keys = _keys(scope, node.keys)
    inner = scope.inner()
    local = inner.bind(node.name.text, member_of(source))
    weight = inner.fitted(node.weight, types.IntType(0, types.MAX_NUMBER)) if node.weight else None
    scope.locals[node.name.text] = local
    return tast.DrawRandom(local, source, weight, keys)


def shuffle(scope: Scope, node: tree.Shuffle) -> Body:
    """`shuffle S into m` draws the members of `S` one by one and numbers them."""
    source = set_of(scope, node.source)
    member = member_of(source)
    variable = scope.names.variables.get(node.into.text)
    if variable is None:
        scope.names.unknown("a state variable", node.into, scope.names.variables)
        return ()
    scope.names.used.add(("variable", variable.name))
    if isinstance(member, types.AnyType) or not _holds(scope, node, variable, member):
        return ()
    most = types.IntType(0, types.size(member))
    own = scope.inner()
    all_, number = own.bind("shuffled", source.type), own.bind("place", most)
    drawn, rest = own.bind("drawn", member), own.bind("left", member)
    key = scope.fit(rest, variable.keys[0], node.span)
    zero, one = tast.Const(0, types.IntType(0, 0)), tast.Const(1, types.IntType(1, 1))
    unplaced = Operation("eq", (tast.Load(variable.name, (key,), variable.type), zero), types.BOOL)
    undrawn = tast.Comprehension(rest, all_, unplaced, source.type)
    pick = tast.DrawRandom(drawn, undrawn, None, (*_keys(scope, node.keys), number))
    into = scope.fit(drawn, variable.keys[0], node.span)
    store = tast.Store(variable.name, (into,), number, node.span)
    total = Operation("count", (all_,), most)
    return (
        tast.Bind(all_, source),
        tast.Reset(variable.name, ()),
        tast.ForEach(number, one, total, (pick, store)),
    )


def _holds(scope: Scope, node: tree.Shuffle, variable: tast.Variable, member: types.Type) -> bool:
    """Whether a map can hold the place of each member."""
    type_ = variable.type
    wide = isinstance(type_, types.IntType) and type_.low == 0 and type_.high >= types.size(member)
    if wide and len(variable.keys) == 1 and types.is_within(member, variable.keys[0]):
        return True
    scope.names.fault(
        "wrong-type",
        f"expected a map from {types.describe(member)} to 0..{types.size(member)}, got `{node.into}`",
        node.into.span,
        help_=f"declare it as `{node.into}[{member}] : 0..{types.size(member)}`",
    )
    return False
