"""Names in expressions: values, variables, columns, definitions and what is built in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from hots_rules.diagnostics import Place
from hots_rules.rules.resolve.expressions.numbers import calculated
from hots_rules.rules.resolve.symbols import many
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import FUNCTIONS
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree

if TYPE_CHECKING:
    from hots_rules.rules.resolve.expressions.scope import Scope


def reference(scope: Scope, node: tree.Reference, expected: types.Type | None) -> Expr:
    """A name alone: what is nearest wins, and a word that the expected type has."""
    word, names = node.name.text, scope.names
    if word in scope.locals:
        return scope.locals[word]
    if isinstance(expected, types.WordType) and len(expected.words.get(word, ())) == 1:
        value = expected.words[word][0]
        names.used |= {("type", value[0]), ("table", value[0])}
        return Const(expected.codes[value], expected)
    if word in names.variables:
        return _variable(scope, node.name, ())
    if word in names.settings:
        names.used.add((names.settings[word].kind, word))
        return tast.Setting(word, names.settings[word].type)
    if ("define", word) in names.signatures:
        return _call_define(scope, node.name, ())
    found = names.named_types.get(word)
    if isinstance(found, types.WordType) and not isinstance(expected, types.WordType):
        names.used |= {("type", word), ("table", word)}
        return Const((1 << len(found.values)) - 1, types.SetType(found))
    return _word(scope, node.name, expected)


def _word(scope: Scope, word: tree.Word, expected: types.Type | None) -> Expr:
    """A word that is a value of some type, or nothing that can stand there."""
    names = scope.names
    guide = expected if isinstance(expected, types.WordType) else None
    if word.text == "none":
        alone = (
            guide if guide and types.NONE in guide.codes else types.WordType("none", (types.NONE,))
        )
        return Const(alone.codes[types.NONE], alone)
    owners = names.owners.get(word.text, [])
    if guide:
        owners = [o for o in owners if (o.name, word.text) in guide.codes] or owners
    if len(owners) == 1:
        names.used |= {("type", owners[0].name), ("table", owners[0].name)}
        return Const(owners[0].codes[owners[0].name, word.text], owners[0])
    if owners:
        said = " or ".join(f"`{owner.name}.{word}`" for owner in owners)
        names.fault(
            "ambiguous-name",
            f"expected one meaning of `{word}`, got {len(owners)}",
            word.span,
            help_=f"write {said}",
        )
    elif not _is_other(scope, word):
        what = f"a value of {types.describe(guide)}" if guide else "a name"
        names.unknown(what, word, chain(guide.words, scope.locals) if guide else _known(scope))
    return INVALID


def _known(scope: Scope) -> Iterator[str]:
    names = scope.names
    defines = names.of_kind("define")
    return chain(
        scope.locals, names.variables, names.settings, defines, names.named_types, names.owners
    )


def _is_other(scope: Scope, word: tree.Word) -> bool:
    """A name that means something, but no value: says so."""
    names = scope.names
    kind = names.kind_of(word.text)
    if kind is not None:
        names.fault(
            "not-allowed-here",
            f"expected a value, got the {kind} `{word}`",
            word.span,
            [Place(names.signatures[kind, word.text].span, "declared here")],
            "name a variable, a definition or a value",
        )
    elif word.text in names.columns:
        names.fault(
            "wrong-arguments",
            f"expected 1 key for `{word}`, got 0",
            word.span,
            help_=f"say of which row: `{word}[…]`",
        )
    elif word.text in names.named_types:
        names.fault(
            "wrong-type",
            f"expected a value, got the type `{word}`",
            word.span,
            help_="only the name of a type of words stands for the set of its values",
        )
    else:
        return False
    return True


def qualified(scope: Scope, node: tree.Qualified) -> Expr:
    """`Field.North`: a word of a type that is said."""
    names = scope.names
    found = names.word_type(node.type)
    if found is None:
        return INVALID
    values = found.words.get(node.name.text, [])
    if not values:
        names.unknown(f"a value of {types.describe(found)}", node.name, found.words)
        return INVALID
    if len(values) > 1:
        said = " or ".join(f"`{owner}.{word}`" for owner, word in values)
        names.fault(
            "ambiguous-name",
            f"expected one meaning of `{node.type}.{node.name}`, got {len(values)}",
            node.span,
            help_=f"write {said}",
        )
    return Const(found.codes[values[0]], found)


# ---------------------------------------------------------------- variables and columns
def _variable(scope: Scope, name: tree.Word, keys: tuple[tree.Expr, ...]) -> Expr:
    variable = scope.names.variables[name.text]
    scope.names.used.add(("variable", name.text))
    return tast.Load(name.text, arguments(scope, name, variable.keys, keys, "key"), variable.type)


def arguments(
    scope: Scope,
    name: tree.Word,
    expected: tuple[types.Type, ...],
    nodes: tuple[tree.Expr, ...],
    what: str,
) -> tuple[Expr, ...]:
    """Keys or arguments, each seen as a value of the declared type."""
    if len(expected) != len(nodes):
        scope.names.fault(
            "wrong-arguments",
            f"expected {many(len(expected), what)} for `{name}`, got {len(nodes)}",
            name.span,
            scope.names.places(name.text),
            "write them in the order of the declaration" if expected else f"`{name}` stands alone",
        )
        return tuple(Const(0, types.ANY) for _ in expected)
    return tuple(scope.fitted(node, type_) for node, type_ in zip(nodes, expected, strict=True))


def index(scope: Scope, node: tree.Index) -> Expr:
    """`m[k]`: a variable, or a column of a table."""
    word, names = node.name.text, scope.names
    if word in names.variables:
        return _variable(scope, node.name, node.keys)
    if word in names.columns:
        return _column(scope, node)
    if ("define", word) in names.signatures:
        names.fault(
            "wrong-type",
            f"expected a variable or a column, got the definition `{word}`",
            node.name.span,
            help_=f"write `{word}(…)`",
        )
    else:
        names.unknown("a variable or a column", node.name, [*names.variables, *names.columns])
    return INVALID


def _column(scope: Scope, node: tree.Index) -> Expr:
    names, column = scope.names, node.name.text
    tables = names.columns[column]
    if len(node.keys) != 1:
        names.fault(
            "wrong-arguments",
            f"expected 1 key for `{column}`, got {len(node.keys)}",
            node.name.span,
            help_=f"say of which row: `{column}[…]`",
        )
        return INVALID
    rows = {table: names.named_types[table] for table, _ in tables}
    guide = rows[tables[0][0]] if len(tables) == 1 else None
    key = scope.fitted(node.keys[0], guide) if guide else scope.expr(node.keys[0])
    for table, type_ in tables:
        if types.is_within(key.type, rows[table]):
            names.used.add(("table", table))
            return tast.ColumnLookup(table, column, scope.fit(key, rows[table], node.span), type_)
    scope.wrong(f"a row of {' or '.join(f'`{table}`' for table in rows)}", key, node.keys[0].span)
    return INVALID


# ---------------------------------------------------------------- definitions and what is built in
def apply(scope: Scope, node: tree.Apply, expected: types.Type | None) -> Expr:
    """`f(x)`: a definition, or what is built in."""
    word, names, args = node.name.text, scope.names, node.args or ()
    if ("define", word) in names.signatures:
        return _call_define(scope, node.name, args)
    if word in FUNCTIONS:
        return _built_in(scope, node, args, expected)
    if word in names.variables or word in names.columns:
        what = "variable" if word in names.variables else "column"
        names.fault(
            "wrong-type",
            f"expected a definition, got the {what} `{word}`",
            node.name.span,
            help_=f"write `{word}[…]`",
        )
    elif not _is_other(scope, node.name):
        names.unknown("a definition", node.name, chain(names.of_kind("define"), FUNCTIONS))
    return INVALID


def _call_define(scope: Scope, name: tree.Word, args: tuple[tree.Expr, ...]) -> Expr:
    signature = scope.names.signatures["define", name.text]
    scope.names.used.add(("define", name.text))
    typed = arguments(scope, name, tuple(p.type for p in signature.params), args, "argument")
    return tast.DefinitionCall(name.text, typed, scope.define_type(name.text))


def _built_in(
    scope: Scope, node: tree.Apply, args: tuple[tree.Expr, ...], expected: types.Type | None
) -> Expr:
    op = node.name.text
    arity = FUNCTIONS[op].arity or 0
    if len(args) != arity:
        scope.names.fault(
            "wrong-arguments",
            f"expected {many(arity, 'argument')} for `{op}`, got {len(args)}",
            node.name.span,
            help_="use `{a, b}` for several values of a set" if op == "count" else "",
        )
        return INVALID
    match op:
        case "min" | "max":
            operands = scope.expr(args[0]), scope.expr(args[1])
            return calculated(scope, op, operands, (args[0].span, args[1].span))
        case "count" | "the":
            return _of_set(scope, op, args[0], expected)
        case "at_most":
            return _at_most(scope, args)
    pair = scope.expr(args[0])
    if not isinstance(pair.type, types.PairType):
        scope.wrong("a pair", pair, args[0].span)
        return INVALID
    return Operation(op, (pair,), pair.type.left if op == "left" else pair.type.right)


def _of_set(scope: Scope, op: str, arg: tree.Expr, expected: types.Type | None) -> Expr:
    found = scope.expr(
        arg, types.SetType(expected) if op == "the" and expected is not None else None
    )
    if not isinstance(found.type, types.SetType):
        scope.wrong("a set", found, arg.span)
        return INVALID
    member = found.type.member
    return Operation(
        op, (found,), types.IntType(0, types.size(member)) if op == "count" else member
    )


def _at_most(scope: Scope, args: tuple[tree.Expr, ...]) -> Expr:
    dice = scope.expr(args[0])
    limit = scope.fitted(args[1], types.IntType(-types.MAX_NUMBER, types.MAX_NUMBER))
    if not isinstance(dice.type, types.DiceType):
        scope.wrong("dice", dice, args[0].span, "one die is a number: compare it")
        return INVALID
    return Operation("at_most", (dice, limit), types.IntType(0, dice.type.most))
