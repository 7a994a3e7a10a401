"""Rulesets in which the cases of an open folder are played."""

from __future__ import annotations

from hots_rules.play.compiled_ruleset import compiled_ruleset
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.sources.source import Source


class _CaseRuleset(BaseRuleset[BaseGame]):
    """A ruleset whose games have what cases need."""

    game_type = BaseGame


def compiled(source: Source) -> AnyRuleset:
    """The ruleset of some texts.

    Raises:
        RulesetError: they have faults.
    """
    return _CaseRuleset(compiled_ruleset(source))
