"""Policies by their names, by lines of one's own, or another one for each player."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._frozen import FrozenDict
from hots_rules._text import plain_text
from hots_rules.diagnostics import ArgumentError, BadArgument, RulesetError, UnknownName, check_kind
from hots_rules.explain.talk_file import talk_of
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset

if TYPE_CHECKING:
    from hots_rules.rules.typed.tast import PolicyDef, Preference

RANDOM = "random"


@frozen
class NamedPolicy:
    """A policy of a ruleset.

    >>> import hots_rules as hr
    >>> policies = hr.analysis.named_policies(hr.load("hots-4.0"))
    >>> policies["fight-on"].name, policies["fight-on"].lines
    ('fight-on', 'fight-on')

    Attributes:
        name: its name.
        text: its sentence, in the language of the ruleset where there is one.
        lines: its lines, or its name if the rules declare it.
        plays: the player for whom it was tuned, if it is one for whole games; else empty.
    """

    name: str
    text: str
    lines: str
    plays: str = ""


def named_policies(ruleset: AnyRuleset) -> Mapping[str, NamedPolicy]:
    """The policies of a ruleset by name: those of its file of talks, then those of its rules.

    One that uses words which this edition lacks is left out. The file of talks may have a sentence in other
    languages for a policy of the rules.

    Raises:
        RulesetError: the file of talks is not of its form.

    >>> import hots_rules as hr
    >>> policies = hr.analysis.named_policies(hr.load("hots-4.0"))
    >>> policies["fight-on"].text
    'Every block fires, nobody leaves the field; who must retreat takes the first way.'
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    key = ("named policies", ruleset.language)
    return ruleset.compiled.memo(key, lambda: _named_policies(ruleset))


def _named_policies(ruleset: AnyRuleset) -> Mapping[str, NamedPolicy]:
    policies: dict[str, NamedPolicy] = {}
    described_policies = talk_of(ruleset.source).policies
    for name, described in described_policies.items():
        lines = described.get("policy", "")
        if lines and _is_known(ruleset, lines):
            text = described.get(ruleset.language) or described.get("en", "")
            policies[name] = NamedPolicy(name, text, lines, described.get("plays", ""))
    for name, policy in ruleset.compiled.typed.policies.items():
        described = described_policies.get(name, {})
        text = described.get(ruleset.language) or policy.origin.summary
        policies[name] = NamedPolicy(name, text, name, described.get("plays", ""))
    return FrozenDict(policies)


def _is_known(ruleset: AnyRuleset, lines: str) -> bool:
    try:
        policy_of(ruleset, lines)
    except (RulesetError, ArgumentError):
        return False
    return True


def policy_of(ruleset: AnyRuleset, policy: object) -> PolicyDef:
    """A policy of a ruleset by its name, one from its lines, or those of players as in `policies_of_players`.

    Raises:
        UnknownName: no such policy.
        RulesetError: the lines cannot be read.
    """
    typed = ruleset.compiled.typed
    policy = plain_text(policy).strip() if isinstance(policy, str) else policy
    if isinstance(policy, str) and policy in typed.policies:
        return typed.policies[policy]
    if isinstance(policy, str) and (by_player := policies_of_players(ruleset, policy)):
        return _for_players(ruleset, policy, by_player)
    words = str(policy).removeprefix("prefer ").split("(")[0].replace(";", " ").split()
    if not isinstance(policy, str) or not words or words[0] not in typed.actions:
        raise UnknownName("policy", str(policy)[:80], (*typed.policies, RANDOM))
    from hots_rules.rules.ad_hoc import parse_policy  # the parser loads only for lines of one's own

    return parse_policy(ruleset.rulebook, policy)


def policies_of_players(ruleset: AnyRuleset, policy: str) -> dict[str, str]:
    """The policy of each player that a text such as `White=random,Black=bold` names; empty for another text.

    >>> import hots_rules as hr
    >>> from hots_rules.analysis.policies.named_policy import policies_of_players
    >>> policies_of_players(hr.load("breakthrough-1.0"), "White=random, Black=move(a, b) when file[b] = a")
    {'White': 'random', 'Black': 'move(a, b) when file[b] = a'}
    """
    names = "|".join(map(re.escape, ruleset.players))
    heads = list(re.finditer(rf"(?:^|,)\s*({names})\s*=\s*(?!=)", policy))
    if not heads or heads[0].start() != 0:
        return {}
    ends = [*(head.start() for head in heads[1:]), len(policy)]
    return {
        head[1]: policy[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)
    }


def _for_players(ruleset: AnyRuleset, name: str, by_player: dict[str, str]) -> PolicyDef:
    """One policy whose lines are each for one player; random choice has no lines."""
    from hots_rules.rules.typed.tast import Origin, PolicyDef

    guides = {
        player: policy_of(ruleset, policy)
        for player, policy in by_player.items()
        if policy != RANDOM
    }
    lines = tuple(
        line for player, guide in guides.items() for line in _lines_of(ruleset, player, guide)
    )
    spans = [guide.origin.span for guide in guides.values()]
    if not spans:
        raise BadArgument("policy", name, "a policy besides `random`")
    return PolicyDef("given", lines, Origin("given", ruleset.name, (), "As given.", spans[0]))


def _lines_of(ruleset: AnyRuleset, player: str, guide: PolicyDef) -> Iterator[Preference]:
    """The lines of a policy, for one player alone."""
    from attrs import evolve

    from hots_rules.rules.typed.tast import Const, Local, Operation
    from hots_rules.rules.typed.value_types import BOOL

    players = ruleset.compiled.typed.players
    number = Const(ruleset.players.index(player), players)
    is_actor = Operation("eq", (Local("actor", players), number), BOOL)
    for line in guide.clauses:
        yield evolve(line, when=Operation("and", (is_actor, line.when), BOOL))
