"""The steps of a search for worlds: what a ruleset computes in it, and the states that are made for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from hots_rules.compile.counting import CountingMachine
from hots_rules.diagnostics import LimitExceeded
from hots_rules.play.game import BaseGame


@frozen
class WorldSteps:
    """The bound of a search for worlds; a condition that ended early, without a step left, is no answer."""

    machine: CountingMachine
    most: int

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Allow the steps of one search from now on.

        Raises:
            LimitExceeded: they did not suffice.
        """
        with self.machine.bounded(self.most):
            yield
            self.spend()

    def spend(self, steps: int = 0) -> None:
        """Spend some steps of the search.

        Raises:
            LimitExceeded: there are no more.
        """
        if self.machine.is_spent(steps):
            raise LimitExceeded("world_steps", self.most, "world of the player")


def world_steps_of(game: BaseGame) -> WorldSteps:
    """The bound of a search for worlds of a game."""
    machine = game.ruleset.compiled.counting_machine(game.settings, for_conditions=True)
    return WorldSteps(machine, game.ruleset.limits.world_steps)
