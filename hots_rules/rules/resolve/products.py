"""Products in the declaration of a type: `Hand(Side)` declares a word for each side.

The name of a product is also a type, that of its words. A part that has a name is a column: after
`Cell(file: 1..8, rank: 1..8)`, `file[c]` is the file of a cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from hots_rules.rules.resolve.symbols import Product, SymbolTable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import TableColumn, TableDef
from hots_rules.rules.wording import fill_placeholders, number_text
from hots_rules.syntax import tree
from hots_rules.syntax.limits import MAX_WORD


def members_of(node: tree.Type) -> tuple[tree.Type, ...]:
    """The members of a union; any other type is the only one."""
    return node.members if isinstance(node, tree.UnionType) else (node,)


def type_of_part(part: tree.Param | tree.Type) -> tree.Type:
    """The type of a part of a product, with or without a name."""
    return part.type if isinstance(part, tree.Param) else part


def product_owners(symbols: SymbolTable, nodes: Iterable[object]) -> dict[str, str]:
    """The type that declares each product, by the name of the product."""
    declarations = [node for node in nodes if isinstance(node, tree.TypeAlias | tree.Table)]
    products = [
        (member.name, node.name.text)
        for node in declarations
        if isinstance(node, tree.TypeAlias)
        for member in members_of(node.type)
        if isinstance(member, tree.ProductType)
    ]
    names = [node.name for node in declarations]
    symbols.check_distinct([*names, *(name for name, _ in products)], "type")
    symbols.check_reserved(name for name, _ in products)
    taken = {name.text for name in names}
    return {name.text: owner for name, owner in products if name.text not in taken}


def product_values(
    symbols: SymbolTable, owner: str, node: tree.ProductType
) -> tuple[types.Value, ...]:
    """The words of a product, which becomes a type of its own; none where it has a fault."""
    name = node.name.text
    parts = tuple(_part(symbols, part) for part in map(type_of_part, node.parts))
    values = _values(symbols, owner, node, parts)
    symbols.products[name] = Product(owner, parts, values)
    type_ = types.WordType(name, values) if values else types.ANY
    if symbols.named_types.setdefault(name, type_) is type_ and values:
        symbols.tables[name] = _columns(symbols, node, parts)
    return values


def _part(symbols: SymbolTable, node: tree.Type) -> types.Type:
    type_ = symbols.type_of(node)
    if isinstance(type_, types.WordType | types.AnyType) or types.is_natural(type_):
        return type_
    headline = f"expected words or numbers from 0, got {types.describe(type_)}"
    symbols.fault("wrong-type", headline, node.span, help_="a word is made of words and numbers")
    return types.ANY


def _values(
    symbols: SymbolTable, owner: str, node: tree.ProductType, parts: tuple[types.Type, ...]
) -> tuple[types.Value, ...]:
    if any(isinstance(part, types.AnyType) for part in parts):
        return ()
    count = prod(map(types.size, parts))
    if count > types.MAX_VALUES:
        symbols.fault(
            "too-large",
            f"expected a type of at most {types.MAX_VALUES:,} values, got {number_text(count)}",
            node.span,
            help_="make several types of it",
        )
        return ()
    combinations = product([node.name.text], *map(_words, parts))
    words = ["_".join(combination) for combination in combinations]
    if (longest := max(map(len, words))) > MAX_WORD:
        headline = f"expected words of at most {MAX_WORD} characters, got {longest}"
        symbols.fault("too-large", headline, node.span, help_="take shorter names")
        return ()
    return tuple((owner, word) for word in words)


def _words(part: types.Type) -> list[str]:
    """The values of a part, as they stand in the words of a product."""
    match part:
        case types.WordType():
            return [word for _, word in part.values]
        case types.IntType():
            return [str(number) for number in range(part.low, part.high + 1)]
    return []


def _columns(
    symbols: SymbolTable, node: tree.ProductType, parts: tuple[types.Type, ...]
) -> TableDef:
    """The parts that have names, for each value of a product."""
    named = [part.name for part in node.parts if isinstance(part, tree.Param)]
    symbols.check_distinct(named, "column")
    lows = [types.lowest_code(part) for part in parts]
    ranges = (range(low, low + types.size(part)) for low, part in zip(lows, parts, strict=True))
    rows = list(product(*ranges))
    return TableDef(
        node.name.text,
        {
            part.name.text: TableColumn(parts[index], tuple(row[index] for row in rows))
            for index, part in enumerate(node.parts)
            if isinstance(part, tree.Param)
        },
    )


def label_words(
    symbols: SymbolTable, labels: dict[str, dict[str, str]]
) -> dict[str, dict[str, str]]:
    """The labels by language, with one for each word of a product that has a label: `Cell = "{file}{rank}"`."""
    return {
        language: _labels_of_words(symbols, own_labels) for language, own_labels in labels.items()
    }


def _labels_of_words(symbols: SymbolTable, labels: dict[str, str]) -> dict[str, str]:
    labels = dict(labels)
    for name, product_ in symbols.products.items():
        if (template := labels.get(name)) is None or name not in symbols.tables:
            continue
        columns = symbols.tables[name].columns
        for row, (_, word) in enumerate(product_.values):
            parts = {
                part: _label_of(column.values[row], column.type, labels)
                for part, column in columns.items()
            }
            labels.setdefault(word, fill_placeholders(template, parts))
    return labels


def _label_of(code: int, type_: types.Type, labels: dict[str, str]) -> str:
    if not isinstance(type_, types.WordType):
        return str(code)
    owner, word = type_.values[code]
    return labels.get(f"{owner}.{word}") or labels.get(word) or word.replace("_", " ")
