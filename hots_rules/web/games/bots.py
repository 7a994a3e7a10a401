"""Bots that sit at seats: they think in a process of their own, and use what their seat may know alone."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress

from attrs import define, field

import hots_rules as hr
from hots_rules.web.games.open_from_log import replayed, ruleset_named
from hots_rules.web.refusals import Busy, NotComputed
from hots_rules.web.storage.rows import ActionRow, GameRow
from hots_rules.web.workers import Worker, WorkerReply

OWN_KINDS = ("random", "monte-carlo")
SECONDS = 2.0  # for a choice, once the process has read the ruleset
MAX_SECONDS = 60.0  # by the clock, of a busy machine; then the process is ended
MEMORY = 2_000_000_000  # of the process
MAX_WAITING = 1_000  # choices; they are made one after the other
LOGGER = logging.getLogger(__name__)


@define
class BotPool:
    """The process in which bots think; it is started for the first game with a bot, and again if it fails."""

    kinds: tuple[str, ...] = field(factory=lambda: (*OWN_KINDS, *hr.analysis.installed_bots()))
    """The names of the bots that may sit at a seat."""
    _worker: Worker = field(
        factory=lambda: Worker(MAX_SECONDS, MEMORY, most_waiting=MAX_WAITING), init=False
    )

    async def get_ready(self, ruleset: str) -> None:
        """Start the process, and read a ruleset there, before the first choice is wanted."""
        with suppress(Busy, NotComputed):
            await self._worker.run(_ready, ruleset)

    async def choose(
        self, kind: str, row: GameRow, actions: Sequence[ActionRow], player: str
    ) -> str:
        """The text of the action that a bot chooses for a player, from what that player may know.

        A bot that fails, or cannot think in the time and memory that it has, chooses at random.

        Raises:
            Busy: too many choices are waited for.
            NotComputed: the process cannot even do that.
        """
        try:
            answer = await self._worker.run(choice, kind, row, actions, player)
        except NotComputed as fault:
            LOGGER.warning("the bot `%s` chooses at random: %s", kind, fault)
            answer = await self._worker.run(choice, "random", row, actions, player)
        return str(answer["text"])

    def close(self) -> None:
        """End the process."""
        self._worker.close()


def _ready(ruleset: str) -> WorkerReply:
    ruleset_named(ruleset)
    return {}


def choice(kind: str, row: GameRow, actions: Sequence[ActionRow], player: str) -> WorkerReply:
    """The action that a bot of a kind chooses, as its `text`.

    Raises:
        ArgumentError: the player is not to choose now, or the bot cannot be loaded.
        EngineError: the bot of a package fails.
    """
    game, seed = replayed(row, actions), hr.new_seed()
    is_timed = kind == "monte-carlo"
    if is_timed:
        bot: hr.analysis.Bot = hr.MonteCarloBot(seed, seconds=SECONDS)
    else:
        bot = hr.analysis.make_bot(kind, seed, game.ruleset)
    return {"text": bot.choose(game, player).text}
