"""What it depends on who chooses, and among which actions: the `choose` statements of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import define, evolve, field, frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Entry, Key, name_span
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import call_of, procedures
from hots_rules.rules.typed.visitor import blocks_of, walk, walk_statements
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
    kind, name = key.split(" ", 1)
    if kind == "phase":
        return typed.phases[name].params
    return typed.events[name].params if kind == "event" else ()


@frozen
class _Path:
    """How a statement is reached: the terms of its local names, and the conditions that hold there."""

    names: dict[str, Term]
    conditions: tuple[Term, ...] = ()
    facts: tuple[Term, ...] = ()


@define(slots=False)
class ChoiceReads:
    """Finds what decides who is asked, and for what."""

    translation: Translation
    entries: Mapping[Key, Entry]
    sameness: Sameness
    _count: int = field(default=0, init=False)

    def of_ruleset(self) -> Iterator[Unproven]:
        """What all `choose` statements of a ruleset depend on."""
        for key, body in procedures(self.translation.typed).items():
            kind, name = key.split(" ", 1)
            declared = self.entries.get((kind, name)) or self.entries.get(("stage", name))
            if declared is not None:
                names = {
                    param.name: self._name(param) for param in _params(self.translation.typed, key)
                }
                yield from self._in_block(body, _Path(names), name_span(declared.node))

    def _in_block(
        self, body: Sequence[tast.Statement], path: _Path, span: Span
    ) -> Iterator[Unproven]:
        for node in body:
            match node:
                case tast.Bind():
                    word = self.translation.term(node.value, path.names)
                    path = evolve(path, names={**path.names, node.local.name: word})
                case tast.RollDice() | tast.DrawRandom():
                    names = {**path.names, node.local.name: self._name(node.local)}
                    path = evolve(path, names=names)
                case tast.Store():
                    path = self._stored(node, path)
                case tast.Reset():
                    path = evolve(path, facts=())
                case tast.Choose():
                    yield from self._choice(node, path, span)
                case tast.Branch():
                    yield from self._branches(node, path, span)
                    path = evolve(path, facts=())
                case tast.ForEach() if isinstance(node.domain, tuple) and self._asks(node.body):
                    path = evolve(path, facts=())
                    for part in node.domain:
                        member = self.translation.term(part, path.names)
                        names = {**path.names, node.local.name: member}
                        yield from self._in_block(node.body, evolve(path, names=names), span)
                case tast.CallPhase() | tast.EmitEvent():
                    yield from self._call(node, path)
                    path = evolve(path, facts=())
                case tast.Loop():
                    path = evolve(path, facts=())
                    yield from self._loop(node, path, span)
                case _:
                    path = evolve(path, facts=())
                    inner = self._within(node, path) if isinstance(node, tast.ForEach) else path
                    for block in blocks_of(node):
                        yield from self._in_block(block, inner, span)

    def _asks(self, body: tast.Body) -> bool:
        """Whether a player is asked in a block, or in what it calls."""
        return bool(self._actions_in(body))

    def _actions_in(self, body: tast.Body) -> frozenset[str]:
        """The actions for which a player may be asked in a block, or in what it calls."""
        return frozenset[str]().union(
            *(
                node.actions if isinstance(node, tast.Choose) else self._actions_after(node)
                for node in walk_statements(body)
            )
        )

    def _actions_after(self, node: tast.Statement) -> frozenset[str]:
        """The actions for which a player may be asked in what a statement calls."""
        call = call_of(node)
        return frozenset() if call is None else self._asked_for.get(call, frozenset())

    @cached_property
    def _asked_for(self) -> Mapping[str, frozenset[str]]:
        """The actions for which a player may be asked in a procedure, or in what it calls."""
        bodies = procedures(self.translation.typed)
        graph = {
            key: {call for node in walk_statements(body) if (call := call_of(node)) is not None}
            for key, body in bodies.items()
        }
        own = {
            key: frozenset(
                action
                for node in walk_statements(body)
                if isinstance(node, tast.Choose)
                for action in node.actions
            )
            for key, body in bodies.items()
        }
        return {
            key: frozenset[str]().union(*(own[called] for called in reachable(graph, [key])))
            for key in bodies
        }

    def _call(self, node: tast.CallPhase | tast.EmitEvent, path: _Path) -> Iterator[Unproven]:
        """What the players depend on that are given to a procedure in which a player is asked."""
        actions = self._actions_after(node)
        for arg in node.args if actions else ():
            if arg.type == self.translation.typed.players:
                yield from self._asked(sorted(actions), self._is_actor(arg, path), path, node.span)

    def _is_actor(self, player: tast.Expr, path: _Path) -> Term:
        return self.translation.terms.equal(
            self.sameness.actor, self.translation.term(player, path.names)
        )

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
        word = self.translation.term(node.value, path.names)
        members = word.args if word.kind == "set" else ()
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

    def _loop(self, node: tast.Loop, path: _Path, span: Span) -> Iterator[Unproven]:
        """What the choices in a loop depend on: it goes on as long as its condition holds, and up to its bound."""
        condition = self.translation.term(node.condition, path.names)
        inner = evolve(path, conditions=(*path.conditions, condition))
        yield from self._in_block(node.body, inner, span)
        if node.bound is not None and self._asks(node.body):
            reads = self.sameness.fixed(self.translation.term(node.bound, path.names))
            if reads:
                actions = self._actions_in(node.body)
                yield Unproven(min(actions), "the choice", node.span, reads)

    def _choice(self, node: tast.Choose, path: _Path, span: Span) -> Iterator[Unproven]:
        if node.each is None:
            asked = self._is_actor(node.players, path)
        else:
            players = self.translation.term(node.players, path.names)
            asked = self.translation.terms.contains(self.sameness.actor, players)
        yield from self._asked(node.actions, asked, path, span)

    def _asked(
        self, actions: Sequence[str], asked: Term, path: _Path, span: Span
    ) -> Iterator[Unproven]:
        terms, actor = self.translation.terms, self.sameness.actor
        facts = set(path.facts)
        for promise in self.translation.typed.promises.values():
            if not {*promise.actions}.isdisjoint(actions):
                held = self.translation.term(promise.condition, {"actor": actor})
                is_about_actor = tast.Local("actor", actor.type) in walk(promise.condition)
                # It holds when somebody is asked; what it says of `actor` holds when that is the player.
                facts.add(terms.either(terms.negation(asked), held) if is_about_actor else held)
        reads = self.sameness.condition(terms.both(asked, *path.conditions), frozenset(facts))
        if reads:
            yield Unproven(actions[0], "the choice", span, reads)
