"""A player that chooses as a policy of the ruleset does, from what it can know."""

from __future__ import annotations

from random import Random

from attrs import frozen

from hots_rules.analysis.players.bots import choice_seed, seen_by
from hots_rules.analysis.policies.settling import Settler
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame


@frozen
class PolicyBot:
    """Chooses what a policy prefers in most of a few worlds of its player; at random where no line applies.

    A policy may read the whole state, and the bot may not: so it is asked in states that its player cannot tell from
    the true one.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> bot = hr.analysis.PolicyBot("english-attack", seed=7)
    >>> player = game.to_move[0]
    >>> bot.choose(game, player) in game.view(player).actions
    True

    Attributes:
        policy: the name of a policy of `named_policies`.
        seed: the seed of its random choices.
    """

    policy: str
    seed: int | str = 0

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions.

        Raises:
            ArgumentError: the player is not to choose now, or the ruleset has no such policy.
        """
        view = seen_by(game, player)
        settler = game.ruleset.compiled.memo(
            ("policy bot", self.policy, player), lambda: Settler(game.ruleset, self.policy, player)
        )
        votes = settler.votes(game)
        codes = {action.code: action for action in view.actions}
        preferred = [(count, -code) for code, count in votes.items() if code in codes]
        if not preferred:
            return Random(choice_seed(self.seed, view)).choice(view.actions)
        return codes[-max(preferred)[1]]
