"""Terms: the expressions of a ruleset in the form in which proofs read them.

A term with the same parts is the same object, so that terms are compared and looked up at once. Values are themselves,
not codes of a type: a value converted to a wider type is the same term. Conditions have few forms: `and`, `or`, `not`,
`exists`, and `is`, a value that is among some values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial

from attrs import define, field, frozen

from hots_rules.rules.typed import value_types as types

MAX_DOMAIN = 400  # the numbers of a type of which sets are kept
MAX_TERMS = 500_000  # of a ruleset
MAX_SPREAD = 4  # members of a set that are tried one by one


class TooManyTerms(Exception):
    """The proofs for a ruleset take more terms than are allowed."""


@frozen(eq=False, slots=True)
class Term:
    """An expression.

    Attributes:
        kind: what it is, such as `load`.
        label: what distinguishes it from others of its kind, such as the name of the variable.
        args: the terms that it consists of.
        type: the type of its value; narrower than its place may take.
        names: the labels of the local names in it, those that it binds included.
        leaves: kind and label of the names, and of the variables without keys and the settings in it.
        number: the number of terms made before it, by which sets of terms are put in order.
    """

    kind: str
    label: Hashable
    args: tuple[Term, ...]
    type: types.Type
    names: frozenset[Hashable]
    leaves: frozenset[tuple[str, Hashable]]
    number: int

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        label = f" {sorted(map(str, self.label))}" if isinstance(self.label, frozenset) else ""
        return f"({self.kind}{label or f' {self.label}'}{''.join(f' {arg}' for arg in self.args)})"


def _domain_of(type_: types.Type) -> frozenset[Hashable] | None:
    """All values of a type, if they are few enough."""
    match type_:
        case types.WordType():
            return frozenset(type_.values)
        case types.IntType() if types.size(type_) <= MAX_DOMAIN:
            return frozenset(range(type_.low, type_.high + 1))
    return None


@define(eq=False)
class Terms:
    """Makes terms, simplified, each once."""

    tables: Mapping[Hashable, dict[Hashable, Term]] = field(factory=dict, init=False)
    """The cells of each column of a table, by row."""
    made: dict[Hashable, dict[Hashable, tuple[Hashable, ...]]] = field(factory=dict, init=False)
    """The values that a constructor makes, each with the values of its arguments."""
    true: Term = field(init=False)
    """What always holds."""
    false: Term = field(init=False)
    """What never holds."""
    _known: dict[Hashable, Term] = field(factory=dict, init=False)
    _count: int = field(default=0, init=False)
    _negations: dict[Term, Term] = field(factory=dict, init=False)
    _replaced: dict[tuple[tuple[Term, Term], ...], dict[Term, Term]] = field(
        factory=dict, init=False
    )
    # By the id of a type, which the entry keeps alive: hashing a long type costs more than this.
    _domains: dict[int, tuple[types.Type, frozenset[Hashable] | None]] = field(
        factory=dict, init=False
    )

    def __attrs_post_init__(self) -> None:
        self.true = self.make("true", None, (), types.BOOL)
        self.false = self.make("false", None, (), types.BOOL)

    def domain_of(self, type_: types.Type) -> frozenset[Hashable] | None:
        """All values of a type, if they are few enough."""
        declared = self._domains.get(id(type_))
        if declared is None:
            declared = self._domains[id(type_)] = type_, _domain_of(type_)
        return declared[1]

    def make(self, kind: str, label: Hashable, args: tuple[Term, ...], type_: types.Type) -> Term:
        """A term as it is.

        Raises:
            TooManyTerms: there are too many.
        """
        key = (kind, label, args)
        term = self._known.get(key)
        if term is None:
            if len(self._known) >= MAX_TERMS:
                raise TooManyTerms
            own = frozenset({label} if kind == "local" else ())
            names = own.union(*(arg.names for arg in args))
            is_leaf = not args and kind in {"local", "load", "setting"}
            leaf = frozenset({(kind, label)} if is_leaf else ())
            leaves = leaf.union(*(arg.leaves for arg in args))
            number = len(self._known)
            term = self._known[key] = Term(kind, label, args, type_, names, leaves, number)
        return term

    # -------------------------------------------------------------- names and values
    def local(self, name: str, type_: types.Type, *, is_fixed: bool) -> Term:
        """A local name; a fixed one names the same value in all worlds."""
        return self.make("local", (name, is_fixed, str(type_)), (), type_)

    def fresh(self, word: str, type_: types.Type) -> Term:
        """A local name that no other term has."""
        self._count += 1
        return self.local(f"{word}·{self._count}", type_, is_fixed=False)

    def constant(self, word: Hashable, type_: types.Type) -> Term:
        """A word or a number."""
        return self.make("value", word, (), type_)

    def members(self, values: frozenset[Hashable], type_: types.Type) -> Term:
        """A set of values."""
        return self.make("members", values, (), type_)

    def truth(self, *, holds: bool) -> Term:
        """`true` or `false`."""
        return self.true if holds else self.false

    # -------------------------------------------------------------- conditions
    def both(self, *parts: Term) -> Term:
        """Whether all parts hold."""
        return self._joined("and", parts, self.true, self.false)

    def either(self, *parts: Term) -> Term:
        """Whether any part holds."""
        return self._joined("or", parts, self.false, self.true)

    def _joined(self, kind: str, parts: tuple[Term, ...], neutral: Term, strong: Term) -> Term:
        flat: dict[Term, None] = {}
        for part in parts:
            for piece in part.args if part.kind == kind else (part,):
                if piece is strong:
                    return strong
                if piece is not neutral:
                    flat[piece] = None
        if len(flat) > 1 and any(self.negation(piece) in flat for piece in flat):
            return strong
        if len(flat) < 2:
            return next(iter(flat), neutral)
        return self.make(kind, None, tuple(flat), types.BOOL)

    def negation(self, term: Term) -> Term:
        """Whether a condition does not hold."""
        if term not in self._negations:
            self._negations[term] = self._negated(term)
        return self._negations[term]

    def _negated(self, term: Term) -> Term:
        match term.kind:
            case "true":
                return self.false
            case "false":
                return self.true
            case "not":
                return term.args[0]
            case "and":
                return self.either(*map(self.negation, term.args))
            case "or":
                return self.both(*map(self.negation, term.args))
            case "is":
                domain = self.domain_of(term.args[0].type)
                if domain is not None and isinstance(term.label, frozenset):
                    return self.is_among(term.args[0], domain - term.label)
        return self.make("not", None, (term,), types.BOOL)

    def is_among(self, term: Term, values: frozenset[Hashable]) -> Term:
        """Whether a term has one of some values."""
        domain = self.domain_of(term.type)
        if domain is not None:
            values &= domain
            if values == domain:
                return self.true
        if not values:
            return self.false
        match term.kind:
            case "value":
                return self.truth(holds=term.label in values)
            case "if":
                return self._chosen(term, lambda part: self.is_among(part, values))
            case "column":
                rows = self.rows(term)
                kept = {row for row, cell in rows.items() if cell.label in values}
                return self.is_among(term.args[0], frozenset(kept))
            case "made" if term.label in self.made:
                makes = self.made[term.label]
                return self.either(
                    *(
                        self.both(
                            *(
                                self.is_among(arg, frozenset({part}))
                                for arg, part in zip(term.args, makes[word], strict=True)
                            )
                        )
                        for word in sorted(values & makes.keys(), key=str)
                    )
                )
        return self.make("is", values, (term,), types.BOOL)

    def _chosen(self, term: Term, test: Callable[[Term], Term]) -> Term:
        """A condition on `if … then … else …`, as one on its parts."""
        condition, then, otherwise = term.args
        return self.chosen(condition, test(then), test(otherwise))

    def chosen(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """One of two conditions."""
        return self.either(
            self.both(condition, then), self.both(self.negation(condition), otherwise)
        )

    def equal(self, left: Term, right: Term) -> Term:
        """Whether two terms have the same value."""
        if left is right:
            return self.true
        if left.kind in {"value", "members"} and left.kind == right.kind:
            return self.truth(holds=left.label == right.label)
        if isinstance(left.type, types.BoolType) and isinstance(right.type, types.BoolType):
            return self.chosen(left, right, self.negation(right))
        if left.kind == right.kind == "made" and left.label == right.label:
            return self.both(*map(self.equal, left.args, right.args))
        for term, other in ((left, right), (right, left)):
            if other.kind == "value" and self.domain_of(term.type) is not None:
                return self.is_among(term, frozenset({other.label}))
            if term.kind == "if":
                return self._chosen(term, partial(self.equal, other))
        first, second = sorted((left, right), key=lambda term: term.number)
        return self.make("equal", None, (first, second), types.BOOL)

    def contains(self, term: Term, members: Term) -> Term:
        """Whether a term is a member of a set."""
        match members.kind:
            case "members":
                assert isinstance(members.label, frozenset)
                if self.domain_of(term.type) is not None or term.kind == "value":
                    return self.is_among(term, members.label)
            case "where":
                local, source, condition = members.args
                return self.both(
                    self.contains(term, source), self.replaced(condition, {local: term})
                )
            case "union":
                return self.either(*(self.contains(term, part) for part in members.args))
            case "intersection":
                return self.both(*(self.contains(term, part) for part in members.args))
            case "difference":
                kept, taken = members.args
                return self.both(
                    self.contains(term, kept), self.negation(self.contains(term, taken))
                )
            case "set":
                return self.either(*(self.equal(term, part) for part in members.args))
            case "if":
                return self._chosen(members, partial(self.contains, term))
        return self.make("in", None, (term, members), types.BOOL)

    def exists(self, local: Term, source: Term, condition: Term) -> Term:
        """Whether a condition holds for some member of a set."""
        if condition is self.false:
            return self.false
        match source.kind:
            case "members":
                assert isinstance(source.label, frozenset)
                if len(source.label) <= MAX_SPREAD:
                    values = sorted(source.label, key=str)
                    return self.either(
                        *(
                            self.replaced(condition, {local: self.constant(word, local.type)})
                            for word in values
                        )
                    )
            case "set":
                return self.either(
                    *(self.replaced(condition, {local: part}) for part in source.args)
                )
            case "where":
                inner, outer, filtered = source.args
                held = self.replaced(filtered, {inner: local})
                return self.exists(local, outer, self.both(held, condition))
            case "union":
                return self.either(*(self.exists(local, part, condition) for part in source.args))
            case "if":
                return self._chosen(source, lambda part: self.exists(local, part, condition))
        return self.make("exists", None, (local, source, condition), types.BOOL)

    # -------------------------------------------------------------- terms again
    def rebuilt(self, term: Term, args: tuple[Term, ...]) -> Term:
        """A term with other parts, simplified again."""
        if args == term.args:
            return term
        match term.kind:
            case "and":
                return self.both(*args)
            case "or":
                return self.either(*args)
            case "not":
                return self.negation(args[0])
            case "is":
                assert isinstance(term.label, frozenset)
                return self.is_among(args[0], term.label)
            case "equal":
                return self.equal(args[0], args[1])
            case "in":
                return self.contains(args[0], args[1])
            case "exists":
                return self.exists(args[0], args[1], args[2])
            case "column":
                return self._cell(term, args[0])
            case "made" if all(arg.kind == "value" for arg in args):
                labels = tuple(arg.label for arg in args)
                for word, parts in self.made.get(term.label, {}).items():
                    if parts == labels:
                        return self.constant(word, term.type)
            case "if":
                condition, then, otherwise = args
                return self.conditional(condition, then, otherwise, term.type)
        return self.make(term.kind, term.label, args, term.type)

    def conditional(self, condition: Term, then: Term, otherwise: Term, type_: types.Type) -> Term:
        """`if condition then … else …`."""
        if condition is self.true or then is otherwise:
            return then
        if condition is self.false:
            return otherwise
        return self.make("if", None, (condition, then, otherwise), type_)

    def replaced(self, term: Term, values: Mapping[Term, Term]) -> Term:
        """A term with some of its leaves replaced."""
        leaves = frozenset((leaf.kind, leaf.label) for leaf in values)
        if term.leaves.isdisjoint(leaves):
            return term
        known = self._replaced.setdefault(tuple(values.items()), {})

        def change(part: Term) -> Term:
            if part in values:
                return values[part]
            if part.leaves.isdisjoint(leaves):
                return part
            if part not in known:
                known[part] = self.rebuilt(part, tuple(map(change, self._apart(part, values))))
            return known[part]

        return change(term)

    def _apart(self, term: Term, values: Mapping[Term, Term]) -> tuple[Term, ...]:
        """The parts of a term, with the name that it binds unlike all names that are put in."""
        if term.kind not in {"exists", "where", "most", "paths"}:
            return term.args
        local = term.args[0]
        if not any(local.label in word.names for word in values.values()):
            return term.args
        assert isinstance(local.label, tuple)
        other = self.fresh(str(local.label[0]).partition("·")[0], local.type)
        return (other, term.args[1], self.replaced(term.args[2], {local: other}))

    # -------------------------------------------------------------- tables
    def rows(self, term: Term) -> dict[Hashable, Term]:
        """The cells of the column that a term reads, by row."""
        assert isinstance(term.label, tuple)
        return self.tables[term.label]

    def _cell(self, term: Term, key: Term) -> Term:
        cells = self.rows(term)
        if key.kind == "value" and key.label in cells:
            return cells[key.label]
        if key.kind == "made":
            # The column of a part gives that part again.
            for number, part in enumerate(key.args):
                makes = self.made.get(key.label, {})
                if makes and all(
                    word in cells and cells[word].label == parts[number]
                    for word, parts in makes.items()
                ):
                    return part
        if isinstance(term.type, types.BoolType):
            held = {row for row, cell in cells.items() if cell is self.true}
            return self.is_among(key, frozenset(held))
        return self.make("column", term.label, (key,), term.type)

    def column(self, table: str, column: str, key: Term, type_: types.Type) -> Term:
        """The value of a column, for a row."""
        return self._cell(self.make("column", (table, column), (key,), type_), key)
