"""What the game server refuses, each with the status that HTTP has for it."""

from typing import Self

from hots_rules import HotsError


class CannotServe(HotsError):
    """The game server cannot be started, or go on: the port is taken, or the database cannot be used."""


class TableError(HotsError):
    """A request that the game server refuses; the rules of the game have no part in it."""

    status = 400


class UnknownGame(TableError):
    """There is no game with this name."""

    status = 404

    @classmethod
    def named(cls, name: str) -> Self:
        """The error for a name that somebody gave."""
        return cls(f"there is no game `{name}`")


class UnknownUpload(TableError):
    """There is no record with this name."""

    status = 404


class WrongKey(TableError):
    """The key belongs to no seat of this game, or a spectator asks for what only a seat may do."""

    status = 401


class Unclaimed(WrongKey):
    """The key of a link opens no seat before it was traded for another one."""


class SeatTaken(WrongKey):
    """Somebody else has opened the link of a seat first."""

    def __init__(self, player: str) -> None:
        super().__init__(
            f"another browser has sat down by this link of {player}; "
            "if it was not yours, tell the other players"
        )


class TooManyDevices(TableError):
    """A seat has as many keys as it may have."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a seat has at most {most} devices; change its link")


class WrongToken(TableError):
    """There is no such token, or a program without one asks for what needs one."""

    status = 401


class OutOfDate(TableError):
    """Another action was played since the seat was asked."""

    status = 409


class NotYet(TableError):
    """What is asked for is not possible at this moment of the game, or no longer."""

    status = 403

    @classmethod
    def ended(cls, name: str) -> Self:
        """The error for a game that is over already."""
        return cls(f"the game `{name}` is over already")

    @classmethod
    def full(cls, most: int) -> Self:
        """The error for a game with as many lines as it may have."""
        return cls(f"a game has at most {most:,} lines; begin another one")

    @classmethod
    def many_links(cls, most: int) -> Self:
        """The error for a seat that has had as many links as it may have."""
        return cls(f"a seat has at most {most} links; use one of its devices")


class NotBegun(NotYet):
    """The players have not all given their shares of the seed."""


class Busy(TableError):
    """Too many expensive requests at once."""

    status = 503


class TooMany(TableError):
    """An address has opened, or has open, as much as it may."""

    status = 429


class NotComputed(TableError):
    """An expensive request was refused, or overran its limits."""

    status = 422


class NotTaken(TableError):
    """Whoever runs the game server does not take what was sent."""

    status = 403


class TooLong(TableError):
    """A text that is empty, or longer than the game server keeps."""

    status = 422

    @classmethod
    def question(cls, most: int) -> Self:
        """The error for a question with more characters than it may have."""
        return cls(f"a question has at most {most:,} characters")
