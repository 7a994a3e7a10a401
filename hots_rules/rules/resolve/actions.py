"""Actions: their own permits, the clauses and exemptions that rules add, and the reasons of both."""

from __future__ import annotations

from attrs import frozen

from hots_rules.diagnostics import RelatedPlace, Span
from hots_rules.diagnostics.braces import split_braces
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.expressions.bindings import bind_lets, with_lets
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.statements import StatementResolver
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import tast
from hots_rules.syntax import tree

MAX_EXEMPTIONS = 10  # from one rule, for one action

RuleAction = tuple[str, str]
"""The name of a rule and of an action that it forbids."""


@frozen
class _Exemptions:
    """The exemptions from each `forbid` of a rule on an action, and where the last of them is written."""

    clauses: dict[RuleAction, list[tast.Exemption]]
    places: dict[RuleAction, Span]


def resolve_actions(resolver: Resolver) -> dict[str, tast.ActionDef]:
    """All actions, with the clauses that rules add to them."""
    clauses = _rule_clauses(resolver)
    return {
        declared.name: _action(resolver, declared, declared.node, clauses.get(declared.name, []))
        for declared in resolver.of_kind("action")
        if isinstance(declared.node, tree.Action)
    }


def _action(
    resolver: Resolver, declared: Entry, node: tree.Action, of_rules: list[tast.Clause]
) -> tast.ActionDef:
    scope = resolver.actor_scope()
    params = resolver.bind_params(scope, "action", declared.name)
    permits = [part for part in node.parts if isinstance(part, tree.Permit)]
    statements = tuple(part for part in node.parts if not isinstance(part, tree.Permit))
    own = []
    for permit in permits:
        when, because = _condition_and_because(resolver, permit, scope.inner())
        own.append(tast.Clause("permit", params, when, None, declared.origin, because=because))
    body = StatementResolver(resolver.symbols, "action").block(statements, scope)
    return tast.ActionDef(declared.name, params, (*own, *of_rules), body, declared.origin)


def _rule_clauses(resolver: Resolver) -> dict[str, list[tast.Clause]]:
    """The clauses of rules, by action."""
    exemptions = _exemptions(resolver)
    clauses: dict[str, list[tast.Clause]] = {}
    forbidden = set[RuleAction]()
    for declared, node in resolver.rules():
        guard = resolver.guard(node)
        written = [part for part in node.parts if isinstance(part, tree.Forbid | tree.Allow)]
        for part in written:
            for target in part.actions:
                clause = _clause(resolver, declared, part, target, guard, exemptions)
                if clause is not None:
                    clauses.setdefault(target.name.text, []).append(clause)
                if isinstance(part, tree.Forbid):
                    forbidden.add((declared.name, target.name.text))
    for rule, action in exemptions.clauses.keys() - forbidden:
        resolver.symbols.fault(
            "amends-nothing",
            f"the rule `{rule}` does not forbid `{action}`",
            exemptions.places[rule, action],
            help_="name a rule that forbids this action",
        )
    return clauses


def _clause(
    resolver: Resolver,
    declared: Entry,
    part: tree.Forbid | tree.Allow,
    target: tree.Target,
    guard: tast.Expr | None,
    exemptions: _Exemptions,
) -> tast.Clause | None:
    forbids = isinstance(part, tree.Forbid)
    signature = resolver.action_signature(target.name)
    if signature is None:
        return None
    scope = resolver.actor_scope()
    params = resolver.bind_renamed_params(signature, target, scope)
    exempt = exemptions.clauses.get((declared.name, target.name.text), []) if forbids else []
    when, because = _condition_and_because(resolver, part, scope)
    return tast.Clause(
        "forbid" if forbids else "permit",
        params,
        when,
        guard,
        declared.origin,
        tuple(exempt),
        because,
    )


def _condition_and_because(
    resolver: Resolver, part: tree.Permit | tree.Forbid | tree.Allow, scope: Scope
) -> tuple[tast.Expr, tast.Because | None]:
    """The condition of a clause and its reason, both with the names that the clause gives to values."""
    bound = bind_lets(scope, part.lets)
    when = with_lets(bound, resolver.condition(part.when, scope))
    because = resolve_because(part.because, scope)
    if because is not None and bound:
        values = tuple((name, with_lets(bound, value)) for name, value in because.values)
        because = tast.Because(because.text, values)
    return when, because


def _exemptions(resolver: Resolver) -> _Exemptions:
    """All exemptions that rules declare; a fault where one names no rule."""
    exemptions = _Exemptions({}, {})
    for declared, node in resolver.rules():
        guard = resolver.guard(node)
        written = [part for part in node.parts if isinstance(part, tree.Exempt)]
        for part in written:
            for target in part.actions if resolver.is_rule(part.rule) else ():
                _add_exemption(resolver, declared, part, target, guard, exemptions)
    return exemptions


def _add_exemption(
    resolver: Resolver,
    declared: Entry,
    part: tree.Exempt,
    target: tree.Target,
    guard: tast.Expr | None,
    exemptions: _Exemptions,
) -> None:
    signature = resolver.action_signature(target.name)
    if signature is None:
        return
    scope = resolver.actor_scope()
    params = resolver.bind_renamed_params(signature, target, scope)
    when = resolver.condition(part.when, scope)
    key = (part.rule.text, target.name.text)
    clauses = exemptions.clauses.setdefault(key, [])
    clauses.append(tast.Exemption(params, when, guard, declared.origin))
    exemptions.places[key] = part.rule.span
    if len(clauses) == MAX_EXEMPTIONS + 1:
        resolver.symbols.fault(
            "too-large",
            f"more than {MAX_EXEMPTIONS} exemptions from `{part.rule}`",
            part.rule.span,
            help_="put several conditions into one, with `or`",
        )


def resolve_because(node: tree.Because | None, scope: Scope) -> tast.Because | None:
    """The text with the values of its braces, and with those of all names that a translation may use."""
    if node is None:
        return None
    given = _values_after_with(node, scope)
    values = {name: scope.resolve(value.value) for name, value in given.items()}
    names: dict[str, tast.Expr] = values | {
        name: scope.locals[name] for name in sorted(scope.locals.keys() - values.keys())
    }
    written = split_braces(node.sentence.text.text)[1::2]
    for text, expression in zip(written, node.sentence.values, strict=True):
        if text not in names:
            names[text] = scope.resolve(expression)
    _report_unused(given, written, scope)
    return tast.Because(node.sentence.text.text, tuple(names.items()))


def _report_unused(given: dict[str, tree.Given], written: list[str], scope: Scope) -> None:
    for name, unused in given.items():
        if name not in written:
            scope.symbols.fault(
                "unused-definition",
                f"the value `{name}` is not used in the text of `because`",
                unused.name.span,
                help_=f"write `{{{name}}}` in the text, or remove the value",
            )


def _values_after_with(node: tree.Because, scope: Scope) -> dict[str, tree.Given]:
    """The values that are given after `with`, each name once."""
    given: dict[str, tree.Given] = {}
    for value in node.givens or ():
        if (first := given.setdefault(value.name.text, value)) is not value:
            scope.symbols.fault(
                "duplicate-name",
                f"`{value.name}` is given twice",
                value.name.span,
                [RelatedPlace(first.name.span, "first given here")],
                "keep one of them",
            )
    return given
