"""A board whose places are coloured by shares: who holds each of them, in how many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from hots_rules.draw.board.geometry import Board, number
from hots_rules.draw.picture.blocks import DEFAULT_STYLES
from hots_rules.draw.picture.elements import INK, box, element, identifier, stroke, title, words
from hots_rules.draw.picture.lettering import SANS, SMALLEST, centred, lettered

NOBODY = "#e9e2d0"
_MIN_SHOWN = 0.005
_UNCOLOURED = "#665a45"


@frozen
class PlaceShares:
    """In which share of games each player holds a place.

    >>> from hots_rules.draw.picture.shares import PlaceShares
    >>> PlaceShares("Shore", (0.25, 0.5), "Shore: Fox 25 %, Hen 50 %").shares
    (0.25, 0.5)

    Attributes:
        name: the name of the place.
        shares: the share of each player.
        facts: the same in words.
    """

    name: str
    shares: tuple[float, ...]
    facts: str


def shares_picture(
    board: Board, players: Sequence[str], places: Mapping[str, PlaceShares], about: str
) -> str:
    """The board as the text of an SVG file: each place in a mix of the colours of its players; empty without places.

    The name of a place and the largest share stand in it.

    Args:
        board: the board.
        players: the names of the players, as the board has them.
        places: the shares of places of the board, by the keys of these; other places are drawn empty.
        about: what the picture shows, in a sentence.
    """
    if not board.areas:
        return ""
    width, height = board.canvas
    colours = [_colour(board, player, at) for at, player in enumerate(players)]
    drawn = "".join(_place(board, key, places.get(key), colours) for key in board.areas)
    return element(
        "svg",
        element("title", words(about)) + box((0, 0, width, height), fill=board.background) + drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        class_="shares",
        font_family=SANS,
        role="img",
    )


def player_colours(board: Board, players: Sequence[str]) -> list[str]:
    """The colour of each player on a board."""
    return [_hex(_colour(board, player, at)) for at, player in enumerate(players)]


def _place(
    board: Board, key: str, place_shares: PlaceShares | None, colours: Sequence[_Rgb]
) -> str:
    area = board.areas[key]
    shares = place_shares.shares if place_shares else ()
    fill = _mixed(shares, colours)
    shape = stroke(board.outlines[key], INK, 1.6, fill=_hex(fill))
    if place_shares is None:
        return shape
    ink = "#ffffff" if _lightness(fill) < 0.5 else INK
    x, y = area.label.at if area.label else area.marker
    room = area.label.width if area.label else 40
    largest = max(shares, default=0.0)
    text = f"{100 * largest:.0f}"
    if area.label and board.marks:
        name = centred(place_shares.name, x, y + 6, 18.5, room, ink)
        share = lettered(f"{text} %", x, y + 27, 16, room, anchor="middle", fill=ink)
    else:
        middle = area.slots[0] if area.slots else area.marker
        name = lettered(place_shares.name, x, y + 4, SMALLEST, room, anchor="middle", fill=ink)
        share = lettered(text, middle[0], middle[1] + 6, 18, 60, anchor="middle", fill=ink)
    content = title(place_shares.facts) + shape + name + (share if largest >= _MIN_SHOWN else "")
    return element("g", content, id=identifier("shares", key), data_area=key)


# -------------------------------------------------------------- colours
_Rgb = tuple[float, float, float]


def _colour(board: Board, player: str, at: int) -> _Rgb:
    style = board.players.get(player, DEFAULT_STYLES[at % len(DEFAULT_STYLES)])
    colour = style.colour if style.colour.startswith("#") else _UNCOLOURED
    return _rgb(colour)


def _mixed(shares: Sequence[float], colours: Sequence[_Rgb]) -> _Rgb:
    """The mean of the colours of players by their shares; what is left is nobody's."""
    parts = [*zip(shares, colours, strict=False), (max(1 - sum(shares), 0.0), _rgb(NOBODY))]
    red, green, blue = (sum(share * colour[at] for share, colour in parts) for at in range(3))
    return red, green, blue


def _rgb(colour: str) -> _Rgb:
    digits = colour.removeprefix("#")
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def _hex(colour: _Rgb) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0), 1)):02x}" for part in colour)


def _lightness(colour: _Rgb) -> float:
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue
