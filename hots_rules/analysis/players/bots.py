"""Players that are programs: random, and Monte Carlo search.

A bot chooses for one player, from what that player can know. It searches in games that are consistent
with the player's information, so that hidden information cannot influence its choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from attrs import define, field, frozen

from hots_rules.analysis.policies.named_policy import RANDOM
from hots_rules.analysis.simulating.batches import Batch, check_backend
from hots_rules.compile.codes import has_won, winners_of
from hots_rules.diagnostics import BadArgument, EngineError, LimitExceeded, NoConsistentWorld
from hots_rules.observe.view import View, view_of
from hots_rules.observe.worlds import PLAYS_FOR_A_BOTS_WORLD, worlds_of
from hots_rules.play.action import NO_ACTION, Action
from hots_rules.play.game import BaseGame

if TYPE_CHECKING:
    from attrs import Attribute

Actions = tuple[Action, ...]
EXPLORATION = 1.0  # the weight of rarely tried actions in UCB1


def check_above_zero(_: object, attribute: Attribute[int], value: object) -> None:
    """Refuse anything but a whole number above 0.

    Raises:
        BadArgument: it is none.
    """
    if type(value) is not int or value < 1:
        raise BadArgument(attribute.name, value, "a number above 0")


def check_backend_name(_: object, __: Attribute[str], value: str) -> None:
    """Refuse an unknown back end.

    Raises:
        ArgumentError: there is no such back end.
    """
    check_backend(value, workers=1)


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
            BadArgument: the player is not to choose now.
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
            BadArgument: the player is not to choose now.
        """
        view = seen_by(game, player)
        return Random(choice_seed(self.seed, view)).choice(view.actions)


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
        backend: what plays the random games: "auto", "python", "wasm" or "llvm". The choice does not depend on it.
        policy: a policy of the ruleset, or its lines, that guides the random games; see `Batch.of`.
    """

    seed: int | str = 0
    rollouts: int = field(default=200, validator=check_above_zero)
    seconds: float | None = None
    worlds: int = field(default=10, validator=check_above_zero)
    backend: str = field(default="auto", validator=check_backend_name)
    policy: str = RANDOM

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions; a random one if no consistent world was found in bounded time.

        Raises:
            ArgumentError: the player is not to choose now, or there is no such policy.
            RulesetError: the lines of the policy cannot be read.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        view = seen_by(game, player)
        if len(view.actions) == 1:
            return view.actions[0]
        seed = choice_seed(self.seed, view)
        deadline = monotonic() + (inf if self.seconds is None else self.seconds)
        try:
            count = min(self.worlds, self.rollouts)
            worlds = tuple(worlds_of(game, player, count, seed, PLAYS_FOR_A_BOTS_WORLD))
        except (NoConsistentWorld, LimitExceeded):
            return Random(seed).choice(view.actions)
        return self._best(view.actions, worlds, player, seed, deadline)

    def _best(
        self, actions: Actions, worlds: Sequence[BaseGame], player: str, seed: str, deadline: float
    ) -> Action:
        """The action that was tried most; among equals the one with the higher score."""
        random = Random(seed)
        batch = batch_for(worlds[0], self.backend, self.rollouts, self.policy)
        # Shuffled, so that few rollouts do not favour the first actions.
        trials = [ActionTrial(action) for action in random.sample(actions, len(actions))]
        for number in range(self.rollouts):
            if number and monotonic() >= deadline:
                break
            trial = max(trials, key=lambda trial: trial.priority(number))
            world = random.choice(worlds)
            trial.add(_rollout(batch, world, trial.action.code, player, f"{seed}/{number}"))
        return max(trials, key=lambda trial: (trial.count, trial.score)).action


@define
class ActionTrial:
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
        """Count a rollout."""
        self.count += 1
        self.score += value


def _rollout(batch: Batch, world: BaseGame, code: int, player: str, seed: str) -> float:
    """The value of a random game that begins with an action."""
    slots = list(world.state.slots)
    batch.machine.play(slots, code, seed)
    [end] = batch.play([(slots, seed)])
    return value_of(end.outcome, world.ruleset.players.index(player))


def batch_for(game: BaseGame, backend: str, games: int, policy: str) -> Batch:
    """A batch for about `games` random games, guided by a policy, from states of a game.

    Raises:
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    return Batch.of(
        game.ruleset, game.options, game.readings, backend=backend, games=games, policy=policy
    )


def value_of(outcome: int, player: int) -> float:
    """The value of the outcome of a game for a player: 1 if won, 0 if lost, 0.5 if neither."""
    return float(has_won(outcome, player)) if winners_of(outcome) else 0.5


def seen_by(game: BaseGame, player: str) -> View:
    """The view of a player who is to choose.

    Raises:
        BadArgument: the player is not to choose now.
        EngineError: the player has no legal action.
    """
    if player not in game.to_move or player not in game.ruleset.players:
        raise BadArgument("player", player, allowed=game.to_move)
    view = view_of(game, player)
    if not view.actions:
        # Without the position: what is hidden from the player would be in it.
        raise EngineError(NO_ACTION.format(phase=game.phase))
    return view


def choice_seed(seed: int | str, view: View) -> str:
    """A seed for one choice, from what the player knows."""
    return f"bot/{seed}/{view.player}/{view.plays}"
