"""The definitions that belong to one alternative of a reading."""

from __future__ import annotations

from attrs import frozen

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Local
from hots_rules.rules.wording import count_noun
from hots_rules.syntax import tree


@frozen
class Variants:
    """The values of one definition under the alternatives of a reading that give it one of their own."""

    reading: Entry
    by_alternative: dict[str, tree.Redefinition]


def variants_of_definitions(symbols: SymbolTable) -> dict[str, Variants]:
    """The variants of each definition that has some, by its name."""
    variants: dict[str, Variants] = {}
    for entry in symbols.entries.values():
        if isinstance(entry.node, tree.Reading):
            for alternative in entry.node.alternatives:
                for node in alternative.definitions:
                    _add_variant(symbols, variants, entry, alternative, node)
    return variants


def _add_variant(
    symbols: SymbolTable,
    by_definition: dict[str, Variants],
    reading: Entry,
    alternative: tree.Alternative,
    node: tree.Redefinition,
) -> None:
    signature = symbols.signatures.get(("define", node.name.text))
    if signature is None:
        symbols.not_of_kind(
            "define", node.name, "not-allowed-here", "only a definition has a value"
        )
        return
    variants = by_definition.setdefault(node.name.text, Variants(reading, {}))
    if variants.reading is not reading or alternative.name.text in variants.by_alternative:
        first = next(iter(variants.by_alternative.values()))
        symbols.fault(
            "duplicate-name",
            f"a second value for `{node.name}`",
            node.name.span,
            [RelatedPlace(first.name.span, "first given here")],
            "let one reading decide on a definition, once in each alternative",
        )
    elif len(node.params or ()) != len(signature.params):
        symbols.fault(
            "wrong-arguments",
            f"expected {count_noun(len(signature.params), 'name')} for `{node.name}`, "
            f"got {len(node.params or ())}",
            node.name.span,
            [RelatedPlace(signature.span, "declared here")],
            "the names are those of its parameters, in order",
        )
    else:
        symbols.check_distinct(node.params or (), "name")
        variants.by_alternative[alternative.name.text] = node


def with_variants(
    scope: Scope,
    default: Expr,
    params: tuple[Local, ...],
    variants: Variants,
    definition: tree.Define,
) -> Expr:
    """The value of a definition under the alternative that is chosen; `default` where it has no variant."""
    symbols, name = scope.symbols, variants.reading.name
    symbols.used.add(("reading", name))
    if name in symbols.settled:
        node = variants.by_alternative.get(variants.reading.settled)
        return default if node is None else _value(scope, node, params, default.type)
    reading = symbols.settings[name]
    value_by_choice = default
    for alternative, node in reversed(variants.by_alternative.items()):
        value = _value(scope, node, params, value_by_choice.type)
        type_ = types.least_upper_bound(value.type, value_by_choice.type)
        if type_ is None:
            scope.type_mismatch(types.describe(value_by_choice.type), value, node.body.span)
            continue
        if isinstance(reading.type, types.WordType):
            code = Const(reading.type.codes[name, alternative], reading.type)
            is_chosen = tast.Operation("eq", (tast.Setting(name, reading.type), code), types.BOOL)
            value_by_choice = tast.Conditional(
                is_chosen,
                scope.coerce(value, type_, node.body.span),
                scope.coerce(value_by_choice, type_, definition.body.span),
                type_,
            )
    return value_by_choice


def _value(
    scope: Scope, node: tree.Redefinition, params: tuple[Local, ...], expected: types.Type
) -> Expr:
    """The value in one alternative, with the parameters of the definition for its own names, in order."""
    inner = scope.inner()
    inner.locals.clear()
    inner.locals.update(
        {word.text: param for word, param in zip(node.params or (), params, strict=True)}
    )
    return inner.resolve(node.body, expected)
