"""The open games of a process: opened from the log, cached, and broadcast to subscribers."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress

from attrs import asdict, define, field
from sqlalchemy.exc import SQLAlchemyError

import hots_rules as hr
from hots_rules.web.bodies import NewGame
from hots_rules.web.events.change_feed import CHAT, LOG, SEATS, Change
from hots_rules.web.events.subscribers import Listeners
from hots_rules.web.games import seed_shares
from hots_rules.web.games.agreements import own_line
from hots_rules.web.games.bots import Thinkers
from hots_rules.web.games.clocks import check_clock
from hots_rules.web.games.open_from_log import (
    begun,
    continued,
    decided,
    opened,
    ruleset_named,
    snapshot_of,
)
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.games.participants import who_takes_part
from hots_rules.web.refusals import Busy, NotBegun, NotComputed, NotYet, OutOfDate, TableError
from hots_rules.web.storage.batches import Line
from hots_rules.web.storage.keys import digest_of, new_key, new_name
from hots_rules.web.storage.rows import (
    GO_BACK,
    NEW_SEED,
    TAKE_BACK,
    ActionRow,
    GameRow,
    MessageRow,
    SeatRow,
)
from hots_rules.web.storage.store import Store

LOGGER = logging.getLogger(__name__)
MAX_MESSAGES = 2_000  # in the chat of a game
MAX_OPEN = 200  # games in memory; another one is opened from the log in their place
IDLE_SECONDS = 300.0  # after which a game that nobody asks for leaves the memory
SECONDS_BETWEEN_SWEEPS = 15.0  # in which connections that wait for news are tried, too
LINES_BETWEEN_SNAPSHOTS = (
    16  # of the log: no more of them are replayed when a game is opened, as a rule
)


@define
class Tables:
    """The games of a store."""

    store: Store
    listeners: Listeners = field(factory=Listeners, init=False)
    _open: OrderedDict[str, OpenGame] = field(factory=OrderedDict, init=False)
    _opening: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _thinkers: Thinkers = field(factory=Thinkers, init=False)
    _tasks: set[asyncio.Task[None]] = field(factory=set, init=False)

    # -------------------------------------------------------------- the process
    async def begin(self) -> None:
        """Open the store, and listen to what other processes play."""
        await self.store.open()
        self._start(self._sweep())
        self._start(self._hear_others())

    async def end(self) -> None:
        """Stop what runs beside the requests, keep a snapshot of each game, and close the store."""
        running = list(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._thinkers.close()
        for table in self._open.values():
            await self._keep(table)
        await self.store.close()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hear_others(self) -> None:
        async for change in self.store.changes():
            if change is not None:
                await self._hear_of(change)
                continue
            for name in {*self._open, *self.listeners.games}:
                await self._hear_of(Change("", "", name))

    async def _hear_of(self, change: Change) -> None:
        """Go on to what another process has changed in a game, if anybody here may ask for it."""
        name = change.game
        if name not in self._open and name not in self.listeners.games:
            return
        is_new = name not in self._open
        with suppress(
            hr.HotsError, SQLAlchemyError, OSError
        ):  # it is told to whoever asks for the game
            await self.catch_up(table := await self.open(name), change)
            if is_new:
                table.tell("number", table.number)

    # -------------------------------------------------------------- games
    async def create(self, asked: NewGame) -> tuple[str, dict[str, str]]:
        """Begin a game; give its name and the keys of the players who take part and are no bots.

        Raises:
            HotsError: no such ruleset, scenario, setting, player or bot, or the seed is malformed.
        """
        game = await asyncio.to_thread(_begin, asked, self.bot_kinds)
        name = new_name()
        keys = {player: new_key() for player in game.ruleset.players}
        row = GameRow(
            name,
            asked.ruleset,
            ruleset_named(asked.ruleset).content_hash,
            asked.scenario,
            json.dumps(asked.settings, sort_keys=True),
            "" if asked.shares else game.seed,
            asked.position,
            asked.odds,
            clock="" if asked.clock is None else json.dumps(asdict(asked.clock)),
        )
        seats = [SeatRow(p, digest_of(key), asked.bots.get(p, "")) for p, key in keys.items()]
        await self.store.create(
            row, seats, seed_shares.new_share(seed_shares.TABLE) if asked.shares else None
        )
        if asked.bots:
            self._start(self._thinkers.get_ready(row.ruleset))
        playing = await asyncio.to_thread(who_takes_part, row)
        return name, {p: key for p, key in keys.items() if p in playing and p not in asked.bots}

    async def open(self, name: str) -> OpenGame:
        """A game by its name, from memory or from the log.

        Raises:
            UnknownGame: there is no such game.
            NotBegun: not all players have given their shares of the seed.
            TableError: the ruleset has changed since the game began.
        """
        if name not in self._open:
            async with self._opening:
                if name not in self._open:
                    self._open[name] = await self._read(name)
                    self._forget(list(self._open.values())[:-MAX_OPEN])
        table = self._open[name]
        table.asked_at = time.monotonic()
        self._open.move_to_end(name)
        await self._go_on(table)
        self._wake_bots(table)
        return table

    async def _read(self, name: str) -> OpenGame:
        row, seats, actions, kept = await self.store.read_all(name)
        row = await seed_shares.with_seed(self.store, row, seats)
        if not row.seed:
            raise NotBegun("the game begins when all players have sat down")
        game = await asyncio.to_thread(opened, row, actions, kept)
        playing = await asyncio.to_thread(who_takes_part, row)
        at = 0 if kept is None else kept.number
        return OpenGame(row, seats, actions, game, self.listeners, playing, at)

    # -------------------------------------------------------------- snapshots, and games that are idle
    async def _sweep(self) -> None:
        """Let the games leave the memory for which nobody has asked for some time; try the connections."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)
            self.listeners.try_all()
            self.forget_idle(IDLE_SECONDS)
            with suppress(SQLAlchemyError, OSError):
                await self.store.forget_changes()

    def forget_idle(self, seconds: float) -> None:
        """Let the games leave the memory for which nobody has asked for some seconds."""
        before = time.monotonic() - seconds
        self._forget([game for game in self._open.values() if game.asked_at <= before])

    def _forget(self, idle: Sequence[OpenGame]) -> None:
        for table in idle:
            if not (table.lock.locked() or table.is_thinking):
                del self._open[table.row.name]
                if table.number >= table.snapshot_at + LINES_BETWEEN_SNAPSHOTS:
                    self._start(self._keep(table))

    async def _keep(self, table: OpenGame) -> None:
        """Keep a snapshot, if the log has grown since the last one. One that cannot be kept is not missed."""
        if table.number > table.snapshot_at:
            table.snapshot_at = table.number
            made = await asyncio.to_thread(snapshot_of, table.game, list(table.actions))
            with suppress(SQLAlchemyError, OSError):
                await self.store.keep_snapshot(table.row.name, made)

    @staticmethod
    def _expect_snapshot(table: OpenGame) -> None:
        """Leave the snapshots to the process that adds the line after which one is made."""
        made = table.number - table.number % LINES_BETWEEN_SNAPSHOTS
        table.snapshot_at = max(table.snapshot_at, made)

    async def catch_up(self, table: OpenGame, change: Change) -> None:
        """Go on to what another process has changed; to all that it may have changed, if no kind is told."""
        if change.kind in ("", LOG):
            async with table.lock:
                await self._catch_up(table, change)
        if change.kind in ("", SEATS):
            table.seats[:] = await self.store.read_seats(table.row.name)
        if change.kind in ("", CHAT):
            table.tell("chat", len(await self.store.read_messages(table.row.name)))

    async def _catch_up(self, table: OpenGame, change: Change | None = None) -> None:
        if change is not None and change.line:
            line = Line.parse(table.row.name, change.line)
            if line.number < table.number:
                return
            if line.number == table.number and line.action.code >= 0:
                table.grow(continued(table.game, [line.action]), [line.action])
                self._expect_snapshot(table)
                return
        actions = await self.store.read_actions(table.row.name, table.number)
        if actions:
            table.grow(await asyncio.to_thread(continued, table.game, actions), actions)
            self._expect_snapshot(table)

    # -------------------------------------------------------------- actions
    async def play(
        self, table: OpenGame, player: str, text: str, number: int, language: str
    ) -> None:
        """Play an action of a seat; it is kept when this returns.

        Raises:
            OutOfDate: the game has changed since the seat was told of it.
            HotsError: the rules do not allow it; the error tells what the player may know.
        """
        async with table.lock:
            await self._check(table, number)
            after = _played_as_listed(table.game, player, text, language)
            if after is None:
                after = await asyncio.to_thread(_played, table.game, player, text, language)
            code = after.moves[len(table.game.moves)]
            await self._add(table, ActionRow(code, after.notation.exact(code), player), after)
        self._wake_bots(table)

    async def take_back(self, table: OpenGame, player: str, number: int) -> None:
        """Take the last action of a seat back, if nothing was revealed since.

        Raises:
            OutOfDate: the game has changed since the seat was told of it.
            NotYet: there is no action that may be taken back.
        """
        async with table.lock:
            await self._check(table, number)
            before = await asyncio.to_thread(_taken_back, table.game, player)
            await self._add(table, ActionRow(TAKE_BACK, f"{player} takes back", player), before)

    async def add_line(self, table: OpenGame, number: int, made: Callable[[], ActionRow]) -> None:
        """Add a line that is no action, made when the table is known to be up to date; then what follows from it.

        Raises:
            OutOfDate: the game has changed since the seat was told of it.
            HotsError: what making the line raises.
        """
        async with table.lock:
            await self._check(table, number)
            await self._add(table, await asyncio.to_thread(made))
        await self._go_on(table)
        self._wake_bots(table)

    async def _go_on(self, table: OpenGame) -> None:
        """Add what the table itself says to the log: answers of bots, going back, and the seed after it."""
        if not table.waits_for_seed and own_line(table.actions, table.seats) is None:
            return
        async with table.lock:
            with suppress(OutOfDate):
                while (line := await self._own_line(table)) is not None:
                    await self._add(table, line)

    async def _own_line(self, table: OpenGame) -> ActionRow | None:
        if not table.waits_for_seed:
            return own_line(table.actions, table.seats)
        line = table.number - 1
        seed = await seed_shares.later_seed(self.store, table.row, line, table.seats)
        return ActionRow(NEW_SEED, seed) if seed else None

    async def _check(self, table: OpenGame, number: int) -> None:
        if number > table.number:  # the seat knows more than this process
            await self._catch_up(table)
        if number != table.number:
            raise OutOfDate("another action was played first; look again")
        if table.claim is not None:
            raise NotYet("the game is over: it was claimed")
        if table.waits_for_seed:
            raise NotYet("the game goes on when all have given their shares of the next seed")

    async def _add(self, table: OpenGame, action: ActionRow, after: hr.Game | None = None) -> None:
        if after is None:
            after = await asyncio.to_thread(continued, table.game, [action])
        action = table.dated(action, after)
        try:
            await self.store.add(table.row.name, table.number, action)
        except OutOfDate:
            await self._catch_up(table)
            raise
        table.grow(after, [action])
        # To go back replays the whole game, which is not to be done again when it is opened.
        if table.number % LINES_BETWEEN_SNAPSHOTS == 0 or action.code == GO_BACK:
            self._start(self._keep(table))

    # -------------------------------------------------------------- seats
    async def change_key(self, table: OpenGame, player: str) -> str:
        """Another key for a seat; the old one is worth nothing from now on."""
        key = new_key()
        await self.store.change_key(table.row.name, player, digest_of(key))
        table.seats[:] = await self.store.read_seats(table.row.name)
        return key

    async def say(self, table: OpenGame, player: str, words: str) -> None:
        """Add what a seat says, and tell everybody who listens.

        Raises:
            NotYet: the game has as many messages as it may have.
        """
        async with table.lock:
            count = len(await self.store.read_messages(table.row.name))
            if count >= MAX_MESSAGES:
                raise NotYet(f"a game has at most {MAX_MESSAGES:,} messages")
            await self.store.say(table.row.name, count, MessageRow(player, words))
            table.tell("chat", count + 1)

    # -------------------------------------------------------------- bots
    @property
    def bot_kinds(self) -> Sequence[str]:
        """The names of the bots that may sit at a seat."""
        return self._thinkers.kinds

    def _wake_bots(self, table: OpenGame) -> None:
        if not table.is_thinking and table.bots_to_choose:
            table.is_thinking = True
            self._start(self._let_bots_play(table))

    async def _let_bots_play(self, table: OpenGame) -> None:
        """Play for the bots until only people are to choose; one that fails is asked again when the game is."""
        try:
            while waiting := table.bots_to_choose:
                player, number = min(waiting), table.number
                text = await self._thinkers.choose(
                    table.bots[player], table.row, list(table.actions), player
                )
                with suppress(OutOfDate):
                    await self.play(table, player, text, number, "en")
        except (Busy, NotComputed):
            LOGGER.warning("a bot could not choose")
        finally:
            table.is_thinking = False


def _begin(asked: NewGame, kinds: Sequence[str]) -> hr.Game:
    if asked.shares and asked.seed is not None:
        raise TableError(
            "a seed is given or mixed from shares, not both; leave `seed` or `shares` out"
        )
    rules = ruleset_named(asked.ruleset)
    for player, kind in asked.bots.items():
        if player not in rules.players:
            raise hr.UnknownName("player", player, rules.players)
        if kind not in kinds:
            raise hr.UnknownName("bot", kind, kinds)
    if asked.clock is not None:
        check_clock(asked.clock)
    return begun(rules, asked.scenario, asked.seed, asked.settings, asked.position)


def _played_as_listed(game: hr.Game, player: str, text: str, language: str) -> hr.Game | None:
    """The game after a legal action with just this text, which takes little time; None if there is none."""
    for action in game.in_language(language).actions:
        if action.text == text and action.player == player:
            return decided(game.play_code(action.code))
    return None


def _played(game: hr.Game, player: str, text: str, language: str) -> hr.Game:
    return decided(game.in_language(language).play(text, player=player).in_language("en"))


def _taken_back(game: hr.Game, player: str) -> hr.Game:
    if game.is_over or game.undo_limit(player) >= len(game.moves):
        raise NotYet("there is no action of yours to take back, or something was revealed since")
    return game.back()
