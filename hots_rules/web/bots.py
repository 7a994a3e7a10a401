"""Bots that sit at seats: they think in a process of their own, and use what their seat may know alone."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from attrs import define, field

import hots_rules as hr
from hots_rules.web.opening import replayed
from hots_rules.web.rows import ActionRow, GameRow
from hots_rules.web.workers import end_with_parent

KINDS = ("random", "monte-carlo")
SECONDS = 2.0  # for a choice


@define
class Thinkers:
    """The process in which bots think; it is started for the first choice, and ends with its parent."""

    _pool: ProcessPoolExecutor | None = field(default=None, init=False)

    async def choose(
        self, kind: str, row: GameRow, actions: Sequence[ActionRow], player: str
    ) -> str:
        """The text of the action that a bot chooses for a player, from what that player may know."""
        if self._pool is None:
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, spawning, initializer=end_with_parent)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, choice, kind, row, actions, player)

    def close(self) -> None:
        """End the process, and drop what it was to choose."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def choice(kind: str, row: GameRow, actions: Sequence[ActionRow], player: str) -> str:
    """The text of the action that a bot of a kind chooses.

    Raises:
        UnknownOption: the player is not to choose now.
    """
    game = replayed(row, actions)
    bot: hr.analysis.Bot = hr.RandomBot(seed=hr.new_seed())
    if kind == "monte-carlo":
        bot = hr.MonteCarloBot(seed=hr.new_seed(), seconds=SECONDS)
    return bot.choose(game, player).text
