"""Policies in which bots choose for some players."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from hots_rules.analysis.players.bots import Bot
from hots_rules.analysis.players.named_bots import BotMaker, bot_names, find_maker
from hots_rules.analysis.policies.named_policy import RANDOM, policies_of_players, policy_of
from hots_rules.diagnostics import UnknownName
from hots_rules.play.game import AnyRuleset


@frozen
class BotPolicy:
    """A policy in which bots choose for some players.

    Attributes:
        makers: what makes the bots of these players, with their budgets.
        others: the policy of the other players, as `policy_of` reads it.
    """

    makers: Mapping[str, tuple[BotMaker, int]]
    others: str

    def bots(self, seed: str) -> dict[str, Bot]:
        """The bots of a game, by their players."""
        return {
            player: maker(f"{seed}/{player}", budget)
            for player, (maker, budget) in self.makers.items()
        }


def bot_policy(ruleset: AnyRuleset, policy: str) -> BotPolicy | None:
    """The bots that a policy names, for all players or for some; None if it names none.

    >>> import hots_rules as hr
    >>> from hots_rules.analysis.policies.bot_policies import bot_policy
    >>> found = bot_policy(hr.load("breakthrough-1.0"), "White=monte-carlo:20,Black=random")
    >>> list(found.makers), found.others
    (['White'], 'random')

    Raises:
        ArgumentError: the budget of a bot is 0 or too large, or its entry point cannot be loaded.
    """
    by_player = policies_of_players(ruleset, policy) or dict.fromkeys(ruleset.players, policy)
    makers = {player: maker for player, text in by_player.items() if (maker := find_maker(text))}
    others = {player: text for player, text in by_player.items() if player not in makers}
    if not makers:
        return None
    guided = {player: text for player, text in others.items() if text != RANDOM}
    return BotPolicy(makers, ",".join(f"{who}={text}" for who, text in guided.items()) or RANDOM)


def check_policy(ruleset: AnyRuleset, policy: str) -> None:
    """Raise for a policy that cannot guide games.

    Raises:
        UnknownName: there is no such policy.
        RulesetError: its lines cannot be read.
    """
    for_bot = bot_policy(ruleset, policy)
    rest = policy if for_bot is None else for_bot.others
    if rest == RANDOM:
        return
    try:
        policy_of(ruleset, rest)
    except UnknownName as error:
        raise UnknownName(
            error.kind, error.name, dict.fromkeys((*error.known, *bot_names()))
        ) from None
