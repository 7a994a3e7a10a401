"""Bots that sit at seats: they think in processes of their own, and use only what their seat may know."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from contextlib import suppress

from attrs import define, field

import hots_rules as hr
from hots_rules.web.games.fair_queue import FairQueue
from hots_rules.web.games.open_from_log import replayed, ruleset_named
from hots_rules.web.refusals import Busy, NotComputed
from hots_rules.web.storage.rows import ActionRow, GameRow
from hots_rules.web.workers import Worker, WorkerReply

OWN_KINDS = ("random", "monte-carlo")
SECONDS = 2.0  # for a choice, once the process has read the ruleset; less if many choices wait
MIN_SECONDS = 0.05
WORLDS = 10  # that a bot considers when it has the whole `SECONDS`
MAX_SECONDS = 60.0  # by the clock, of a busy machine; then the process is ended
MEMORY = 2_000_000_000  # of a process
MAX_WAITING = 1_000  # choices
MAX_WAITING_OF_ASKER = (
    20  # choices; an asker with as many opens no further game with a bot until there are fewer
)
LOGGER = logging.getLogger(__name__)


def _process_count() -> int:
    """How many processes think: the server itself needs a processor as well, but one long choice stops no other."""
    return max((os.cpu_count() or 1) - 1, 2)


@define
class BotPool:
    """The processes in which bots think. Askers take turns, so that nobody's games stop those of others."""

    kinds: tuple[str, ...] = field(factory=lambda: (*OWN_KINDS, *hr.analysis.installed_bots()))
    """The names of the bots that may sit at a seat."""
    queue: FairQueue[Worker] = field(
        factory=lambda: FairQueue([Worker(MAX_SECONDS, MEMORY) for _ in range(_process_count())]),
        init=False,
    )

    async def get_ready(self, ruleset: str, asker: str) -> None:
        """Start a process, and read a ruleset there, before the first choice is wanted."""
        with suppress(Busy, NotComputed):
            async with self.queue.place(asker) as worker:
                await worker.run(_ready, ruleset)

    def check_may_open(self, asker: str) -> None:
        """Let nobody open more games with bots while many bots think for the same asker.

        Raises:
            Busy: too many do.
        """
        if self.queue.count_of(asker) >= MAX_WAITING_OF_ASKER:
            raise Busy("bots think in many games of yours; play those on first")

    async def choose(
        self, kind: str, row: GameRow, actions: Sequence[ActionRow], player: str, asker: str
    ) -> str:
        """The text of the action that a bot chooses for a player, from what that player may know.

        A bot that fails, or cannot think in the time and memory that it has, chooses at random.

        Args:
            kind: the kind of the bot.
            row: the game.
            actions: its log.
            player: the player of the bot.
            asker: for whom the bot plays, such as an address.

        Raises:
            Busy: too many choices wait.
            NotComputed: the process cannot even choose at random.
        """
        if self.queue.count >= MAX_WAITING:
            raise Busy("many wait for bots; look again in a moment")
        async with self.queue.place(asker) as worker:
            seconds = max(SECONDS * self.queue.share_of(asker), MIN_SECONDS)
            try:
                answer = await worker.run(choice, kind, row, actions, player, seconds)
            except NotComputed as fault:
                LOGGER.warning("the bot `%s` chooses at random: %s", kind, fault)
                answer = await worker.run(choice, "random", row, actions, player, seconds)
        return str(answer["text"])

    def close(self) -> None:
        """End the processes."""
        for worker in self.queue.places:
            worker.close()


def _ready(ruleset: str) -> WorkerReply:
    """Read a ruleset in the process of a bot."""
    ruleset_named(ruleset)
    return {}


def choice(
    kind: str, row: GameRow, actions: Sequence[ActionRow], player: str, seconds: float
) -> WorkerReply:
    """The action that a bot of a kind chooses, as its `text`; those of the library think for some seconds.

    Raises:
        ArgumentError: the player is not to choose now, or the bot cannot be loaded.
        EngineError: the bot of a package fails.
    """
    game, seed = replayed(row, actions), hr.new_seed()
    if kind == "monte-carlo":
        worlds = max(round(WORLDS * seconds / SECONDS), 1)
        bot: hr.analysis.Bot = hr.MonteCarloBot(seed, seconds=seconds, worlds=worlds)
    else:
        bot = hr.analysis.make_bot(kind, seed, game.ruleset)
    return {"text": bot.choose(game, player).text}
