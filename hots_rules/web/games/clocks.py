"""Clocks: the time that each player has left, computed from the instants in the log.

Time runs for the people who are to choose, from the first action of the game on, or from when a player starts the
clock: otherwise a player who never makes the first move would never be late. It stands still while only bots are to
choose, and while a seed is mixed. A turn lasts as long as a player is to choose: after it the increment is added, or
the days for the next one begin anew. An action that is taken back gives its player the time that they had before it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import field, frozen

from hots_rules.web.bodies import Clock
from hots_rules.web.refusals import NotYet, TableError
from hots_rules.web.storage.rows import CLAIM, GO_BACK, START_CLOCK, TAKE_BACK, ActionRow

_DAY = 24 * 60 * 60 * 1000  # milliseconds


def check_clock(clock: Clock) -> None:
    """Check that a clock gives every player some time, and not more than a year.

    Raises:
        TableError: it does not.
    """
    has_days = 1 <= clock.days <= 365 and clock.seconds == clock.increment == 0
    has_seconds = 1 <= clock.seconds <= 86_400 and 0 <= clock.increment <= 3_600 and not clock.days
    if not has_days and not has_seconds:
        raise TableError(
            "a clock has 1 to 365 days for a turn, or 1 to 86,400 seconds for the game and up to 3,600 after a turn"
        )


@frozen
class Times:
    """The time that each player has left at an instant, in milliseconds."""

    left: dict[str, int]
    running: tuple[str, ...] = ()
    """Whose time runs from this instant on."""
    instant: int = 0

    def at(self, instant: int) -> Times:
        """The times at a later instant; none is below 0."""
        spent = max(instant - self.instant, 0)
        left = {
            player: max(time - spent, 0) if player in self.running else time
            for player, time in self.left.items()
        }
        return Times(left, self.running, max(instant, self.instant))

    @property
    def out(self) -> tuple[str, ...]:
        """Who is to choose, and has no time left."""
        return tuple(player for player in self.running if self.left.get(player) == 0)


@frozen
class _ClockReader:
    """Computes the times line by line; keeps who had how much before each action that can be taken back."""

    clock: Clock
    before_actions: list[tuple[str, int]] = field(factory=list)

    def after(self, times: Times, line: ActionRow) -> Times:
        """The times after one more line of the log."""
        then = times.at(line.instant)
        left, running = then.left, tuple(json.loads(line.waiting))
        if line.code == GO_BACK:
            self.before_actions.clear()
        if line.code >= 0 and line.player in left:
            self.before_actions.append((line.player, left[line.player]))
            if line.player not in running:
                left[line.player] += self.clock.increment * 1000
        if self.clock.days:
            left.update({p: _full(self.clock) for p in running if p not in times.running})
        if line.code == TAKE_BACK and self.before_actions:
            left.update([self.before_actions.pop()])
        return Times(left, running, then.instant)


def times_of(clock: Clock, players: Sequence[str], actions: Sequence[ActionRow]) -> Times:
    """The times after the last line of a log.

    Args:
        clock: how much each player has.
        players: the people who play.
        actions: the log.
    """
    reader, times = _ClockReader(clock), Times(dict.fromkeys(players, _full(clock)))
    for line in actions:
        times = reader.after(times, line)
    return times


def _full(clock: Clock) -> int:
    """The time that each player has at first, in milliseconds."""
    return clock.days * _DAY if clock.days else clock.seconds * 1000


def start_clock_row(times: Times | None, actions: Sequence[ActionRow], player: str) -> ActionRow:
    """The line with which a player starts the clock of a game in which nobody has played yet.

    Raises:
        NotYet: the game has no clock, or it has been started.
    """
    if times is None or any(line.code >= 0 or line.code == START_CLOCK for line in actions):
        raise NotYet("a clock is started once, before the first action, where the game has one")
    return ActionRow(START_CLOCK, f"{player} starts the clock", player)


def claim_row(times: Times | None, player: str) -> ActionRow:
    """The line with which a player claims a game, as the time of another one is out.

    Raises:
        NotYet: nobody else's time is out, or the player's own is.
    """
    out = () if times is None else times.out
    if not out or player in out:
        raise NotYet(
            "a game is claimed when the time of another player is out, and one's own is not"
        )
    return ActionRow(CLAIM, f"{player} claims the game: the time of {out[0]} is out", player)
