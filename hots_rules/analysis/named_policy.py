"""Policies by their names, or by lines of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hots_rules.diagnostics import UnknownOption
from hots_rules.play.game import AnyRuleset

if TYPE_CHECKING:
    from hots_rules.rules.typed.tast import PolicyDef

RANDOM = "random"


def policy_of(ruleset: AnyRuleset, policy: object) -> PolicyDef:
    """A policy of a ruleset by its name, or one from its lines.

    Raises:
        UnknownOption: no such policy.
        RulesetError: the lines cannot be read.
    """
    typed = ruleset.compiled.typed
    if isinstance(policy, str) and policy in typed.policies:
        return typed.policies[policy]
    words = str(policy).removeprefix("prefer ").split("(")[0].replace(";", " ").split()
    if not isinstance(policy, str) or not words or words[0] not in typed.actions:
        raise UnknownOption("policy", (*typed.policies, RANDOM), str(policy)[:80])
    from hots_rules.rules.ad_hoc import parse_policy  # the parser loads only for lines of one's own

    return parse_policy(ruleset.rulebook, policy)
