"""Terms of the expressions of a ruleset, and definitions written out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import product
from math import prod

from attrs import define, field

from hots_rules.compile.codes import bits
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr
from hots_rules.rules.typed.visitor import walk
from hots_rules.testing.secrets.terms import MAX_DOMAIN, Term, Terms

Names = Mapping[str, Term]
_SETS = frozenset({"union", "intersection", "difference", "set"})
_MIRRORED = {"gt": "lt", "ge": "le"}


def value_of(code: int, type_: types.Type) -> Hashable:
    """The value with a code: a word, a number, a set of values."""
    match type_:
        case types.WordType():
            return type_.values[code]
        case types.SetType():
            return frozenset(value_of(bit, type_.member) for bit in bits(code))
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return value_of(left, type_.left), value_of(right, type_.right)
    return code


def code_of(word: Hashable, type_: types.Type) -> int | None:
    """The code of a word or a number."""
    if isinstance(type_, types.WordType):
        return type_.codes.get(word)  # type: ignore[call-overload, no-any-return]
    return word if isinstance(word, int) else None


@define(eq=False)
class Translation:
    """Translates the expressions of one ruleset."""

    typed: tast.TypedRuleset
    terms: Terms = field(factory=Terms)
    trials: dict[tast.After, int] = field(factory=dict, init=False)
    """The number by which a term names what is asked about the effect of an action."""
    _unfolded: dict[Term, Term] = field(factory=dict, init=False)
    # By the id of a node, which the entry keeps alive; what is over the same terms is the same, its bound name too.
    _locals: dict[int, tuple[Expr, tuple[str, ...]]] = field(factory=dict, init=False)
    _some_terms: dict[tuple[Term, str], Term] = field(factory=dict, init=False)
    _over_terms: dict[tuple[int, tuple[Term | None, ...]], Term] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.terms.tables = {
            (table.name, name): self._cells(table.name, column)
            for table in self.typed.tables.values()
            for name, column in table.columns.items()
        }

    def _cells(self, table: str, column: tast.TableColumn) -> dict[Hashable, Term]:
        rows = self.typed.types[table]
        return {
            value_of(code, rows): self._constant(cell, column.type)
            for code, cell in enumerate(column.values)
        }

    def _constant(self, code: int, type_: types.Type) -> Term:
        match type_:
            case types.BoolType():
                return self.terms.truth(holds=bool(code))
            case types.SetType():
                members = value_of(code, type_)
                assert isinstance(members, frozenset)
                return self.terms.members(members, type_)
        return self.terms.constant(value_of(code, type_), type_)

    def unfolded(self, call: Term) -> Term:
        """The body of a definition, with the arguments of a call."""
        if call not in self._unfolded:
            definition = self.typed.definitions[str(call.label)]
            params = (param.name for param in definition.params)
            names = dict(zip(params, call.args, strict=True))
            self._unfolded[call] = self.term(definition.body, names)
        return self._unfolded[call]

    def term(self, node: Expr, names: Names) -> Term:
        """The term of an expression, with the terms of its local names."""
        terms = self.terms
        match node:
            case tast.Const():
                return self._constant(node.value, node.type)
            case tast.Local():
                return names.get(node.name) or terms.local(node.name, node.type, is_fixed=False)
            case tast.Load():
                return terms.make("load", node.variable, self._all(node.keys, names), node.type)
            case tast.ColumnLookup():
                key = self.term(node.key, names)
                return terms.column(node.table, node.column, key, node.type)
            case tast.Setting():
                return terms.make("setting", node.name, (), node.type)
            case tast.Conditional():
                condition = self.term(node.condition, names)
                then, otherwise = self.term(node.then, names), self.term(node.otherwise, names)
                if isinstance(node.type, types.BoolType):
                    return terms.chosen(condition, then, otherwise)
                return terms.conditional(condition, then, otherwise, node.type)
            case tast.LetIn():
                value = self.term(node.value, names)
                return self.term(node.body, {**names, node.local.name: value})
            case tast.After():
                number = self.trials.setdefault(node, len(self.trials))
                args = self._all((*node.args, *node.values), names)
                return terms.make("after", number, args, node.type)
            case tast.PositionNumber():
                player = self.term(node.player, names)
                return terms.make("op", ("position", node.half), (player,), node.type)
            case tast.DefinitionCall():
                return terms.make("call", node.define, self._all(node.args, names), node.type)
            case tast.Convert() | tast.Narrow():
                return self.term(node.body, names)
            case tast.TypeTest():
                return self._tested(self.term(node.body, names), node.tested)
            case tast.Construct():
                return self._made(node, self._all(node.args, names))
            case tast.Operation():
                return self._operation(node, self._all(node.args, names))
            case tast.Quantified() | tast.Comprehension():
                return self._over(node, names)

    def _all(self, nodes: tuple[Expr, ...], names: Names) -> tuple[Term, ...]:
        return tuple(self.term(node, names) for node in nodes)

    def _over(self, node: tast.Quantified | tast.Comprehension, names: Names) -> Term:
        declared = self._locals.get(id(node))
        if declared is None:
            mentioned = {part.name: None for part in walk(node) if isinstance(part, tast.Local)}
            declared = self._locals[id(node)] = node, tuple(mentioned)
        key = id(node), tuple(map(names.get, declared[1]))
        if key not in self._over_terms:
            self._over_terms[key] = self._over_anew(node, names)
        return self._over_terms[key]

    def _over_anew(self, node: tast.Quantified | tast.Comprehension, names: Names) -> Term:
        terms = self.terms
        source = self.term(node.source, names)
        local = terms.fresh(node.local.word, node.local.type)
        inner = {**names, node.local.name: local}
        if isinstance(node, tast.Comprehension):
            condition = self.term(node.condition, inner)
            if condition is terms.true:
                return source
            return terms.make("where", None, (local, source, condition), node.type)
        body = self.term(node.body, inner)
        match node.kind:
            case "reach":
                return terms.make("paths", node.kind, (local, source, body), node.type)
            case "distance":
                assert node.goal is not None
                ends = types.PairType(node.source.type, node.goal.type)
                both = terms.make("op", "pair", (source, self.term(node.goal, names)), ends)
                return terms.make("paths", node.kind, (local, both, body), node.type)
            case "some":
                return terms.exists(local, source, body)
            case "none":
                return terms.negation(terms.exists(local, source, body))
            case "all":
                return terms.negation(terms.exists(local, source, terms.negation(body)))
        return terms.make("most", node.kind, (local, source, body), node.type)

    def _tested(self, term: Term, tested: types.Type) -> Term:
        match tested:
            case types.WordType():
                return self.terms.is_among(term, frozenset(tested.values))
            case types.IntType() if types.size(tested) <= types.MAX_VALUES:
                return self.terms.is_among(term, frozenset(range(tested.low, tested.high + 1)))
        return self.terms.make("op", ("is", str(tested)), (term,), types.BOOL)

    def _made(self, node: tast.Construct, args: tuple[Term, ...]) -> Term:
        lowest = tuple(types.lowest_code(part.type) for part in node.args)
        first = self._built(
            node,
            tuple(
                value_of(*row)
                for row in zip(lowest, (part.type for part in node.args), strict=True)
            ),
        )
        label = (first, tuple(str(part.type) for part in node.args))
        if label not in self.terms.made:
            domains = [self.terms.domain_of(part.type) or frozenset() for part in node.args]
            if prod(map(len, domains)) <= MAX_DOMAIN:
                combinations = product(*domains)
                self.terms.made[label] = {self._built(node, row): row for row in combinations}
        if all(arg.kind == "value" for arg in args):
            return self.terms.constant(
                self._built(node, tuple(arg.label for arg in args)), node.type
            )
        return self.terms.make("made", label, args, node.type)

    def _built(self, node: tast.Construct, values: tuple[Hashable, ...]) -> Hashable:
        code = node.first
        for word, part, stride in zip(values, node.args, node.strides, strict=True):
            code += (code_of(word, part.type) or 0) * stride
        return value_of(code, node.type)

    def _operation(self, node: tast.Operation, args: tuple[Term, ...]) -> Term:
        terms = self.terms
        match node.op:
            case "and":
                return terms.both(*args)
            case "or":
                return terms.either(*args)
            case "not":
                return terms.negation(args[0])
            case "eq":
                return terms.equal(*args)
            case "ne":
                return terms.negation(terms.equal(*args))
            case "in":
                return terms.contains(*args)
            case "some" | "no":
                held = self._some(args[0], _member(node.args[0].type))
                return held if node.op == "some" else terms.negation(held)
            case "gt" | "ge":
                return self._compared(_MIRRORED[node.op], args[1], args[0])
            case "lt" | "le":
                return self._compared(node.op, *args)
            case op if op in _SETS:
                if op == "set" and all(arg.kind == "value" for arg in args):
                    return terms.members(frozenset(arg.label for arg in args), node.type)
                return terms.make(op, None, args, node.type)
        return terms.make("op", node.op, args, node.type)

    def _some(self, source: Term, member: types.Type) -> Term:
        """Whether a set has a member."""
        key = source, str(member)
        if key not in self._some_terms:
            local = self.terms.fresh("member", member)
            self._some_terms[key] = self.terms.exists(local, source, self.terms.true)
        return self._some_terms[key]

    def _compared(self, op: str, left: Term, right: Term) -> Term:
        """`left < right` or `left <= right`."""
        terms = self.terms
        for term, other, is_left in ((left, right, True), (right, left, False)):
            if isinstance(term.type, types.IntType) and isinstance(other.label, int):
                if other.kind != "value" or types.size(term.type) > types.MAX_VALUES:
                    continue
                domain = range(term.type.low, term.type.high + 1)
                number = other.label
                kept = (
                    whole
                    for whole in domain
                    if (whole < number if is_left else number < whole)
                    or (op == "le" and whole == number)
                )
                return terms.is_among(term, frozenset(kept))
        if op == "le":
            return terms.negation(terms.make("op", "lt", (right, left), types.BOOL))
        return terms.make("op", "lt", (left, right), types.BOOL)


def _member(type_: types.Type) -> types.Type:
    return type_.member if isinstance(type_, types.SetType) else types.ANY
