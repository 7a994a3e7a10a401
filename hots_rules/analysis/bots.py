"""Players that are programs: random, and Monte Carlo search.

A bot chooses for one player, from what that player can know. It searches in games that are consistent
with the player's information, so that hidden information cannot influence its choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from random import Random
from time import monotonic
from typing import Protocol

from attrs import Attribute, define, field, frozen

from hots_rules.analysis.playouts import NO_ACTION, playout
from hots_rules.diagnostics import EngineError, NoConsistentWorld, UnknownOption
from hots_rules.observe.view import View, view_of
from hots_rules.observe.worlds import worlds_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame

Actions = tuple[Action, ...]
EXPLORATION = 1.0  # the weight of rarely tried actions in UCB1


class Bot(Protocol):
    """Chooses actions for a player.

    >>> import hots_rules as hr
    >>> class FirstBot:
    ...     def choose(self, game, player):
    ...         return game.view(player).actions[0]
    >>> bot: hr.analysis.Bot = FirstBot()
    """

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions.

        Raises:
            UnknownOption: the player is not to choose now.
        """


@frozen
class RandomBot:
    """Chooses at random, each action with the same probability.

    The choice depends on the seed and on what the player can see.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> player = game.to_move[0]
    >>> hr.RandomBot(seed=7).choose(game, player) in game.view(player).actions
    True

    Attributes:
        seed: the seed of its choices.
    """

    seed: int | str = 0

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions.

        Raises:
            UnknownOption: the player is not to choose now.
        """
        view = seen_by(game, player)
        return Random(_choice_seed(self.seed, view)).choice(view.actions)


@frozen
class MonteCarloBot:
    """Plays random games from consistent worlds, and chooses the action that was tried most (UCB1).

    Without a time limit, the choice depends on the seed and on what the player can see. It does not
    consider what its choices reveal.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> player = game.to_move[0]
    >>> hr.MonteCarloBot(rollouts=2, worlds=1).choose(game, player) in game.view(player).actions
    True

    Attributes:
        seed: the seed of its choices.
        rollouts: the number of random games for a choice.
        seconds: the time after which it stops earlier; None for no limit.
        worlds: the number of consistent worlds.
    """

    seed: int | str = 0
    rollouts: int = field(default=200)
    seconds: float | None = None
    worlds: int = field(default=10)

    @rollouts.validator
    @worlds.validator
    def _check_positive(self, attribute: Attribute[int], value: object) -> None:
        if type(value) is not int or value < 1:
            raise UnknownOption(attribute.name, got=str(value), needed="a number above 0")

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions; a random one if no consistent world was found in time.

        Raises:
            UnknownOption: the player is not to choose now.
        """
        view = seen_by(game, player)
        if len(view.actions) == 1:
            return view.actions[0]
        seed = _choice_seed(self.seed, view)
        deadline = monotonic() + (inf if self.seconds is None else self.seconds)
        try:
            worlds = tuple(worlds_of(game, player, min(self.worlds, self.rollouts), seed))
        except NoConsistentWorld:
            return Random(seed).choice(view.actions)
        return self._best(view.actions, worlds, player, seed, deadline)

    def _best(
        self, actions: Actions, worlds: Sequence[BaseGame], player: str, seed: str, deadline: float
    ) -> Action:
        """The action that was tried most; among equals the one with the higher score."""
        random = Random(seed)
        # Shuffled, so that few rollouts do not favour the first actions.
        trials = [Trial(action) for action in random.sample(actions, len(actions))]
        for number in range(self.rollouts):
            if number and monotonic() >= deadline:
                break
            trial = max(trials, key=lambda trial: trial.priority(number))
            world = random.choice(worlds)
            trial.add(_rollout(world, trial.action.code, player, f"{seed}/{number}"))
        return max(trials, key=lambda trial: (trial.count, trial.score)).action


@define
class Trial:
    """The results of an action so far.

    Attributes:
        action: the action.
        count: the number of rollouts that began with it.
        score: the sum of their values.
    """

    action: Action
    count: int = 0
    score: float = 0.0

    def priority(self, total: int) -> float:
        """The upper confidence bound of its value (UCB1), after `total` rollouts of all actions."""
        if not self.count:
            return float("inf")
        return self.score / self.count + EXPLORATION * sqrt(log(total) / self.count)

    def add(self, value: float) -> None:
        """Counts a rollout."""
        self.count += 1
        self.score += value


def _rollout(world: BaseGame, code: int, player: str, seed: str) -> float:
    """The value of a random game that begins with an action: 1 if won, 0 if lost, 0.5 if neither."""
    machine = world.machine
    slots = list(world.state.slots)
    machine.play(slots, code, seed)
    playout(machine, slots, seed, Random(seed))
    outcome = machine.outcome(slots)
    if outcome < 2:
        return 0.5
    return float(world.ruleset.players[outcome - 2] == player)


def seen_by(game: BaseGame, player: str) -> View:
    """The view of a player who is to choose.

    Raises:
        UnknownOption: the player is not to choose now.
        EngineError: the player has no legal action.
    """
    if player not in game.to_move or player not in game.ruleset.players:
        raise UnknownOption("player", game.to_move, str(player))
    view = view_of(game, player)
    if not view.actions:
        # Without the position: what is hidden from the player would be in it.
        raise EngineError(NO_ACTION.format(phase=game.phase))
    return view


def _choice_seed(seed: int | str, view: View) -> str:
    """A seed for one choice, from what the player knows."""
    return f"bot/{seed}/{view.player}/{view.plays}"
