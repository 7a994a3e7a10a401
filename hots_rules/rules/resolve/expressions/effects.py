"""`after`: an expression in the state that the effect of an action would make."""

from __future__ import annotations

from hots_rules.rules.resolve.expressions.references import arguments
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Expr, Local
from hots_rules.rules.typed.visitor import rewrite, walk
from hots_rules.syntax import tree


def after_in(scope: Scope, node: tree.AfterIn, expected: types.Type | None) -> Expr:
    """`after march(b, to) by s: e`. What is known about the state does not hold after the action."""
    symbols = scope.symbols
    signature = symbols.signatures.get(("action", node.action.text))
    if signature is None:
        symbols.not_an_action(node.action)
        return INVALID
    player = _player(scope, node)
    param_types = tuple(param.type for param in signature.params)
    args = arguments(scope, node.action, param_types, node.args or (), "argument")
    inner = scope.inner()
    inner.forget(None)
    body = inner.resolve(node.body, expected)
    locals_, values, renamed = _closed(scope, body)
    return tast.After(
        node.action.text, (player, *args), locals_, values, renamed, body.type, node.action.span
    )


def _player(scope: Scope, node: tree.AfterIn) -> Expr:
    """The player who would act: the one after `by`, or the one of the clause."""
    if node.player is not None:
        return scope.resolve_as(node.player, scope.symbols.players)
    if (actor := scope.locals.get("actor")) is not None:
        return actor
    scope.symbols.fault(
        "not-allowed-here",
        f"`after {node.action}` outside a clause about an action says not who acts",
        node.action.span,
        help_=f"write `after {node.action}(…) by …: …`, with a player",
    )
    return INVALID


def _closed(scope: Scope, body: Expr) -> tuple[tuple[Local, ...], tuple[Expr, ...], Expr]:
    """The locals that an expression takes from around it, under new names; their values; the renamed expression."""
    parts = list(walk(body))
    inside = {local.name for part in parts for local in tast.bound_by(part)}
    outside = dict.fromkeys(
        part for part in parts if isinstance(part, Local) and part.name not in inside
    )
    names: dict[Expr, Local] = {}
    for local in outside:
        scope.counter[0] += 1
        names[local] = Local(local.word, local.type).numbered(scope.counter[0])
    renamed = rewrite(body, lambda part: names.get(part, part))
    return tuple(names.values()), tuple(names), renamed
