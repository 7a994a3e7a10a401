"""The second pass: the typed tree of a ruleset, or of some declarations with the rules that belong to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.rules.graph import reachable
from hots_rules.rules.resolve.actions import resolve_actions
from hots_rules.rules.resolve.declare import declare
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.events import resolve_events
from hots_rules.rules.resolve.loops.bounds import with_bounds
from hots_rules.rules.resolve.map_definition import resolve_map
from hots_rules.rules.resolve.policies import resolve_policies
from hots_rules.rules.resolve.products import label_words
from hots_rules.rules.resolve.repetitions import keep_positions
from hots_rules.rules.resolve.secrets import resolve_secrets
from hots_rules.rules.resolve.start import resolve_clock, resolve_position_phase
from hots_rules.rules.resolve.statements import StatementResolver
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, Key
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
        map=resolve_map(resolver),
        policies=resolve_policies(resolver),
        questions=_questions(resolver),
        promises=_promises(resolver),
    )
    symbols.resolved = len(symbols.faults)
    return keep_positions(with_bounds(typed, symbols), symbols.kept_positions, resolver.scope())


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
    resolve_map(resolver)


def _phases(resolver: Resolver) -> dict[str, tast.PhaseDef]:
    """All phases and stages."""
    phases = {}
    for declared in resolver.of_kind("phase", "stage"):
        if isinstance(declared.node, tree.Phase | tree.Stage):
            scope = resolver.scope()
            params = resolver.bind_params(scope, "phase", declared.name)
            body = StatementResolver(resolver.symbols, declared.kind).block(
                declared.node.block, scope
            )
            phases[declared.name] = tast.PhaseDef(declared.name, params, body, declared.origin)
    return phases


def _scenarios(resolver: Resolver) -> dict[str, tast.PhaseDef]:
    scenarios = {}
    for declared in resolver.of_kind("scenario"):
        if isinstance(declared.node, tree.Scenario):
            statements = StatementResolver(resolver.symbols, "scenario")
            body = statements.block(declared.node.block, resolver.scope())
            scenarios[declared.name] = tast.PhaseDef(declared.name, (), body, declared.origin)
    return scenarios


def _invariants(resolver: Resolver) -> dict[str, tast.InvariantDef]:
    invariants = {}
    for declared in resolver.of_kind("invariant"):
        if isinstance(declared.node, tree.Invariant):
            condition = resolver.scope().resolve_as(declared.node.condition, types.BOOL)
            invariants[declared.name] = tast.InvariantDef(declared.name, condition, declared.origin)
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
    for declared in resolver.of_kind("question"):
        if isinstance(declared.node, tree.Question):
            scope = resolver.scope()
            names = tuple(param.name.text for param in declared.node.params or ())
            params = resolver.bind_params(scope, "question", declared.name)
            body = scope.resolve(declared.node.body)
            origin = declared.origin
            questions[declared.name] = tast.QuestionDef(declared.name, names, params, body, origin)
    return questions


def with_related_rules(entries: Mapping[Key, Entry], wanted: frozenset[Key]) -> frozenset[Key]:
    """Some declarations, with the rules about the same events and actions, and all rules that these name."""
    rules = {
        declared.name: declared.node
        for declared in entries.values()
        if isinstance(declared.node, tree.Rule)
    }
    own = [rules[name] for kind, name in wanted if kind == "rule" and name in rules]
    subjects = {subject for node in own for subject in _subjects(node)}
    about = {name for name, node in rules.items() if not subjects.isdisjoint(_subjects(node))}
    named = {name: tuple(_named(node)) for name, node in rules.items()}
    return wanted | {("rule", name) for name in about | reachable(named, about)}


def _subjects(node: tree.Rule) -> Iterator[tuple[type, str]]:
    """The events and the actions that a rule is about."""
    for part in node.parts:
        for target in (*getattr(part, "events", ()), *getattr(part, "actions", ())):
            yield tree.Handler if isinstance(part, tree.Handler) else tree.Forbid, target.name.text


def _named(node: tree.Rule) -> Iterator[str]:
    """The rules that a rule makes an exception to or exempts from."""
    for part in node.parts:
        if isinstance(part, tree.ExceptionTo):
            yield from (word.text for word in part.rules)
        elif isinstance(part, tree.Exempt):
            yield part.rule.text
