"""The bodies of requests, as values."""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Clock:
    """The time that each player has: seconds for the whole game and an increment, or days for each turn."""

    seconds: int = 0
    increment: int = 0
    """Seconds that are added after each turn."""
    days: int = 0
    """For each turn; then there are no seconds."""


@frozen
class NewGame:
    """A game to begin: without a seed it gets 128 random bits."""

    ruleset: str
    scenario: str
    seed: str | None = None
    bots: dict[str, str] = field(factory=dict)
    """The kinds of the bots by their players."""
    settings: dict[str, bool | int | str] = field(factory=dict)
    """Options and readings by their names; the others are as usual."""
    shares: bool = False
    """Whether the seed is mixed from shares of the players and the game server; then there is none in the request."""
    position: str = ""
    """Where the game begins, as text; then the scenario plays no part."""
    odds: bool = False
    """Whether the game server tells the players odds during the game."""
    clock: Clock | None = None
    """The time of the players; as much as they like if omitted."""
    claim: bool = True
    """Whether each seat is claimed: the answer has keys of links, which are traded once for keys that open seats."""


@frozen
class NewAction:
    """An action to play, by its text, with the number of changes that the seat knows of."""

    number: int
    action: str


@frozen
class Undo:
    """A request to take the last action back, with the number of changes that the seat knows of."""

    number: int


@frozen
class AskBack:
    """A request to all others to go back to the moment after a number of plays."""

    number: int
    plays: int


@frozen
class Answer:
    """The answer of a seat to a request to go back, or to an offer of a draw."""

    number: int
    agrees: bool


@frozen
class Claim:
    """A claim of a game, with the number of changes that the seat knows of."""

    number: int


@frozen
class Ending:
    """A resignation, an abort or the offer of a draw, with the number of changes that the seat knows of."""

    number: int


@frozen
class ClockStart:
    """A request to start the clock of a game, with the number of changes that the seat knows of."""

    number: int


@frozen
class Question:
    """An action, names of things on the board, or a question in words."""

    words: str


@frozen
class PreviewQuestion:
    """An action, and the number of changes of the game for which it is asked; without one for the game as it is now."""

    words: str
    number: int | None = None


@frozen
class OddsQuestion:
    """A request for odds until a moment, after an action, or without one from now on."""

    until: str
    action: str = ""


@frozen
class PositionText:
    """A position as text, with the options and readings that are not as usual, and lines that change it."""

    text: str
    change: str = ""
    settings: dict[str, bool | int | str] = field(factory=dict)


@frozen
class PositionQuestion:
    """A question about a position."""

    text: str
    words: str
    settings: dict[str, bool | int | str] = field(factory=dict)


@frozen
class PositionOdds:
    """A request for odds of a position until a moment, after an action, or without one from now on."""

    text: str
    until: str
    action: str = ""
    settings: dict[str, bool | int | str] = field(factory=dict)


@frozen
class RulesetText:
    """The text of a ruleset."""

    text: str


@frozen
class RecordText:
    """A record as text."""

    record: str


@frozen
class Words:
    """What a seat says, or notes for itself."""

    text: str


@frozen
class SeatKey:
    """A key that whoever asks has made for a seat: 32 random hexadecimal digits."""

    key: str


@frozen
class LostKey:
    """A key for the seat of a player, as the one that it had is lost: 32 random hexadecimal digits."""

    player: str
    key: str


@frozen
class LostAnswer:
    """The answer of a seat to a request for another key for the seat of a player."""

    player: str
    agrees: bool


@frozen
class Commitment:
    """A commitment to a share of the seed: 64 hexadecimal digits."""

    commitment: str


@frozen
class Secret:
    """A share of the seed: 64 hexadecimal digits."""

    secret: str
