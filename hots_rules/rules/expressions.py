"""Expressions: from the tree to the typed tree.

Types flow both ways: a word such as `Ross` takes its meaning from what is expected where it stands.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from hots_rules.diagnostics import Place, Span
from hots_rules.rules import finite as t
from hots_rules.rules import typed as ty
from hots_rules.rules.names import Names
from hots_rules.rules.typed import Const, Expr, Local, Prim
from hots_rules.syntax import tree

BAD = Const(0, t.ANY)
_COMPARE = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_BUILT_IN = ("count", "the", "min", "max", "at_most", "left", "right")


def constant(names: Names, node: tree.Expr, type_: t.Type) -> int:
    """The code of an expression that must be known when the ruleset is loaded."""
    found = Scope(names).fitted(node, type_)
    while isinstance(found, ty.Convert | ty.Narrow):
        found = found.body
    if isinstance(found, Const):
        return found.value
    names.fault("wrong-type", f"expected a value of {type_} that is known at once", node.span,
                help_="write a number, a word or a set of words")  # fmt: skip
    return 0


@define
class Scope:
    """The local names at one place, and how an expression there is resolved."""

    names: Names
    locals: dict[str, Local] = field(factory=dict)
    counter: list[int] = field(factory=lambda: [0])
    define_type: Callable[[str], t.Type] = lambda _name: t.ANY

    def bind(self, word: str, type_: t.Type) -> Local:
        """A new local name; inside the typed tree each has a name of its own."""
        self.counter[0] += 1
        local = Local(f"{word}_{self.counter[0]}", type_)
        self.locals[word] = local
        return local

    def inner(self) -> Scope:
        """A scope within this one."""
        return evolve(self, locals=dict(self.locals), counter=self.counter)

    # -------------------------------------------------------------- agreement of types
    def fitted(self, node: tree.Expr, expected: t.Type) -> Expr:
        """The expression, seen as a value of the expected type."""
        return self.fit(self.expr(node, expected), expected, node.span)

    def fit(self, found: Expr, expected: t.Type, span: Span) -> Expr:
        """An expression seen as a value of another type; a fault where that cannot be."""
        actual = found.type
        if isinstance(actual, t.AnyType) or isinstance(expected, t.AnyType) or actual == expected:
            return found
        match actual, expected:
            case t.IntType(), t.IntType():
                return self._fit_number(found, actual, expected, span)
            case t.SetType(), t.SetType() if self._same_bits(actual, expected):
                return ty.Convert(found, expected)
            case t.WordType(), t.WordType() if t.is_within(actual, expected):
                if isinstance(found, Const):
                    return Const(expected.codes[actual.values[found.value]], expected)
                return ty.Convert(found, expected)
            case t.DiceType(), t.DiceType() if actual.sides == expected.sides:
                return found
        help_ = ""
        if (
            isinstance(actual, t.WordType)
            and isinstance(expected, t.WordType)
            and t.is_within(expected, actual)
        ):
            help_ = f"where it is known to be one, write `… as {expected}`"
        self.names.fault("wrong-type", f"expected {expected}, got {actual}", span, help_=help_)
        return BAD

    def _same_bits(self, actual: t.SetType, expected: t.SetType) -> bool:
        one, other = actual.member, expected.member
        if isinstance(one, t.AnyType) or isinstance(other, t.AnyType):
            return True
        if isinstance(one, t.WordType) and isinstance(other, t.WordType):
            return t.is_prefix(one, other)
        if isinstance(one, t.IntType) and isinstance(other, t.IntType):
            return other.low <= one.low and one.high <= other.high
        return False

    def _fit_number(self, found: Expr, actual: t.IntType, expected: t.IntType, span: Span) -> Expr:
        if actual.low > expected.high or actual.high < expected.low:
            said = str(found.value) if isinstance(found, Const) else str(actual)
            self.names.fault("out-of-range", f"expected a number of {expected}, got {said}", span,
                             help_="widen the declared range, or mend the number")  # fmt: skip
            return BAD
        if expected.low <= actual.low and actual.high <= expected.high:
            return found
        return ty.Narrow(found, expected, span)

    # -------------------------------------------------------------- all forms
    def expr(self, node: tree.Expr, expected: t.Type | None = None) -> Expr:
        """The typed form of an expression, with a type to guide its words."""
        match node:
            case tree.Number():
                return self._number(node)
            case tree.Truth():
                return Const(int(node.value.text == "true"), t.BOOL)
            case tree.Reference():
                return self._reference(node, expected)
            case tree.Qualified():
                return self._qualified(node)
            case tree.Apply():
                return self._apply(node, expected)
            case tree.Index():
                return self._index(node)
            case tree.Or() | tree.And():
                op = "or" if isinstance(node, tree.Or) else "and"
                return Prim(op, tuple(self.fitted(part, t.BOOL) for part in node.parts), t.BOOL)
            case tree.Not():
                return Prim("not", (self.fitted(node.body, t.BOOL),), t.BOOL)
            case tree.Some() | tree.NoneOf():
                return Prim(
                    "some" if isinstance(node, tree.Some) else "no",
                    (self.set_of(node.body),),
                    t.BOOL,
                )
            case tree.Quantifier():
                return self._quantifier(node)
            case tree.Compare():
                return self._compare(node)
            case tree.Conditional():
                return self._conditional(node, expected)
            case tree.IsA():
                return self._is_a(node)
            case tree.Cast():
                return self._cast(node)
            case tree.Union_() | tree.Intersection():
                return self._sets(
                    "union" if isinstance(node, tree.Union_) else "both", node.parts, expected
                )
            case tree.Minus():
                return self._minus(node, expected)
            case tree.Plus() | tree.Times() | tree.Div() | tree.Mod():
                return self._arithmetic(type(node).__name__.lower(), node.left, node.right)
            case tree.Negative():
                body = self.expr(node.body)
                if isinstance(body, Const) and isinstance(body.type, t.IntType):
                    return Const(-body.value, t.IntType(-body.value, -body.value))
                return self._number_prim("neg", (body,), (node.body.span,))
            case tree.Pair():
                return self._pair(node, expected)
            case tree.Set():
                return self._set(node, expected)
            case tree.Comprehension():
                return self._comprehension(node, expected)
        raise AssertionError(node)

    def _number(self, node: tree.Number) -> Expr:
        value = int(node.value.text) if len(node.value.text) <= 10 else t.MAX_NUMBER + 1
        if value > t.MAX_NUMBER:
            self.names.fault(
                "out-of-range",
                f"expected a number up to {t.MAX_NUMBER}, got `{node.value.text[:20]}`",
                node.span,
            )
            return BAD
        return Const(value, t.IntType(value, value))

    # -------------------------------------------------------------- names
    def _reference(self, node: tree.Reference, expected: t.Type | None) -> Expr:
        word = node.name.text
        if word in self.locals:
            return self.locals[word]
        names = self.names
        if (
            isinstance(expected, t.WordType)
            and word in expected.words
            and len(expected.words[word]) == 1
        ):
            return Const(expected.codes[expected.words[word][0]], expected)
        if word in names.variables:
            return self._variable(node.name, ())
        if word in names.settings:
            names.used.add((names.settings[word].kind, word))
            return ty.Setting(word, names.settings[word].type)
        if ("define", word) in names.signatures:
            return self._call_define(node.name, ())
        if isinstance(found := names.types.get(word), t.WordType) and not isinstance(
            expected, t.WordType
        ):
            names.used |= {("type", word), ("table", word)}
            return Const((1 << len(found.values)) - 1, t.SetType(found))
        return self._word(node.name, expected)

    def _word(self, word: tree.Word, expected: t.Type | None) -> Expr:
        names = self.names
        if word.text == "none":
            alone = (
                expected
                if isinstance(expected, t.WordType) and t.NONE in expected.codes
                else t.WordType("none", (t.NONE,))
            )
            return Const(alone.codes[t.NONE], alone)
        owners = names.owners.get(word.text, [])
        if isinstance(expected, t.WordType):
            owners = [o for o in owners if (o.name, word.text) in expected.codes] or owners
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
            return BAD
        near_words = expected.words if isinstance(expected, t.WordType) else {}
        what = f"a value of {expected}" if near_words else "a name"
        candidates = [*near_words, *self.locals] if near_words else [*self.locals, *names.variables, *names.settings,
                      *(n for k, n in names.signatures if k == "define"), *names.types, *names.owners]  # fmt: skip
        names.unknown(what, word, candidates)
        return BAD

    def _qualified(self, node: tree.Qualified) -> Expr:
        found = self.names.types.get(node.type.text)
        if not isinstance(found, t.WordType):
            self.names.unknown(
                "a type of words",
                node.type,
                [n for n, x in self.names.types.items() if isinstance(x, t.WordType)],
            )
            return BAD
        if node.name.text not in found.words:
            self.names.unknown(f"a value of {found}", node.name, found.words)
            return BAD
        self.names.used |= {("type", node.type.text), ("table", node.type.text)}
        return Const(found.codes[found.words[node.name.text][0]], found)

    def _variable(self, name: tree.Word, keys: tuple[tree.Expr, ...]) -> Expr:
        variable = self.names.variables[name.text]
        self.names.used.add(("variable", name.text))
        return ty.Load(name.text, self.arguments(name, variable.keys, keys, "key"), variable.type)

    def arguments(
        self, name: tree.Word, types: tuple[t.Type, ...], nodes: tuple[tree.Expr, ...], what: str
    ) -> tuple[Expr, ...]:
        """Keys or arguments, each seen as a value of the declared type."""
        if len(types) != len(nodes):
            self.names.fault(
                "wrong-arguments",
                f"expected {len(types)} {what}{'' if len(types) == 1 else 's'} for `{name}`, got {len(nodes)}",
                name.span,
            )
            return tuple(Const(0, t.ANY) for _ in types)
        return tuple(self.fitted(node, type_) for node, type_ in zip(nodes, types, strict=True))

    def _index(self, node: tree.Index) -> Expr:
        word = node.name.text
        if word in self.names.variables:
            return self._variable(node.name, node.keys)
        if word in self.names.columns:
            return self._column(node)
        self.names.unknown(
            "a variable or a column", node.name, [*self.names.variables, *self.names.columns]
        )
        return BAD

    def _column(self, node: tree.Index) -> Expr:
        tables = self.names.columns[node.name.text]
        if len(node.keys) != 1:
            self.names.fault(
                "wrong-arguments",
                f"expected 1 key for `{node.name}`, got {len(node.keys)}",
                node.name.span,
            )
            return BAD
        if len(tables) == 1:
            key = self.fitted(node.keys[0], self.names.types[tables[0][0]])
        else:
            key = self.expr(node.keys[0])
        for table, type_ in tables:
            if t.is_within(key.type, self.names.types[table]):
                self.names.used.add(("table", table))
                return ty.ColumnOf(
                    table, node.name.text, self.fit(key, self.names.types[table], node.span), type_
                )
        if not isinstance(key.type, t.AnyType):
            self.names.fault(
                "wrong-type",
                f"expected a row of {' or '.join(table for table, _ in tables)}, got {key.type}",
                node.keys[0].span,
            )
        return BAD

    def _apply(self, node: tree.Apply, expected: t.Type | None) -> Expr:
        args = node.args or ()
        if node.name.text in _BUILT_IN and ("define", node.name.text) not in self.names.signatures:
            return self._built_in(node, args, expected)
        if ("define", node.name.text) in self.names.signatures:
            return self._call_define(node.name, args)
        if node.name.text in self.names.variables or node.name.text in self.names.columns:
            self.names.fault("unknown-name", f"expected a definition, got `{node.name}`, which is looked up", node.name.span,
                             help_=f"write `{node.name}[…]`")  # fmt: skip
            return BAD
        self.names.unknown(
            "a definition",
            node.name,
            [*(n for k, n in self.names.signatures if k == "define"), *_BUILT_IN],
        )
        return BAD

    def _call_define(self, name: tree.Word, args: tuple[tree.Expr, ...]) -> Expr:
        signature = self.names.signatures["define", name.text]
        self.names.used.add(("define", name.text))
        typed = self.arguments(name, tuple(p.type for p in signature.params), args, "argument")
        return ty.Named(name.text, typed, self.define_type(name.text))

    def _built_in(
        self, node: tree.Apply, args: tuple[tree.Expr, ...], expected: t.Type | None
    ) -> Expr:
        op = node.name.text
        wanted = {"count": 1, "the": 1, "left": 1, "right": 1}.get(op, 2)
        if len(args) != wanted:
            self.names.fault(
                "wrong-arguments",
                f"expected {wanted} argument{'s'[: wanted - 1]} for `{op}`, got {len(args)}",
                node.name.span,
            )
            return BAD
        if op in {"min", "max"}:
            return self._number_prim(
                op, (self.expr(args[0]), self.expr(args[1])), (args[0].span, args[1].span)
            )
        if op == "count":
            found = self.set_of(args[0])
            return Prim(
                "count",
                (found,),
                t.IntType(0, t.size(found.type.member) if isinstance(found.type, t.SetType) else 0),
            )
        if op == "the":
            found = self.set_of(args[0], expected)
            return Prim(
                "the", (found,), found.type.member if isinstance(found.type, t.SetType) else t.ANY
            )
        if op == "at_most":
            return self._at_most(args)
        pair = self.expr(args[0])
        if not isinstance(pair.type, t.PairType):
            self._wrong("a pair", pair, args[0].span)
            return BAD
        return Prim(op, (pair,), pair.type.left if op == "left" else pair.type.right)

    def _at_most(self, args: tuple[tree.Expr, ...]) -> Expr:
        dice, number = (
            self.expr(args[0]),
            self.fitted(args[1], t.IntType(-t.MAX_NUMBER, t.MAX_NUMBER)),
        )
        if not isinstance(dice.type, t.DiceType):
            self._wrong("dice", dice, args[0].span)
            return BAD
        return Prim("at_most", (dice, number), t.IntType(0, dice.type.most))

    def _wrong(self, expected: str, found: Expr, span: Span) -> None:
        if not isinstance(found.type, t.AnyType):
            self.names.fault("wrong-type", f"expected {expected}, got {found.type}", span)

    # -------------------------------------------------------------- numbers and choices
    def _number_prim(self, op: str, args: tuple[Expr, ...], spans: tuple[Span, ...]) -> Expr:
        for arg, span in zip(args, spans, strict=True):
            if not isinstance(arg.type, t.IntType):
                self._wrong("a number", arg, span)
                return BAD
        ranges = [arg.type for arg in args if isinstance(arg.type, t.IntType)]
        low, high = _bounds(op, ranges)
        if max(abs(low), abs(high)) > t.MAX_NUMBER:
            self.names.fault(
                "out-of-range",
                f"expected numbers up to {t.MAX_NUMBER}, got up to {max(abs(low), abs(high))}",
                spans[0],
            )
            return BAD
        if op in {"div", "mod"} and ranges[1].low <= 0:
            self.names.fault(
                "out-of-range",
                "expected a divisor above 0",
                spans[1],
                help_="divide by a number that cannot be 0",
            )
            return BAD
        return Prim(op, args, t.IntType(low, high))

    def _arithmetic(self, word: str, left: tree.Expr, right: tree.Expr) -> Expr:
        op = {"plus": "add", "times": "mul"}.get(word, word)
        return self._number_prim(op, (self.expr(left), self.expr(right)), (left.span, right.span))

    def _minus(self, node: tree.Minus, expected: t.Type | None) -> Expr:
        left = self.expr(node.left, expected if isinstance(expected, t.SetType) else None)
        if isinstance(left.type, t.SetType):
            return Prim("without", (left, self.fitted(node.right, left.type)), left.type)
        return self._number_prim(
            "sub", (left, self.expr(node.right)), (node.left.span, node.right.span)
        )

    def _conditional(self, node: tree.Conditional, expected: t.Type | None) -> Expr:
        condition = self.fitted(node.condition, t.BOOL)
        then, otherwise = self._two(node.then, node.otherwise, expected)
        type_ = t.join(then.type, otherwise.type)
        if type_ is None:
            self.names.fault("wrong-type", f"expected two values of one type, got {then.type} and {otherwise.type}", node.otherwise.span,
                             [Place(node.then.span, f"this is {then.type}")])  # fmt: skip
            return BAD
        return ty.Choice(
            condition,
            self.fit(then, type_, node.then.span),
            self.fit(otherwise, type_, node.otherwise.span),
            type_,
        )

    def _two(self, left: tree.Expr, right: tree.Expr, expected: t.Type | None) -> tuple[Expr, Expr]:
        """Two expressions of one type: the one that is not a bare word guides the other."""
        if self._is_bare(left) and not self._is_bare(right) and expected is None:
            second = self.expr(right)
            return self.expr(left, second.type), second
        first = self.expr(left, expected)
        return first, self.expr(right, expected if expected is not None else first.type)

    def _is_bare(self, node: tree.Expr) -> bool:
        if isinstance(node, tree.Set):
            return all(self._is_bare(member) for member in node.members)
        if not isinstance(node, tree.Reference):
            return False
        word = node.name.text
        names = self.names
        known = (
            word in self.locals
            or word in names.variables
            or word in names.settings
            or ("define", word) in names.signatures
        )
        return not known

    # -------------------------------------------------------------- comparisons
    def _compare(self, node: tree.Compare) -> Expr:
        operator = " ".join(node.operator.text.split())
        if operator in {"in", "not in"}:
            found = self._member(node)
            return Prim("not", (found,), t.BOOL) if operator == "not in" else found
        left, right = self._two(node.left, node.right, None)
        op = _COMPARE[operator]
        type_ = t.join(left.type, right.type)
        if op not in {"eq", "ne"} and isinstance(
            type_, t.WordType | t.SetType | t.BoolType | t.PairType
        ):
            self.names.fault(
                "wrong-type",
                f"expected numbers around `{operator}`, got {type_}",
                node.span,
                help_="only numbers have an order",
            )
            return BAD
        if type_ is None:
            self.names.fault("wrong-type", f"expected two values of one type, got {left.type} and {right.type}", node.right.span,
                             [Place(node.left.span, f"this is {left.type}")])  # fmt: skip
            return BAD
        self._check_constant(left, right, node)
        if (
            isinstance(type_, t.WordType)
            and isinstance(left.type, t.WordType)
            and isinstance(right.type, t.WordType)
        ):
            return Prim(
                op,
                (self.fit(left, type_, node.left.span), self.fit(right, type_, node.right.span)),
                t.BOOL,
            )
        return Prim(op, (left, right), t.BOOL)

    def _check_constant(self, left: Expr, right: Expr, node: tree.Compare) -> None:
        """A comparison with a number that can never be is a slip of the pen."""
        for one, other, span in ((left, right, node.left.span), (right, left, node.right.span)):
            if (
                isinstance(one, Const)
                and not isinstance(other, Const)
                and isinstance(other.type, t.IntType)
            ):
                slack = other.type.low - 1 <= one.value <= other.type.high + 1
                if not slack:
                    self.names.fault(
                        "out-of-range", f"expected a number of {other.type}, got {one.value}", span
                    )

    def _member(self, node: tree.Compare) -> Expr:
        if self._is_bare(node.left) and not self._is_bare(node.right):
            right = self.set_of(node.right)
            member = right.type.member if isinstance(right.type, t.SetType) else t.ANY
            return Prim("in", (self.fitted(node.left, member), right), t.BOOL)
        left = self.expr(node.left)
        guide = None if isinstance(left.type, t.IntType) else left.type
        right = self.set_of(node.right, guide)
        if not isinstance(right.type, t.SetType) or isinstance(left.type, t.AnyType):
            return BAD
        member = right.type.member
        if isinstance(left.type, t.WordType) and isinstance(member, t.WordType):
            if t.is_prefix(member, left.type):
                return Prim("in", (left, right), t.BOOL)
            return Prim("in", (self.fit(left, member, node.left.span), right), t.BOOL)
        if t.join(left.type, member) is None:
            self.names.fault(
                "wrong-type", f"expected a set of {left.type}, got {right.type}", node.right.span
            )
            return BAD
        return Prim("in", (left, right), t.BOOL)

    def _is_a(self, node: tree.IsA) -> Expr:
        body = self.expr(node.body)
        tested = self._word_type(node.type)
        if tested is None or isinstance(body.type, t.AnyType):
            return BAD
        if not isinstance(body.type, t.WordType) or not set(tested.values) & set(body.type.values):
            self.names.fault(
                "wrong-type",
                f"expected a value that can be one of {tested}, got {body.type}",
                node.body.span,
            )
            return BAD
        return ty.IsIn(body, tested, t.BOOL)

    def _cast(self, node: tree.Cast) -> Expr:
        body = self.expr(node.body)
        tested = self._word_type(node.type)
        if tested is None or isinstance(body.type, t.AnyType):
            return BAD
        if not isinstance(body.type, t.WordType) or t.join(body.type, tested) is None:
            self.names.fault(
                "wrong-type",
                f"expected a value that can be one of {tested}, got {body.type}",
                node.body.span,
            )
            return BAD
        return ty.Narrow(body, tested, node.span)

    def _word_type(self, word: tree.Word) -> t.WordType | None:
        found = self.names.types.get(word.text)
        if isinstance(found, t.WordType):
            self.names.used |= {("type", word.text), ("table", word.text)}
            return found
        self.names.unknown(
            "a type of words",
            word,
            [n for n, x in self.names.types.items() if isinstance(x, t.WordType)],
        )
        return None

    # -------------------------------------------------------------- sets and pairs
    def set_of(self, node: tree.Expr, member: t.Type | None = None) -> Expr:
        """An expression that must be a set."""
        found = self.expr(node, t.SetType(member) if member is not None else None)
        if isinstance(found.type, t.SetType | t.AnyType):
            return found
        self._wrong("a set", found, node.span)
        return BAD

    def _sets(self, op: str, nodes: tuple[tree.Expr, ...], expected: t.Type | None) -> Expr:
        guide = expected if isinstance(expected, t.SetType) else None
        parts = [self.set_of(node, guide.member if guide else None) for node in nodes]
        type_: t.Type | None = parts[0].type
        for part, node in zip(parts[1:], nodes[1:], strict=True):
            joined = t.join(type_, part.type) if type_ is not None else None
            if joined is None:
                self.names.fault("wrong-type", f"expected {type_}, got {part.type}", node.span)
                return BAD
            type_ = joined
        assert type_ is not None
        return Prim(
            op, tuple(self.fit(p, type_, n.span) for p, n in zip(parts, nodes, strict=True)), type_
        )

    def _set(self, node: tree.Set, expected: t.Type | None) -> Expr:
        member = expected.member if isinstance(expected, t.SetType) else None
        if isinstance(member, t.AnyType):
            member = None
        found = [self.expr(part, member) for part in node.members]
        type_: t.Type | None = (
            member
            if member is not None and all(t.is_within(f.type, member) for f in found)
            else None
        )
        if type_ is None and found:
            type_ = found[0].type
            for part, source in zip(found[1:], node.members[1:], strict=True):
                joined = t.join(type_, part.type)
                if joined is None:
                    self.names.fault(
                        "wrong-type", f"expected {type_}, got {part.type}", source.span
                    )
                    return BAD
                type_ = joined
        set_type = t.SetType(type_ if type_ is not None else t.ANY)
        parts = tuple(
            self.fit(p, set_type.member, n.span) for p, n in zip(found, node.members, strict=True)
        )
        if all(isinstance(part, Const) for part in parts):
            return Const(
                sum({1 << part.value for part in parts if isinstance(part, Const)}), set_type
            )
        return Prim("members", parts, set_type)

    def _pair(self, node: tree.Pair, expected: t.Type | None) -> Expr:
        guide = expected if isinstance(expected, t.PairType) else None
        left = self.fitted(node.left, guide.left) if guide else self.expr(node.left)
        right = self.fitted(node.right, guide.right) if guide else self.expr(node.right)
        return Prim("pair", (left, right), guide or t.PairType(left.type, right.type))

    def member_of(self, source: Expr, span: Span) -> t.Type:
        """The type of the members of a set."""
        if isinstance(source.type, t.SetType):
            return source.type.member
        self._wrong("a set", source, span)
        return t.ANY

    def _comprehension(self, node: tree.Comprehension, expected: t.Type | None) -> Expr:
        source = self.set_of(node.source)
        scope = self.inner()
        local = scope.bind(node.name.text, self.member_of(source, node.source.span))
        if node.condition is None:
            return source
        return ty.Filtered(local, source, scope.fitted(node.condition, t.BOOL), source.type)

    def _quantifier(self, node: tree.Quantifier) -> Expr:
        kind = type(node).__name__.removesuffix("In").lower()
        source = self.set_of(node.source)
        scope = self.inner()
        local = scope.bind(node.name.text, self.member_of(source, node.source.span))
        if kind in {"some", "all", "none"}:
            return ty.Quantified(kind, local, source, scope.fitted(node.body, t.BOOL), t.BOOL)
        body = scope.expr(node.body)
        if not isinstance(body.type, t.IntType):
            self._wrong("a number", body, node.body.span)
            return BAD
        members = t.size(local.type) if not isinstance(local.type, t.AnyType) else 1
        many = members if kind == "sum" else 1
        low, high = min(0, body.type.low * many), max(0, body.type.high * many)
        return ty.Quantified(kind, local, source, body, t.IntType(low, high))


def _bounds(op: str, ranges: list[t.IntType]) -> tuple[int, int]:
    first = ranges[0]
    if op == "neg":
        return -first.high, -first.low
    second = ranges[1]
    match op:
        case "add":
            return first.low + second.low, first.high + second.high
        case "sub":
            return first.low - second.high, first.high - second.low
        case "min":
            return min(first.low, second.low), min(first.high, second.high)
        case "max":
            return max(first.low, second.low), max(first.high, second.high)
        case "mod":
            return 0, max(second.high - 1, 0)
        case "div":
            corners = [
                a // b for a in (first.low, first.high) for b in (second.low, second.high) if b > 0
            ]
        case _:
            corners = [a * b for a in (first.low, first.high) for b in (second.low, second.high)]
    return min(corners, default=0), max(corners, default=0)
