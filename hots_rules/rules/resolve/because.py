"""The text of a clause that says what it found: `because "…" with n = …`."""

from __future__ import annotations

import re

from hots_rules.diagnostics import Place
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.syntax import tree


def because_of(names: SymbolTable, node: tree.Because | None, scope: Scope) -> tast.Because | None:
    """The text with the values of its names: those given with it, and the clause's own parameters."""
    if node is None:
        return None
    given: dict[str, tree.Given] = {}
    for one in node.givens or ():
        if (first := given.setdefault(one.name.text, one)) is not one:
            names.fault(
                "duplicate-name",
                f"expected one value of `{one.name}`, got two",
                one.name.span,
                [Place(first.name.span, "first given here")],
                "keep one of them",
            )
    values = {name: scope.expr(one.value) for name, one in given.items()}
    own = {name: scope.locals[name] for name in sorted(scope.locals.keys() - values.keys())}
    _check(names, node.text, given, [*values, *own])
    return tast.Because(node.text.text, (*values.items(), *own.items()))


def _check(
    names: SymbolTable, text: tree.Word, given: dict[str, tree.Given], known: list[str]
) -> None:
    """Every name in the text has a value, and every value that is given is named."""
    used = re.findall(r"\{(\w*)\}", text.text)
    for name in used:
        if name not in known:
            close = names.faults.closest_match(name, known)
            names.fault(
                "unknown-name",
                f"expected a name with a value in the text of `because`, got `{{{name}}}`",
                text.span,
                help_=f"did you mean `{{{close}}}`?" if close else "give it a value: `with … = …`",
            )
    for name, one in given.items():
        if name not in used:
            names.fault(
                "unused-definition",
                f"expected `{{{name}}}` in the text of `because`, got a value that it does not say",
                one.name.span,
                help_="say it in the text, or take the value away",
            )
