"""The line `map`: the coordinates of the values of a variable, and the lines between them."""

from __future__ import annotations

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import (
    Const,
    DefinitionCall,
    Expr,
    LinkDef,
    MapDef,
    TableDef,
    Variable,
)
from hots_rules.rules.typed.visitor import variables_read
from hots_rules.syntax import tree


def resolve_map(resolver: Resolver) -> MapDef | None:
    """The map of a ruleset, if it declares one."""
    symbols = resolver.symbols
    entry = symbols.entries.get(("map", "map"))
    if entry is None or not isinstance(entry.node, tree.Map):
        return None
    node = entry.node
    variable = _map_variable(symbols, node.variable)
    table = _coordinate_table(symbols, node)
    if variable is None or table is None:
        return None
    assert isinstance(variable.type, types.WordType)
    may_be_empty = types.NONE in variable.type.codes
    is_board = may_be_empty and variable.keys[0] == symbols.named_types[table.name]
    type_ = variable.keys[0] if is_board else variable.type
    assert isinstance(type_, types.WordType)
    codes = _codes(symbols, node.across, table, type_)
    across, down = table.columns[node.across.text].values, table.columns[node.down.text].values
    points = zip(across, down, strict=True)
    point_by_code = dict(zip(codes, points, strict=True)) if codes else {}
    links = [line for link in node.links for line in _links(symbols, link, table, type_)]
    shape = _shape(symbols, table)
    terrain = _terrain(resolver, node.terrain, table) if node.terrain is not None else ()
    return MapDef(node.variable.text, point_by_code, tuple(links), is_board, shape, terrain)


def _terrain(resolver: Resolver, word: tree.Word, places: TableDef) -> tuple[Expr, ...]:
    """The value of a column, or of a definition of a place, for each place."""
    symbols, rows = resolver.symbols, resolver.symbols.named_types[places.name]
    if not isinstance(rows, types.WordType):
        return ()
    if (column := places.columns.get(word.text)) is not None:
        if isinstance(column.type, types.WordType):
            return tuple(Const(code, column.type) for code in column.values)
        return _no_terrain(symbols, word, f"a column that holds {column.type}")
    signature = symbols.signatures.get(("define", word.text))
    if signature is None:
        candidates = [*places.columns, *symbols.names_of_kind("define")]
        symbols.unknown("a column or a definition of the places", word, candidates)
        return ()
    symbols.used.add(("define", word.text))
    given = signature.params[0].type if len(signature.params) == 1 else None
    if not isinstance(given, types.WordType) or not types.is_within(rows, given):
        return _no_terrain(symbols, word, "a definition of something else")
    type_ = resolver.type_of_definition(word.text)
    if not isinstance(type_, types.WordType):
        return _no_terrain(symbols, word, f"a definition that gives {type_}")
    calls = tuple(
        DefinitionCall(word.text, (Const(given.codes[place], given),), type_)
        for place in rows.values
    )
    if variables_read(calls[:1], resolver.definitions.get, lambda _: ()):
        return _no_terrain(symbols, word, "a definition that reads the state")
    return calls


def _no_terrain(symbols: SymbolTable, word: tree.Word, actual: str) -> tuple[()]:
    """Reports a name that gives no terrain, with what it is instead."""
    symbols.fault(
        "wrong-type",
        "expected a column of words of the places, or a definition that gives one for each, "
        f"got `{word}`, {actual}",
        word.span,
        help_="the terrain of a place is a word that never changes",
    )
    return ()


def _shape(symbols: SymbolTable, places: TableDef) -> str:
    """The shape of the board whose places a map shows; empty if they are on none."""
    entry = symbols.entries.get(("board", "board"))
    if entry is None or not isinstance(entry.node, tree.Board):
        return ""
    type_ = symbols.named_types.get(entry.node.type.text)
    return entry.node.shape.text if type_ == symbols.named_types[places.name] else ""


def _map_variable(symbols: SymbolTable, word: tree.Word) -> Variable | None:
    """The variable that the map shows: where pieces are, or what is in each place of a board."""
    variable = symbols.variables.get(word.text)
    if variable is None:
        maps = [name for name, declared in symbols.variables.items() if declared.keys]
        symbols.unknown("a state variable", word, maps)
        return None
    if (
        not isinstance(variable.type, types.WordType)
        or len(variable.keys) != 1
        or not isinstance(variable.keys[0], types.WordType)
    ):
        symbols.fault(
            "wrong-type",
            f"expected a map from things to places, got `{word}`",
            word.span,
            help_="name the variable that holds where a thing is",
        )
        return None
    symbols.used.add(("variable", word.text))
    return variable


def _coordinate_table(symbols: SymbolTable, node: tree.Map) -> TableDef | None:
    """The table with the columns of both coordinates; None, with a fault, where there is none."""
    for table in symbols.tables.values():
        if node.across.text in table.columns:
            columns = (node.across, node.down)
            is_suitable = all(_is_number_column(symbols, table, word) for word in columns)
            return table if is_suitable else None
    symbols.unknown("a column of a table", node.across, symbols.columns)
    return None


def _is_number_column(symbols: SymbolTable, table: TableDef, word: tree.Word) -> bool:
    """Whether a column of a table holds coordinates; a fault where it does not."""
    column = table.columns.get(word.text)
    if column is None:
        symbols.unknown(f"a column of the table `{table.name}`", word, table.columns)
    elif not (isinstance(column.type, types.IntType) or table.name in symbols.products):
        symbols.fault(
            "wrong-type",
            f"expected a column of numbers, got `{word}`, which holds {column.type}",
            word.span,
            help_="the columns hold the coordinates of a place",
        )
    else:
        return True
    return False


def _codes(
    symbols: SymbolTable, word: tree.Word, table: TableDef, type_: types.WordType
) -> list[int]:
    """The code of each row of a table in the type of the places; empty, with a fault, if it lacks one."""
    rows = symbols.named_types[table.name]
    if not isinstance(rows, types.WordType):
        return []
    missing = [value for value in rows.values if value not in type_.codes]
    if missing:
        symbols.fault(
            "wrong-type",
            f"expected a column of places, got `{word}`, a column of `{table.name}`",
            word.span,
            help_=f"the variable holds {type_}",
        )
        return []
    return [type_.codes[value] for value in rows.values]


def _links(
    symbols: SymbolTable, link: tree.Links, places: TableDef, type_: types.WordType
) -> list[LinkDef]:
    """The lines that the rows of a table draw: between the places of each, or from a place to those of its own row."""
    table = symbols.tables.get(link.table.text)
    if table is None:
        symbols.unknown("a table", link.table, symbols.tables)
        return []
    symbols.used.add(("table", table.name))
    for word in [link.ends, *([link.colour] if link.colour else [])]:
        if word.text not in table.columns:
            symbols.unknown(f"a column of the table `{table.name}`", word, table.columns)
            return []
    ends = table.columns[link.ends.text]
    if (
        not isinstance(ends.type, types.SetType)
        or ends.type.member != symbols.named_types[places.name]
    ):
        symbols.fault(
            "wrong-type",
            f"expected a column `set of {places.name}`, got `{link.ends}`, which holds {ends.type}",
            link.ends.span,
            [RelatedPlace(link.table.span, "of this table")],
            "a line joins the places that a row holds",
        )
        return []
    members = _codes(symbols, link.ends, places, type_)
    colours = _colours(symbols, link, table)
    ends_of_rows = [
        tuple(code for i, code in enumerate(members) if mask >> i & 1) for mask in ends.values
    ]
    if table is not places:
        pairs = zip(ends_of_rows, colours, strict=True)
        return [LinkDef(codes, colour) for codes, colour in pairs]
    return [
        LinkDef((place, code), colour)
        for place, codes, colour in zip(members, ends_of_rows, colours, strict=True)
        for code in codes
    ]


def _colours(symbols: SymbolTable, link: tree.Links, table: TableDef) -> list[str]:
    """The colour of the lines of each row; empty where the rows name none."""
    rows = len(table.columns[link.ends.text].values)
    if link.colour is None:
        return [""] * rows
    column = table.columns[link.colour.text]
    type_ = column.type
    if not isinstance(type_, types.WordType):
        symbols.fault(
            "wrong-type",
            f"expected a column of words, got `{link.colour}`, which holds {type_}",
            link.colour.span,
            help_="a word names the colour of a line",
        )
        return [""] * rows
    return [type_.values[value][1] for value in column.values]
