"""The first pass: types, tables, variables, settings and signatures."""

from __future__ import annotations

import math

from attrs import evolve

from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.resolve.expressions.resolver import resolve_constant
from hots_rules.rules.resolve.symbols import Signature, SymbolTable
from hots_rules.rules.resolve.tables import declare_tables
from hots_rules.rules.resolve.type_declarations import declare_types
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Local, SettingDef, Variable
from hots_rules.rules.wording import number_text
from hots_rules.syntax import tree

MAX_SLOTS = 65_536
MAX_PLAYERS = 16
MAX_ACTIONS = 1_000_000


def declare(symbols: SymbolTable) -> None:
    """Gives every name its type; declarations of values come before those that refer to them."""
    declare_types(symbols)
    declare_tables(symbols)
    _declare_players(symbols)
    _declare_settings(symbols)
    _declare_variables(symbols)
    _declare_signatures(symbols)


def _declare_players(symbols: SymbolTable) -> None:
    entry = symbols.entries.get(("players", "players"))
    if entry is None or not isinstance(entry.node, tree.Players):
        symbols.fault(
            "unknown-name",
            "no line `players TYPE`",
            symbols.head,
            help_="name the type of the players",
        )
        return
    type_ = symbols.type_of(tree.NamedType(entry.node.name, span=entry.node.name.span))
    if isinstance(type_, types.WordType) and len(type_.values) <= MAX_PLAYERS:
        symbols.players = type_
    elif not isinstance(type_, types.AnyType):
        symbols.fault(
            "wrong-type",
            f"expected a type of at most {MAX_PLAYERS} words for the players, got {type_}",
            entry.node.name.span,
            help_="name them, as in `type Side = White | Black`",
        )


def _declare_settings(symbols: SymbolTable) -> None:
    for entry in list(symbols.entries.values()):
        match entry.node:
            case tree.Option():
                symbols.settings[entry.name] = _option(symbols, entry, entry.node)
            case tree.Reading() if entry.settled:
                setting = _reading(symbols, entry, entry.node)
                if isinstance(setting.type, types.WordType):
                    code = setting.type.codes[entry.name, entry.settled]
                    symbols.settled[entry.name] = Const(code, setting.type)
            case tree.Reading():
                symbols.settings[entry.name] = _reading(symbols, entry, entry.node)


def _option(symbols: SymbolTable, entry: Entry, node: tree.Option) -> SettingDef:
    type_ = symbols.type_of(node.type)
    if not isinstance(type_, types.WordType | types.IntType | types.BoolType | types.AnyType):
        symbols.fault(
            "wrong-type",
            f"expected `bool`, words or numbers for an option, got {type_}",
            node.type.span,
            help_="a player chooses one value of a few",
        )
        type_ = types.ANY
    elif types.size(type_) > types.MAX_VALUES:
        symbols.fault(
            "too-large",
            f"expected at most {types.MAX_VALUES:,} values to choose among, got {number_text(types.size(type_))}",
            node.type.span,
            help_="declare the range that the game needs",
        )
        type_ = types.ANY
    default = resolve_constant(symbols, node.default, type_)
    return SettingDef(
        entry.name, "option", type_, default, (), entry.origin, _scenarios_of(symbols, node)
    )


def _scenarios_of(symbols: SymbolTable, node: tree.Option) -> tuple[str, ...]:
    """The scenarios that an option is for; none if it is for all."""
    declared = [entry.name for entry in symbols.entries.values() if entry.kind == "scenario"]
    limit = node.scenarios
    if limit is None:
        return ()
    words = limit.scenarios if isinstance(limit, tree.AllBut) else limit
    for word in words:
        if word.text not in declared:
            symbols.unknown("a scenario", word, declared)
    named = tuple(word.text for word in words)
    if not isinstance(limit, tree.AllBut):
        return named
    remaining = tuple(name for name in declared if name not in named)
    if not remaining:
        symbols.fault(
            "not-allowed-here",
            f"the option `{node.name.text}` is for no scenario: all are excepted",
            node.span,
            help_="name fewer scenarios after `except`",
        )
    return remaining


def _reading(symbols: SymbolTable, entry: Entry, node: tree.Reading) -> SettingDef:
    words = [alternative.name for alternative in node.alternatives]
    symbols.check_reserved(words)
    symbols.check_distinct(words, "alternative")
    type_ = types.WordType(
        entry.name, tuple(dict.fromkeys((entry.name, word.text) for word in words))
    )
    defaults = [i for i, word in enumerate(node.alternatives) if word.default is not None]
    if len(defaults) != 1:
        symbols.fault(
            "reading-without-default",
            f"expected one alternative of `{entry.name}` marked `default`, got {len(defaults)}",
            node.name.span,
            help_="write `default` after the alternative that holds if none is chosen",
        )
    symbols.named_types[entry.name] = type_
    symbols.declare_words(type_)
    summaries = tuple(alternative.summary.text for alternative in node.alternatives)
    return SettingDef(
        entry.name, "reading", type_, defaults[0] if defaults else 0, summaries, entry.origin
    )


def _declare_variables(symbols: SymbolTable) -> None:
    slots = 0
    for entry in [e for e in symbols.entries.values() if e.kind == "variable"]:
        if isinstance(entry.node, tree.Variable):
            variable = _variable(symbols, entry, entry.node)
            slots += math.prod(types.size(key) for key in variable.keys)
            if slots > MAX_SLOTS:
                symbols.fault(
                    "too-large",
                    f"expected a state of at most {MAX_SLOTS:,} entries, got {number_text(slots)} "
                    f"with `{entry.name}`",
                    entry.node.span,
                    help_="keep maps over small types",
                )
                slots, variable = 0, evolve(variable, keys=())
            symbols.variables[entry.name] = variable


def _variable(symbols: SymbolTable, entry: Entry, node: tree.Variable) -> Variable:
    keys = tuple(symbols.type_of(key) for key in node.keys or ())
    for key, written in zip(keys, node.keys or (), strict=True):
        if isinstance(key, types.SetType):
            symbols.fault(
                "wrong-type",
                f"expected words, numbers or pairs as keys, got {key}",
                written.span,
                help_="keep a map from the members",
            )
            keys = ()
    type_ = symbols.type_of(node.type)
    initial = (
        types.blank_code(type_)
        if node.initial is None
        else resolve_constant(symbols, node.initial, type_)
    )
    return Variable(entry.name, keys, type_, initial, entry.origin, node.internal is not None)


def _declare_signatures(symbols: SymbolTable) -> None:
    for entry in list(symbols.entries.values()):
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
                symbols.check_distinct([param.name for param in written], "parameter")
                params = tuple(symbols.param(param) for param in written)
                if isinstance(entry.node, tree.Action):
                    _check_choices(symbols, entry.node, params)
                kind = "phase" if entry.kind == "stage" else entry.kind
                symbols.signatures[kind, entry.name] = Signature(
                    kind, entry.name, params, entry.node.name.span
                )


def _check_choices(symbols: SymbolTable, node: tree.Action, params: tuple[Local, ...]) -> None:
    """Reports parameters whose values cannot be listed, and actions with too many instances."""
    for written, param in zip(node.params or (), params, strict=True):
        if written.name.text in RESERVED["parameter of an action"]:
            symbols.fault(
                "duplicate-name",
                "the name `actor` is reserved: it is the player who chooses",
                written.name.span,
                help_="choose another name",
            )
        if isinstance(param.type, types.SetType | types.PairType):
            symbols.fault(
                "wrong-type",
                f"expected words, numbers or `bool` as a parameter of an action, got {param.type}",
                written.type.span,
                help_="let the player choose the members one by one",
            )
    instances = math.prod(
        types.size(param.type) for param in params if not isinstance(param.type, types.SetType)
    )
    if instances > MAX_ACTIONS:
        symbols.fault(
            "too-large",
            f"expected at most {MAX_ACTIONS:,} instances of `{node.name}`, got {number_text(instances)}",
            node.name.span,
            help_="split the choice into several",
        )
