"""What decides who chooses, and among which actions: the `choose` statements of a ruleset.

Nobody is told of an internal variable. So what it is set to may tell no secret, if something is decided by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import define, evolve, field

from hots_rules.diagnostics import Span
from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Entry, Key, name_span
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import call_of, direct_calls, procedures, state_read
from hots_rules.rules.typed.visitor import (
    blocks_of,
    expressions_of,
    mentions,
    walk,
    walk_statements,
)
from hots_rules.testing.secrets.clauses import Unproven
from hots_rules.testing.secrets.paths import StatementPath, StatementPaths
from hots_rules.testing.secrets.sameness import Sameness
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Translation

_DECIDING = tast.Branch | tast.Loop | tast.ForEach | tast.Choose | tast.Bind


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


def _params(typed: tast.TypedRuleset, kind: str, name: str) -> tuple[tast.Local, ...]:
    """The parameters of a phase or an event; those of an action need no other names, since nothing calls it."""
    if kind == "phase":
        return typed.phases[name].params
    return typed.events[name].params if kind == "event" else ()


def _without_facts(path: StatementPath) -> StatementPath:
    """The path behind a statement that may change what was known."""
    return evolve(path, facts=())


@define(slots=False)
class UnknownInChoices:
    """Finds what decides who is asked, and for what, and is not known to that player."""

    translation: Translation
    entries: Mapping[Key, Entry]
    sameness: Sameness
    paths: StatementPaths = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.paths = StatementPaths(self.translation)

    def of_ruleset(self) -> Iterator[Unproven]:
        """What all `choose` statements of a ruleset depend on."""
        for key, body in procedures(self.translation.typed).items():
            kind, name = key.split(" ", 1)
            declared = self.entries.get((kind, name)) or self.entries["stage", name]
            params = _params(self.translation.typed, kind, name)
            path = StatementPath({})
            for param in params:
                path = evolve(path, names={**path.names, param.name: self.paths.name(param, path)})
            yield from self._in_block(body, path, name_span(declared.node))

    def _in_block(
        self, body: Sequence[tast.Statement], path: StatementPath, span: Span
    ) -> Iterator[Unproven]:
        """What the decisions in a block depend on; the path is followed from statement to statement."""
        for node in body:
            match node:
                case tast.Bind() | tast.RollDice() | tast.DrawRandom():
                    path = self.paths.named(node, path)
                case tast.Store():
                    if node.variable in self._internal:
                        yield from self._told_by_internal(
                            node, node.variable, (*node.keys, node.value), path
                        )
                    path = self._stored(node, path)
                case tast.Reset():
                    path = _without_facts(path)
                case tast.Choose():
                    yield from self._choice(node, path, span)
                case tast.Branch():
                    yield from self._branches(node, path, span)
                    path = self._after(node, _without_facts(path))
                case tast.ForEach() if isinstance(node.domain, tuple) and self._may_ask(node.body):
                    path = _without_facts(path)
                    for part in node.domain:
                        member = self.translation.term(part, path.names)
                        names = {**path.names, node.local.name: member}
                        inner = evolve(path, names=names)
                        yield from self._in_runs(node.body, inner, span)
                    path = self._after(node, path)
                case tast.CallPhase() | tast.EmitEvent():
                    yield from self._call(node, path)
                    path = _without_facts(path)
                case tast.Loop():
                    path = _without_facts(path)
                    yield from self._loop(node, path, span)
                    path = self._after(node, path)
                case tast.ForEach():
                    path = _without_facts(path)
                    yield from self._in_runs(node.body, self.paths.within(node, path), span)
                    path = self._after(node, path)
                case _:
                    path = _without_facts(path)
                    for block in blocks_of(node):
                        yield from self._in_block(block, path, span)
                    path = self._after(node, path)

    def _after(self, node: tast.Statement, path: StatementPath) -> StatementPath:
        """The path behind a statement, which may end the block."""
        return self.paths.unless(self.paths.ending(node, path), path)

    def _in_runs(self, body: tast.Body, path: StatementPath, span: Span) -> Iterator[Unproven]:
        """What the decisions in the body of a loop depend on, in its first run and, if it may go on, in a later one."""
        yield from self._in_block(body, path, span)
        left = self.paths.ending_of(body, path)
        if left is not self.translation.terms.false and self._may_ask(body):
            yield from self._in_block(body, self.paths.unless(left, path), span)

    def _may_ask(self, body: tast.Body) -> bool:
        """Whether a player is asked in a block, or in what it calls."""
        return bool(self._actions_in(body))

    def _actions_in(self, body: tast.Body) -> frozenset[str]:
        """The actions for which a player may be asked in a block, or in what it calls."""
        return frozenset[str]().union(
            *(
                node.actions if isinstance(node, tast.Choose) else self._actions_of_call(node)
                for node in walk_statements(body)
            )
        )

    def _actions_of_call(self, node: tast.Statement) -> frozenset[str]:
        """The actions for which a player may be asked in what a statement calls."""
        call = call_of(node)
        return frozenset() if call is None else self._actions_by_procedure.get(call, frozenset())

    @cached_property
    def _callees(self) -> Mapping[str, set[str]]:
        """The procedures that each one calls."""
        return {key: direct_calls(body) for key, body in procedures(self.translation.typed).items()}

    @cached_property
    def _decisions_by_procedure(self) -> Mapping[str, list[tast.Choose]]:
        """The decisions in each procedure."""
        return {
            key: [node for node in walk_statements(body) if isinstance(node, tast.Choose)]
            for key, body in procedures(self.translation.typed).items()
        }

    @cached_property
    def _actions_by_procedure(self) -> Mapping[str, frozenset[str]]:
        """The actions for which a player may be asked in a procedure, or in what it calls."""
        return {
            key: frozenset(
                action
                for called in reachable(self._callees, [key])
                for node in self._decisions_by_procedure[called]
                for action in node.actions
            )
            for key in self._callees
        }

    def _call(
        self, node: tast.CallPhase | tast.EmitEvent, path: StatementPath
    ) -> Iterator[Unproven]:
        """What decides whether a procedure that asks a player is called, and which players it is given."""
        internal = self._internal_set_by[call_of(node) or ""]
        if internal and isinstance(node, tast.CallPhase):  # of an event the log tells everybody
            yield from self._told_by_internal(node, min(internal), node.args, path)
        actions = sorted(self._actions_of_call(node))
        if not actions:
            return
        players = [arg for arg in node.args if arg.type == self.translation.typed.players]
        for arg in players:
            yield from self._decision(actions, self._is_actor(arg, path), path, node.span)
        if path.conditions and not players:
            yield from self._decision(actions, self._is_asked_in_call(node), path, node.span)
        if isinstance(node, tast.CallPhase):
            yield from self._given(node, actions, path)

    # -------------------------------------------------------------- internal variables
    @cached_property
    def _internal(self) -> Mapping[str, str]:
        """The internal variables by which something is decided, each with an action that reads it, else the first."""
        typed = self.translation.typed
        names = {variable.name for variable in typed.variables.values() if variable.is_internal}
        if not names or not typed.actions:
            return {}
        deciding = [
            part
            for body in procedures(typed).values()
            for node in walk_statements(body)
            if isinstance(node, _DECIDING)
            or (isinstance(node, tast.Store) and node.variable in names)
            for part in expressions_of(node)
        ]
        decided = dict.fromkeys(state_read(deciding, typed) & names, min(typed.actions))
        for action in typed.actions.values():
            conditions = [part for clause in action.clauses for part in clause.conditions]
            decided |= dict.fromkeys(state_read(conditions, typed) & names, action.name)
        return decided

    @cached_property
    def _internal_set_by(self) -> Mapping[str, frozenset[str]]:
        """The internal variables by which something is decided and that a procedure, or what it calls, sets."""
        bodies = procedures(self.translation.typed)
        own = {
            key: {node.variable for node in walk_statements(body) if isinstance(node, tast.Store)}
            for key, body in bodies.items()
        }
        return {
            key: frozenset[str]().union(
                *(own[called] for called in reachable(self._callees, [key]))
            )
            & self._internal.keys()
            for key in bodies
        }

    def _told_by_internal(
        self,
        node: tast.Store | tast.CallPhase,
        variable: str,
        parts: Sequence[tast.Expr],
        path: StatementPath,
    ) -> Iterator[Unproven]:
        """What a player learns from an internal variable that a statement, or what it calls, sets from values."""
        facts = frozenset({*path.facts, *path.conditions})
        unknown = self.sameness.unknown_in(
            self.translation.terms.both(*path.conditions), frozenset(path.facts)
        ).union(
            *(
                self.sameness.unknown_if_moving(self.translation.term(part, path.names), facts)
                for part in parts
            )
        )
        if unknown:
            part = f"what the internal `{variable}` keeps for a decision"
            yield Unproven(self._internal[variable], part, node.span, unknown)

    # -------------------------------------------------------------- what is given to a phase
    def _given(
        self, node: tast.CallPhase, actions: Sequence[str], path: StatementPath
    ) -> Iterator[Unproven]:
        """What the values given to a phase tell the player who is asked in it; those of an event stand in the log."""
        given = tuple(
            self._is_given(param, self.translation.term(arg, path.names), path)
            for param, arg in zip(
                self.translation.typed.phases[node.phase].params, node.args, strict=True
            )
            if arg.type != self.translation.typed.players and self._decides(node.phase, param)
        )
        if given:
            is_asked = self._is_asked_with(node, path)
            path = evolve(path, conditions=(*path.conditions, *given))
            yield from self._decision(actions, is_asked, path, node.span)

    def _is_given(self, param: tast.Local, given: Term, path: StatementPath) -> Term:
        """A condition that depends on just what the value given to a parameter depends on."""
        if isinstance(given.type, types.BoolType):
            return given
        return self.translation.terms.equal(self.paths.name(param, path), given)

    def _decides(self, phase: str, param: tast.Local) -> bool:
        """Whether a parameter of a phase may decide where it goes on."""
        return any(
            mentions(part, param)
            for node in walk_statements(self.translation.typed.phases[phase].body)
            if isinstance(node, _DECIDING) or self._actions_of_call(node)
            for part in expressions_of(node)
        )

    def _is_asked_with(self, node: tast.CallPhase, path: StatementPath) -> Term:
        """Whether the player may be asked in a phase, if it asks nobody but those whom it is given."""
        called = reachable(self._callees, [f"phase {node.phase}"])
        chooses = [choose for key in called for choose in self._decisions_by_procedure[key]]
        params = self.translation.typed.phases[node.phase].params
        args = {param.name: arg for param, arg in zip(params, node.args, strict=True)}
        own = self._decisions_by_procedure[f"phase {node.phase}"]
        asked = [
            args[choose.players.name]
            for choose in own
            if choose.each is None
            and isinstance(choose.players, tast.Local)
            and choose.players.name in args
        ]
        if len(asked) == len(chooses):
            return self.translation.terms.either(*(self._is_actor(part, path) for part in asked))
        return self._is_asked_in_call(node)

    def _is_asked_in_call(self, node: tast.Statement) -> Term:
        """Whether the player may be asked in what a statement calls."""
        terms = self.translation.terms
        called = reachable(self._callees, [call_of(node) or ""])
        chooses = [choose for key in called for choose in self._decisions_by_procedure[key]]
        if all(
            choose.each is None
            and not any(isinstance(part, tast.Local) for part in walk(choose.players))
            for choose in chooses
        ):
            return terms.either(
                *(self._is_actor(choose.players, StatementPath({})) for choose in chooses)
            )
        return terms.true

    def _is_actor(self, player: tast.Expr, path: StatementPath) -> Term:
        return self.translation.terms.equal(
            self.sameness.actor, self.translation.term(player, path.names)
        )

    def _stored(self, node: tast.Store, path: StatementPath) -> StatementPath:
        """What holds after a variable was set; what held before may be about its old value."""
        if node.keys:
            return _without_facts(path)
        terms = self.translation.terms
        stored = self.translation.term(node.value, path.names)
        members = stored.args if stored.kind == "set" else ()
        variable = self.translation.typed.variables[node.variable]
        load = terms.make("load", node.variable, (), variable.type)
        return evolve(path, facts=tuple(terms.contains(member, load) for member in members))

    def _branches(self, node: tast.Branch, path: StatementPath, span: Span) -> Iterator[Unproven]:
        for case in node.cases:
            condition = self.translation.term(case.condition, path.names)
            inner = evolve(path, conditions=(*path.conditions, condition))
            yield from self._in_block(case.body, inner, span)
            negation = self.translation.terms.negation(condition)
            path = evolve(path, conditions=(*path.conditions, negation))
        yield from self._in_block(node.otherwise, path, span)

    def _loop(self, node: tast.Loop, path: StatementPath, span: Span) -> Iterator[Unproven]:
        """What the choices in a loop depend on: it goes on as long as its condition holds, and up to its bound."""
        condition = self.translation.term(node.condition, path.names)
        inner = evolve(path, conditions=(*path.conditions, condition))
        yield from self._in_runs(node.body, inner, span)
        if node.bound is not None and self._may_ask(node.body):
            unknown = self.sameness.unknown_if_fixed(self.translation.term(node.bound, path.names))
            if unknown:
                actions = self._actions_in(node.body)
                yield Unproven(min(actions), "the choice", node.span, unknown)

    def _choice(self, node: tast.Choose, path: StatementPath, span: Span) -> Iterator[Unproven]:
        if node.each is None:
            is_asked = self._is_actor(node.players, path)
        else:
            players = self.translation.term(node.players, path.names)
            is_asked = self.translation.terms.contains(self.sameness.actor, players)
        yield from self._decision(node.actions, is_asked, path, span)

    def _decision(
        self, actions: Sequence[str], is_asked: Term, path: StatementPath, span: Span
    ) -> Iterator[Unproven]:
        """What a decision depends on that the player may not know.

        It depends on nothing hidden if that is so of whether the player is asked, and of the conditions of the path
        where that is the case; or else of both together.
        """
        terms, actor = self.translation.terms, self.sameness.actor
        facts, if_asked = set(path.facts), {is_asked}
        for promise in self.translation.typed.promises.values():
            if not {*promise.actions}.isdisjoint(actions):
                held = self.translation.term(promise.condition, {"actor": actor})
                is_about_actor = tast.Local("actor", actor.type) in walk(promise.condition)
                # It holds when somebody is asked; what it says of `actor` holds when that is the player.
                (if_asked if is_about_actor else facts).add(held)
        unknown = self.sameness.unknown_in(is_asked, frozenset(facts))
        if not unknown:
            conditions = [part for part in path.conditions if not self._follows(part, is_asked)]
            unknown = self.sameness.unknown_in(terms.both(*conditions), frozenset(facts | if_asked))
        if unknown:
            facts |= {terms.either(terms.negation(is_asked), held) for held in if_asked}
            unknown = self.sameness.unknown_in(
                terms.both(is_asked, *path.conditions), frozenset(facts)
            )
        if unknown:
            yield Unproven(actions[0], "the choice", span, unknown)

    def _follows(self, condition: Term, is_asked: Term) -> bool:
        """Whether a condition says no more than that somebody is asked, as `while some s: choose each p in s` does."""
        if condition.kind != "exists":
            return False
        terms, (local, source, held) = self.translation.terms, condition.args
        actor = self.sameness.actor
        member = terms.contains(actor, source)
        return terms.both(member, terms.replaced(held, {local: actor})) is is_asked
