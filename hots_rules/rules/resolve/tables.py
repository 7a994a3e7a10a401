"""Tables: their columns, and the values of their cells."""

from __future__ import annotations

from hots_rules.diagnostics import Fix, RelatedPlace
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import TableColumn, TableDef
from hots_rules.rules.wording import count_noun
from hots_rules.syntax import tree
from hots_rules.syntax.walk import written_span


def declare_tables(symbols: SymbolTable) -> None:
    """Gives every table its columns and values."""
    for entry in [e for e in symbols.entries.values() if e.kind == "table"]:
        if isinstance(entry.node, tree.Table):
            symbols.tables[entry.name] = _table(symbols, entry.node)
    for table in symbols.tables.values():
        for name, column in table.columns.items():
            symbols.columns.setdefault(name, []).append((table.name, column.type))


def _table(symbols: SymbolTable, node: tree.Table) -> TableDef:
    columns = [(column.name, symbols.type_of(column.type)) for column in node.columns]
    symbols.check_distinct([column.name for column in node.columns], "column")
    if node.head is not None:
        _check_head(symbols, node.columns, node.head)
    values: dict[str, list[int]] = {column.text: [] for column, _ in columns}
    seen: set[str] = set()
    for row in node.rows:
        if row.name.text in seen:
            continue  # reported with the type of the rows
        seen.add(row.name.text)
        if len(row.cells) != len(columns):
            for column, _ in columns:
                values[column.text].append(0)
            symbols.fault(
                "wrong-arguments",
                f"expected {count_noun(len(columns), 'cell')} in the row `{row.name}`, got {len(row.cells)}",
                row.span,
                [RelatedPlace(node.name.span, "the columns are declared here")],
                "write `-` in an empty cell",
            )
            continue
        for cell, (column, type_) in zip(row.cells, columns, strict=True):
            values[column.text].append(_cell(symbols, cell, type_))
    return TableDef(
        node.name.text,
        {column.text: TableColumn(type_, tuple(values[column.text])) for column, type_ in columns},
    )


def _check_head(symbols: SymbolTable, columns: tuple[tree.Column, ...], head: tree.Head) -> None:
    """The line over the rows names the columns, in their order."""
    if head.columns == (expected := tuple(column.name for column in columns)):
        return
    written, place = " ".join(map(str, expected)), written_span(head)
    symbols.fault(
        "wrong-arguments",
        "expected the names of the columns over the rows, in their order",
        head.span,
        [RelatedPlace(columns[0].span, "the columns are declared here")] if columns else [],
        f"write `: {written}`, or remove the line",
        [Fix.write(place, f": {written}"), Fix.remove_lines(place)],
    )


def _cell(symbols: SymbolTable, cell: tree.Cell, type_: types.Type) -> int:
    """The code of the value in a cell; 0 where it has a fault."""
    words = [word for word in cell.words if word.text != "-"]
    match type_:
        case types.SetType():
            return sum(1 << _word(symbols, word, type_.member) for word in words)
        case types.AnyType():
            return 0
    if len(words) > 1:
        symbols.fault(
            "wrong-type",
            f"expected one value of {type_}, got {len(words)}",
            cell.span,
            help_=f"make the column `set of {type_}`, or keep one",
        )
    return _word(symbols, words[0], type_) if words else _empty_cell(symbols, cell, type_)


def _empty_cell(symbols: SymbolTable, cell: tree.Cell, type_: types.Type) -> int:
    """The code of an empty cell: `none` or 0; a fault where the type has neither."""
    match type_:
        case types.WordType():
            if types.NONE in type_.codes:
                return type_.codes[types.NONE]
            symbols.fault(
                "wrong-type",
                f"expected a value of {type_}, got an empty cell",
                cell.span,
                help_=f"make the column `{type_}?`",
            )
        case types.IntType() if type_.low > 0:
            symbols.fault(
                "out-of-range",
                f"expected a number of {type_}, got an empty cell",
                cell.span,
                help_="`-` is 0",
            )
    return 0


def _word(symbols: SymbolTable, word: tree.Word, type_: types.Type) -> int:
    """The code of one word of a cell; 0 where it has a fault."""
    match type_:
        case types.IntType() if word.text.removeprefix("-").isdigit():
            if type_.low <= int(word.text) <= type_.high:
                return int(word.text)
            symbols.fault(
                "out-of-range",
                f"expected a number of {type_}, got `{word}`",
                word.span,
                help_="correct the number, or widen the column",
            )
        case types.BoolType() if word.text in {"yes", "no"}:
            return int(word.text == "yes")
        case types.WordType() if word.text in type_.words:
            values = type_.words[word.text]
            if len(values) > 1:
                owners = " and ".join(f"`{owner}`" for owner, _ in values)
                symbols.fault(
                    "ambiguous-name",
                    f"expected one meaning of `{word}` in {type_}, got {len(values)}",
                    word.span,
                    help_=f"it is a value of {owners}: a table can hold only one of them by name",
                )
            return type_.codes[values[0]]
        case types.WordType():
            symbols.unknown(f"a value of {type_}", word, type_.words)
        case types.BoolType():
            symbols.fault("wrong-type", f"expected `yes`, `no` or `-`, got `{word}`", word.span)
        case _:
            symbols.fault("wrong-type", f"expected a value of {type_}, got `{word}`", word.span)
    return 0
