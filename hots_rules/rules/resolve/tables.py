"""Tables: their columns, and what stands in their cells."""

from __future__ import annotations

from hots_rules.diagnostics import Place
from hots_rules.rules.resolve.symbols import SymbolTable, many
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import TableDef
from hots_rules.syntax import tree


def declare_tables(names: SymbolTable) -> None:
    for entry in [e for e in names.entries.values() if e.kind == "table"]:
        if isinstance(entry.node, tree.Table):
            names.tables[entry.name] = _table(names, entry.node)
    for table in names.tables.values():
        for column, (type_, _) in table.columns.items():
            names.columns.setdefault(column, []).append((table.name, type_))


def _table(names: SymbolTable, node: tree.Table) -> TableDef:
    kinds = [(column.name, names.type_of(column.type)) for column in node.columns]
    names.once([column.name for column in node.columns], "column")
    values: dict[str, list[int]] = {column.text: [] for column, _ in kinds}
    seen: set[str] = set()
    for row in node.rows:
        if row.name.text in seen:
            continue
        seen.add(row.name.text)
        if len(row.cells) != len(kinds):
            for column, _ in kinds:
                values[column.text].append(0)
            names.fault(
                "wrong-arguments",
                f"expected {many(len(kinds), 'cell')} in the row `{row.name}`, got {len(row.cells)}",
                row.span,
                [Place(node.name.span, "the columns are declared here")],
                "write `-` in an empty cell",
            )
            continue
        for cell, (column, type_) in zip(row.cells, kinds, strict=True):
            values[column.text].append(_cell(names, cell, type_))
    return TableDef(
        node.name.text,
        {column.text: (type_, tuple(values[column.text])) for column, type_ in kinds},
    )


def _cell(names: SymbolTable, cell: tree.Cell, type_: types.Type) -> int:
    words = [word for word in cell.words if word.text != "-"]
    match type_:
        case types.SetType():
            return sum(1 << _word(names, word, type_.member) for word in words)
        case types.AnyType():
            return 0
    if len(words) > 1:
        names.fault(
            "wrong-type",
            f"expected one value of {type_}, got several",
            cell.span,
            help_=f"make the column `set of {type_}`, or keep one",
        )
    return _word(names, words[0], type_) if words else _nothing(names, cell, type_)


def _nothing(names: SymbolTable, cell: tree.Cell, type_: types.Type) -> int:
    match type_:
        case types.WordType():
            if types.NONE in type_.codes:
                return type_.codes[types.NONE]
            names.fault(
                "wrong-type",
                f"expected a value of {type_}, got nothing",
                cell.span,
                help_=f"make the column `{type_}?`",
            )
        case types.IntType() if type_.low > 0:
            names.fault(
                "out-of-range",
                f"expected a number of {type_}, got nothing",
                cell.span,
                help_="`-` is 0",
            )
    return 0


def _word(names: SymbolTable, word: tree.Word, type_: types.Type) -> int:
    match type_:
        case types.IntType() if word.text.isdigit():
            if type_.low <= int(word.text) <= type_.high:
                return int(word.text)
            names.fault(
                "out-of-range",
                f"expected a number of {type_}, got `{word}`",
                word.span,
                help_="mend the number, or widen the column",
            )
        case types.BoolType() if word.text in {"yes", "no"}:
            return int(word.text == "yes")
        case types.WordType() if word.text in type_.words:
            found = type_.words[word.text]
            if len(found) > 1:
                owners = " and ".join(f"`{owner}`" for owner, _ in found)
                names.fault(
                    "ambiguous-name",
                    f"expected one meaning of `{word}` in {type_}, got {len(found)}",
                    word.span,
                    help_=f"it is a value of {owners}: a table can hold only one of them by name",
                )
            return type_.codes[found[0]]
        case types.WordType():
            names.unknown(f"a value of {type_}", word, type_.words)
        case types.BoolType():
            names.fault("wrong-type", f"expected `yes`, `no` or `-`, got `{word}`", word.span)
        case _:
            names.fault("wrong-type", f"expected a value of {type_}, got `{word}`", word.span)
    return 0
