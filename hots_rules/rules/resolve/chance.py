"""Dice, draws and shuffles: the statements in which chance decides."""

from __future__ import annotations

from hots_rules.rules.resolve.expressions.scope import Scope, member_type
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Body, Expr, Operation, Statement
from hots_rules.syntax import tree

MAX_SIDES = 100
MAX_DICE = 16
MAX_OUTCOMES = 10_000


def roll(scope: Scope, node: tree.Roll) -> Statement:
    """`roll n d6 as dice`, or `roll d6 as die`, which is a number."""
    sides = int(node.die.text[1:])
    if not 2 <= sides <= MAX_SIDES:
        scope.symbols.fault(
            "out-of-range",
            f"expected a die of 2 to {MAX_SIDES} sides, got `{node.die}`",
            node.die.span,
            help_="for other numbers draw from a set",
        )
        sides = 6
    keys = _keys(scope, node.keys)
    if node.number is None:
        return tast.RollDice(None, sides, scope.bind(node.name, types.IntType(1, sides)), keys)
    number, most = _number_of_dice(scope, node.number, sides)
    local = scope.bind(node.name, types.DiceType(most, sides))
    return tast.RollDice(number, sides, local, keys)


def _keys(scope: Scope, keys: tuple[tree.Expr, ...] | None) -> tuple[Expr, ...]:
    return tuple(scope.resolve(key) for key in keys or ())


def _number_of_dice(scope: Scope, node: tree.Expr, sides: int) -> tuple[Expr, int]:
    """The number of dice, and the most that it can be."""
    number = scope.resolve(node)
    if not isinstance(number.type, types.IntType):
        scope.type_mismatch("a number of dice", number, node.span)
        return INVALID, 1
    most = number.type.high
    outcomes = types.size(types.DiceType(most, sides)) if most > 0 else 0
    if most > MAX_DICE or outcomes > MAX_OUTCOMES:
        scope.symbols.fault(
            "too-large",
            f"expected at most {MAX_DICE} dice and {MAX_OUTCOMES:,} outcomes, got {most} d{sides}",
            node.span,
            help_="roll fewer dice at a time, or limit their number with `min`",
        )
        return INVALID, 1
    most = max(most, 0)
    return scope.coerce(number, types.IntType(0, most), node.span), most


def draw(scope: Scope, node: tree.Draw) -> Statement:
    """`draw x from S`, perhaps weighted by an expression in `x`."""
    source = scope.resolve_set(node.source)
    keys = _keys(scope, node.keys)
    inner = scope.inner()
    local = inner.bind(node.name, member_type(source))
    weight = None
    if node.weight is not None:
        weight = inner.resolve_as(node.weight, types.IntType(0, types.MAX_NUMBER))
    scope.locals[node.name.text] = local
    return tast.DrawRandom(local, source, weight, keys)


def shuffle(scope: Scope, node: tree.Shuffle) -> Body:
    """`shuffle S into m`: the members of `S` are drawn one by one and numbered from 1."""
    source = scope.resolve_set(node.source)
    member = member_type(source)
    variable = scope.symbols.variables.get(node.into.text)
    if variable is None:
        scope.symbols.unknown("a state variable", node.into, scope.symbols.variables)
        return ()
    scope.symbols.used.add(("variable", variable.name))
    if isinstance(member, types.AnyType) or not _can_hold(scope, node, variable, member):
        return ()
    count_type = types.IntType(0, types.size(member))
    inner = scope.inner()
    shuffled, number = inner.bind("shuffled", source.type), inner.bind("place", count_type)
    drawn, candidate = inner.bind("drawn", member), inner.bind("left", member)
    zero, one = tast.Const(0, types.IntType(0, 0)), tast.Const(1, types.IntType(1, 1))
    key = scope.coerce(candidate, variable.keys[0], node.span)
    unplaced = Operation("eq", (tast.Load(variable.name, (key,), variable.type), zero), types.BOOL)
    undrawn = tast.Comprehension(candidate, shuffled, unplaced, source.type)
    pick = tast.DrawRandom(drawn, undrawn, None, (*_keys(scope, node.keys), number))
    into = scope.coerce(drawn, variable.keys[0], node.span)
    store = tast.Store(variable.name, (into,), number, node.span)
    total = Operation("count", (shuffled,), count_type)
    return (
        tast.Bind(shuffled, source),
        tast.Reset(variable.name, ()),
        tast.ForEach(number, one, total, (pick, store)),
    )


def _can_hold(
    scope: Scope, node: tree.Shuffle, variable: tast.Variable, member: types.Type
) -> bool:
    """Whether a map can hold the number of each member; a fault where it cannot."""
    type_, size = variable.type, types.size(member)
    is_wide = isinstance(type_, types.IntType) and type_.low == 0 and type_.high >= size
    if is_wide and len(variable.keys) == 1 and types.is_within(member, variable.keys[0]):
        return True
    scope.symbols.fault(
        "wrong-type",
        f"expected a map from {types.describe(member)} to 0..{size}, got `{node.into}`",
        node.into.span,
        help_=f"declare it as `{node.into}[{member}] : 0..{size}`",
    )
    return False
