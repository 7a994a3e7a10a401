"""Bots by their names: those of the library, and of installed packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from hots_rules.analysis.players.bots import Bot, MonteCarloBot, RandomBot
from hots_rules.analysis.players.ismcts import ISMCTSBot
from hots_rules.analysis.players.policy_bot import PolicyBot
from hots_rules.analysis.policies.named_policy import RANDOM, named_policies
from hots_rules.diagnostics import BadArgument, EngineError, HotsError, UnknownName, check_kind
from hots_rules.play.action import Action
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.sources.plugins import cause_of, entry_points_of

GROUP: Final = "hots_rules.bots"
"""The entry points of bots: functions as `BotMaker`."""
MAX_BUDGET: Final = 1_000_000
BotMaker = Callable[[str, int], Bot]
"""Makes a bot from a seed and a budget, 0 if none was named."""
_NAME: Final = "[a-z][a-z0-9-]*"


def _monte_carlo(seed: str, budget: int) -> Bot:
    return MonteCarloBot(seed, rollouts=budget or 50)


def _ismcts(seed: str, budget: int) -> Bot:
    return ISMCTSBot(seed, iterations=budget or 100)


BOTS: Final[Mapping[str, BotMaker]] = {"monte-carlo": _monte_carlo, "ismcts": _ismcts}


@frozen
class InstalledBot:
    """A bot of an installed package, whose faults are told as those of the library, with its name."""

    name: str
    bot: Bot

    def choose(self, game: BaseGame, player: str) -> Action:
        """The action that the bot chooses.

        Raises:
            EngineError: the bot fails, or chooses what is not legal.
        """
        try:
            action = self.bot.choose(game, player)
        except Exception as error:  # another package may fail in any way
            raise EngineError(f"the bot `{self.name}` failed: {cause_of(error)}") from error
        own = [action.code for action in game.actions if action.player == player]
        if not isinstance(action, Action) or action.code not in own:
            chosen = action.text if isinstance(action, Action) else type(action).__name__
            raise EngineError(
                f"the bot of {player} chose `{chosen}`, which is not legal; it is `{self.name}` of a package"
            )
        return action


def installed_bots() -> tuple[str, ...]:
    """The names of the bots of installed packages, sorted; none of them is loaded.

    >>> from hots_rules.analysis.players.named_bots import installed_bots
    >>> "monte-carlo" in installed_bots()
    False
    """
    names = (entry.name for entry in entry_points_of(GROUP))
    return tuple(
        dict.fromkeys(
            name for name in names if re.fullmatch(_NAME, name) and name not in (RANDOM, *BOTS)
        )
    )


def bot_names() -> tuple[str, ...]:
    """The names of all bots: `random`, those of the library, and those of installed packages.

    >>> import hots_rules as hr
    >>> hr.analysis.bot_names()[:3]
    ('random', 'monte-carlo', 'ismcts')
    """
    return (RANDOM, *BOTS, *installed_bots())


def tuned_policies(ruleset: AnyRuleset, player: str | None = None) -> tuple[str, ...]:
    """The names of the policies of a ruleset that play whole games, those that were tuned for a player first.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.analysis.tuned_policies(rules, rules.players[0])
    ('english-attack', 'scottish-attack')
    """
    tuned = [policy for policy in named_policies(ruleset).values() if policy.plays]
    return tuple(policy.name for policy in sorted(tuned, key=lambda p: p.plays != player))


def playing_policies(ruleset: AnyRuleset, player: str | None = None) -> tuple[str, ...]:
    """The names of the policies of a ruleset that may play a player: its tuned ones, else all that its rules declare.

    >>> import hots_rules as hr
    >>> hr.analysis.playing_policies(hr.load("beacons-1.0"))
    ('count-trumps',)
    """
    return tuned_policies(ruleset, player) or tuple(ruleset.compiled.typed.policies)


def usual_opponent(ruleset: AnyRuleset, player: str) -> str:
    """Who plays a player where nobody is named: the policy that was tuned for the player, else `random`.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0"), hr.load("reversi-1.0")
    >>> [hr.analysis.usual_opponent(ruleset, ruleset.players[0]) for ruleset in rules]
    ['english-attack', 'random']
    """
    policies = named_policies(ruleset).values()
    return next((policy.name for policy in policies if policy.plays == player), RANDOM)


def make_bot(name: str, seed: int | str = 0, ruleset: AnyRuleset | None = None) -> Bot:
    """The bot of a name such as `ismcts`, or of a name with its budget such as `ismcts:50`.

    With a ruleset, the name may be one of its `playing_policies`.

    Raises:
        ArgumentError: there is no such bot, its budget is 0 or too large, or its package is broken.

    >>> import hots_rules as hr
    >>> hr.analysis.make_bot("monte-carlo:20", seed=7).rollouts
    20
    """
    check_kind("name", name, str, "a text")
    if name == RANDOM:
        return RandomBot(seed)
    policies = () if ruleset is None else playing_policies(ruleset)
    if name in policies:
        return PolicyBot(name, seed)
    maker_and_budget = find_maker(name)
    if maker_and_budget is None:
        raise UnknownName("bot", name[:80], (*policies, *bot_names()))
    maker, budget = maker_and_budget
    return maker(str(seed), budget)


def find_maker(text: str) -> tuple[BotMaker, int] | None:
    """What makes the bot of a text `NAME` or `NAME:BUDGET`, and the budget; None for another text.

    Raises:
        ArgumentError: the budget is 0 or too large, or the bot cannot be loaded.
    """
    match = re.fullmatch(rf"({_NAME})(?::(\d+))?", text)
    if match is None:
        return None
    maker = BOTS.get(match[1]) or _installed(match[1])
    if maker is None:
        return None
    if (match[2] and not 0 < len(match[2]) < 8) or int(match[2] or 1) not in range(
        1, MAX_BUDGET + 1
    ):
        raise BadArgument("budget", match[2][:20], f"a number from 1 to {MAX_BUDGET}")
    return maker, int(match[2] or 0)


def _installed(name: str) -> BotMaker | None:
    """What makes the bot of an installed package."""
    for entry in entry_points_of(GROUP):
        if entry.name == name:
            try:
                make: BotMaker = entry.load()
            except (Exception, SystemExit) as error:  # another package may fail in any way
                raise _broken(name, error) from error
            return _guarded(name, make)
    return None


def _guarded(name: str, make: BotMaker) -> BotMaker:
    """A maker whose faults are told with the name of the bot."""

    def made(seed: str, budget: int) -> Bot:
        try:
            bot = make(seed, budget)
            if not callable(getattr(bot, "choose", None)):
                raise TypeError(f"`{type(bot).__name__}` has no method `choose`")
        except HotsError:
            raise
        except Exception as error:  # another package may fail in any way
            raise _broken(name, error) from error
        return InstalledBot(name, bot)

    return made


def _broken(name: str, error: BaseException) -> BadArgument:
    needed = "another one, or mend the package that names it by an entry point"
    return BadArgument("bot", f"{name} ({cause_of(error)})", needed)
