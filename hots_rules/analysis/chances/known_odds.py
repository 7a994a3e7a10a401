"""Odds as far as one player can know them: those of worlds that are consistent with what the player has seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from time import monotonic

from attrs import frozen

from hots_rules.analysis.chances.compute import odds
from hots_rules.analysis.chances.odds import UNFINISHED, Odds, entry_text
from hots_rules.analysis.policies.policy import Policy
from hots_rules.observe.worlds import worlds_of
from hots_rules.play.game import BaseGame

WORLDS = 4
MAX_STATES = 50_000
MAX_SAMPLES = 2_000
MEMORY = 150_000_000  # bytes


@frozen
class PlayerOdds:
    """The odds of a player; each share is the mean over the worlds.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.analysis.player_odds(game, game.to_move[0], game.actions[0].text).until
    'decision'

    Attributes:
        until: where the computation stopped.
        worlds: how many different worlds were computed; one if the player knows all that counts.
        exact: whether all outcomes of chance were enumerated in each world.
        outcomes: the distribution of the winner, if the game can end.
        changes: by entry of the state that the player knows now, the distribution of its values.
    """

    until: str
    worlds: int
    exact: bool
    outcomes: Mapping[str, Fraction]
    changes: Mapping[str, Mapping[str, Fraction]]


def player_odds(
    game: BaseGame,
    player: str | None,
    action: str | None = None,
    *,
    until: str = "decision",
    policy: Policy | Mapping[str, Policy] | None = None,
    seconds: float = 4.0,
    seed: int | str = 0,
) -> PlayerOdds:
    """The odds that a player, or a spectator, can know: nothing hidden has a part in them.

    Args:
        game: the game.
        player: the player; None for a spectator.
        action: an action of the player to play first.
        until: where to stop: see `Game.odds`.
        policy: what the players choose on the way: see `Game.odds`.
        seconds: the time of all computations together, beside that for the worlds.
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
    >>> found.worlds <= 4, found.outcomes
    (True, {})
    """
    compute = partial(
        odds,
        until=until,
        policy=policy,
        states=MAX_STATES,
        samples=MAX_SAMPLES,
        seed=seed,
        on_progress=None,
        memory=MEMORY,
    )
    sampled = list(worlds_of(game, player, WORLDS, seed))
    weights = Counter(world.state.slots for world in sampled)
    distinct = {world.state.slots: world for world in sampled}
    weighted, end = [], monotonic() + seconds
    for number, (slots, world) in enumerate(distinct.items()):
        # What is left is shared by the worlds that are left.
        share = max(end - monotonic(), seconds / 20) / (len(distinct) - number)
        weighted.append((compute(world, action, seconds=share), Fraction(weights[slots], WORLDS)))
    return PlayerOdds(
        until,
        len(weighted),
        all(world_odds.exact for world_odds, _ in weighted),
        _outcomes(weighted),
        _changes(weighted),
    )


Weighted = list[tuple[Odds, Fraction]]


def _outcomes(weighted: Weighted) -> dict[str, Fraction]:
    """The mean distribution of the winner; none if no game ends."""
    total: defaultdict[str, Fraction] = defaultdict(Fraction)
    for world_odds, weight in weighted:
        for outcome, share in world_odds.outcomes.items():
            total[outcome] += weight * share
    return {} if set(total) == {UNFINISHED} else dict(total)


def _changes(weighted: Weighted) -> dict[str, dict[str, Fraction]]:
    """The mean distribution of each entry that has one value now in all worlds, and may have another one."""
    now = [_values(world_odds.game) for world_odds, _ in weighted]
    unchanged = {
        entry
        for entry, text in now[0].items()
        if all(world_values[entry] == text for world_values in now)
    }
    total: dict[str, defaultdict[str, Fraction]] = {}
    changes = [world_odds.changes() for world_odds, _ in weighted]
    for entry in now[0]:
        if entry in unchanged and any(entry in world_changes for world_changes in changes):
            shares = total.setdefault(entry, defaultdict(Fraction))
            for world_changes, (_, weight) in zip(changes, weighted, strict=True):
                for value, share in world_changes.get(entry, {now[0][entry]: Fraction(1)}).items():
                    shares[value] += weight * share
    return {entry: dict(shares) for entry, shares in total.items()}


def _values(game: BaseGame) -> dict[str, str]:
    """The value of each entry of the state as text."""
    labels, slots = game.ruleset.labels, game.state.slots
    return {
        entry_text(labels, variable, keys): labels.format_value(slots[slot], variable.type)
        for variable, keys, slot in labels.schema.cells()
    }
