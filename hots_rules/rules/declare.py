"""First pass of resolving: types, tables, variables, settings and signatures."""

from __future__ import annotations

from hots_rules.diagnostics import Place, Span
from hots_rules.rules import finite as t
from hots_rules.rules.book import Entry
from hots_rules.rules.expressions import constant
from hots_rules.rules.names import Names, Signature
from hots_rules.rules.typed import Origin, SettingDef, TableDef, Variable
from hots_rules.syntax import tree

MAX_SLOTS = 65_536


def declare(names: Names) -> None:
    """Gives every name its type; what refers to values comes after what declares them."""
    _declare_types(names)
    _declare_tables(names)
    _declare_players(names)
    _declare_settings(names)
    _declare_variables(names)
    _declare_signatures(names)


def origin_of(entry: Entry) -> Origin:
    """What a reader is told as the source of a declaration."""
    return Origin(entry.name, entry.edition, entry.sections, entry.summary, entry.node.span)


def _declare_types(names: Names) -> None:
    pending = {e.name: e for e in names.entries.values() if e.kind in {"type", "table"}}
    known = set(pending) | {"bool"}
    for name in list(pending):
        _declare_type(names, name, pending, known, ())


def _declare_type(
    names: Names, name: str, pending: dict[str, Entry], known: set[str], path: tuple[str, ...]
) -> None:
    if name not in pending:
        return
    entry = pending[name]
    if name in path:
        names.types[name] = t.ANY
        names.fault("recursive-definition", f"expected a type made of others, but `{name}` contains itself", entry.node.span,
                    help_="take the name out of its own definition")  # fmt: skip
        del pending[name]
        return
    for other in _mentioned(entry.node):
        if other != name or isinstance(entry.node, tree.TypeAlias):
            _declare_type(names, other, pending, known, (*path, name))
    if name not in pending:
        return
    del pending[name]
    if isinstance(entry.node, tree.Table):
        _row_type(names, entry.node)
    elif isinstance(entry.node, tree.TypeAlias):
        names.types[name] = _alias(names, name, entry.node.type, known)


def _mentioned(node: object) -> list[str]:
    match node:
        case tree.TypeAlias():
            return _mentioned(node.type)
        case tree.UnionType():
            return [name for member in node.members for name in _mentioned(member)]
        case tree.NamedType():
            return [node.name.text]
        case tree.SetType() | tree.OptionalType():
            return _mentioned(node.member)
        case tree.PairType():
            return _mentioned(node.left) + _mentioned(node.right)
    return []


def _row_type(names: Names, table: tree.Table) -> None:
    first: dict[str, Span] = {}
    for row in table.rows:
        if row.name.text in first:
            names.fault("duplicate-name", f"expected a new row, got `{row.name}` again", row.name.span,
                        [Place(first[row.name.text], "first here")], "take one of the rows away")  # fmt: skip
        first.setdefault(row.name.text, row.name.span)
    name = table.name.text
    if len(first) > 1024:
        names.fault("too-large", f"expected at most 1024 rows, got {len(first)}", table.name.span)
    rows = t.WordType(name, tuple((name, row) for row in first))
    names.types[name] = rows
    names.declare_words(rows)


def _alias(names: Names, name: str, node: tree.Type, known: set[str]) -> t.Type:
    members = node.members if isinstance(node, tree.UnionType) else (node,)
    fresh = [m for m in members if isinstance(m, tree.NamedType) and m.name.text not in known]
    if not fresh and not isinstance(node, tree.UnionType):
        return names.type_of(node)
    values: list[t.Value] = []
    for member in members:
        if member in fresh and isinstance(member, tree.NamedType):
            found: tuple[t.Value, ...] = ((name, member.name.text),)
        else:
            inner = names.type_of(member)
            found = inner.values if isinstance(inner, t.WordType) else ()
            if not isinstance(inner, t.WordType | t.AnyType):
                names.fault(
                    "wrong-type", f"expected words or a type of words, got {inner}", member.span
                )
        for value in found:
            if value in values:
                names.fault(
                    "duplicate-name",
                    f"expected each value once, got `{value[1]}` again",
                    member.span,
                )
            else:
                values.append(value)
    type_ = t.WordType(name, tuple(values))
    names.declare_words(type_)
    return type_


def _declare_tables(names: Names) -> None:
    for entry in [e for e in names.entries.values() if e.kind == "table"]:
        if isinstance(entry.node, tree.Table):
            names.tables[entry.name] = _table(names, entry.node)
    for table in names.tables.values():
        for column, (type_, _) in table.columns.items():
            names.columns.setdefault(column, []).append((table.name, type_))


def _table(names: Names, node: tree.Table) -> TableDef:
    kinds = [(column.name, names.type_of(column.type)) for column in node.columns]
    values: dict[str, list[int]] = {column.text: [] for column, _ in kinds}
    seen: set[str] = set()
    for row in node.rows:
        if row.name.text in seen:
            continue
        seen.add(row.name.text)
        if len(row.cells) != len(kinds):
            names.fault("wrong-arguments", f"expected {len(kinds)} cells in the row `{row.name}`, got {len(row.cells)}",
                        row.span, [Place(node.name.span, "the columns are declared here")], "write `-` in an empty cell")  # fmt: skip
            continue
        for cell, (column, type_) in zip(row.cells, kinds, strict=True):
            values[column.text].append(_cell(names, cell, type_))
    return TableDef(
        node.name.text,
        {column.text: (type_, tuple(values[column.text])) for column, type_ in kinds},
    )


def _cell(names: Names, cell: tree.Cell, type_: t.Type) -> int:
    words = [word for word in cell.words if word.text != "-"]
    match type_:
        case t.SetType():
            return sum(1 << _word(names, word, type_.member) for word in words)
        case t.AnyType():
            return 0
    if len(words) > 1:
        names.fault("wrong-type", f"expected one value of {type_}, got several", cell.span)
    return _word(names, words[0], type_) if words else _nothing(names, cell, type_)


def _nothing(names: Names, cell: tree.Cell, type_: t.Type) -> int:
    match type_:
        case t.WordType():
            if t.NONE in type_.codes:
                return type_.codes[t.NONE]
            names.fault(
                "wrong-type",
                f"expected a value of {type_}, got nothing",
                cell.span,
                help_=f"make the column `{type_}?`",
            )
        case t.IntType() if type_.low > 0:
            names.fault("out-of-range", f"expected a number of {type_}, got nothing", cell.span)
    return 0


def _word(names: Names, word: tree.Word, type_: t.Type) -> int:
    match type_:
        case t.IntType() if word.text.isdigit():
            if not type_.low <= int(word.text) <= type_.high:
                names.fault(
                    "out-of-range", f"expected a number of {type_}, got `{word}`", word.span
                )
                return 0
            return int(word.text)
        case t.BoolType() if word.text in {"yes", "no"}:
            return int(word.text == "yes")
        case t.WordType() if word.text in type_.words:
            return type_.codes[type_.words[word.text][0]]
        case t.WordType():
            names.unknown(f"a value of {type_}", word, type_.words)
        case _:
            names.fault("wrong-type", f"expected a value of {type_}, got `{word}`", word.span)
    return 0


def _declare_players(names: Names) -> None:
    entry = names.entries.get(("players", "players"))
    if entry is None or not isinstance(entry.node, tree.Players):
        names.fault("unknown-name", "expected a line `players Type`, got none", Span.nowhere(),
                    help_="say which type names the players")  # fmt: skip
        return
    found = names.type_of(tree.NamedType(entry.node.name, span=entry.node.name.span))
    if isinstance(found, t.WordType) and len(found.values) <= 16:
        names.players = found
    elif not isinstance(found, t.AnyType):
        names.fault(
            "wrong-type",
            f"expected a type of at most 16 words for the players, got {found}",
            entry.node.span,
        )


def _declare_settings(names: Names) -> None:
    for entry in list(names.entries.values()):
        match entry.node:
            case tree.Option():
                type_ = names.type_of(entry.node.type)
                default = constant(names, entry.node.default, type_)
                names.settings[entry.name] = SettingDef(
                    entry.name, "option", type_, default, (), origin_of(entry)
                )
            case tree.Reading():
                names.settings[entry.name] = _reading(names, entry, entry.node)


def _reading(names: Names, entry: Entry, node: tree.Reading) -> SettingDef:
    words = tuple((entry.name, alternative.name.text) for alternative in node.alternatives)
    type_ = t.WordType(entry.name, words)
    defaults = [
        i for i, alternative in enumerate(node.alternatives) if alternative.default is not None
    ]
    if len(defaults) != 1:
        names.fault("reading-without-default", f"expected one alternative of `{entry.name}` marked `default`, got {len(defaults)}",
                    node.name.span, help_="write `default` after the alternative that holds when nobody chooses")  # fmt: skip
    names.types[entry.name] = type_
    names.declare_words(type_)
    summaries = tuple(alternative.summary.text for alternative in node.alternatives)
    return SettingDef(
        entry.name, "reading", type_, defaults[0] if defaults else 0, summaries, origin_of(entry)
    )


def _declare_variables(names: Names) -> None:
    slots = 0
    for entry in [e for e in names.entries.values() if e.kind == "variable"]:
        node = entry.node
        if not isinstance(node, tree.Variable):
            continue
        keys = tuple(names.type_of(key) for key in node.keys or ())
        count = 1
        for key in keys:
            count *= t.size(key)
        slots += count
        type_ = names.type_of(node.type)
        if slots > MAX_SLOTS or any(isinstance(key, t.SetType) for key in keys):
            names.fault(
                "too-large",
                f"expected a state of at most {MAX_SLOTS} entries, got more with `{node.name}`",
                node.span,
            )
            keys = ()
        initial = lowest(type_) if node.initial is None else constant(names, node.initial, type_)
        names.variables[entry.name] = Variable(entry.name, keys, type_, initial, origin_of(entry))


def lowest(type_: t.Type) -> int:
    """What a variable of a type holds when nothing is said: `none`, 0, false, the first word, the empty set."""
    match type_:
        case t.WordType():
            return type_.codes.get(t.NONE, 0)
        case t.IntType():
            return type_.low
    return 0


def _declare_signatures(names: Names) -> None:
    for entry in list(names.entries.values()):
        match entry.node:
            case tree.Event() | tree.Action() | tree.Phase() | tree.Stage() | tree.Define():
                params = tuple(names.param(param) for param in entry.node.params or ())
                kind = "phase" if entry.kind == "stage" else entry.kind
                names.signatures[kind, entry.name] = Signature(
                    kind, entry.name, params, entry.node.name.span
                )
