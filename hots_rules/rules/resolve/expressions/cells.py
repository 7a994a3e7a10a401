"""`T[r, c]`: a cell of a table, by its row and by a word that names a column."""

from __future__ import annotations

from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Local, Operation
from hots_rules.syntax import tree


def cell(scope: Scope, node: tree.Index) -> Expr:
    """The cell in the row that the first key gives, and in the column that the second one names."""
    symbols, table = scope.symbols, node.name.text
    if len(node.keys) != 2:
        symbols.fault(
            "wrong-arguments",
            f"expected 2 keys for the table `{table}`, got {len(node.keys)}",
            node.name.span,
            help_=f"name the row and the column: `{table}[…, …]`",
        )
        return INVALID
    symbols.used.add(("table", table))
    row_node, column_node = node.keys
    row = scope.resolve_as(row_node, symbols.named_types[table])
    column = scope.resolve(column_node, type_of_columns(symbols, table))
    if INVALID in (row, column):
        return INVALID
    columns = symbols.tables[table].columns
    if not isinstance(column.type, types.WordType) or not columns.keys() & column.type.words.keys():
        remedy = "a word whose type has the names of columns chooses among them"
        scope.type_mismatch(f"a column of `{table}`", column, column_node.span, remedy)
        return INVALID
    possible = scope.possible_values(column)
    if isinstance(column, Const):
        possible = frozenset({column.type.values[column.value]})
    values = [word for word in column.type.values if not possible or word in possible]
    for _, word in values:
        if word not in columns:
            symbols.fault(
                "unknown-name",
                f"`{table}` has no column `{word}`, which {types.describe(column.type)} contains",
                column_node.span,
                help_="add the column, or use a type whose words are all columns",
            )
            return INVALID
    bounds = _common_type([columns[word].type for _, word in values])
    if bounds is None:
        symbols.fault(
            "wrong-type",
            f"the columns of `{table}` that are chosen from have different types",
            node.span,
            help_="give them one type, or choose among some by `if`",
        )
        return INVALID
    return _choice_of_cell(scope, node, (row, column), values, bounds)


def _common_type(column_types: list[types.Type]) -> types.Type | None:
    """The type that holds the values of all columns; None if there is none."""
    common: types.Type | None = column_types[0]
    for type_ in column_types[1:]:
        common = None if common is None else types.least_upper_bound(common, type_)
    return common


def type_of_columns(symbols: SymbolTable, table: str) -> types.WordType | None:
    """The only type whose words all name columns, so that a word alone is found in it."""
    columns = symbols.tables[table].columns.keys()
    fitting = {
        type_
        for type_ in symbols.named_types.values()
        if isinstance(type_, types.WordType) and type_.words and type_.words.keys() <= columns
    }
    return fitting.pop() if len(fitting) == 1 else None


def _choice_of_cell(
    scope: Scope,
    node: tree.Index,
    keys: tuple[Expr, Expr],
    values: list[types.Value],
    type_: types.Type,
) -> Expr:
    """A choice among the cells of a row, by the word that names the column."""
    table, inner, lets = node.name.text, scope.inner(), list[tuple[Local, Expr]]()
    names: list[Expr] = []
    for word, key in zip(("row", "column"), keys, strict=True):
        if isinstance(key, Const | Local):
            names.append(key)
        else:
            local = inner.bind(word, key.type)
            lets.append((local, key))
            names.append(local)
    row, column = names
    assert isinstance(column.type, types.WordType)
    chosen: Expr = INVALID
    for choice in reversed(values):
        column_type = scope.symbols.tables[table].columns[choice[1]].type
        lookup: Expr = tast.ColumnLookup(table, choice[1], row, column_type)
        lookup = scope.coerce(lookup, type_, node.span)
        if chosen == INVALID:
            chosen = lookup
        else:
            code = Const(column.type.codes[choice], column.type)
            chosen = tast.Conditional(
                Operation("eq", (column, code), types.BOOL), lookup, chosen, type_
            )
    for local, key in reversed(lets):
        chosen = tast.LetIn(local, key, chosen, type_)
    return chosen
