"""The open games of a process: opened from the log, kept while they are played, and told to those who listen."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable

from attrs import define, field

import hots_rules as hr
from hots_rules.web.keys import digest_of, new_key, new_name
from hots_rules.web.refusals import OutOfDate, TableError, WrongKey
from hots_rules.web.store import ActionRow, GameRow, Store

MOST_OPEN = 200  # games in memory; another one is opened from the log in their place


@define
class OpenGame:
    """A game in memory, with who may sit at it."""

    name: str
    game: hr.Game
    players: dict[str, str]
    """The players by the digests of their keys."""
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    listeners: set[asyncio.Queue[int]] = field(factory=set)

    def seat(self, key: str | None) -> str | None:
        """The player to whom a key belongs; None for a spectator, who has none.

        Raises:
            WrongKey: the key belongs to no seat.
        """
        if key is None:
            return None
        if player := self.players.get(digest_of(key)):
            return player
        raise WrongKey("this key belongs to no seat of the game; ask for the link again")

    def tell(self) -> None:
        """Tell everybody who listens how many actions were played."""
        for listener in self.listeners:
            listener.put_nowait(len(self.game.moves))


@define
class Tables:
    """The games of a store."""

    store: Store
    _open: OrderedDict[str, OpenGame] = field(factory=OrderedDict, init=False)
    _opening: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def create(
        self, ruleset: str, scenario: str, seed: str | None
    ) -> tuple[str, dict[str, str]]:
        """Begin a game; give its name and the keys of its players.

        Raises:
            HotsError: no such ruleset or scenario, or the seed is malformed.
        """
        game = await asyncio.to_thread(_begin, ruleset, scenario, seed)
        name = new_name()
        keys = {player: new_key() for player in game.ruleset.players}
        row = GameRow(name, ruleset, game.ruleset.content_hash, scenario, game.seed)
        await self.store.create(row, {player: digest_of(key) for player, key in keys.items()})
        return name, keys

    async def open(self, name: str) -> OpenGame:
        """A game by its name, from memory or from the log.

        Raises:
            UnknownGame: there is no such game.
            TableError: the ruleset has changed since the game began.
        """
        async with self._opening:
            if name not in self._open:
                row, players, actions = await self.store.read(name)
                game = await asyncio.to_thread(_replayed, row, actions)
                self._open[name] = OpenGame(name, game, players)
                self._forget_idle()
            self._open.move_to_end(name)
            return self._open[name]

    def _forget_idle(self) -> None:
        """Keep the games that were asked for last, and those to which somebody listens."""
        idle = [name for name, table in self._open.items() if not table.listeners]
        for name in idle[: max(len(self._open) - MOST_OPEN, 0)]:
            del self._open[name]

    async def play(
        self, table: OpenGame, player: str, text: str, number: int, language: str
    ) -> None:
        """Play an action of a seat; it is kept when this returns.

        Raises:
            OutOfDate: other actions were played than the seat knew.
            HotsError: the rules do not allow it; the error tells what the player may know.
        """
        async with table.lock:
            if number != len(table.game.moves):
                raise OutOfDate("another action was played first; look again")
            after = await asyncio.to_thread(_played, table.game, player, text, language)
            try:
                await self.store.add(table.name, number, _row_of(after))
            except OutOfDate:
                self._open.pop(table.name, None)  # another process has played: read the log anew
                raise
            table.game = after
        table.tell()


def _begin(ruleset: str, scenario: str, seed: str | None) -> hr.Game:
    if ruleset not in hr.rulesets():
        raise hr.UnknownOption("ruleset", tuple(hr.rulesets()), ruleset)
    return hr.load(ruleset).start(scenario, seed=seed)


def _played(game: hr.Game, player: str, text: str, language: str) -> hr.Game:
    return game.in_language(language).play(text, player=player).in_language("en")


def _row_of(game: hr.Game) -> ActionRow:
    code = game.moves[-1]
    return ActionRow(code, game.notation.exact(code))


def _replayed(row: GameRow, actions: Iterable[ActionRow]) -> hr.Game:
    rules = hr.load(row.ruleset)
    if rules.content_hash != row.content:
        raise TableError("the ruleset of this game has changed since it began; it cannot be opened")
    game = rules.start(row.scenario, seed=row.seed)
    for action in actions:
        game = game.play_code(action.code)
    return game
