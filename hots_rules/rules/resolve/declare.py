"""First pass of resolving: types, tables, variables, settings and signatures."""

from __future__ import annotations

import math
from collections.abc import Iterable

from attrs import evolve

from hots_rules.diagnostics import Place, Span
from hots_rules.rules.graph import dependency_order, describe_cycle
from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.resolve.expressions.scope import constant
from hots_rules.rules.resolve.symbols import Signature, SymbolTable
from hots_rules.rules.resolve.tables import declare_tables
from hots_rules.rules.rulebook import Entry, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Local, Origin, SettingDef, Variable
from hots_rules.syntax import tree

MAX_SLOTS = 65_536
MAX_PLAYERS = 16
MAX_ACTIONS = 1_000_000


def declare(names: SymbolTable) -> None:
    """Gives every name its type; what refers to values comes after what declares them."""
    _declare_types(names)
    declare_tables(names)
    _declare_players(names)
    _declare_settings(names)
    _declare_variables(names)
    _declare_signatures(names)


def origin_of(entry: Entry) -> Origin:
    """What a reader is told as the source of a declaration."""
    return Origin(
        entry.name, entry.cited_in, entry.sections, entry.summary, entry.node.span, entry.kind
    )


def _declare_types(names: SymbolTable) -> None:
    """Types made of others come after them."""
    pending = {e.name: e for e in names.entries.values() if e.kind in {"type", "table"}}
    known = {*pending, "bool"}
    order, circles = dependency_order(
        {name: _mentioned(entry.node) for name, entry in pending.items()}
    )
    for circle in circles:
        names.fault(
            "recursive-definition",
            f"expected a type made of others, got {describe_cycle(circle)}",
            name_span(pending[circle[0]].node),
            help_="take the name out of its own definition",
        )
        names.named_types |= dict.fromkeys(circle, types.ANY)
    for name in order:
        node = pending[name].node
        if isinstance(node, tree.Table):
            _row_type(names, node)
        elif isinstance(node, tree.TypeAlias) and name not in names.named_types:
            names.named_types[name] = _alias(names, node, known)


def _mentioned(node: object) -> list[str]:
    """The names in a type; a table is made of its rows alone."""
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


def _row_type(names: SymbolTable, table: tree.Table) -> None:
    first: dict[str, Span] = {}
    for row in table.rows:
        if row.name.text in first:
            names.fault(
                "duplicate-name",
                f"expected a new row, got `{row.name}` again",
                row.name.span,
                [Place(first[row.name.text], "first here")],
                "take one of the rows away",
            )
        first.setdefault(row.name.text, row.name.span)
    _check_words(names, [row.name for row in table.rows])
    name = table.name.text
    names.named_types[name] = rows = names.words(
        name, ((name, row) for row in first), table.name.span
    )
    if isinstance(rows, types.WordType):
        names.declare_words(rows)


def _check_words(names: SymbolTable, words: Iterable[tree.Word]) -> None:
    for word in words:
        if word.text in RESERVED["value"]:
            names.fault(
                "duplicate-name",
                f"expected a new name, got `{word}`, which the language has already",
                word.span,
                help_="choose another name",
            )


def _alias(names: SymbolTable, node: tree.TypeAlias, known: set[str]) -> types.Type:
    """A list of new words and of other types, or another name for any type."""
    type_ = node.type
    members = type_.members if isinstance(type_, tree.UnionType) else (type_,)
    fresh = [m.name for m in members if isinstance(m, tree.NamedType) and m.name.text not in known]
    if not fresh and not isinstance(type_, tree.UnionType):
        return names.type_of(type_)
    _check_words(names, fresh)
    name = node.name.text
    values: dict[types.Value, Span] = {}
    for member in members:
        for value in _values_of(names, name, member, known):
            if value in values:
                names.fault(
                    "duplicate-name",
                    f"expected each value once, got `{value[1]}` again",
                    member.span,
                    [Place(values[value], "it is in here")],
                    "take one of them away",
                )
            values.setdefault(value, member.span)
    found = names.words(name, values, node.name.span)
    if isinstance(found, types.WordType):
        names.declare_words(found)
    return found


def _values_of(
    names: SymbolTable, owner: str, member: tree.Type, known: set[str]
) -> tuple[types.Value, ...]:
    if isinstance(member, tree.NamedType) and member.name.text not in known:
        return ((owner, member.name.text),)
    inner = names.type_of(member)
    if isinstance(inner, types.WordType):
        return inner.values
    if not isinstance(inner, types.AnyType):
        names.fault(
            "wrong-type",
            f"expected words or a type of words, got {inner}",
            member.span,
            help_="only words can be put together with `|`",
        )
    return ()


def _declare_players(names: SymbolTable) -> None:
    entry = names.entries.get(("players", "players"))
    if entry is None or not isinstance(entry.node, tree.Players):
        names.fault(
            "unknown-name",
            "expected a line `players TYPE`, got none",
            names.head,
            help_="say which type names the players",
        )
        return
    found = names.type_of(tree.NamedType(entry.node.name, span=entry.node.name.span))
    if isinstance(found, types.WordType) and len(found.values) <= MAX_PLAYERS:
        names.players = found
    elif not isinstance(found, types.AnyType):
        names.fault(
            "wrong-type",
            f"expected a type of at most {MAX_PLAYERS} words for the players, got {found}",
            entry.node.name.span,
            help_="name them, as in `type Side = White | Black`",
        )


def _declare_settings(names: SymbolTable) -> None:
    for entry in list(names.entries.values()):
        match entry.node:
            case tree.Option():
                names.settings[entry.name] = _option(names, entry, entry.node)
            case tree.Reading():
                names.settings[entry.name] = _reading(names, entry, entry.node)


def _option(names: SymbolTable, entry: Entry, node: tree.Option) -> SettingDef:
    type_ = names.type_of(node.type)
    if not isinstance(type_, types.WordType | types.IntType | types.BoolType | types.AnyType):
        names.fault(
            "wrong-type",
            f"expected a type to choose one value of, got {type_}",
            node.type.span,
            help_="an option is `bool`, words or numbers",
        )
        type_ = types.ANY
    elif types.size(type_) > types.MAX_VALUES:
        names.fault(
            "too-large",
            f"expected at most {types.MAX_VALUES} values to choose among, got {types.size(type_)}",
            node.type.span,
            help_="say the range that the game really has",
        )
        type_ = types.ANY
    default = constant(names, node.default, type_)
    return SettingDef(entry.name, "option", type_, default, (), origin_of(entry))


def _reading(names: SymbolTable, entry: Entry, node: tree.Reading) -> SettingDef:
    words = [alternative.name for alternative in node.alternatives]
    _check_words(names, words)
    names.once(words, "alternative")
    type_ = types.WordType(
        entry.name, tuple(dict.fromkeys((entry.name, word.text) for word in words))
    )
    defaults = [i for i, word in enumerate(node.alternatives) if word.default is not None]
    if len(defaults) != 1:
        names.fault(
            "reading-without-default",
            f"expected one alternative of `{entry.name}` marked `default`, got {len(defaults) or 'none'}",
            node.name.span,
            help_="write `default` after the alternative that holds when nobody chooses",
        )
    names.named_types[entry.name] = type_
    names.declare_words(type_)
    summaries = tuple(alternative.summary.text for alternative in node.alternatives)
    return SettingDef(
        entry.name, "reading", type_, defaults[0] if defaults else 0, summaries, origin_of(entry)
    )


def _declare_variables(names: SymbolTable) -> None:
    slots = 0
    for entry in [e for e in names.entries.values() if e.kind == "variable"]:
        if isinstance(entry.node, tree.Variable):
            variable = _variable(names, entry, entry.node)
            slots += math.prod(types.size(key) for key in variable.keys)
            if slots > MAX_SLOTS:
                names.fault(
                    "too-large",
                    f"expected a state of at most {MAX_SLOTS} entries, got more with `{entry.name}`",
                    entry.node.span,
                    help_="keep maps over small types",
                )
                slots, variable = 0, evolve(variable, keys=())
            names.variables[entry.name] = variable


def _variable(names: SymbolTable, entry: Entry, node: tree.Variable) -> Variable:
    keys = tuple(names.type_of(key) for key in node.keys or ())
    for key, written in zip(keys, node.keys or (), strict=True):
        if isinstance(key, types.SetType):
            names.fault(
                "wrong-type",
                f"expected words, numbers or pairs to look up by, got {key}",
                written.span,
                help_="keep a map from the members",
            )
            keys = ()
    type_ = names.type_of(node.type)
    initial = (
        types.blank_code(type_) if node.initial is None else constant(names, node.initial, type_)
    )
    return Variable(entry.name, keys, type_, initial, origin_of(entry))


def _declare_signatures(names: SymbolTable) -> None:
    for entry in list(names.entries.values()):
        match entry.node:
            case (
                tree.Event()
                | tree.Action()
                | tree.Phase()
                | tree.Stage()
                | tree.Define()
                | tree.Question()
            ):
                written = entry.node.params or ()
                names.once([param.name for param in written], "parameter")
                params = tuple(names.param(param) for param in written)
                if isinstance(entry.node, tree.Action):
                    _check_choices(names, entry.node, params)
                kind = "phase" if entry.kind == "stage" else entry.kind
                names.signatures[kind, entry.name] = Signature(
                    kind, entry.name, params, entry.node.name.span
                )


def _check_choices(names: SymbolTable, node: tree.Action, params: tuple[Local, ...]) -> None:
    """What a player can choose is listed one by one, so it must have words and be few."""
    for written, param in zip(node.params or (), params, strict=True):
        if written.name.text in RESERVED["parameter of an action"]:
            names.fault(
                "duplicate-name",
                "expected a new name, got `actor`, which is the player who chooses",
                written.name.span,
                help_="choose another name",
            )
        if isinstance(param.type, types.SetType | types.PairType):
            names.fault(
                "wrong-type",
                f"expected words, numbers or `bool` for a player to choose, got {param.type}",
                written.type.span,
                help_="let the player choose the members one by one",
            )
    many_ = math.prod(
        types.size(param.type) for param in params if not isinstance(param.type, types.SetType)
    )
    if many_ > MAX_ACTIONS:
        names.fault(
            "too-large",
            f"expected at most {MAX_ACTIONS} ways to choose `{node.name}`, got {many_}",
            node.name.span,
            help_="let the player choose one thing after the other",
        )
