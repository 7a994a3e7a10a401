"""Players that are programs: by chance, and by thinking of what might come.

A bot is asked for a choice of one player and is told what that player sees. What it thinks of are worlds that the
player cannot tell from the game, so what is hidden can have no part in its choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from attrs import define, field, frozen

from hots_rules.analysis.simulation import playout
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import NoConsistentWorld, UnknownOption
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame

if TYPE_CHECKING:
    from hots_rules.observe.determinization import worlds_of
from hots_rules.observe.determinization import worlds_of
from hots_rules.observe.view import View, view_of

BOLD = 1.0  # how much an action that was tried seldom is preferred


class Bot(Protocol):
    """Whoever chooses for a player."""

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions.

        Raises:
            UnknownOption: the player is not asked now.
        """


@frozen
class RandomBot:
    """Chooses by chance, each action as likely: the same by the same seed, where the player sees the same."""

    seed: int | str = 0

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions.

        Raises:
            UnknownOption: the player is not asked now.
        """
        view = seen_by(game, player)
        return Random(_own_seed(self.seed, view)).choice(view.actions)


@frozen
class MonteCarloBot:
    """Plays on by chance in worlds that the player can think of, and chooses what won most often.

    `rollouts` are the games that it plays on for a choice, in up to `worlds` worlds; with `seconds` it also stops
    when they have passed. Without a time limit the choice follows from the seed and from what the player sees.
    It knows no game: it is as good as play by chance can tell, and it does not weigh what the others may know of it.
    """

    seed: int | str = 0
    rollouts: int = field(default=200)
    seconds: float | None = None
    worlds: int = field(default=10)

    @rollouts.validator
    @worlds.validator
    def _above_nought(self, attribute: object, value: object) -> None:
        if type(value) is not int or value < 1:
            name = str(getattr(attribute, "name", attribute))
            raise UnknownOption(name, ("a number above 0",), str(value))

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions; by chance where no world was found in bounded time.

        Raises:
            UnknownOption: the player is not asked now.
        """
        view = seen_by(game, player)
        if len(view.actions) == 1:
            return view.actions[0]
        seed = _own_seed(self.seed, view)
        late = _deadline(self.seconds)
        try:
            worlds = tuple(worlds_of(game, player, min(self.worlds, self.rollouts), seed))
        except NoConsistentWorld:
            return Random(seed).choice(view.actions)
        return self._best(view.actions, worlds, player, seed, late)

    def _best(
        self,
        own: tuple[Action, ...],
        worlds: Sequence[BaseGame],
        player: str,
        seed: str,
        late: Callable[[], bool],
    ) -> Action:
        """The action that was tried most, of those the one that won more."""
        chance = Random(seed)
        # In an order of their own, so that few tries do not mean the first of the list.
        trials = [Trial(action) for action in chance.sample(own, len(own))]
        for number in range(self.rollouts):
            if number and late():
                break
            trial = _next_trial(trials, number)
            world = chance.choice(worlds)
            trial.add(_played_on(world, trial.action.code, player, f"{seed}/{number}"))
        return max(trials, key=lambda trial: (trial.tried, trial.won)).action


@define
class Trial:
    """How an action has done so far."""

    action: Action
    tried: int = 0
    won: float = 0.0

    def worth(self, tries: int) -> float:
        """How much it is worth another try: what it won, and more for what was tried seldom."""
        if not self.tried:
            return float("inf")
        return self.won / self.tried + BOLD * sqrt(log(tries) / self.tried)

    def add(self, value: float) -> None:
        """Counts a game that was played on."""
        self.tried += 1
        self.won += value


def _played_on(world: BaseGame, code: int, player: str, seed: str) -> float:
    """What the end of a game by chance is worth, with dice of its own: 1 won, 0 lost, half of it between."""
    machine: Machine = world.machine
    slots = list(world.state.slots)
    machine.play(slots, code, seed)
    playout(machine, slots, seed, Random(seed))
    outcome = machine.outcome(slots)
    if outcome < 2:
        return 0.5
    return float(world.ruleset.players[outcome - 2] == player)


def _next_trial(trials: Sequence[Trial], tries: int) -> Trial:
    return max(trials, key=lambda trial: trial.worth(tries))


def seen_by(game: BaseGame, player: str) -> View:
    """What a player who is asked may know.

    Raises:
        UnknownOption: the player is not asked now.
    """
    if player not in game.to_move or player not in game.ruleset.players:
        raise UnknownOption("player", game.to_move, str(player))
    return view_of(game, player)


def _own_seed(seed: int | str, view: View) -> str:
    """A seed for one choice, which a player may know."""
    return f"bot/{seed}/{view.player}/{view.plays}"


def _deadline(seconds: float | None) -> Callable[[], bool]:
    """Whether so many seconds from now have passed; never without a number."""
    end = None if seconds is None else monotonic() + seconds
    return lambda: end is not None and monotonic() >= end
