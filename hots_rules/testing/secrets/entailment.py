"""What follows from facts: a search for a case in which the facts hold and a conclusion does not.

The search knows the values that a term may have, equal terms, and what holds for all members of a set, of which it
tries the terms that the question is about. It is bounded, and what it does not decide counts as not proved.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from attrs import define, field

from hots_rules.rules.typed import value_types as types
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Translation

MAX_STEPS = 300  # of a search
MAX_VALUES = 4  # of a key, of which each is tried
MAX_INSTANCES = 12  # of what holds for all members of a set
MAX_DEPTH = 6  # cases within cases

Facts = frozenset[Term]


class _Exhausted(Exception):
    """The search has taken all its steps."""


@define(eq=False)
class Entailment:
    """Proves that a condition follows from others, in every state in which the invariants hold."""

    translation: Translation
    invariants: tuple[Term, ...]
    common: frozenset[Hashable] = frozenset()
    """The labels of names that do not show what a fact is about: the player who chooses."""
    _inner: dict[Term, tuple[Term, ...]] = field(factory=dict, init=False)
    _normal: dict[Term, Term] = field(factory=dict, init=False)
    _proved: dict[tuple[Facts, Term], bool] = field(factory=dict, init=False)

    def proves(self, facts: Facts, goal: Term) -> bool:
        """Whether a condition is known to follow from facts."""
        terms = self.translation.terms
        if goal is terms.true or goal in facts or terms.false in facts:
            return True
        key = self._relevant(facts, goal), goal
        if key not in self._proved:
            in_order = sorted(key[0], key=lambda fact: (len(fact.names), fact.number))
            negated, invariants = terms.negation(goal), self._about(goal)
            self._proved[key] = self._is_contradictory(negated, in_order) or (
                bool(invariants) and self._is_contradictory(negated, [*in_order, *invariants])
            )
        return self._proved[key]

    def _relevant(self, facts: Facts, goal: Term) -> Facts:
        """The facts about the names of a goal, and about the names in these."""
        kept = {fact for fact in facts if _is_closed(fact)}
        names, left = goal.names - self.common, set(facts) - kept
        while related := {fact for fact in left if not names or not names.isdisjoint(fact.names)}:
            kept |= related
            left -= related
            names = names.union(*(fact.names for fact in related)) - self.common
        return frozenset(kept)

    def _about(self, goal: Term) -> tuple[Term, ...]:
        """The invariants about values of the types of which the keys in a goal are."""
        keys, pending = set[Term](), [goal]
        while pending:
            term = pending.pop()
            keys |= {arg for arg in term.args if term.kind == "load"}
            pending += term.args
        return tuple(
            invariant
            for invariant in self.invariants
            if any(
                part in keys
                or (
                    part.kind == "exists"
                    and any(_is_within(named.type, part.args[0].type) for named in keys)
                )
                for part in self._parts(invariant)
            )
        )

    def loads(self, term: Term) -> list[Term]:
        """The terms in a term that read a variable."""
        return [part for part in self._parts(term) if part.kind == "load"]

    def _parts(self, term: Term) -> tuple[Term, ...]:
        """The term and all terms in it, in the order in which they were made."""
        if term not in self._inner:
            parts = {term}.union(*map(self._parts, term.args))
            self._inner[term] = tuple(sorted(parts, key=lambda part: part.number))
        return self._inner[term]

    def _is_contradictory(self, negated_goal: Term, facts: Sequence[Term]) -> bool:
        """Whether facts exclude the negation of what is to be proved, or one another."""
        search = _ProofSearch(self)
        instances = mentioned(self.normal(negated_goal))
        instances |= {
            part: None
            for fact in facts
            if fact not in self.invariants
            for part in self._parts(fact)
            if part.kind in {"local", "made"} and not any(map(_is_made_by_proof, part.names))
        }
        begun = _Branch(instances=instances)
        try:
            return search.closes(begun, [negated_goal, *facts], 0)
        except _Exhausted:
            return False

    def normal(self, term: Term) -> Term:
        """A condition without definitions, but for those within `exists`."""
        known = self._normal.get(term)
        if known is None:
            known = self._normal[term] = self._normalized(term)
        return known

    def _normalized(self, term: Term) -> Term:
        terms = self.translation.terms
        match term.kind:
            case "and":
                return terms.both(*map(self.normal, term.args))
            case "or":
                return terms.either(*map(self.normal, term.args))
            case "not":
                return terms.negation(self.normal(term.args[0]))
            case "call":
                return self.normal(self.translation.unfolded(term))
            case "is" | "equal" | "in":
                args = tuple(map(self.opened, term.args))
                if args != term.args:
                    return self.normal(terms.rebuilt(term, args))
        return term

    def opened(self, term: Term) -> Term:
        """A term, with its definition written out if it is a call."""
        if term.kind == "call":
            return self.opened(self.translation.unfolded(term))
        return term


@define(eq=False)
class _Branch:
    """What holds in one case."""

    domains: dict[Term, frozenset[Hashable]] = field(factory=dict)
    truths: dict[Term, bool] = field(factory=dict)
    choices: list[Term] = field(factory=list)
    universal: list[Term] = field(factory=list)
    """Terms `exists` that are false: their condition fails for each member."""
    instances: dict[Term, None] = field(factory=dict)
    tried: set[tuple[Term, Term]] = field(factory=set)
    literals: list[Term] = field(factory=list)
    witness_count: int = 0
    """How many members were given a name; each search counts from 0, so that equal searches make the same terms."""

    def copy(self) -> _Branch:
        """The same, to go on with in one of several cases."""
        return _Branch(
            dict(self.domains),
            dict(self.truths),
            list(self.choices),
            list(self.universal),
            dict(self.instances),
            set(self.tried),
            list(self.literals),
            self.witness_count,
        )


@define(eq=False)
class _ProofSearch:
    """One search for a case without a contradiction."""

    entailment: Entailment
    _steps: int = 0

    def closes(self, branch: _Branch, new: Iterable[Term], depth: int) -> bool:
        """Whether a case contradicts itself."""
        terms = self.entailment.translation.terms
        pending = list(new)
        while True:
            while pending:
                self._steps += 1
                if self._steps > MAX_STEPS:
                    raise _Exhausted
                fact = self.entailment.normal(pending.pop(0))
                match fact.kind:
                    case "true":
                        continue
                    case "false":
                        return True
                    case "and":
                        pending[:0] = fact.args
                    case "or":
                        branch.choices.append(fact)
                    case "exists":
                        local, source, condition = fact.args
                        branch.witness_count += 1
                        member = terms.local(f"·{branch.witness_count}", local.type, is_fixed=False)
                        held = terms.replaced(condition, {local: member})
                        if len(branch.instances) < MAX_INSTANCES:
                            branch.instances[member] = None
                        pending[:0] = (terms.contains(member, source), held)
                    case "not" if fact.args[0].kind == "exists":
                        branch.universal.append(fact.args[0])
                    case _:
                        replacement = self._replacement(fact)
                        if replacement is not None:
                            return self._restarted(branch, pending, replacement, depth)
                        if self._contradicts(branch, fact):
                            return True
                        branch.literals.append(fact)
            units, closed = self._units(branch)
            if closed:
                return True
            pending = units or self._instances(branch)
            if pending:
                continue
            if depth == MAX_DEPTH:
                return False
            values = self._values_of_a_key(branch)
            if values:
                return all(self.closes(branch.copy(), [fact], depth + 1) for fact in values)
            if not branch.choices:
                return False
            choice = min(branch.choices, key=lambda fact: len(fact.args))
            branch.choices.remove(choice)
            return all(self.closes(branch.copy(), [part], depth + 1) for part in choice.args)

    def _values_of_a_key(self, branch: _Branch) -> list[Term]:
        """What the key of a variable may be, if few values are left for one."""
        terms = self.entailment.translation.terms
        for literal in branch.literals:
            for load in self.entailment.loads(literal):
                for key in load.args:
                    domain = branch.domains.get(key, ())
                    if key.kind == "local" and 1 < len(domain) <= MAX_VALUES:
                        return [
                            terms.is_among(key, frozenset({word}))
                            for word in sorted(domain, key=str)
                        ]
        return []

    # -------------------------------------------------------------- single facts
    def _replacement(self, fact: Term) -> dict[Term, Term] | None:
        """A name, or a variable without keys, and the term that it equals."""
        terms = self.entailment.translation.terms
        if (
            fact.kind == "is"
            and fact.args[0].kind in {"local", "load", "setting"}
            and not fact.args[0].args
        ):
            assert isinstance(fact.label, frozenset)
            if len(fact.label) == 1:
                local = fact.args[0]
                return {local: terms.constant(next(iter(fact.label)), local.type)}
        if fact.kind == "equal":
            for local, other in (fact.args, fact.args[::-1]):
                if local.kind == "local" and local.label not in other.names:
                    return {local: other}
        return None

    def _restarted(
        self, branch: _Branch, pending: list[Term], values: dict[Term, Term], depth: int
    ) -> bool:
        terms = self.entailment.translation.terms
        universal = [terms.negation(fact) for fact in branch.universal]
        facts = [*branch.literals, *pending, *branch.choices, *universal]
        instances = {terms.replaced(term, values): None for term in branch.instances}
        fresh = _Branch(instances=instances, witness_count=branch.witness_count)
        return self.closes(fresh, [terms.replaced(fact, values) for fact in facts], depth)

    def _contradicts(self, branch: _Branch, fact: Term) -> bool:
        is_negated = fact.kind == "not"
        atom = fact.args[0] if is_negated else fact
        if branch.truths.setdefault(atom, not is_negated) is is_negated:
            return True
        if is_negated:
            return False
        if fact.kind == "is":
            assert isinstance(fact.label, frozenset)
            return self._narrowed(branch, fact.args[0], fact.label)
        if fact.kind == "equal":
            left, right = (self._domain(branch, term) for term in fact.args)
            if left is not None and right is not None:
                return any(self._narrowed(branch, term, left & right) for term in fact.args)
        return False

    def _domain(self, branch: _Branch, term: Term) -> frozenset[Hashable] | None:
        if term.kind == "value":
            return frozenset({term.label})
        terms = self.entailment.translation.terms
        if term.kind == "made" and term.label in terms.made:
            return frozenset(terms.made[term.label])
        return branch.domains.get(term) or terms.domain_of(term.type)

    def _narrowed(self, branch: _Branch, term: Term, values: frozenset[Hashable]) -> bool:
        domain = self._domain(branch, term)
        branch.domains[term] = values if domain is None else domain & values
        return not branch.domains[term]

    # -------------------------------------------------------------- several facts
    def _status(self, branch: _Branch, term: Term) -> bool | None:
        """Whether a condition holds in a case; None if that is open."""
        match term.kind:
            case "true":
                return True
            case "false":
                return False
            case "not":
                held = self._status(branch, term.args[0])
                return None if held is None else not held
            case "and" | "or":
                strong = term.kind == "or"
                parts = [self._status(branch, part) for part in term.args]
                if strong in parts:
                    return strong
                return None if None in parts else not strong
            case "is":
                assert isinstance(term.label, frozenset)
                domain = self._domain(branch, term.args[0])
                if domain is not None and domain <= term.label:
                    return True
                if domain is not None and not domain & term.label:
                    return False
        return branch.truths.get(term)

    def _units(self, branch: _Branch) -> tuple[list[Term], bool]:
        """The last parts of choices whose other parts cannot hold; and whether no part of one can."""
        units, choices = list[Term](), list[Term]()
        for choice in branch.choices:
            statuses = [(part, self._status(branch, part)) for part in choice.args]
            if any(held for _, held in statuses):
                continue
            left = [part for part, held in statuses if held is None]
            if not left:
                return [], True
            if len(left) == 1:
                units += left
            else:
                terms = self.entailment.translation.terms
                choices.append(terms.either(*left) if len(left) < len(statuses) else choice)
        branch.choices = choices
        return units, False

    def _instances(self, branch: _Branch) -> list[Term]:
        """What holds for all members of sets, for the words that the facts are about."""
        terms = self.entailment.translation.terms
        new = []
        for fact in branch.universal:
            local, source, condition = fact.args
            for term in branch.instances:
                if (fact, term) in branch.tried:
                    continue
                branch.tried.add((fact, term))
                if _is_within(term.type, local.type):
                    held = terms.replaced(condition, {local: term})
                    new.append(terms.negation(terms.both(terms.contains(term, source), held)))
        return new


def _is_closed(fact: Term) -> bool:
    """Whether a fact is about the state alone, and names nothing else but what it binds."""
    return all(map(_is_made_by_proof, fact.names))


def _is_made_by_proof(label: Hashable) -> bool:
    """Whether a name was made by a proof: for what a condition binds, or for a member that exists."""
    assert isinstance(label, tuple)
    return "·" in label[0] and not label[1]


def _is_within(type_: types.Type, wider: types.Type) -> bool:
    """Whether each value of a type is one of another type as well."""
    if isinstance(type_, types.WordType) and isinstance(wider, types.WordType):
        return type_.codes.keys() <= wider.codes.keys()
    return type_ == wider


def mentioned(fact: Term) -> dict[Term, None]:
    """The words that a fact is about: names, and keys of variables."""
    mentioned, pending = dict[Term, None](), [fact]
    while pending:
        term = pending.pop()
        if term.kind == "local" and not _is_made_by_proof(term.label):
            mentioned[term] = None
        elif term.kind == "load":
            mentioned |= {
                key: None
                for key in term.args
                if key.kind in {"value", "made"} or (key.kind == "load" and not key.args)
            }
        elif term.kind == "in" and term.args[0].kind == "value":
            mentioned[term.args[0]] = None
        pending += term.args
    return mentioned
