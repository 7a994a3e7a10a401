"""Games whose luck lies open: each outcome is a move, said by somebody or fallen by the seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from attrs import evolve

from hots_rules.diagnostics import UnknownOption
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import CHANCE
from hots_rules.records.replaying import beginning, record_of

G = TypeVar("G", bound=BaseGame)


def with_explicit_chance(game: G) -> G:
    """The same game, with every outcome of chance as a move of its own."""
    if game.chance == "ask":
        return game
    again = _fallen(beginning(evolve(game, chance="ask")))
    for entry in record_of(game).entries:
        *_, again = play_with_outcomes(again, [entry.text], ())
    return again


def _fallen(game: G) -> G:
    """The game after all luck that stands before the next decision, by its seed."""
    while game.to_move == (CHANCE,):
        game = game.play(game.sample_chance(game.seed))
    return game


def play_with_outcomes(game: G, actions: Iterable[str], outcomes: Iterable[str]) -> Iterator[G]:
    """The game after each of some actions and of the luck between them, up to the next decision.

    Luck takes the outcomes in their order (`roll 2 4 5`, `draw Fox`); what is not said falls by the seed.

    Raises:
        IllegalAction: an action is not legal, or an outcome cannot fall there.
        UnreadableAction: it is no action, or no outcome.
        UnknownOption: there are more outcomes than luck to take them.
    """
    left = list(outcomes)
    for action in (*actions, None):
        while game.to_move == (CHANCE,):
            game = game.play(f"{CHANCE}: {left.pop(0)}" if left else game.sample_chance(game.seed))
            yield game
        if action is not None:
            game = game.play(action)
            yield game
    if left:
        raise UnknownOption("outcome", ("none: no more dice fall there",), left[0])
