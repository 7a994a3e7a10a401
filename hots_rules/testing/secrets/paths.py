"""How statements are reached: what names stand for, what holds there, and where blocks end early."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count

from attrs import define, evolve, frozen

from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.visitor import walk_statements
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Translation


@frozen
class StatementPath:
    """How a statement is reached.

    Attributes:
        names: the terms of its local names.
        conditions: what must be true for the statement to be reached; whether the player may know it is to be proved.
        facts: what is known to hold there besides.
    """

    names: dict[str, Term]
    conditions: tuple[Term, ...] = ()
    facts: tuple[Term, ...] = ()

    @property
    def labels(self) -> frozenset[Hashable]:
        """The labels of the names in all its terms."""
        terms = (*self.names.values(), *self.conditions, *self.facts)
        return frozenset[Hashable]().union(*(term.names for term in terms))


@define
class StatementPaths:
    """Follows statements: names for values, and the conditions under which blocks end early."""

    translation: Translation

    # -------------------------------------------------------------- names
    def named(self, node: tast.Statement, path: StatementPath) -> StatementPath:
        """The path after a statement that may give something a name."""
        match node:
            case tast.Bind():
                term = self.translation.term(node.value, path.names)
            case tast.RollDice() | tast.DrawRandom():
                term = self.name(node.local, path)
            case _:
                return path
        return evolve(path, names={**path.names, node.local.name: term})

    def name(self, local: tast.Local, path: StatementPath) -> Term:
        """A name for a value that is not known here: the first that the path does not have, so that paths are alike."""
        taken = path.labels
        for number in count(1):
            name = self.translation.terms.local(
                f"{local.word} {number}", local.type, is_fixed=False
            )
            if name.label not in taken:
                break
        return name

    def within(self, node: tast.ForEach, path: StatementPath) -> StatementPath:
        """The path in the body of a loop."""
        local = self.name(node.local, path)
        names = {**path.names, node.local.name: local}
        if isinstance(node.domain, tuple):
            return evolve(path, names=names)
        if node.last is not None:
            return evolve(
                path, names=names, conditions=(*path.conditions, *self._ends(node, names))
            )
        domain = self.translation.term(node.domain, path.names)
        held = self.translation.terms.contains(local, domain)
        return evolve(path, names=names, conditions=(*path.conditions, held))

    def _ends(self, node: tast.ForEach, names: dict[str, Term]) -> tuple[Term, ...]:
        """That the number of a loop lies between two ends, of those that are not constant."""
        ends = (("ge", node.domain), ("le", node.last))
        return tuple(
            self.translation.term(tast.Operation(op, (node.local, end), types.BOOL), names)
            for op, end in ends
            if isinstance(end, tast.Expr) and not isinstance(end, tast.Const)
        )

    # -------------------------------------------------------------- where blocks end early
    def unless(self, condition: Term, path: StatementPath) -> StatementPath:
        """The path where a condition does not hold."""
        negation = self.translation.terms.negation(condition)
        if negation is self.translation.terms.true:
            return path
        return evolve(path, conditions=(*path.conditions, negation))

    def ending(self, node: tast.Statement, path: StatementPath, *, is_inner: bool = False) -> Term:
        """The condition under which what follows a statement is not reached; in a loop, unless the phase ends."""
        terms = self.translation.terms
        match node:
            case tast.Return():
                return terms.true
            case tast.Leave():
                return terms.truth(holds=not is_inner)
            case tast.Branch():
                endings = []
                for case in node.cases:
                    condition = self.translation.term(case.condition, path.names)
                    if not _is_told(case.body):
                        end = self.ending_of(case.body, path, is_inner=is_inner)
                        endings.append(terms.both(condition, *path.conditions, end))
                    path = self.unless(condition, path)
                otherwise = self.ending_of(node.otherwise, path, is_inner=is_inner)
                return terms.either(*endings, terms.both(*path.conditions, otherwise))
            case tast.Loop():
                condition = self.translation.term(node.condition, path.names)
                return terms.both(condition, self.ending_of(node.body, path, is_inner=True))
            case tast.ForEach():
                inner = self.within(node, path)
                return terms.both(
                    *inner.conditions, self.ending_of(node.body, inner, is_inner=True)
                )
            case tast.WithOrigin():
                return self.ending_of(node.body, path, is_inner=is_inner)
        return terms.false

    def ending_of(self, body: tast.Body, path: StatementPath, *, is_inner: bool = False) -> Term:
        """The condition under which a block is left before its end."""
        endings = []
        if _may_end(body):
            for node in body:
                endings.append(self.ending(node, path, is_inner=is_inner))
                path = self.named(node, path)
        return self.translation.terms.either(*endings)


def _may_end(body: tast.Body) -> bool:
    """Whether what follows a block may not be reached."""
    return any(isinstance(node, tast.Return | tast.Leave) for node in walk_statements(body))


def _is_told(body: tast.Body) -> bool:
    """Whether a block that always ends early has an event before: the log tells everybody that it was reached."""
    for node in body:
        if isinstance(node, tast.EmitEvent):
            return any(isinstance(later, tast.Return | tast.Leave) for later in body)
        if _may_end((node,)):
            return False
    return False
