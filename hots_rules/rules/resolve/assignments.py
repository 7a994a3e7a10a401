"""Statements that change the state: `:=`, `+=`, `add`, `clear` and the like."""

from __future__ import annotations

from hots_rules.rules.resolve.expressions.references import arguments
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Expr, Operation, Statement
from hots_rules.syntax import tree


def resolve_place(node: tree.Place, scope: Scope) -> tuple[str, tuple[Expr, ...], types.Type]:
    """The state variable that is written to, its keys, and its type; a fault where it is none."""
    word, symbols = node.name.text, scope.symbols
    variable = symbols.variables.get(word)
    if variable is not None:
        symbols.used.add(("variable", word))
        keys = arguments(scope, node.name, variable.keys, node.keys or (), "key")
        return word, keys, variable.type
    if word in scope.locals:
        symbols.fault(
            "not-allowed-here",
            f"expected a state variable, got the local name `{word}`",
            node.name.span,
            help_="local names do not change; declare a variable under `state`",
        )
    elif word in symbols.columns or word in symbols.settings:
        what = "column" if word in symbols.columns else symbols.settings[word].kind
        symbols.fault(
            "not-allowed-here",
            f"expected a state variable, got the {what} `{word}`",
            node.name.span,
            help_="only what is declared under `state` changes",
        )
    else:
        symbols.unknown("a state variable", node.name, symbols.variables)
    return "", (), types.ANY


def assign(node: tree.Assign, scope: Scope) -> Statement:
    """`x := value`."""
    variable, keys, type_ = resolve_place(node.place, scope)
    return tast.Store(variable, keys, scope.resolve_as(node.value, type_), node.span)


def change_number(node: tree.Increase | tree.Decrease, scope: Scope) -> Statement:
    """`x += n` or `x -= n`."""
    variable, keys, type_ = resolve_place(node.place, scope)
    value = scope.resolve(node.value)
    if not isinstance(type_, types.IntType):
        place = tast.Load(variable, (), type_)
        remedy = "for sets write `add … to …` or `remove … from …`"
        scope.type_mismatch("a number", place, node.place.span, remedy)
        return tast.Store(variable, keys, INVALID, node.span)
    if not isinstance(value.type, types.IntType):
        scope.type_mismatch("a number", value, node.value.span)
        return tast.Store(variable, keys, INVALID, node.span)
    is_increase = isinstance(node, tree.Increase)
    low, high = value.type.low, value.type.high
    if not is_increase:
        low, high = -high, -low
    total = Operation(
        "add" if is_increase else "sub",
        (tast.Load(variable, keys, type_), value),
        types.IntType(type_.low + low, type_.high + high),
    )
    return tast.Store(variable, keys, scope.coerce(total, type_, node.span), node.span)


def change_set(node: tree.Add | tree.Remove, scope: Scope) -> Statement:
    """`add x to S` or `remove x from S`."""
    variable, keys, type_ = resolve_place(node.place, scope)
    if not isinstance(type_, types.SetType):
        scope.type_mismatch("a set", tast.Load(variable, (), type_), node.place.span)
        return tast.Store(variable, keys, INVALID, node.span)
    member = Operation("set", (scope.resolve_as(node.value, type_.member),), type_)
    op = "union" if isinstance(node, tree.Add) else "difference"
    value = Operation(op, (tast.Load(variable, keys, type_), member), type_)
    return tast.Store(variable, keys, value, node.span)


def clear(place: tree.Place, scope: Scope) -> Statement:
    """`clear x`; without keys a whole map."""
    if place.keys is None and place.name.text in scope.symbols.variables:
        scope.symbols.used.add(("variable", place.name.text))
        return tast.Reset(place.name.text, ())
    variable, keys, _ = resolve_place(place, scope)
    return tast.Reset(variable, keys)
