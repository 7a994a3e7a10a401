"""The rows of the database as values."""

from __future__ import annotations

from attrs import evolve, frozen


@frozen
class GameRow:
    """How a game began: a ruleset by its name and the digest of its texts, a scenario, settings and a seed."""

    name: str
    ruleset: str
    content: str
    scenario: str
    settings: str
    """The options and readings that differ from the usual ones, as JSON."""
    seed: str
    position: str = ""
    """Where the game begins, if not at the beginning of the scenario."""
    has_odds: bool = False
    """Whether the game server tells the players odds."""
    clock: str = ""
    """The times of the players as JSON, see `clocks`; empty if they have as much as they like."""
    begun: int = 0
    """When it was opened, in milliseconds since 1970."""
    dice: str = ""
    """Where the seed with which it began comes from; empty in games that are older than this column."""
    has_claims: bool = False
    """Whether each seat is claimed by who opens its link first; else whoever opened the game has all keys."""


GIVEN, TABLE, SHARES = "given", "table", "shares"
"""Where a seed comes from: from whoever opened the game, from the table alone, or from shares of all."""


@frozen
class SnapshotRow:
    """A snapshot of a game after a number of lines of its log."""

    number: int
    text: str


@frozen
class LostSeat:
    """Somebody has lost the key of a seat and asks for another one.

    With the consent of another seat, the new key is that of the seat when the holder has not refused it in time.
    """

    digest: str
    """Of the new key, which only the asker has."""
    asker: str
    """The player whose key the asker had; empty for somebody without one."""
    agreed: str
    """The player who has consented; empty as long as nobody has."""
    until: int
    """Until when it can be answered, in milliseconds since 1970."""


@frozen
class SeatRow:
    """A seat, with the digests of its keys."""

    player: str
    bot: str = ""
    """The kind of the bot that sits there; empty for a person."""
    keys: frozenset[str] = frozenset()
    """Of those that open the seat: one for each browser of its player."""
    links: frozenset[str] = frozenset()
    """Of those in links that nobody has opened yet: each is traded once for a key."""
    used: frozenset[str] = frozenset()
    """Of those in links that were opened."""
    lost: LostSeat | None = None

    def at(self, instant: int) -> SeatRow:
        """The seat at an instant: what was asked for has become its key, or has lapsed."""
        if self.lost is None or instant < self.lost.until:
            return self
        if not self.lost.agreed:
            return evolve(self, lost=None)
        return SeatRow(self.player, self.bot, keys=frozenset({self.lost.digest}), used=self.used)


@frozen
class ShareRow:
    """A share of the seed of a game: the commitment to it, and the secret when it is known; else empty."""

    player: str
    commitment: str
    secret: str


@frozen
class MessageRow:
    """What somebody at a seat has said."""

    player: str
    text: str


@frozen
class ActionRow:
    """A line of the log: an action by its code in the ruleset and its text in English, or a code below 0."""

    code: int
    text: str
    """For people; of `NEW_SEED` it is the seed."""
    player: str = ""
    """Who did it; empty for the game server itself."""
    plays: int = 0
    """After how many plays the moment is to which `ASK_BACK` and `GO_BACK` go."""
    instant: int = 0
    """When it was, in milliseconds since 1970; no line is earlier than the one before it."""
    waiting: str = "[]"
    """The people who are to choose after it, as JSON."""


TAKE_BACK = -1
"""The last action that was not taken back is taken back by its player, as nothing was revealed."""
ASK_BACK = -2
"""A player asks the others to go back to a moment."""
AGREE = -3
"""A player agrees to what was asked last."""
REFUSE = -4
"""A player refuses what was asked last, or withdraws it."""
GO_BACK = -5
"""All have agreed: the game is as it was at a moment, and waits for another seed."""
NEW_SEED = -6
"""The seed of all chance from here on."""
CLAIM = -7
"""A player claims the game, as the time of another one is out."""
START_CLOCK = -8
"""A player starts the clock before the first action."""
CLOSE = -9
"""Whoever runs the game server ends the game."""
RESIGN = -10
"""A player gives the game up."""
OFFER_DRAW = -11
"""A player asks the others to end the game as a draw."""
DRAW = -12
"""All have agreed that the game is a draw."""
ABORT = -13
"""A player ends the game before anybody has played."""
ENDINGS = frozenset({CLAIM, CLOSE, RESIGN, DRAW, ABORT})
"""The lines that end a game whose rules have not ended it; none follows them."""
