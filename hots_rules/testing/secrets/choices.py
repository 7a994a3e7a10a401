"""What it depends on who chooses, and among which actions: the `choose` statements of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve, field, frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.rulebook import Entry, Key, name_span
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import procedures
from hots_rules.rules.typed.visitor import blocks_of, walk_statements
from hots_rules.testing.secrets.clauses import Unproven
from hots_rules.testing.secrets.sameness import Sameness
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Translation


def choosers_of(typed: tast.TypedRuleset) -> Mapping[str, frozenset[int]]:
    """For each action, the codes of the players who may be asked for it."""
    everybody = frozenset(range(types.size(typed.players)))
    choosers = dict.fromkeys(typed.actions, frozenset[int]())
    for body in procedures(typed).values():
        for node in walk_statements(body):
            if isinstance(node, tast.Choose):
                asked = everybody
                if node.each is None and isinstance(node.players, tast.Const):
                    asked = frozenset({node.players.value})
                for action in node.actions:
                    choosers[action] |= asked
    return choosers


def _params(typed: tast.TypedRuleset, key: str) -> tuple[tast.Local, ...]:
    """The parameters of a procedure."""
    kind, _, name = key.partition(" ")
    if kind == "phase":
        return typed.phases[name].params
    return typed.events[name].params if kind == "event" else ()


@frozen
class _Path:
    """How a statement is reached: the terms of its local names, and the conditions that hold there."""

    names: dict[str, Term]
    conditions: tuple[Term, ...] = ()
    facts: tuple[Term, ...] = ()


@define
class ChoiceReads:
    """Finds what decides who is asked, and for what."""

    translation: Translation
    entries: Mapping[Key, Entry]
    sameness: Sameness
    _count: int = field(default=0, init=False)

    def of_ruleset(self) -> Iterator[Unproven]:
        """What all `choose` statements of a ruleset depend on."""
        for key, body in procedures(self.translation.typed).items():
            kind, _, name = key.partition(" ")
            entry = self.entries.get((kind, name)) or self.entries.get(("stage", name))
            if entry is not None:
                names = {
                    param.name: self._name(param) for param in _params(self.translation.typed, key)
                }
                yield from self._in_block(body, _Path(names), name_span(entry.node))

    def _in_block(
        self, body: Sequence[tast.Statement], path: _Path, span: Span
    ) -> Iterator[Unproven]:
        for node in body:
            match node:
                case tast.Bind():
                    value = self.translation.term(node.value, path.names)
                    path = evolve(path, names={**path.names, node.local.name: value})
                case tast.RollDice() | tast.DrawRandom():
                    names = {**path.names, node.local.name: self._name(node.local)}
                    path = evolve(path, names=names)
                case tast.Store():
                    path = self._stored(node, path)
                case tast.Reset() | tast.EmitEvent() | tast.CallPhase():
                    path = evolve(path, facts=())
                case tast.Choose():
                    yield from self._choice(node, path, span)
                case tast.Branch():
                    yield from self._branches(node, path, span)
                    path = evolve(path, facts=())
                case _:
                    path = evolve(path, facts=())
                    inner = self._within(node, path) if isinstance(node, tast.ForEach) else path
                    for block in blocks_of(node):
                        yield from self._in_block(block, inner, span)

    def _name(self, local: tast.Local) -> Term:
        self._count += 1
        return self.translation.terms.local(
            f"{local.word} {self._count}", local.type, is_fixed=False
        )

    def _within(self, node: tast.ForEach, path: _Path) -> _Path:
        local = self._name(node.local)
        names = {**path.names, node.local.name: local}
        if isinstance(node.domain, tuple) or node.last is not None:
            return evolve(path, names=names)
        domain = self.translation.term(node.domain, path.names)
        held = self.translation.terms.contains(local, domain)
        return evolve(path, names=names, conditions=(*path.conditions, held))

    def _stored(self, node: tast.Store, path: _Path) -> _Path:
        """What holds after a variable was set; what held before may be about its old value."""
        if node.keys:
            return evolve(path, facts=())
        terms = self.translation.terms
        value = self.translation.term(node.value, path.names)
        members = value.args if value.kind == "set" else ()
        variable = self.translation.typed.variables[node.variable]
        load = terms.make("load", node.variable, (), variable.type)
        return evolve(path, facts=tuple(terms.contains(member, load) for member in members))

    def _branches(self, node: tast.Branch, path: _Path, span: Span) -> Iterator[Unproven]:
        for case in node.cases:
            condition = self.translation.term(case.condition, path.names)
            inner = evolve(path, conditions=(*path.conditions, condition))
            yield from self._in_block(case.body, inner, span)
            negation = self.translation.terms.negation(condition)
            path = evolve(path, conditions=(*path.conditions, negation))
        yield from self._in_block(node.otherwise, path, span)

    def _choice(self, node: tast.Choose, path: _Path, span: Span) -> Iterator[Unproven]:
        terms, actor = self.translation.terms, self.sameness.actor
        players = self.translation.term(node.players, path.names)
        asked = terms.equal(actor, players) if node.each is None else terms.contains(actor, players)
        promises = (
            self.translation.term(promise.condition, {"actor": actor})
            for promise in self.translation.typed.promises.values()
            if not {*promise.actions}.isdisjoint(node.actions)
        )
        facts = {terms.either(terms.negation(asked), promise) for promise in promises}
        reads = self.sameness.condition(
            terms.both(asked, *path.conditions), frozenset({*facts, *path.facts})
        )
        if reads:
            yield Unproven(node.actions[0], "the choice", span, reads)
