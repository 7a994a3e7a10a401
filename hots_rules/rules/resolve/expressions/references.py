"""Names in expressions: values, variables, columns, definitions and built-in functions."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import chain

from hots_rules.diagnostics import Edit, Fix, RelatedPlace
from hots_rules.diagnostics.fixes import between, end_of
from hots_rules.rules.resolve.expressions.cells import cell
from hots_rules.rules.resolve.expressions.numbers import calculation
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.named_numbers import named_number
from hots_rules.rules.resolve.repetitions import repeated
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import FUNCTIONS, IN_ORDER, REPETITION
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.rules.wording import count_noun, kind_noun
from hots_rules.syntax import tree


def reference(scope: Scope, node: tree.Reference, expected: types.Type | None) -> Expr:
    """A name alone: a local first, then a word of the expected type, then what is declared."""
    word, symbols = node.name.text, scope.symbols
    if word in scope.locals:
        check_hidden_value(scope, node, expected)
        return scope.locals[word]
    if isinstance(expected, types.WordType) and len(expected.words.get(word, ())) == 1:
        value = expected.words[word][0]
        symbols.use_type(value[0])
        return Const(expected.codes[value], expected)
    if word in symbols.variables:
        return _variable(scope, node.name, ())
    if word in symbols.settings:
        symbols.used.add((symbols.settings[word].kind, word))
        return tast.Setting(word, symbols.settings[word].type)
    if word in symbols.settled:
        symbols.used.add(("reading", word))
        return symbols.settled[word]
    if ("define", word) in symbols.signatures:
        return _named_number(scope, node.name) or _definition_call(scope, node.name, ())
    type_ = symbols.named_types.get(word)
    if (
        type_ is not None
        and types.is_enumerable(type_)
        and not isinstance(expected, types.WordType)
    ):
        symbols.use_type(word)
        return Const(types.all_values(type_), types.SetType(type_))
    return _word(scope, node.name, expected)


def _word(scope: Scope, word: tree.Word, expected: types.Type | None) -> Expr:
    """A word that is a value of some type; a fault where there is none, or several."""
    symbols = scope.symbols
    guide = expected if isinstance(expected, types.WordType) else None
    if word.text == "none":
        type_ = guide if guide and types.NONE in guide.codes else None
        type_ = type_ or types.WordType("none", (types.NONE,))
        return Const(type_.codes[types.NONE], type_)
    owners = symbols.owners.get(word.text, [])
    if guide:
        owners = [o for o in owners if (o.name, word.text) in guide.codes] or owners
    if len(owners) == 1:
        symbols.use_type(owners[0].name)
        return Const(owners[0].codes[owners[0].name, word.text], owners[0])
    if owners:
        _ambiguous(scope, word.text, word, [(owner.name, word.text) for owner in owners])
    elif not _is_declared_non_value(scope, word):
        what = f"a value of {types.describe(guide)}" if guide else "declared"
        candidates = chain(guide.words, scope.locals) if guide else _visible_names(scope)
        symbols.unknown(what, word, candidates)
    return INVALID


def check_hidden_value(scope: Scope, node: tree.Reference, expected: types.Type | None) -> None:
    """Reports a local name that is read where the type expected has a value of that name."""
    word = node.name.text
    if word in scope.locals and isinstance(expected, types.WordType) and word in expected.words:
        written = [f"{owner}.{name}" for owner, name in expected.words[word]]
        values = [f"`{value}`" for value in written]
        scope.symbols.fault(
            "ambiguous-name",
            f"the local name `{word}` hides the value {' and '.join(values)}",
            node.span,
            help_=f"rename the local name, or, for the value, write {' or '.join(values)}",
            fixes=[Fix.write(node.span, value) for value in written],
        )


def _ambiguous(
    scope: Scope, text: str, node: tree.Word | tree.Qualified, values: list[types.Value]
) -> None:
    meanings = [f"{owner}.{word}" for owner, word in values]
    scope.symbols.fault(
        "ambiguous-name",
        f"expected one meaning of `{text}`, got {len(values)}",
        node.span,
        help_=f"write {' or '.join(f'`{meaning}`' for meaning in meanings)}",
        fixes=[Fix.write(node.span, meaning) for meaning in meanings],
    )


def _visible_names(scope: Scope) -> Iterator[str]:
    symbols = scope.symbols
    return chain(
        scope.locals,
        symbols.variables,
        symbols.settings,
        symbols.settled,
        symbols.names_of_kind("define"),
        symbols.named_types,
        symbols.owners,
    )


def _is_declared_non_value(scope: Scope, word: tree.Word) -> bool:
    """Whether a name is declared, but not as a value; then a fault is reported."""
    symbols = scope.symbols
    kind = symbols.kind_of(word.text)
    if kind is not None:
        symbols.fault(
            "not-allowed-here",
            f"expected a value, got the {kind_noun(kind)} `{word}`",
            word.span,
            [RelatedPlace(symbols.signatures[kind, word.text].span, "declared here")],
            "name a variable, a definition or a value",
        )
    elif word.text in symbols.columns:
        _wrong_key_count(scope, word, 0)
    elif word.text in symbols.named_types:
        symbols.fault(
            "wrong-type",
            f"expected a value, got the type `{word}`",
            word.span,
            help_="the name of a type is also the set of its values, if there can be sets of it",
        )
    else:
        return False
    return True


def qualified(scope: Scope, node: tree.Qualified) -> Expr:
    """`Field.North`: a word with its type."""
    type_ = scope.symbols.word_type(node.type)
    if type_ is None:
        return INVALID
    values = type_.words.get(node.name.text, [])
    if not values:
        scope.symbols.unknown(f"a value of {types.describe(type_)}", node.name, type_.words)
        return INVALID
    if len(values) > 1:
        _ambiguous(scope, f"{node.type}.{node.name}", node, values)
    return Const(type_.codes[values[0]], type_)


# ---------------------------------------------------------------- variables and columns
def _variable(scope: Scope, name: tree.Word, keys: tuple[tree.Expr, ...]) -> Expr:
    variable = scope.symbols.variables[name.text]
    scope.symbols.used.add(("variable", name.text))
    return tast.Load(name.text, arguments(scope, name, variable.keys, keys, "key"), variable.type)


def arguments(
    scope: Scope,
    name: tree.Word,
    expected: tuple[types.Type, ...],
    nodes: tuple[tree.Expr, ...],
    noun: str,
) -> tuple[Expr, ...]:
    """Keys or arguments, each as a value of the declared type."""
    if len(expected) != len(nodes):
        scope.symbols.fault(
            "wrong-arguments",
            f"expected {count_noun(len(expected), noun)} for `{name}`, got {len(nodes)}",
            name.span,
            scope.symbols.declared_at(name.text),
            "write them in the order of the declaration" if expected else f"write `{name}` alone",
        )
        return tuple(Const(0, types.ANY) for _ in expected)
    return tuple(scope.resolve_as(node, type_) for node, type_ in zip(nodes, expected, strict=True))


def index(scope: Scope, node: tree.Index) -> Expr:
    """`m[k]`: a variable, a column of a table, or a table with a row and a column."""
    word, symbols = node.name.text, scope.symbols
    if word in symbols.variables:
        return _variable(scope, node.name, node.keys)
    if word in symbols.columns:
        return _column(scope, node)
    if word in symbols.tables:
        return cell(scope, node)
    if ("define", word) in symbols.signatures:
        symbols.fault(
            "wrong-type",
            f"expected a variable or a column, got the definition `{word}`",
            node.name.span,
            help_=f"write `{word}(…)`",
            fixes=_in_brackets(node, node.keys, "(", ")"),
        )
    else:
        candidates = [*symbols.variables, *symbols.columns]
        symbols.unknown("a variable or a column", node.name, candidates)
    return INVALID


def _column(scope: Scope, node: tree.Index) -> Expr:
    symbols, column = scope.symbols, node.name.text
    tables = symbols.columns[column]
    if len(node.keys) != 1:
        _wrong_key_count(scope, node.name, len(node.keys))
        return INVALID
    rows = {table: symbols.named_types[table] for table, _ in tables}
    guide = rows[tables[0][0]] if len(tables) == 1 else None
    key = scope.resolve_as(node.keys[0], guide) if guide else scope.resolve(node.keys[0])
    for table, type_ in tables:
        if scope.fits(key, rows[table]):
            symbols.used.add(("table", table))
            row = scope.coerce(key, rows[table], node.span)
            return tast.ColumnLookup(table, column, row, type_)
    owners = " or ".join(f"`{table}`" for table in rows)
    scope.type_mismatch(f"a row of {owners}", key, node.keys[0].span)
    return INVALID


def _in_brackets(
    node: tree.Index | tree.Apply, inner: tuple[tree.Expr, ...], left: str, right: str
) -> list[Fix]:
    """The same keys or arguments in other brackets."""
    if not inner:
        return []
    edits = [Edit(between(node.name.span, inner[0].span), left)]
    edits.append(Edit(between(inner[-1].span, end_of(node.span)), right))
    return [Fix(f"write `{node.name}{left}…{right}`", edits, is_safe=True)]


def _wrong_key_count(scope: Scope, column: tree.Word, count: int) -> None:
    scope.symbols.fault(
        "wrong-arguments",
        f"expected 1 key for `{column}`, got {count}",
        column.span,
        help_=f"name the row: `{column}[…]`",
    )


# ---------------------------------------------------------------- definitions and functions
def apply(scope: Scope, node: tree.Apply, expected: types.Type | None) -> Expr:
    """`f(x)`: a definition or a built-in function."""
    word, symbols, args = node.name.text, scope.symbols, node.args or ()
    if ("define", word) in symbols.signatures:
        return _definition_call(scope, node.name, args)
    if word in FUNCTIONS:
        return _function_call(scope, node, args, expected)
    if word in symbols.products:
        return _construct(scope, node.name, args, expected)
    if word == REPETITION:
        return repeated(scope, node)
    if word in IN_ORDER:
        return _in_order(scope, node.name, args, expected)
    if word in symbols.variables or word in symbols.columns:
        what = "variable" if word in symbols.variables else "column"
        symbols.fault(
            "wrong-type",
            f"expected a definition, got the {what} `{word}`",
            node.name.span,
            help_=f"write `{word}[…]`",
            fixes=_in_brackets(node, args, "[", "]"),
        )
    elif not _is_declared_non_value(scope, node.name):
        candidates = chain(symbols.names_of_kind("define"), FUNCTIONS, IN_ORDER)
        symbols.unknown("a definition", node.name, candidates)
    return INVALID


def _named_number(scope: Scope, name: tree.Word) -> Expr | None:
    """The value of a definition that is a number, if it has no other type."""
    entry = scope.symbols.entries["define", name.text]
    value = named_number(name.text, scope.symbols.entries)
    is_plain = isinstance(entry.node, tree.Define) and entry.node.type is None
    if value is None or abs(value) > types.MAX_NUMBER or not is_plain:
        return None
    scope.symbols.used.add(("define", name.text))
    return Const(value, types.IntType(value, value))


def _definition_call(scope: Scope, name: tree.Word, args: tuple[tree.Expr, ...]) -> Expr:
    signature = scope.symbols.signatures["define", name.text]
    scope.symbols.used.add(("define", name.text))
    typed_args = arguments(scope, name, tuple(p.type for p in signature.params), args, "argument")
    return tast.DefinitionCall(name.text, typed_args, scope.type_of_definition(name.text))


def _construct(
    scope: Scope, name: tree.Word, args: tuple[tree.Expr, ...], expected: types.Type | None
) -> Expr:
    """`Hand(p)`: as a value of the expected type where that has all of its words in their order."""
    symbols = scope.symbols
    product = symbols.products[name.text]
    symbols.use_type(name.text)
    typed_args = arguments(scope, name, product.params, args, "argument")
    owner = symbols.named_types[product.owner]
    for type_ in (expected, owner):
        if isinstance(type_, types.WordType) and types.is_slice(product.values, type_):
            strides = types.strides(product.params)
            lowest = zip(strides, map(types.lowest_code, product.params), strict=True)
            first = type_.codes[product.values[0]] - sum(stride * low for stride, low in lowest)
            if any(isinstance(arg.type, types.AnyType) for arg in typed_args):
                return INVALID
            codes = [arg.value for arg in typed_args if isinstance(arg, Const)]
            if len(codes) == len(strides):
                code = first + sum(map(operator.mul, strides, codes))
                return Const(code, type_)
            return tast.Construct(first, strides, typed_args, type_)
    return INVALID


def _function_call(
    scope: Scope, node: tree.Apply, args: tuple[tree.Expr, ...], expected: types.Type | None
) -> Expr:
    op = node.name.text
    arity = FUNCTIONS[op].arity or 0
    if len(args) != arity:
        scope.symbols.fault(
            "wrong-arguments",
            f"expected {count_noun(arity, 'argument')} for `{op}`, got {len(args)}",
            node.name.span,
            help_="use `{a, b}` for several values of a set" if op == "count" else "",
        )
        return INVALID
    match op:
        case "min" | "max":
            operands = scope.resolve(args[0]), scope.resolve(args[1])
            return calculation(scope, op, operands, (args[0].span, args[1].span))
        case "abs":
            return calculation(scope, op, (scope.resolve(args[0]),), (args[0].span,))
        case "ordinal":
            return _ordinal(scope, args[0])
        case "count" | "the":
            return _of_set(scope, op, args[0], expected)
        case "at_most":
            return _at_most(scope, args)
    pair = scope.resolve(args[0])
    if not isinstance(pair.type, types.PairType):
        scope.type_mismatch("a pair", pair, args[0].span)
        return INVALID
    return Operation(op, (pair,), pair.type.left if op == "left" else pair.type.right)


def _of_set(scope: Scope, op: str, arg: tree.Expr, expected: types.Type | None) -> Expr:
    """`count(S)` or `the(S)`."""
    source = scope.resolve_set(arg, expected if op == "the" else None)
    if not isinstance(source.type, types.SetType):
        return INVALID
    member = source.type.member
    if op == "count" and isinstance(source, Const):
        number = source.value.bit_count()
        return Const(number, types.IntType(number, number))
    return Operation(
        op, (source,), types.IntType(0, types.size(member)) if op == "count" else member
    )


def _ordinal(scope: Scope, arg: tree.Expr) -> Expr:
    """The place of a word in its type, from 1."""
    word = scope.resolve(arg)
    if not isinstance(word.type, types.WordType):
        scope.type_mismatch("a word", word, arg.span, "a number needs no conversion")
        return INVALID
    return Operation("ordinal", (word,), types.IntType(1, types.size(word.type)))


def _in_order(
    scope: Scope, name: tree.Word, args: tuple[tree.Expr, ...], expected: types.Type | None
) -> Expr:
    """`nth(T, n)`, and the words after and before another; the first follows the last."""
    if len(args) != IN_ORDER[name.text]:
        count = count_noun(IN_ORDER[name.text], "argument")
        headline = f"expected {count} for `{name}`, got {len(args)}"
        remedy = "write a type and a number: `nth(Side, 2)`" if name.text == "nth" else ""
        scope.symbols.fault("wrong-arguments", headline, name.span, help_=remedy)
        return INVALID
    if name.text == "nth":
        return _nth(scope, args[0], args[1])
    word = scope.resolve(args[0], expected)
    if not isinstance(word.type, types.WordType):
        scope.type_mismatch("a word", word, args[0].span, "a number has `+ 1` and `- 1`")
        return INVALID
    size = types.size(word.type)
    place: Expr = Operation("ordinal", (word,), types.IntType(1, size))
    if name.text == "preceding":
        back = Const(size - 2, types.IntType(size - 2, size - 2))
        place = Operation("add", (place, back), types.IntType(size - 1, 2 * size - 2))
    around = Operation("mod", (place, _number(size)), types.IntType(0, size - 1))
    return tast.Construct(0, (1,), (around,), word.type)


def _nth(scope: Scope, type_node: tree.Expr, number: tree.Expr) -> Expr:
    source = scope.resolve_set(type_node)
    type_ = source.type.member if isinstance(source.type, types.SetType) else types.ANY
    if isinstance(type_, types.AnyType):
        return INVALID
    is_whole = isinstance(source, Const) and source.value == types.all_values(type_)
    if not isinstance(type_, types.WordType) or not is_whole:
        scope.type_mismatch("a type of words", source, type_node.span)
        return INVALID
    place = scope.resolve_as(number, types.IntType(1, types.size(type_)))
    if isinstance(place, Const):
        return Const(place.value - 1, type_)
    return tast.Construct(-1, (1,), (place,), type_)


def _number(value: int) -> Const:
    return Const(value, types.IntType(value, value))


def _at_most(scope: Scope, args: tuple[tree.Expr, ...]) -> Expr:
    dice = scope.resolve(args[0])
    limit = scope.resolve_as(args[1], types.IntType(-types.MAX_NUMBER, types.MAX_NUMBER))
    if not isinstance(dice.type, types.DiceType):
        scope.type_mismatch("dice", dice, args[0].span, "one die is a number: compare it")
        return INVALID
    return Operation("at_most", (dice, limit), types.IntType(0, dice.type.most))
