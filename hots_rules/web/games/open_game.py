"""A game in memory: its log, its seats, and who listens to its changes."""

from __future__ import annotations

import asyncio
import json
import time

from attrs import define, evolve, field

import hots_rules as hr
from hots_rules.web.bodies import Clock
from hots_rules.web.events.subscribers import Subscribers
from hots_rules.web.games.agreements import Request, open_question
from hots_rules.web.games.clocks import Times, times_of
from hots_rules.web.games.pictures import Pictures
from hots_rules.web.instants import now
from hots_rules.web.storage.keys import seat_of
from hots_rules.web.storage.rows import ENDINGS, GO_BACK, ActionRow, GameRow, SeatRow


@define
class OpenGame:
    """A game in memory, with who may sit at it."""

    row: GameRow
    seats: list[SeatRow]
    actions: list[ActionRow]
    """The whole log, with what was taken back."""
    game: hr.Game
    subscribers: Subscribers
    playing: frozenset[str]
    """The players who take part."""
    pictures: Pictures = field(factory=Pictures, init=False)
    snapshot_at: int = 0
    """How many lines the log had when the last snapshot was made."""
    asked_at: float = field(factory=time.monotonic)
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    is_thinking: bool = False
    asker: str = ""
    """For whom its bots play: the address from which the game was asked for last."""
    _asides: list[int] = field(factory=list, init=False)
    _read: int = field(default=0, init=False)
    """How many lines of the log were looked through for `asides`."""

    @property
    def number(self) -> int:
        """How many lines the log has; each change of the game is one more."""
        return len(self.actions)

    @property
    def asides(self) -> list[int]:
        """The numbers of the lines of the log that are no plays; a log only grows."""
        new_lines = enumerate(self.actions[self._read :], self._read)
        self._asides += (number for number, line in new_lines if line.code < 0)
        self._read = len(self.actions)
        return self._asides

    @property
    def bots(self) -> dict[str, str]:
        """The kinds of the bots by their players."""
        return {seat.player: seat.bot for seat in self.seats if seat.bot}

    @property
    def sitting(self) -> dict[str, str]:
        """Who takes part: the kind of a bot by its player, and nothing for a person."""
        return {seat.player: seat.bot for seat in self.seats if seat.player in self.playing}

    @property
    def bots_to_choose(self) -> set[str]:
        """The bots that are to choose now; none in a game in which no person takes part."""
        has_person = any(player in self.playing for player in self.people)
        is_stopped = self.waits_for_seed or self.ending is not None or not has_person
        return set() if is_stopped else self.bots.keys() & set(self.game.to_move)

    @property
    def people(self) -> list[str]:
        """The players who are no bots."""
        return [seat.player for seat in self.seats if not seat.bot]

    @property
    def waits_for_seed(self) -> bool:
        """Whether the game has gone back, and its next seed is not known yet."""
        return bool(self.actions) and self.actions[-1].code == GO_BACK

    @property
    def ending(self) -> ActionRow | None:
        """The line with which somebody has ended the game; None if nobody has."""
        is_ended = bool(self.actions) and self.actions[-1].code in ENDINGS
        return self.actions[-1] if is_ended else None

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game, or somebody has."""
        return self.game.is_over or self.ending is not None

    @property
    def question(self) -> Request | None:
        """What a player asks the others; None if there is nothing to answer."""
        return open_question(self.actions, self.seats)

    @property
    def clock(self) -> Clock | None:
        """The clock of the game; None if the players have as much time as they like."""
        return Clock(**json.loads(self.row.clock)) if self.row.clock else None

    @property
    def times(self) -> Times | None:
        """The times of the players now; None without a clock."""
        if self.clock is None:
            return None
        return times_of(self.clock, self.people, self.actions).at(now())

    def late_at(self, number: int) -> tuple[str, ...]:
        """Whose time was out at the instant of a line of the log."""
        if self.clock is None:
            return ()
        before = times_of(self.clock, self.people, self.actions[:number])
        return before.at(self.actions[number].instant).out

    def seat(self, key: str | None) -> str | None:
        """The player to whom a key belongs; None for a spectator, who has none.

        Raises:
            WrongKey: the key belongs to no seat.
        """
        if key is None:
            return None
        return seat_of(self.seats, key)

    def grow(self, game: hr.Game, actions: list[ActionRow]) -> None:
        """Go on to a game after more actions, and tell everybody who listens."""
        self.game = game
        self.actions += actions
        self.tell("number", self.number)

    def tell(self, kind: str, count: int) -> None:
        """Tell everybody who listens."""
        self.subscribers.tell(self.row.name, kind, count)

    def dated(self, action: ActionRow, after: hr.Game) -> ActionRow:
        """A line for the log, with its instant and who is to choose after it."""
        last = self.actions[-1].instant if self.actions else 0
        stands = action.code in (GO_BACK, *ENDINGS)
        waiting = [] if stands else [p for p in after.to_move if p in self.people]
        return evolve(action, instant=max(now(), last), waiting=json.dumps(waiting))
