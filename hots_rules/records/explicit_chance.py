"""Games with explicit chance: each outcome of dice and draws is an action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from hots_rules.diagnostics import UnknownOption
from hots_rules.play.game import G
from hots_rules.play.notation import CHANCE
from hots_rules.records.recording import initial_game, record_game


def with_explicit_chance(game: G) -> G:
    """The same game with `chance="ask"`: each outcome so far is an action of its own.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> explicit = hr.records.with_explicit_chance(game)
    >>> explicit.chance, explicit.position == game.position
    ('ask', True)
    """
    if game.chance == "ask":
        return game
    start = initial_game(evolve(game, chance="ask"))
    actions = [entry.text for entry in record_game(game).entries]
    *_, explicit = (start, *play_with_outcomes(start, actions, ()))
    return explicit


def play_with_outcomes(game: G, actions: Iterable[str], outcomes: Iterable[str]) -> Iterator[G]:
    """The game after each of some actions and of the chance points that follow them.

    Args:
        game: a game with `chance="ask"`.
        actions: the actions, in order.
        outcomes: the outcomes of the chance points, in order, such as `roll 2 4 5` or `draw Fox`. When there are no
            more of them, the seed of the game decides.

    Raises:
        IllegalAction: an action is not legal, or an outcome is not possible.
        UnreadableAction: a text is not an action or an outcome.
        UnknownOption: there are more outcomes than chance points.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297, chance="ask")
    >>> games = list(hr.records.play_with_outcomes(game, [], []))
    >>> games[-1].to_move == ("chance",)
    False
    """
    remaining = list(outcomes)
    for action in (*actions, None):
        while game.to_move == (CHANCE,):
            outcome = (
                f"{CHANCE}: {remaining.pop(0)}" if remaining else game.sample_chance(game.seed)
            )
            game = game.play(outcome)
            yield game
        if action is not None:
            game = game.play(action)
            yield game
    if remaining:
        raise UnknownOption("outcome", ("none: there are no more chance points",), remaining[0])
