"""Policies: which of several legal actions a player prefers."""

from __future__ import annotations

from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.typed import tast
from hots_rules.syntax import tree


def resolve_policies(resolver: Resolver) -> dict[str, tast.PolicyDef]:
    """All policies of a ruleset."""
    return {
        entry.name: tast.PolicyDef(
            entry.name, resolve_preferences(resolver, entry.node), entry.origin
        )
        for entry in resolver.of_kind("policy")
        if isinstance(entry.node, tree.Policy)
    }


def resolve_preferences(resolver: Resolver, node: tree.Policy) -> tuple[tast.Preference, ...]:
    """The lines of a policy."""
    preferences = []
    for part in node.parts:
        for target in part.actions:
            signature = resolver.action_signature(target.name)
            if signature is not None:
                scope = resolver.actor_scope()
                params = resolver.bind_renamed_params(signature, target, scope)
                when = resolver.condition(part.when, scope)
                preferences.append(tast.Preference(target.name.text, params, when))
    return tuple(preferences)
