"""The rows of the database as values."""

from __future__ import annotations

from attrs import frozen


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
    """Whether the table tells the players odds."""


@frozen
class SnapshotRow:
    """A snapshot of a game after a number of lines of its log."""

    number: int
    text: str


@frozen
class SeatRow:
    """A seat: the digest of its key, and the kind of the bot that sits there; empty for a person."""

    player: str
    key_digest: str
    bot: str


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
    """An action: its code in the ruleset, and its text in English, for people.

    The code `TAKE_BACK` takes the last action back that was not taken back.
    """

    code: int
    text: str


TAKE_BACK = -1
