"""Policies that are bots: the names of those of the library, and of installed packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from hots_rules.analysis.bots import Bot, MonteCarloBot
from hots_rules.analysis.ismcts import ISMCTSBot
from hots_rules.analysis.named_policy import RANDOM, policies_of_players, policy_of
from hots_rules.diagnostics import UnknownOption
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.sources.plugins import entry_points_of

GROUP: Final = "hots_rules.bots"
"""The entry points of bots: functions as `BotMaker`."""
MAX_BUDGET: Final = 1_000_000
BotMaker = Callable[[str, int], Bot]
"""Makes a bot from a seed and a budget, 0 if none was named."""


def _monte_carlo(seed: str, budget: int) -> Bot:
    return MonteCarloBot(seed, rollouts=budget or 50)


def _ismcts(seed: str, budget: int) -> Bot:
    return ISMCTSBot(seed, iterations=budget or 100)


BOTS: Final[Mapping[str, BotMaker]] = {"monte-carlo": _monte_carlo, "ismcts": _ismcts}


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
    >>> from hots_rules.analysis.bot_policies import bot_policy
    >>> found = bot_policy(hr.load("breakthrough-1.0"), "White=monte-carlo:20,Black=random")
    >>> list(found.makers), found.others
    (['White'], 'random')

    Raises:
        UnknownOption: the budget of a bot is 0 or too large, or its entry point cannot be loaded.
    """
    by_player = policies_of_players(ruleset, policy) or dict.fromkeys(ruleset.players, policy)
    makers = {player: maker for player, text in by_player.items() if (maker := _maker(text))}
    others = {player: text for player, text in by_player.items() if player not in makers}
    if not makers:
        return None
    guided = {player: text for player, text in others.items() if text != RANDOM}
    return BotPolicy(makers, ",".join(f"{who}={text}" for who, text in guided.items()) or RANDOM)


def check_policy(ruleset: AnyRuleset, policy: str) -> None:
    """Raise for a policy that cannot guide games.

    Raises:
        UnknownOption: there is no such policy.
        RulesetError: its lines cannot be read.
    """
    found = bot_policy(ruleset, policy)
    rest = policy if found is None else found.others
    if rest == RANDOM:
        return
    try:
        policy_of(ruleset, rest)
    except UnknownOption as error:
        if not error.known:
            raise
        raise UnknownOption(error.name, (*error.known, *BOTS), error.got) from None


def _maker(text: str) -> tuple[BotMaker, int] | None:
    """What makes the bot of a text `NAME` or `NAME:BUDGET`, and the budget; None for another text."""
    found = re.fullmatch(r"([a-z][a-z0-9-]*)(?::(\d+))?", text)
    if found is None:
        return None
    maker = BOTS.get(found[1]) or _installed(found[1])
    if maker is None:
        return None
    if (found[2] and not 0 < len(found[2]) < 8) or int(found[2] or 1) not in range(
        1, MAX_BUDGET + 1
    ):
        raise UnknownOption("budget", got=found[2][:20], needed=f"a number from 1 to {MAX_BUDGET}")
    return maker, int(found[2] or 0)


def _installed(name: str) -> BotMaker | None:
    """The bot of an installed package."""
    for entry in entry_points_of(GROUP):
        if entry.name == name:
            try:
                maker: BotMaker = entry.load()
            except Exception as error:  # another package may fail in any way
                needed = "a bot that can be loaded"
                raise UnknownOption("policy", got=f"{name} ({error})", needed=needed) from error
            return maker
    return None
