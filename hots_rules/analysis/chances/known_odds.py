"""Odds as far as one player can know them: those of worlds that are consistent with what the player has seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from time import monotonic

from attrs import field, frozen

from hots_rules.analysis.chances.compute import odds
from hots_rules.analysis.chances.odds import (
    NORMAL_QUANTILE,
    UNFINISHED,
    Odds,
    entry_text,
    wilson_interval,
)
from hots_rules.analysis.policies.policy import Policy
from hots_rules.diagnostics import check_kind, check_whole
from hots_rules.observe.worlds import worlds_of
from hots_rules.play.game import BaseGame

WORLDS = 8
STUDENT_QUANTILE = (
    2.364624251592785  # of a 95 % confidence interval of a mean over that number of worlds
)
MAX_STATES = 60_000  # of all worlds together
MAX_SAMPLES = 2_000
MEMORY = 150_000_000  # bytes


@frozen
class WorldOdds:
    """The odds of one world.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> odds = hr.analysis.player_odds(game, game.to_move[0], game.actions[0].text)
    >>> odds.by_world[0].weight, odds.by_world[0].samples
    (Fraction(1, 8), 0)

    Attributes:
        weight: the share of the worlds that are like it.
        samples: the number of samples; 0 if all outcomes of chance were enumerated.
        outcomes: the distribution of the winner.
        changes: by entry of the state, the distribution of its values.
    """

    weight: Fraction
    samples: int
    outcomes: Mapping[str, Fraction]
    changes: Mapping[str, Mapping[str, Fraction]]

    @classmethod
    def of(cls, computed: Odds, weight: Fraction = Fraction(1)) -> WorldOdds:
        """Computed odds as those of one world."""
        check_kind("computed", computed, Odds, "odds")
        return cls(weight, computed.samples, computed.outcomes, computed.changes())


@frozen
class Estimate:
    """A probability with the bounds of its 95 % confidence interval.

    >>> import hots_rules as hr
    >>> from fractions import Fraction
    >>> hr.analysis.Estimate(Fraction(1, 2), 0.4, 0.6).share
    Fraction(1, 2)

    Attributes:
        share: the probability.
        low: its lower bound; the probability itself if that is exact.
        high: its upper bound.
    """

    share: Fraction
    low: float
    high: float


@frozen
class PlayerOdds:
    """The odds that a player can know; each probability is the mean over the worlds.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.analysis.player_odds(game, game.to_move[0], game.actions[0].text).until
    'decision'

    Attributes:
        until: where the computation stopped.
        by_world: the odds of each different world; one if the player knows all that counts.
    """

    until: str
    by_world: tuple[WorldOdds, ...] = field(repr=False)

    @classmethod
    def of(cls, computed: Odds) -> PlayerOdds:
        """The odds for somebody who knows the whole state: there is one world."""
        check_kind("computed", computed, Odds, "odds")
        return cls(computed.until, (WorldOdds.of(computed),))

    @property
    def worlds(self) -> int:
        """How many different worlds were computed."""
        return len(self.by_world)

    @property
    def samples(self) -> int:
        """The number of samples of all worlds together; 0 if all outcomes were enumerated."""
        return sum(world.samples for world in self.by_world)

    @property
    def exact(self) -> bool:
        """Whether all outcomes of chance were enumerated in each world."""
        return not any(world.samples for world in self.by_world)

    @property
    def outcomes(self) -> Mapping[str, Fraction]:
        """The distribution of the winner, if the game can end."""
        shares = self._distribution([world.outcomes for world in self.by_world])
        return {} if shares.keys() == {UNFINISHED} else shares

    @property
    def changes(self) -> Mapping[str, Mapping[str, Fraction]]:
        """By entry of the state that the player knows now, the distribution of its values."""
        return {
            entry: self._distribution([world.changes[entry] for world in self.by_world])
            for entry in self.by_world[0].changes
        }

    def _distribution(self, by_world: Sequence[Mapping[str, Fraction]]) -> dict[str, Fraction]:
        total: defaultdict[str, Fraction] = defaultdict(Fraction)
        for world, shares in zip(self.by_world, by_world, strict=True):
            for name, share in shares.items():
                total[name] += world.weight * share
        return dict(total)

    # -------------------------------------------------------------- bounds
    def estimate_of_change(self, entry: str, value: str) -> Estimate:
        """The probability that an entry of `changes` has a value in the end, with its bounds."""
        return self.estimate(lambda world: world.changes[entry].get(value, Fraction()))

    def estimate_of_outcome(self, outcome: str) -> Estimate:
        """The probability of one of the `outcomes`, with its bounds."""
        return self.estimate(lambda world: world.outcomes.get(outcome, Fraction()))

    def estimate(self, share_in: Callable[[WorldOdds], Fraction]) -> Estimate:
        """The mean over the worlds of a probability, with its bounds.

        They rest on the number of samples, and on how far the worlds differ. A share that was enumerated in each world
        and is the same in all of them is its own bounds.
        """
        mean, shares = self._mean(share_in), [*map(share_in, self.by_world)]
        if self.exact and len(set(shares)) == 1:
            return Estimate(mean, float(mean), float(mean))
        share, samples = float(mean), self.samples or inf
        spread = sum(
            float(world.weight) * (float(part) - share) ** 2
            for world, part in zip(self.by_world, shares, strict=True)
        )
        # So many samples would vary as much as the worlds do.
        effective = share * (1 - share) * (WORLDS - 1) / spread if spread else inf
        quantile = NORMAL_QUANTILE if samples <= effective else STUDENT_QUANTILE
        return Estimate(mean, *wilson_interval(share, min(samples, effective), quantile))

    def _mean(self, share_in: Callable[[WorldOdds], Fraction]) -> Fraction:
        return sum((world.weight * share_in(world) for world in self.by_world), Fraction())


def player_odds(
    game: BaseGame,
    player: str | None,
    action: str | None = None,
    *,
    until: str = "decision",
    policy: Policy | Mapping[str, Policy] | None = None,
    seconds: float | None = None,
    samples: int = MAX_SAMPLES,
    seed: int | str = 0,
) -> PlayerOdds:
    """The odds that a player, or a spectator, can know: they depend on nothing hidden.

    Without a time limit the same question has the same answer.

    Args:
        game: the game.
        player: the player; None for a spectator.
        action: an action of the player to play first.
        until: where to stop: see `Game.odds`.
        policy: what the players choose on the way: see `Game.odds`.
        seconds: the time of all computations together, beside that for the worlds; None for the steps of each
            that `Limits.odds_steps` allows.
        samples: how many outcomes are sampled at most, where there are too many states.
        seed: of the worlds and of samples.

    Raises:
        ArgumentError: no such player, policy or end.
        IllegalAction: the player may not choose the action now.
        PolicyUndefined: the policy does not say what to choose.
        NoConsistentWorld: no world was found in bounded time.
        TooManyStates: no sample was finished in time.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> player = game.to_move[0]
    >>> found = hr.analysis.player_odds(game, player, game.actions[0].text)
    >>> found.worlds <= 8, found.outcomes
    (True, {})
    """
    check_kind("game", game, BaseGame, "a game")
    check_whole("samples", samples, 1)
    if seconds is not None:
        check_kind("seconds", seconds, float | int, "a number of seconds, or None")
    drawn = list(worlds_of(game, player, WORLDS, seed))
    numbers = Counter(world.state.slots for world in drawn)
    distinct = {world.state.slots: world for world in drawn}
    weighted: list[tuple[Odds, Fraction]] = []
    states, begun = MAX_STATES, monotonic()
    for number, (slots, world) in enumerate(distinct.items()):
        worlds_left = len(distinct) - number
        computed = odds(
            world,
            action,
            until,
            policy,
            states=max(states // worlds_left, 1),
            seconds=None if seconds is None else _time_left(seconds, begun) / worlds_left,
            samples=max(samples * numbers[slots] // WORLDS, 1),
            seed=seed,
            on_progress=None,
            memory=MEMORY,
        )
        # If one world has too many states, the odds are sampled anyway, and the others need no enumeration.
        states = states - computed.states if computed.exact else 0
        weighted.append((computed, Fraction(numbers[slots], WORLDS)))
    return PlayerOdds(until, _by_world(weighted))


def _time_left(seconds: float, begun: float) -> float:
    """The seconds that are left, at least a twentieth of all: each world gets at least one sample."""
    return max(begun + seconds - monotonic(), seconds / 20)


def _by_world(weighted: Sequence[tuple[Odds, Fraction]]) -> tuple[WorldOdds, ...]:
    """The odds of each world, for the entries that have the same value in all worlds now, and may change."""
    now = [_values(computed.game) for computed, _ in weighted]
    worlds = [WorldOdds.of(computed, weight) for computed, weight in weighted]
    entries = [
        entry
        for entry, text in now[0].items()
        if all(values[entry] == text for values in now)
        and any(entry in world.changes for world in worlds)
    ]
    return tuple(
        WorldOdds(
            world.weight,
            world.samples,
            world.outcomes,
            {entry: world.changes.get(entry, {now[0][entry]: Fraction(1)}) for entry in entries},
        )
        for world in worlds
    )


def _values(game: BaseGame) -> dict[str, str]:
    """The value of each entry of the state as text."""
    labels, slots = game.ruleset.labels, game.state.slots
    return {
        entry_text(labels, variable, keys): labels.format_value(slots[slot], variable.type)
        for variable, keys, slot in labels.schema.cells()
    }
