"""A block: colour, corners and emblem of its side, its strength on the edge, its letter, rating and name."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

from attrs import field, frozen

from hots_rules.draw.board.geometry import Colour, PlayerStyle, Point, Symbol, number
from hots_rules.draw.picture.elements import INK, box, element, identifier, moved, stroke, title
from hots_rules.draw.picture.lettering import SMALLEST, centred, lettered, wrapped
from hots_rules.draw.scene.position import Piece, Position

T = TypeVar("T")
WHITE = "#ffffff"
LIGHT = 0.4  # the luminance from which ink, not white, stands on a colour
ALL_EDGES = 54  # the size from which a block shows the strengths of all its edges
DEFAULT_STYLES = tuple(
    PlayerStyle(Colour(colour), corner)
    for colour, corner in (
        ("#b4371f", 2),
        ("#0a1d45", 12),
        ("#24693a", 7),
        ("#6a4b00", 18),
        ("#6a3d8f", 4),
    )
)
# A player who is named after a colour has pieces of that colour, as discs.
_NAMED = {
    name: PlayerStyle(Colour(colour), 23)
    for name, colour in (
        ("black", "#26221e"),
        ("blue", "#15366b"),
        ("green", "#24693a"),
        ("red", "#bf3419"),
        ("white", "#fffdf5"),
        ("yellow", "#f2c230"),
    )
}
_UNOWNED = PlayerStyle(Colour("#665a45"), 6)


def style_of(position: Position, owner: int | None) -> PlayerStyle:
    """How the blocks of a player are drawn."""
    if owner is None:
        return _UNOWNED
    key = position.keys[owner]
    default = _NAMED.get(key.lower()) or DEFAULT_STYLES[owner % len(DEFAULT_STYLES)]
    return position.board.players.get(key, default)


def ink_on(colour: Colour) -> str:
    """The colour of text and marks on a colour: white, or ink if that is light."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue >= LIGHT else WHITE


class Kept(Protocol):
    """Gives what was made under a key, which names all on which it depends."""

    def __call__(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made under a key; made now if it is not there."""


def _made_anew(key: Hashable, make: Callable[[], T]) -> T:
    return make()


@frozen
class BlockPainter:
    """Draws blocks; in a live picture each is a button."""

    position: Position
    is_live: bool = False

    kept: Kept = field(init=False, eq=False, repr=False)
    """What `make` gives; a live picture makes it once for a key, others each time, as they are rare and vary."""

    @kept.default
    def _kept(self) -> Kept:
        ground, board = self.position.ground, self.position.board
        if self.is_live and ground.board is board:
            return ground.kept
        return _made_anew

    def block(self, piece: Piece, at: Point, size: float) -> str:
        """A block around a point."""
        start, end = self.kept(("block", piece, size), lambda: self._block(piece, size))
        return f'{start} transform="{moved(at)}"{end}'

    def _block(self, piece: Piece, size: float) -> tuple[str, str]:
        """A block around the origin, as the two parts of its text between which its place is written."""
        style = style_of(self.position, piece.owner)
        parts = [title(piece.facts), self._plate(style, size)]
        if not piece.name:
            parts.append(self._back(style, size))
        else:
            ink = ink_on(style.colour)
            parts += [self._strength(piece, size, ink), self._face(piece, size, ink)]
        live = (
            {"role": "button", "tabindex": "0", "aria_label": piece.facts} if self.is_live else {}
        )
        drawn = element(
            "g",
            "".join(parts),
            class_=f"block player-{piece.owner}" + ("" if piece.name else " hidden"),
            id=identifier("block", piece.key),
            data_block=piece.key,
            **live,
        )
        end = drawn.index(">")
        return drawn[:end], drawn[end:]

    def stack(self, pieces: tuple[Piece, ...], at: Point, size: float) -> str:
        """Blocks of one player that do not fit their area: a block with their number."""
        style = style_of(self.position, pieces[0].owner)
        facts = f"{len(pieces)} ×: " + "; ".join(piece.facts for piece in pieces)
        count = centred(f"×{len(pieces)}", 0, 7, 20, size - 6, ink_on(style.colour))
        return element(
            "g",
            title(facts) + self._plate(style, size) + count,
            class_=f"stack player-{pieces[0].owner}",
            data_count=str(len(pieces)),
            transform=moved(at),
        )

    def swatch(self, owner: int, at: Point, size: float) -> str:
        """The colour of a player with the emblem of the backs."""
        style = style_of(self.position, owner)
        content = self._plate(style, size, shade=False) + self._back(style, size)
        place = moved(at)
        return element("g", content, transform=place, class_="swatch")

    # -------------------------------------------------------------- parts
    def _plate(self, style: PlayerStyle, size: float, *, shade: bool = True) -> str:
        half = size / 2
        corner = style.corner * size / 46
        plate = box(
            (-half, -half, size, size),
            rx=corner,
            fill=style.colour,
            stroke="#fffaf0" if ink_on(style.colour) == WHITE else INK,
            stroke_width=1.4,
        )
        return (_shade(half, size, corner) if shade else "") + plate

    def _back(self, style: PlayerStyle, size: float) -> str:
        symbol = self.position.board.symbols.get(style.back)
        if symbol is None:
            return element(
                "circle",
                r=size / 5,
                fill="none",
                stroke=ink_on(style.colour),
                stroke_width=size / 16,
            )
        return _placed(style.back, symbol, (0, 0), size * 0.8)

    def _face(self, piece: Piece, size: float, ink: str) -> str:
        if not piece.letter + piece.rating:
            return self._name_alone(piece, size, ink)
        unit = (size - 12 if size >= ALL_EDGES else size) / 46  # the edges need their room
        label = piece.letter + piece.rating
        symbol = self.position.board.symbols.get(piece.emblem)
        if size < self.position.board.block:  # no room for the name
            text = centred(label, 7, 11, 14, 17, ink)
            return (_placed(piece.emblem, symbol, (-8.5, 6), 12) if symbol else "") + text
        emblem = (
            _placed(piece.emblem, symbol, (-12.3 * unit, -1.3 * unit), 13.4 * unit)
            if symbol
            else ""
        )
        rating = centred(label, 8.5 * unit, 4.8 * unit, 18 * unit, 25 * unit, ink)
        letters = max(SMALLEST, 10 * unit)
        name = centred(piece.short, 0, 18.5 * unit, letters, 42 * unit, ink)
        return emblem + rating + name

    def _name_alone(self, piece: Piece, size: float, ink: str) -> str:
        """The name in at most two lines, for a game whose pieces have no letter and rating."""
        if size < self.position.board.block:
            return centred(piece.initials or piece.short[:3], 0, 10, SMALLEST, size - 4, ink)
        if piece.initials:
            return centred(piece.initials, 0, size / 6, size / 2, size - 8, ink)
        first, *others = wrapped(piece.short, SMALLEST, size - 8) or [""]
        if not others and (parts := first.rsplit(" ", 1))[-1].isdigit():
            first, *others = parts
        below = " ".join(others)
        large = 22 if first and below.isdigit() else SMALLEST  # the number of a card
        lines = [(first, SMALLEST, -4), (below, large, 10 + large / 3)]
        return "".join(
            centred(line, 0, y, height, size - 4, ink)
            for line, height, y in (lines if below else [(first, SMALLEST, 4.5)])
        )

    def _strength(self, piece: Piece, size: float, ink: str) -> str:
        """The strength as diamonds on the top edge, lost steps hollow; on a large block on all edges."""
        if piece.strength is None:
            return ""
        steps = max(piece.steps or piece.strength, piece.strength)
        if steps > 6:
            return lettered(
                str(piece.strength),
                size / 2 - 3,
                3 - size / 2 + 10,
                SMALLEST,
                16,
                bold=True,
                anchor="end",
                fill=ink,
            )
        if size >= ALL_EDGES and piece.steps and piece.steps <= 4:
            return _edges(piece.strength, piece.steps, size, ink)
        return _diamonds(piece.strength, steps, size, ink)


def _shade(half: float, size: float, corner: float) -> str:
    return box((1.5 - half, 2 - half, size, size), rx=corner, fill="#1a140c", fill_opacity=".38")


def _placed(name: str, symbol: Symbol, middle: Point, size: float) -> str:
    _, _, width, height = symbol.box
    scale = size / max(width, height)
    left, top = middle[0] - width * scale / 2, middle[1] - height * scale / 2
    return element(
        "use",
        href=f"#{identifier('symbol', name)}",
        x=left,
        y=top,
        width=width * scale,
        height=height * scale,
    )


def icon(name: str, symbol: Symbol, middle: Point, size: float) -> str:
    """A symbol around a point, as large as given."""
    return _placed(name, symbol, middle, size)


def _diamonds(strength: int, steps: int, size: float, ink: str) -> str:
    """One diamond for each step along the top edge."""
    unit = size / 46
    reach = 4.1 * unit if size >= 40 else 3.4
    apart = min(9.6 * unit, (size - 8) / max(steps, 1))
    middle = -16 * unit
    full, lost = "", ""
    for step in range(steps):
        diamond = _diamond((step - (steps - 1) / 2) * apart, middle, reach)
        if step < strength:
            full += diamond
        else:
            lost += diamond
    drawn = element("path", d=full, fill=ink) if full else ""
    if lost:
        drawn += stroke(lost, ink, 1.1, fill="none", class_="lost")
    return drawn


def _edges(strength: int, steps: int, size: float, ink: str) -> str:
    """The strengths on the four edges as on a wooden block: it is turned by one edge for each step lost."""
    drawn = []
    for turn in range(4):
        on_edge = steps - (steps - strength + turn) % 4
        if on_edge > 0 and on_edge <= steps:
            marks = "".join(
                _diamond((step - (on_edge - 1) / 2) * 9, -size / 2 + 6, 3.6 if turn == 0 else 2.4)
                for step in range(on_edge)
            )
            drawn.append(
                element(
                    "path",
                    d=marks,
                    fill=ink,
                    transform=f"rotate({90 * turn})" if turn else None,
                    fill_opacity=None if turn == 0 else ".75",
                )
            )
    return "".join(drawn)


def _diamond(x: float, y: float, reach: float) -> str:
    r = number(reach)
    return f"M{number(x)} {number(y - reach)}l{r} {r}-{r} {r}-{r}-{r}z"
