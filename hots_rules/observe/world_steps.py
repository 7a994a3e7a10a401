"""The steps of a search for worlds: what a ruleset computes in it, and the states that are made for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from hots_rules.compile.counting import CountingMachine
from hots_rules.diagnostics import TooManySteps, how_to_raise
from hots_rules.play.game import BaseGame


@frozen
class WorldSteps:
    """Bounds a search for worlds: conditions that end early, since no step is left, are no answers."""

    machine: CountingMachine
    most: int

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Allow the steps of one search from now on.

        Raises:
            TooManySteps: they did not suffice.
        """
        with self.machine.bounded(self.most):
            yield
            self.spend()

    def spend(self, steps: int = 0) -> None:
        """Spend some steps of the search.

        Raises:
            TooManySteps: there are no more.
        """
        if self.machine.is_spent(steps):
            raise TooManySteps(
                f"no world of the player within {self.most} steps; {how_to_raise('world_steps')}"
            )


def world_steps_of(game: BaseGame) -> WorldSteps:
    """The bound of a search for worlds of a game."""
    machine = game.ruleset.compiled.counting_machine(game.settings, for_conditions=True)
    return WorldSteps(machine, game.ruleset.limits.world_steps)
