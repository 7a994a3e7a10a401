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
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

import hots_rules as hr
from hots_rules.web.bodies import NewGame
from hots_rules.web.events.change_feed import CHAT, GONE, LOG, SEATS, Change
from hots_rules.web.events.subscribers import Subscribers
from hots_rules.web.games import seed_shares
from hots_rules.web.games.agreements import server_line
from hots_rules.web.games.bots import BotPool
from hots_rules.web.games.clocks import check_clock
from hots_rules.web.games.open_from_log import (
    after_chance,
    begun,
    continued,
    opened,
    ruleset_named,
    snapshot_of,
)
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.games.participants import who_takes_part
from hots_rules.web.games.rematches import rematch_row, seats_of_rematch
from hots_rules.web.instants import now
from hots_rules.web.refusals import Busy, NotBegun, NotComputed, NotYet, OutOfDate, TableError
from hots_rules.web.storage.batches import Line
from hots_rules.web.storage.kept_shares import KeptShares
from hots_rules.web.storage.keys import digest_of, new_key, new_name
from hots_rules.web.storage.rows import (
    GIVEN,
    GO_BACK,
    NEW_SEED,
    SHARES,
    TABLE,
    TAKE_BACK,
    ActionRow,
    GameRow,
    MessageRow,
    SeatRow,
)
from hots_rules.web.storage.seats import changed_seats
from hots_rules.web.storage.store import Store

LOGGER = logging.getLogger(__name__)
MAX_MESSAGES = 2_000  # in the chat of a game
MAX_LINES = 10_000  # of a log; a long game has some hundreds
LINES_TO_END = 100  # past them, for what is no action, such as to resign
MAX_OPEN = 200  # games in memory; past it, the one asked for longest ago leaves it
IDLE_SECONDS = 300.0  # after which a game that nobody asks for leaves the memory
SECONDS_BETWEEN_SWEEPS = 15.0  # in which connections that wait for news are tried, too
LINES_BETWEEN_SNAPSHOTS = (
    16  # of the log; as a rule no more of them are replayed when a game is opened
)


@define
class OpenGames:
    """The games of a store."""

    store: Store
    subscribers: Subscribers = field(factory=Subscribers, init=False)
    _open: OrderedDict[str, OpenGame] = field(factory=OrderedDict, init=False)
    _opening: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _being_opened: str = field(default="", init=False)
    """The name of the game that is being read to be opened; empty if none is."""
    _seats_meanwhile: Sequence[SeatRow] | None = field(default=None, init=False)
    """Its seats, if they were changed while it is read."""
    _seating: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    """Seats are changed, or read again, one after the other: what is known last is what is kept."""
    _bot_pool: BotPool = field(factory=BotPool, init=False)
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
        self._bot_pool.close()
        for open_game in [*self._open.values()]:  # a request that still runs may open another
            await self._keep(open_game)
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
            # Changes may have been missed: look at every game that anybody here may ask for.
            for name in {*self._open, *self.subscribers.games}:
                await self._hear_of(Change("", "", name))

    async def _hear_of(self, change: Change) -> None:
        """Catch up with what another process has changed in a game, if anybody here may ask for it."""
        name = change.game
        is_here = name in self._open or name == self._being_opened
        if not is_here and name not in self.subscribers.games:
            return
        if change.kind == GONE:
            self._drop(name)
            return
        is_new = name not in self._open
        # Whoever asks for the game gets the same error.
        with suppress(hr.HotsError, SQLAlchemyError, OSError):
            await self.catch_up(open_game := await self.open(name), change)
            if is_new:
                open_game.tell("number", open_game.number)
            if not open_game.seats:
                self._drop(name)

    def _drop(self, name: str) -> None:
        """Forget a game that is not in the database any more."""
        self._open.pop(name, None)
        self.subscribers.end([name])

    # -------------------------------------------------------------- games
    async def create(self, asked: NewGame, asker: str = "") -> tuple[str, dict[str, str]]:
        """Begin a game; give its name and the keys of the players who take part and are no bots, or of their links.

        Args:
            asked: the game.
            asker: who begins it, such as an address.

        Raises:
            Busy: bots think in too many games of the same asker.
            TableError: nobody but bots takes part.
            HotsError: no such ruleset, scenario, setting, player or bot, or the seed is malformed.
        """
        game = await asyncio.to_thread(_new_game, asked, self.bot_kinds)
        name = new_name()
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
            begun=now(),
            dice=_dice_of(asked),
            has_claims=asked.claim,
        )
        playing = await self.participants(row)
        if asked.bots:
            self._bot_pool.check_may_open(asker)
            if playing <= asked.bots.keys():
                raise TableError(
                    "a game at the table has a person; `hots simulate` plays games of bots alone"
                )
        keys = {p: new_key() for p in game.ruleset.players if p in playing and p not in asked.bots}
        seats = [
            _new_seat(player, asked.bots.get(player, ""), keys.get(player), asked.claim)
            for player in game.ruleset.players
        ]
        await self.store.create(
            row, seats, seed_shares.new_share(seed_shares.SERVER) if asked.shares else None
        )
        if asked.bots:
            self._start(self._bot_pool.get_ready(row.ruleset, asker))
        return name, keys

    async def participants(self, row: GameRow) -> frozenset[str]:
        """The players who take part in a game."""
        return await asyncio.to_thread(who_takes_part, row)

    async def rematch(self, open_game: OpenGame, asker: str = "") -> str:
        """The name of the next game between the same seats; it is begun if there is none.

        Raises:
            NotYet: the game is not over.
            Busy: bots think in too many games of the same asker.
        """
        if not open_game.is_over:
            raise NotYet("a rematch follows a game that is over")
        if open_game.bots:
            self._bot_pool.check_may_open(asker)
        is_mixed = bool(await KeptShares(self.store, open_game.row.name).read())
        row = await asyncio.to_thread(rematch_row, open_game.row, is_mixed=is_mixed)
        seats = seats_of_rematch(open_game.seats, open_game.playing)
        share = seed_shares.new_share(seed_shares.SERVER) if is_mixed else None
        with suppress(IntegrityError):  # another seat has asked first
            await self.store.create(row, seats, share)
        return row.name

    async def open(self, name: str, asker: str = "") -> OpenGame:
        """A game by its name, from memory or from the log.

        Args:
            name: its name.
            asker: for whom its bots play from now on, such as an address; as before if empty.

        Raises:
            UnknownGame: there is no such game.
            NotBegun: not all players have given their shares of the seed.
            TableError: the ruleset has changed since the game began.
        """
        if name not in self._open:
            async with self._opening:
                if name not in self._open:
                    self._open[name] = await self._read_to_open(name)
                    # Those asked for longest ago come first.
                    self._forget(list(self._open.values())[:-MAX_OPEN])
        open_game = self._open[name]
        open_game.asked_at = time.monotonic()
        open_game.asker = asker or open_game.asker
        self._open.move_to_end(name)
        await self._add_due_lines(open_game)
        self._wake_bots(open_game)
        return open_game

    async def _read_to_open(self, name: str) -> OpenGame:
        """A game from the log, with the seats to which they were changed while it was read."""
        self._being_opened, self._seats_meanwhile = name, None
        try:
            open_game = await self.read(name)
        finally:
            self._being_opened = ""
        if self._seats_meanwhile is not None:
            open_game.seats[:] = self._seats_meanwhile
        return open_game

    async def read(self, name: str) -> OpenGame:
        """A game from the log, which is not kept in memory, and to which nothing is added.

        Raises:
            UnknownGame: there is no such game.
            NotBegun: not all players have given their shares of the seed.
            TableError: the ruleset has changed since the game began.
        """
        row, seats, actions, kept = await self.store.read_all(name)
        row = await seed_shares.with_seed(self.store, row, seats)
        if not row.seed:
            raise NotBegun("the game begins when all players have sat down")
        game = await asyncio.to_thread(opened, row, actions, kept)
        playing = await self.participants(row)
        at = 0 if kept is None else kept.number
        return OpenGame(row, seats, actions, game, self.subscribers, playing, at)

    # -------------------------------------------------------------- snapshots, and games that are idle
    async def _sweep(self) -> None:
        """Forget idle games and old changes, and try the connections, again and again."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)
            self.subscribers.try_all()
            self.forget_idle(IDLE_SECONDS)
            with suppress(SQLAlchemyError, OSError):
                await self.store.forget_changes()

    def forget_idle(self, seconds: float) -> None:
        """Let the games leave the memory for which nobody has asked for some seconds."""
        before = time.monotonic() - seconds
        self._forget([game for game in self._open.values() if game.asked_at <= before])

    def _forget(self, idle: Sequence[OpenGame]) -> None:
        for open_game in idle:
            if not (open_game.lock.locked() or open_game.is_thinking):
                del self._open[open_game.row.name]
                if open_game.number >= open_game.snapshot_at + LINES_BETWEEN_SNAPSHOTS:
                    self._start(self._keep(open_game))

    async def _keep(self, open_game: OpenGame) -> None:
        """Keep a snapshot, if the log has grown since the last one; without it, opening the game only takes longer."""
        if open_game.number > open_game.snapshot_at:
            open_game.snapshot_at = open_game.number
            made = await asyncio.to_thread(snapshot_of, open_game.game, list(open_game.actions))
            with suppress(SQLAlchemyError, OSError):
                await self.store.keep_snapshot(open_game.row.name, made)

    @staticmethod
    def _leave_snapshot_to_writer(open_game: OpenGame) -> None:
        """Count the snapshot at the last multiple as made: the process that added that line makes it."""
        made = open_game.number - open_game.number % LINES_BETWEEN_SNAPSHOTS
        open_game.snapshot_at = max(open_game.snapshot_at, made)

    async def catch_up(self, open_game: OpenGame, change: Change) -> None:
        """Read what another process has changed: the log, the seats or the chat; all three if the kind is empty."""
        if change.kind in ("", LOG):
            async with open_game.lock:
                await self._read_new_lines(open_game, change)
        if change.kind in ("", SEATS):
            async with self._seating:
                self._reseat(open_game.row.name, await self.store.read_seats(open_game.row.name))
        if change.kind in ("", CHAT):
            open_game.tell("chat", len(await self.store.read_messages(open_game.row.name)))

    async def _read_new_lines(self, open_game: OpenGame, change: Change | None = None) -> None:
        if change is not None and change.line:
            line = Line.parse(open_game.row.name, change.line)
            if line.number < open_game.number:
                return
            if line.number == open_game.number and line.action.code >= 0:
                open_game.grow(continued(open_game.game, [line.action]), [line.action])
                self._leave_snapshot_to_writer(open_game)
                return
        actions = await self.store.read_actions(open_game.row.name, open_game.number)
        if actions:
            open_game.grow(await asyncio.to_thread(continued, open_game.game, actions), actions)
            self._leave_snapshot_to_writer(open_game)

    # -------------------------------------------------------------- actions
    async def play(
        self, open_game: OpenGame, player: str, text: str, number: int, language: str
    ) -> None:
        """Play an action of a seat; it is kept when this returns.

        Raises:
            OutOfDate: the game has changed since the seat was told of it, other than by choices at the same time.
            NotYet: the log of the game is full.
            HotsError: the rules do not allow it; the error tells what the player may know.
        """
        async with open_game.lock:
            _check_room(open_game, MAX_LINES)
            while not await self._play_once(open_game, player, text, number, language):
                pass
        self._wake_bots(open_game)

    async def _play_once(
        self, open_game: OpenGame, player: str, text: str, number: int, language: str
    ) -> bool:
        """Play an action of a seat; False if another process kept a choice at the same time in between."""
        await self._check(open_game, number, player)
        after = _played_as_listed(open_game.game, player, text, language)
        if after is None:
            after = await asyncio.to_thread(_played, open_game.game, player, text, language)
        code, count = after.moves[len(open_game.game.moves)], open_game.number
        try:
            await self._add(open_game, ActionRow(code, after.notation.exact(code), player), after)
        except OutOfDate:
            if open_game.number == count:
                raise
            return False
        return True

    async def take_back(self, open_game: OpenGame, player: str, number: int) -> None:
        """Take the last action of a seat back, if nothing was revealed since.

        Raises:
            OutOfDate: the game has changed since the seat was told of it.
            NotYet: there is no action that may be taken back, or the log of the game is full.
        """
        async with open_game.lock:
            _check_room(open_game, MAX_LINES)
            await self._check(open_game, number)
            before = await asyncio.to_thread(_taken_back, open_game.game, player)
            await self._add(open_game, ActionRow(TAKE_BACK, f"{player} takes back", player), before)

    async def add_line(
        self, open_game: OpenGame, number: int, made: Callable[[], ActionRow]
    ) -> None:
        """Add a line that is no action, made once the open game is up to date; then add what follows from it.

        Raises:
            OutOfDate: the game has changed since the seat was told of it.
            NotYet: the log of the game is full.
            HotsError: what making the line raises.
        """
        async with open_game.lock:
            _check_room(open_game, MAX_LINES + LINES_TO_END)
            await self._check(open_game, number)
            await self._add(open_game, await asyncio.to_thread(made))
        await self._add_due_lines(open_game)
        self._wake_bots(open_game)

    async def _add_due_lines(self, open_game: OpenGame) -> None:
        """Add the lines that the server owes the log: answers of bots, going back, and the seed after it."""
        if not open_game.waits_for_seed and server_line(open_game.actions, open_game.seats) is None:
            return
        async with open_game.lock:
            with suppress(OutOfDate):
                while (line := await self._next_server_line(open_game)) is not None:
                    await self._add(open_game, line)

    async def _next_server_line(self, open_game: OpenGame) -> ActionRow | None:
        if not open_game.waits_for_seed:
            return server_line(open_game.actions, open_game.seats)
        line = open_game.number - 1
        seed = await seed_shares.later_seed(self.store, open_game.row, line, open_game.seats)
        return ActionRow(NEW_SEED, seed) if seed else None

    async def _check(self, open_game: OpenGame, number: int, player: str = "") -> None:
        """Refuse what a seat does if it knows another number of lines of the log, or the game does not go on.

        A player who acts is named: that others chose at the same time does not count as a change for that player.

        Raises:
            OutOfDate: the game has changed.
            NotYet: the game is over, or waits for a seed.
        """
        if number > open_game.number:  # the seat knows more than this process
            await self._read_new_lines(open_game)
        is_known = number == open_game.number or (
            player and await asyncio.to_thread(_chose_at_once, open_game, player, number)
        )
        if not is_known:
            raise OutOfDate("another action was played first; look again")
        if open_game.ending is not None:
            raise NotYet("the game is over: somebody has ended it")
        if open_game.waits_for_seed:
            raise NotYet("the game goes on when all have given their shares of the next seed")

    async def _add(
        self, open_game: OpenGame, action: ActionRow, after: hr.Game | None = None
    ) -> None:
        if after is None:
            after = await asyncio.to_thread(continued, open_game.game, [action])
        action = open_game.dated(action, after)
        try:
            await self.store.add(open_game.row.name, open_game.number, action)
        except OutOfDate:
            await self._read_new_lines(open_game)
            raise
        open_game.grow(after, [action])
        # To go back replays the whole game, which is not to be done again when it is opened.
        if open_game.number % LINES_BETWEEN_SNAPSHOTS == 0 or action.code == GO_BACK:
            self._start(self._keep(open_game))

    # -------------------------------------------------------------- seats
    async def change_seats(
        self, name: str, change: Callable[[list[SeatRow]], SeatRow]
    ) -> list[SeatRow]:
        """The seats of a game after a change of one of them, of which everybody who listens is told.

        Raises:
            HotsError: what the change raises.
        """
        async with self._seating:
            seats = await self.store.change_seats(
                name, lambda connection: changed_seats(connection, name, change)
            )
            self._reseat(name, seats)
        return seats

    def _reseat(self, name: str, seats: Sequence[SeatRow]) -> None:
        """Go on with other seats of a game, and tell everybody who listens."""
        if name == self._being_opened:
            self._seats_meanwhile = seats
        elif name in self._open:
            if self._open[name].seats == seats:
                return
            self._open[name].seats[:] = seats
        self.subscribers.tell(name, "seats", sum(bool(seat.keys) for seat in seats))

    async def say(self, open_game: OpenGame, player: str, words: str) -> None:
        """Add what a seat says, and tell everybody who listens.

        Raises:
            NotYet: the game has as many messages as it may have.
        """
        async with open_game.lock:
            count = len(await self.store.read_messages(open_game.row.name))
            if count >= MAX_MESSAGES:
                raise NotYet(f"a game has at most {MAX_MESSAGES:,} messages")
            await self.store.say(open_game.row.name, count, MessageRow(player, words))
            open_game.tell("chat", count + 1)

    # -------------------------------------------------------------- bots
    @property
    def bot_kinds(self) -> Sequence[str]:
        """The names of the bots that may sit at a seat."""
        return self._bot_pool.kinds

    def _wake_bots(self, open_game: OpenGame) -> None:
        if not open_game.is_thinking and open_game.bots_to_choose:
            open_game.is_thinking = True
            self._start(self._let_bots_play(open_game))

    async def _let_bots_play(self, open_game: OpenGame) -> None:
        """Play for the bots until only people are to choose; one that fails is asked again when the game is."""
        try:
            name = open_game.row.name
            while self._open.get(name) is open_game and (waiting := open_game.bots_to_choose):
                player, number = min(waiting), open_game.number
                kind, log = open_game.bots[player], list(open_game.actions)
                asker = open_game.asker or name
                text = await self._bot_pool.choose(kind, open_game.row, log, player, asker)
                with suppress(OutOfDate):
                    await self.play(open_game, player, text, number, "en")
        except (Busy, NotComputed, NotYet):
            LOGGER.warning("a bot could not choose")
        finally:
            open_game.is_thinking = False


def _check_room(open_game: OpenGame, most: int) -> None:
    """Refuse a line of a log that is full: all of it is read when the game is opened, and looked through to tell it.

    Raises:
        NotYet: it has as many lines as it may have.
    """
    if open_game.number >= most:
        raise NotYet.full(most)


def _dice_of(asked: NewGame) -> str:
    """Where the seed of a new game comes from."""
    if asked.shares:
        return SHARES
    return TABLE if asked.seed is None else GIVEN


def _new_seat(player: str, bot: str, key: str | None, is_claimed: bool) -> SeatRow:
    """A seat of a new game: whoever sits down claims it by a link, or it has its key from the beginning."""
    digests = frozenset() if key is None else frozenset({digest_of(key)})
    none = frozenset[str]()
    return SeatRow(player, bot, none if is_claimed else digests, digests if is_claimed else none)


def _new_game(asked: NewGame, kinds: Sequence[str]) -> hr.Game:
    if asked.shares and asked.seed is not None:
        raise TableError(
            "a seed is given or mixed from shares, not both; leave `seed` or `shares` out"
        )
    rules = ruleset_named(asked.ruleset)
    for player, kind in asked.bots.items():
        if player not in rules.players:
            raise hr.UnknownName("player", player, rules.players)
        if kind not in (known := (*hr.analysis.playing_policies(rules), *kinds)):
            raise hr.UnknownName("bot", kind, known)
    if asked.clock is not None:
        check_clock(asked.clock)
    return begun(rules, asked.scenario, asked.seed, asked.settings, asked.position)


def _played_as_listed(game: hr.Game, player: str, text: str, language: str) -> hr.Game | None:
    """The game after a legal action with just this text, which takes little time; None if there is none."""
    for action in game.in_language(language).actions:
        if action.text == text and action.player == player:
            return after_chance(game.play_code(action.code))
    return None


def _chose_at_once(open_game: OpenGame, player: str, number: int) -> bool:
    """Whether all that happened since a number are choices of others in a decision that the player has still to take.

    Such choices are made at the same time, so that nobody has to know whether another one has been made.
    """
    game, rows = open_game.game, open_game.actions[number:]
    others = {row.player for row in rows}
    if player not in game.to_move or player in others or any(row.code < 0 for row in rows):
        return False
    if not 0 < len(rows) == len(others) < len(game.ruleset.players):
        return False
    return {*game.back(len(rows)).to_move} == {*game.to_move} | others


def _played(game: hr.Game, player: str, text: str, language: str) -> hr.Game:
    return after_chance(game.in_language(language).play(text, player=player).in_language("en"))


def _taken_back(game: hr.Game, player: str) -> hr.Game:
    if game.is_over or game.undo_limit(player) >= len(game.moves):
        raise NotYet("there is no action of yours to take back, or something was revealed since")
    return game.back()
