"""The second pass: the typed tree of a ruleset, once every name has its type."""

from __future__ import annotations

from hots_rules.rules.resolve.actions import resolve_actions
from hots_rules.rules.resolve.declare import declare
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.events import resolve_events
from hots_rules.rules.resolve.loops.bounds import with_bounds
from hots_rules.rules.resolve.map_definition import resolve_map
from hots_rules.rules.resolve.policies import resolve_policies
from hots_rules.rules.resolve.products import label_words
from hots_rules.rules.resolve.related_rules import with_related_rules
from hots_rules.rules.resolve.secrets import resolve_secrets
from hots_rules.rules.resolve.start import resolve_clock, resolve_position_phase
from hots_rules.rules.resolve.statements import StatementResolver
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Key
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax import tree


def resolve_ruleset(
    symbols: SymbolTable, name: str, title: str, labels: dict[str, dict[str, str]]
) -> tast.TypedRuleset:
    """The typed tree of a ruleset; its faults are in `symbols.faults`."""
    declare(symbols)
    resolver = Resolver(symbols)
    resolver.resolve_definitions()
    typed = tast.TypedRuleset(
        name=name,
        title=title,
        players=symbols.players,
        types=dict(symbols.named_types),
        tables=dict(symbols.tables),
        variables=dict(symbols.variables),
        definitions=resolver.definitions,
        actions=resolve_actions(resolver),
        events=resolve_events(resolver),
        phases=_phases(resolver),
        scenarios=_scenarios(resolver),
        settings=dict(symbols.settings),
        invariants=_invariants(resolver),
        secrets=resolve_secrets(resolver),
        labels=label_words(symbols, labels),
        entry=resolve_position_phase(symbols),
        clock=resolve_clock(symbols),
        map=resolve_map(symbols),
        policies=resolve_policies(resolver),
        questions=_questions(resolver),
        promises=_promises(resolver),
    )
    symbols.resolved = len(symbols.faults)
    return with_bounds(typed, symbols)


def resolve_some(symbols: SymbolTable, wanted: frozenset[Key]) -> None:
    """Finds the faults in some declarations, and resolves no others but what these need."""
    declare(symbols)
    resolver = Resolver(symbols, with_related_rules(symbols.entries, wanted))
    resolver.resolve_definitions()
    resolve_actions(resolver)
    resolve_events(resolver)
    _phases(resolver)
    _scenarios(resolver)
    _invariants(resolver)
    _questions(resolver)
    _promises(resolver)
    resolve_secrets(resolver)
    resolve_policies(resolver)
    resolve_position_phase(symbols)
    resolve_clock(symbols)
    resolve_map(symbols)


def _phases(resolver: Resolver) -> dict[str, tast.PhaseDef]:
    """All phases and stages."""
    phases = {}
    for entry in resolver.of_kind("phase", "stage"):
        if isinstance(entry.node, tree.Phase | tree.Stage):
            scope = resolver.scope()
            params = resolver.bind_params(scope, "phase", entry.name)
            body = StatementResolver(resolver.symbols, entry.kind).block(entry.node.block, scope)
            phases[entry.name] = tast.PhaseDef(entry.name, params, body, entry.origin)
    return phases


def _scenarios(resolver: Resolver) -> dict[str, tast.PhaseDef]:
    scenarios = {}
    for entry in resolver.of_kind("scenario"):
        if isinstance(entry.node, tree.Scenario):
            statements = StatementResolver(resolver.symbols, "scenario")
            body = statements.block(entry.node.block, resolver.scope())
            scenarios[entry.name] = tast.PhaseDef(entry.name, (), body, entry.origin)
    return scenarios


def _invariants(resolver: Resolver) -> dict[str, tast.InvariantDef]:
    invariants = {}
    for entry in resolver.of_kind("invariant"):
        if isinstance(entry.node, tree.Invariant):
            condition = resolver.scope().resolve_as(entry.node.condition, types.BOOL)
            invariants[entry.name] = tast.InvariantDef(entry.name, condition, entry.origin)
    return invariants


def _promises(resolver: Resolver) -> dict[str, tast.PromiseDef]:
    promises = {}
    for declared in resolver.of_kind("promise"):
        if isinstance(declared.node, tree.Promise):
            scope = resolver.actor_scope()
            condition = scope.resolve_as(declared.node.condition, types.BOOL)
            actions = tuple(
                action.text
                for action in declared.node.actions
                if resolver.action_signature(action) is not None
            )
            promises[declared.name] = tast.PromiseDef(
                declared.name, actions, condition, declared.origin
            )
    return promises


def _questions(resolver: Resolver) -> dict[str, tast.QuestionDef]:
    questions = {}
    for entry in resolver.of_kind("question"):
        if isinstance(entry.node, tree.Question):
            scope = resolver.scope()
            names = tuple(param.name.text for param in entry.node.params or ())
            params = resolver.bind_params(scope, "question", entry.name)
            body = scope.resolve(entry.node.body)
            origin = entry.origin
            questions[entry.name] = tast.QuestionDef(entry.name, names, params, body, origin)
    return questions
