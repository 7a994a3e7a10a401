"""The line `map`: where the values of a variable lie in a drawing, and what joins them."""

from __future__ import annotations

from hots_rules.diagnostics import Place
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import LinkDef, MapDef, TableDef
from hots_rules.syntax import tree


def map_of(names: SymbolTable) -> MapDef | None:
    """The map of a ruleset, if it has one; what is wrong with it is a fault."""
    entry = names.entries.get(("map", "map"))
    if entry is None or not isinstance(entry.node, tree.Map):
        return None
    node = entry.node
    type_ = _places(names, node.variable)
    table = _common(names, node)
    if type_ is None or table is None:
        return None
    codes = _codes(names, node.across, table, type_)
    spots = zip(table.columns[node.across.text][1], table.columns[node.down.text][1], strict=True)
    at = dict(zip(codes, spots, strict=bool(codes)))
    links = [found for link in node.links for found in _links(names, link, table, type_)]
    return MapDef(node.variable.text, at, tuple(links))


def _places(names: SymbolTable, word: tree.Word) -> types.WordType | None:
    """The places that a variable can name."""
    variable = names.variables.get(word.text)
    if variable is None:
        maps = [name for name, known in names.variables.items() if known.keys]
        names.unknown("a state variable", word, maps)
        return None
    if not isinstance(variable.type, types.WordType) or len(variable.keys) != 1:
        names.fault(
            "wrong-type",
            f"expected a map from things to places, got `{word}`",
            word.span,
            help_="name the variable that says where a thing is",
        )
        return None
    names.used.add(("variable", word.text))
    return variable.type


def _common(names: SymbolTable, node: tree.Map) -> TableDef | None:
    """The table that both columns belong to."""
    for table in names.tables.values():
        if node.across.text in table.columns:
            if _number_column(names, table, node.across) and _number_column(
                names, table, node.down
            ):
                return table
            return None
    names.unknown("a column of a table", node.across, names.columns)
    return None


def _number_column(names: SymbolTable, table: TableDef, word: tree.Word) -> bool:
    found = table.columns.get(word.text)
    if found is None:
        names.unknown(f"a column of the table `{table.name}`", word, table.columns)
    elif not isinstance(found[0], types.IntType):
        names.fault(
            "wrong-type",
            f"expected a column of numbers, got `{word}`, which holds {found[0]}",
            word.span,
            help_="a place is drawn so far across and so far down",
        )
    else:
        return True
    return False


def _codes(
    names: SymbolTable, word: tree.Word, table: TableDef, type_: types.WordType
) -> list[int]:
    """The codes that the rows of a table have among the places."""
    rows = names.named_types[table.name]
    if not isinstance(rows, types.WordType):
        return []
    missing = [value for value in rows.values if value not in type_.codes]
    if missing:
        names.fault(
            "wrong-type",
            f"expected a column of places, got `{word}`, a column of `{table.name}`",
            word.span,
            help_=f"the variable holds {type_}",
        )
        return []
    return [type_.codes[value] for value in rows.values]


def _links(
    names: SymbolTable, link: tree.Links, places: TableDef, type_: types.WordType
) -> list[LinkDef]:
    """The lines that the rows of a table draw between places."""
    table = names.tables.get(link.table.text)
    if table is None:
        names.unknown("a table", link.table, names.tables)
        return []
    names.used.add(("table", table.name))
    for word in [link.ends, *([link.colour] if link.colour else [])]:
        if word.text not in table.columns:
            names.unknown(f"a column of the table `{table.name}`", word, table.columns)
            return []
    of, ends = table.columns[link.ends.text]
    if not isinstance(of, types.SetType) or of.member != names.named_types[places.name]:
        names.fault(
            "wrong-type",
            f"expected a column `set of {places.name}`, got `{link.ends}`, which holds {of}",
            link.ends.span,
            [Place(link.table.span, "of this table")],
            "a line is drawn between the places that a row holds",
        )
        return []
    members = _codes(names, link.ends, places, type_)
    colours = _colours(names, link, table)
    return [
        LinkDef(tuple(code for i, code in enumerate(members) if mask >> i & 1), colour)
        for mask, colour in zip(ends, colours, strict=True)
    ]


def _colours(names: SymbolTable, link: tree.Links, table: TableDef) -> list[str]:
    size = len(table.columns[link.ends.text][1])
    if link.colour is None:
        return [""] * size
    type_, values = table.columns[link.colour.text]
    if not isinstance(type_, types.WordType):
        names.fault(
            "wrong-type",
            f"expected a column of words, got `{link.colour}`, which holds {type_}",
            link.colour.span,
            help_="a line is drawn in the colour that a word names",
        )
        return [""] * size
    return [type_.values[value][1] for value in values]
