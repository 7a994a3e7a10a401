"""The text of a clause with the values that it names: `because "…" with n = …`."""

from __future__ import annotations

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.wording import placeholders
from hots_rules.syntax import tree


def resolve_because(node: tree.Because | None, scope: Scope) -> tast.Because | None:
    """The text with the values of its names: those given with it, and the clause's parameters."""
    if node is None:
        return None
    given: dict[str, tree.Given] = {}
    for value in node.givens or ():
        if (first := given.setdefault(value.name.text, value)) is not value:
            scope.symbols.fault(
                "duplicate-name",
                f"`{value.name}` is given twice",
                value.name.span,
                [RelatedPlace(first.name.span, "first given here")],
                "keep one of them",
            )
    values = {name: scope.resolve(value.value) for name, value in given.items()}
    params = {name: scope.locals[name] for name in sorted(scope.locals.keys() - values.keys())}
    _check(scope.symbols, node.text, given, [*values, *params])
    return tast.Because(node.text.text, (*values.items(), *params.items()))


def _check(
    symbols: SymbolTable, text: tree.Word, given: dict[str, tree.Given], names: list[str]
) -> None:
    """Every name in the text has a value, and every value that is given is in the text."""
    used = placeholders(text.text)
    for name in used:
        if name not in names:
            close = symbols.faults.closest_match(name, names)
            symbols.fault(
                "unknown-name",
                f"the name `{{{name}}}` in the text of `because` has no value",
                text.span,
                help_=f"did you mean `{{{close}}}`?" if close else "give it a value: `with … = …`",
            )
    for name, value in given.items():
        if name not in used:
            symbols.fault(
                "unused-definition",
                f"the value `{name}` is not used in the text of `because`",
                value.name.span,
                help_=f"write `{{{name}}}` in the text, or take the value away",
            )
