"""Whether an expression has the same value in all worlds of a player.

In the worlds of a player the pieces that this player cannot identify change places, and what is hidden of a variable
has other values. So an expression has the same value if it treats such pieces all alike and reads nothing hidden. The
player knows a piece or a value where the conditions evaluated with it imply one of the audiences of its secret.

There are two ways to be the same for a term that names pieces: it is *fixed* if it names the same pieces in all worlds,
as the parameter of an action does; it *moves* if it names those that take their places, as the cards of a hand do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from attrs import define, field, frozen

from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import effect_expressions
from hots_rules.testing.secrets.entailment import Entailment, Facts
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Translation

_SETS = frozenset({"where", "union", "intersection", "difference", "set"})


@frozen
class Read:
    """Something that a player would have to know: the value of a variable, or which piece of a type it is.

    `keys` are those of the variable, or the piece.
    """

    secret: str
    keys: tuple[Term, ...]

    @property
    def names(self) -> frozenset[Hashable]:
        """The local names in its keys."""
        return frozenset[Hashable]().union(*(key.names for key in self.keys))

    def order(self) -> tuple[Hashable, ...]:
        """By which reads are put in order."""
        return (self.secret, *(key.number for key in self.keys))


Unknowns = frozenset[Read]
"""What an expression reads that the player may not know: nothing, if its value is the same in all worlds."""
NOTHING: Unknowns = frozenset()
NO_FACTS: Facts = frozenset()


@define(eq=False)
class Sameness:
    """Finds what a player would have to know to evaluate expressions.

    `actor` is the player, `entailment` proves what that player knows, or is None where nothing is to be proved.
    """

    translation: Translation
    entailment: Entailment | None
    actor: Term
    _secrets: dict[str, tast.SecretDef] = field(init=False)
    _pieces: dict[str, frozenset[Hashable]] = field(init=False)
    _memo: dict[tuple[str, Term, Facts], Unknowns] = field(factory=dict, init=False)
    _audiences: dict[Read, Term] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        typed = self.translation.typed
        self._secrets = {secret.name: secret for secret in typed.secrets}
        self._pieces = {
            secret.name: frozenset(secret.params[0].type.values)
            for secret in typed.secrets
            if secret.kind == "type" and isinstance(secret.params[0].type, types.WordType)
        }

    # -------------------------------------------------------------- what the player knows
    def knows(self, read: Read) -> Term:
        """The condition under which the player knows what is read."""
        if read not in self._audiences:
            self._audiences[read] = self._in_audience(read)
        return self._audiences[read]

    def _in_audience(self, read: Read) -> Term:
        terms, translation = self.translation.terms, self.translation
        secret = self._secrets[read.secret]
        if not read.keys and secret.params:
            return terms.false
        names = {param.name: key for param, key in zip(secret.params, read.keys, strict=True)}
        audiences = []
        for audience in secret.audiences:
            inner = names
            parts = []
            if audience.each is not None and audience.who is not None:
                inner = {**names, audience.each.name: self.actor}
                parts.append(terms.contains(self.actor, translation.term(audience.who, names)))
            elif audience.who is not None:
                parts.append(terms.equal(self.actor, translation.term(audience.who, names)))
            if audience.when is not None:
                parts.append(translation.term(audience.when, inner))
            audiences.append(terms.both(*parts))
        if secret.kind == "type" and isinstance(read.keys[0].type, types.WordType):
            others = frozenset(read.keys[0].type.values) - self._pieces[secret.name]
            audiences.append(terms.is_among(read.keys[0], others))
        return terms.either(*audiences)

    def _unless_known(self, read: Read, facts: Facts) -> Unknowns:
        """What is read, unless the player knows it where the facts hold."""
        if self.knows(read) is self.translation.terms.true:
            return NOTHING
        if self.entailment is not None and self.entailment.proves(facts, self.knows(read)):
            return NOTHING
        return frozenset({read})

    # -------------------------------------------------------------- pieces
    def _secret_types(self, type_: types.Type) -> list[str]:
        """The secret types of which a value may name pieces."""
        match type_:
            case types.WordType():
                return [
                    name for name, pieces in self._pieces.items() if pieces & type_.codes.keys()
                ]
            case types.SetType():
                return self._secret_types(type_.member)
            case types.PairType():
                return [*self._secret_types(type_.left), *self._secret_types(type_.right)]
        return []

    def _piece(self, term: Term, facts: Facts) -> Unknowns:
        """The identity of the piece that a term names."""
        if not isinstance(term.type, types.WordType):
            return frozenset({Read(name, ()) for name in self._secret_types(term.type)})
        unknown = NOTHING
        for name in self._secret_types(term.type):
            if term.kind != "value" or term.label in self._pieces[name]:
                unknown |= self._unless_known(Read(name, (term,)), facts)
        return unknown

    def _pieces_of(self, values: frozenset[Hashable], type_: types.Type, facts: Facts) -> Unknowns:
        """The identities of the pieces by which a set of values distinguishes some."""
        if isinstance(type_, types.PairType):
            return frozenset({Read(name, ()) for name in self._secret_types(type_)})
        unknown = NOTHING
        for name in self._secret_types(type_):
            domain = self._pieces[name]
            if isinstance(type_, types.WordType):
                domain &= type_.codes.keys()
            inside, outside = values & domain, domain - values
            for word in min(inside, outside, key=len) if inside and outside else ():
                piece = self.translation.terms.constant(word, type_)
                unknown |= self._unless_known(Read(name, (piece,)), facts)
        return unknown

    # -------------------------------------------------------------- terms
    def unknown_in(self, term: Term, facts: Facts = frozenset()) -> Unknowns:
        """What a condition reads that the player may not know, where some facts hold."""
        return self._memoized("condition", self._unknown_in, term, facts)

    def unknown_if_moving(self, term: Term, facts: Facts = frozenset()) -> Unknowns:
        """What a term reads because of which it does not *move*: see the module."""
        if isinstance(term.type, types.BoolType):
            return self.unknown_in(term, facts)
        return self._memoized("moving", self._unknown_if_moving, term, facts)

    def unknown_if_fixed(self, term: Term, facts: Facts = frozenset()) -> Unknowns:
        """What a term reads that keeps it from naming the same pieces in all worlds."""
        if not self._secret_types(term.type):
            return self.unknown_if_moving(term, facts)
        return self._memoized("fixed", self._unknown_if_fixed, term, facts)

    def _memoized(
        self, kind: str, unknown_of: Callable[[Term, Facts], Unknowns], term: Term, facts: Facts
    ) -> Unknowns:
        key = kind, term, facts
        if key not in self._memo:
            self._memo[key] = unknown_of(term, facts)
        return self._memo[key]

    def _all(
        self, unknown_of: Callable[[Term, Facts], Unknowns], terms: Iterable[Term], facts: Facts
    ) -> Unknowns:
        return NOTHING.union(*(unknown_of(term, facts) for term in terms))

    def _either_way(self, terms: Iterable[Term], facts: Facts) -> Unknowns:
        """What an operation reads whose operands move together, or are all fixed."""
        terms = tuple(terms)
        moving = self._all(self.unknown_if_moving, terms, facts)
        if not moving:
            return moving
        fixed = self._all(self.unknown_if_fixed, terms, facts)
        return min(moving, fixed, key=len)

    def _unknown_if_moving(self, term: Term, facts: Facts) -> Unknowns:
        match term.kind:
            case "value" | "made" | "column" if self._secret_types(term.type):
                return self._unknown_if_fixed(term, facts) | self._piece(term, facts)
            case "members" if isinstance(term.type, types.SetType):
                assert isinstance(term.label, frozenset)
                return self._pieces_of(term.label, term.type.member, facts)
            case "value" | "members" | "setting":
                return NOTHING
            case "local":
                assert isinstance(term.label, tuple)
                return self._piece(term, facts) if term.label[1] else NOTHING
            case "load":
                unknown = self._all(self.unknown_if_moving, term.args, facts)
                name = str(term.label)
                if name in self._secrets and self._secrets[name].kind == "variable":
                    unknown |= self._unless_known(Read(name, term.args), facts)
                return unknown
            case "call" | "if":
                return self._opened(self.unknown_if_moving, term, facts)
            case "after":
                return self._after(term, facts)
            case "column":
                return self.unknown_if_fixed(term.args[0], facts)
            case "most":
                return self._most(term, facts)
            case "op" if term.label in {"the", "left", "right", "pair"}:
                return self._all(self.unknown_if_moving, term.args, facts)
            case "op" if term.label == "ordinal":
                return self._all(self.unknown_if_fixed, term.args, facts)
            case kind if kind in _SETS:
                return self._membership(term, facts, is_fixed=False)
        return self._either_way(term.args, facts)

    def _unknown_if_fixed(self, term: Term, facts: Facts) -> Unknowns:
        match term.kind:
            case "value" | "members":
                return NOTHING
            case "local":
                assert isinstance(term.label, tuple)
                return NOTHING if term.label[1] else self._piece(term, facts)
            case "load":
                return self.unknown_if_moving(term, facts) | self._piece(term, facts)
            case "call" | "if":
                return self._opened(self.unknown_if_fixed, term, facts)
            case "after":
                named = frozenset(Read(name, ()) for name in self._secret_types(term.type))
                return self._after(term, facts) | named
            case kind if kind in _SETS:
                return self._membership(term, facts, is_fixed=True)
        return self._all(self.unknown_if_fixed, term.args, facts)

    def _opened(
        self, unknown_of: Callable[[Term, Facts], Unknowns], term: Term, facts: Facts
    ) -> Unknowns:
        if term.kind == "call":
            return unknown_of(self.translation.unfolded(term), facts)
        condition, then, otherwise = term.args
        negation = self.translation.terms.negation(condition)
        return (
            self.unknown_in(condition, facts)
            | unknown_of(then, facts | {condition})
            | unknown_of(otherwise, facts | {negation})
        )

    def _after(self, term: Term, facts: Facts) -> Unknowns:
        """What is read for the arguments, by the effect of an action, and in the state that this makes.

        What the player knows now says nothing about other states, so there only those secrets are known that are
        the player's in every state. No fact proves more of them, so their keys are left out.
        """
        translation = self.translation
        node = next(asked for asked, number in translation.trials.items() if number == term.label)
        is_same = {arg: arg.kind == "value" or arg is self.actor for arg in term.args}
        actor, given = term.args[0], term.args[len(node.args) :]
        in_effect = {"actor": actor} if is_same[actor] else {}
        in_body = {
            local.name: arg for local, arg in zip(node.locals, given, strict=True) if is_same[arg]
        }
        there = Sameness(translation, None, self.actor)
        effect = effect_expressions(translation.typed, node.action)
        parts = [translation.term(part, in_effect) for part in effect]
        unknown = there._all(
            there.unknown_if_moving, [*parts, translation.term(node.body, in_body)], NO_FACTS
        )
        return self._all(self.unknown_if_moving, term.args, facts) | {
            Read(read.secret, ()) for read in unknown
        }

    def _bound(self, local: Term, facts: Facts, *parts: Term, is_fixed: bool = False) -> Term:
        """A name for what a name is bound to that no fact mentions."""
        names = frozenset[Hashable]().union(*(part.names for part in (*facts, *parts)))
        number = 0
        while True:
            bound = self.translation.terms.local(f"bound {number}", local.type, is_fixed=is_fixed)
            if bound.label not in names:
                return bound
            number += 1

    def _membership(self, term: Term, facts: Facts, *, is_fixed: bool) -> Unknowns:
        """What a set reads, as the condition under which something is a member."""
        terms = self.translation.terms
        member = term.type.member if isinstance(term.type, types.SetType) else types.ANY
        if isinstance(member, types.PairType):
            return self._all(self.unknown_if_moving, term.args, facts)
        local = self._bound(terms.local("", member, is_fixed=False), facts, term, is_fixed=is_fixed)
        return self.unknown_in(terms.contains(local, term), facts)

    def _most(self, term: Term, facts: Facts) -> Unknowns:
        terms = self.translation.terms
        local, source, body = term.args
        bound = self._bound(local, facts, term)
        held = terms.contains(bound, source)
        replaced = terms.replaced(body, {local: bound})
        return self.unknown_in(held, facts) | self.unknown_if_moving(replaced, facts | {held})

    # -------------------------------------------------------------- conditions
    def _unknown_in(self, term: Term, facts: Facts) -> Unknowns:
        unknown = self._composed(term, facts)
        if unknown and self.entailment is not None:
            negation = self.translation.terms.negation(term)
            known = self.translation.terms.both(*map(self.knows, sorted(unknown, key=Read.order)))
            names = frozenset[Hashable]().union(*(read.names for read in unknown))
            if names <= term.names.union(*(fact.names for fact in facts)):
                # If the condition implies that the player knows what is read, it is false wherever he does not:
                # the same in all his worlds. If its negation implies that, it is true there. For `and` and `exists`
                # the negation is not tried: it follows from that of one part, which was tried with the part.
                cases = (term,) if term.kind in {"and", "exists"} else (term, negation)
                if any(self.entailment.proves(facts | {part}, known) for part in cases):
                    return NOTHING
            # An atom may follow from what the player knows.
            if term.kind in {"is", "in", "equal", "load"} and any(
                self.entailment.proves(facts, part) for part in (term, negation)
            ):
                return NOTHING
        return unknown

    def _composed(self, term: Term, facts: Facts) -> Unknowns:
        terms = self.translation.terms
        match term.kind:
            case "true" | "false" | "setting":
                return NOTHING
            case "not":
                return self.unknown_in(term.args[0], facts)
            case "and":
                return self._in_some_order(term.args, facts, lambda part: part)
            case "or":
                return self._in_some_order(term.args, facts, terms.negation)
            case "exists":
                local, source, condition = term.args
                bound = self._bound(local, facts, term)
                held = terms.replaced(condition, {local: bound})
                return self.unknown_in(terms.both(terms.contains(bound, source), held), facts)
            case "is":
                assert isinstance(term.label, frozenset)
                part = term.args[0]
                if self._distinguishes(term.label, part.type):
                    return self.unknown_if_fixed(part, facts)
                return self._either_way((part,), facts)
            case "in":
                unknown = self._either_way(term.args, facts)
                whole, members = term.args
                if unknown and members.kind == "call":
                    return self.unknown_in(
                        terms.contains(whole, self.translation.unfolded(members)), facts
                    )
                return unknown
            case "equal" | "op":
                is_ordered = term.label in {"lt"} and self._secret_types(term.args[0].type)
                if is_ordered:
                    return self._all(self.unknown_if_fixed, term.args, facts)
                return self._either_way(term.args, facts)
            case "call" | "load" | "local" | "after":
                return self._unknown_if_moving(term, facts)
        return self._either_way(term.args, facts)

    def _distinguishes(self, values: frozenset[Hashable], type_: types.Type) -> bool:
        """Whether some pieces of a secret type are among values, and others are not."""
        if not isinstance(type_, types.WordType):
            return False
        for name in self._secret_types(type_):
            pieces = self._pieces[name] & type_.codes.keys()
            if pieces & values and pieces - values:
                return True
        return False

    def _in_some_order(
        self, parts: tuple[Term, ...], facts: Facts, held: Callable[[Term], Term]
    ) -> Unknowns:
        """What parts read if each is evaluated where those hold that the player can evaluate."""
        pending, progress = list(parts), True
        while pending and progress:
            progress = False
            for part in tuple(pending):
                if not self.unknown_in(part, facts):
                    pending.remove(part)
                    facts |= {held(part)}
                    progress = True
        return self._all(self.unknown_in, pending, facts)
