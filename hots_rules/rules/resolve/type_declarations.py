"""Types, and the types of table rows, declared in dependency order."""

from __future__ import annotations

from hots_rules.diagnostics import RelatedPlace, Span
from hots_rules.rules.graph import dependency_order, describe_cycle
from hots_rules.rules.resolve.products import (
    members_of,
    product_owners,
    product_values,
    type_of_part,
)
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax import tree


def declare_types(symbols: SymbolTable) -> None:
    """Gives every type and every table its values."""
    pending = {e.name: e for e in symbols.entries.values() if e.kind in {"type", "table"}}
    owners = product_owners(symbols, [entry.node for entry in pending.values()])
    declared = {*pending, *owners, "bool"}
    order, cycles = dependency_order(
        {
            name: [owners.get(part, part) for part in _parts_of(entry.node)]
            for name, entry in pending.items()
        }
    )
    for cycle in cycles:
        symbols.fault(
            "recursive-definition",
            f"the type `{cycle[0]}` is made of itself: {describe_cycle(cycle)}",
            name_span(pending[cycle[0]].node),
            help_="remove the name from its definition",
        )
        symbols.named_types |= dict.fromkeys(cycle, types.ANY)
    for name in order:
        node = pending[name].node
        if isinstance(node, tree.Table):
            _row_type(symbols, node)
        elif isinstance(node, tree.TypeAlias) and name not in symbols.named_types:
            symbols.named_types[name] = _alias(symbols, node, declared)


def _parts_of(node: object) -> list[str]:
    """The names of types that a type is made of; a table has none."""
    match node:
        case tree.TypeAlias():
            return _parts_of(node.type)
        case tree.UnionType():
            return [name for member in node.members for name in _parts_of(member)]
        case tree.NamedType():
            return [node.name.text]
        case tree.SetType() | tree.OptionalType():
            return _parts_of(node.member)
        case tree.PairType():
            return _parts_of(node.left) + _parts_of(node.right)
        case tree.ProductType():
            return [name for part in node.parts for name in _parts_of(type_of_part(part))]
    return []


def _row_type(symbols: SymbolTable, table: tree.Table) -> None:
    words = [row.name for row in table.rows]
    symbols.check_distinct(words, "row", "remove one of the rows")
    symbols.check_reserved(words)
    name = table.name.text
    values = dict.fromkeys((name, word.text) for word in words)
    symbols.named_types[name] = rows = symbols.new_word_type(name, values, table.name.span)
    if isinstance(rows, types.WordType):
        symbols.declare_words(rows)


def _alias(symbols: SymbolTable, node: tree.TypeAlias, declared: set[str]) -> types.Type:
    """The type of a declaration: new words and other types together, or another name for one type."""
    type_ = node.type
    members = members_of(type_)
    fresh = [
        m.name for m in members if isinstance(m, tree.NamedType) and m.name.text not in declared
    ]
    if not fresh and not isinstance(type_, tree.UnionType | tree.ProductType):
        return symbols.type_of(type_)
    symbols.check_reserved(fresh)
    name = node.name.text
    values: dict[types.Value, Span] = {}
    for member in members:
        for value in _values_of(symbols, name, member, declared):
            if value in values:
                symbols.fault(
                    "duplicate-name",
                    f"duplicate value `{value[1]}`",
                    member.span,
                    [RelatedPlace(values[value], "first here")],
                    "remove one of them",
                )
            values.setdefault(value, member.span)
    type_of_words = symbols.new_word_type(name, values, node.name.span)
    if isinstance(type_of_words, types.WordType):
        symbols.declare_words(type_of_words)
    return type_of_words


def _values_of(
    symbols: SymbolTable, owner: str, member: tree.Type, declared: set[str]
) -> tuple[types.Value, ...]:
    if isinstance(member, tree.NamedType) and member.name.text not in declared:
        return ((owner, member.name.text),)
    if isinstance(member, tree.ProductType):
        return product_values(symbols, owner, member)
    inner = symbols.type_of(member)
    if isinstance(inner, types.WordType):
        return inner.values
    if not isinstance(inner, types.AnyType):
        symbols.fault(
            "wrong-type",
            f"expected words or a type of words, got {inner}",
            member.span,
            help_="only words can be put together with `|`",
        )
    return ()
