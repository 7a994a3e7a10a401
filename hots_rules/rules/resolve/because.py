"""The text of a clause with the values in its braces: `because "…" with n = …`."""

from __future__ import annotations

from hots_rules.diagnostics import RelatedPlace
from hots_rules.diagnostics.braces import split_braces
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.typed import tast
from hots_rules.syntax import tree


def resolve_because(node: tree.Because | None, scope: Scope) -> tast.Because | None:
    """The text with the values of its braces, and with those of all names that a translation may use."""
    if node is None:
        return None
    given = _given(node, scope)
    values = {name: scope.resolve(value.value) for name, value in given.items()}
    names: dict[str, tast.Expr] = values | {
        name: scope.locals[name] for name in sorted(scope.locals.keys() - values.keys())
    }
    written = split_braces(node.sentence.text.text)[1::2]
    for text, expression in zip(written, node.sentence.values, strict=True):
        if text not in names:
            names[text] = scope.resolve(expression)
    for name, unused in given.items():
        if name not in written:
            scope.symbols.fault(
                "unused-definition",
                f"the value `{name}` is not used in the text of `because`",
                unused.name.span,
                help_=f"write `{{{name}}}` in the text, or remove the value",
            )
    return tast.Because(node.sentence.text.text, tuple(names.items()))


def _given(node: tree.Because, scope: Scope) -> dict[str, tree.Given]:
    """The values that are given after `with`, each name once."""
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
    return given
