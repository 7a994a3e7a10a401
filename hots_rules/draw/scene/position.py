"""What a picture shows of a position, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TypeVar

from attrs import field, frozen

from hots_rules.draw.board.geometry import Board, Colour, LinkStyle, Mark
from hots_rules.draw.scene.ground import Ground
from hots_rules.explain.board.render import BoardSection

T = TypeVar("T")
PLACE_COUNTER = "•"
"""Before the number that a place has of something, on a terminal."""


def without_common_word(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the word with which all of them begin, if more than one of them has others after it.

    >>> without_common_word(["Square a 1", "Square a 2"])
    ('a 1', 'a 2')
    """
    first, blank, _ = names[0].partition(" ") if names else ("", "", "")
    begin = first + blank
    if len(names) < 2 or not blank or not all(name.startswith(begin) for name in names):
        return tuple(names)
    return tuple(name.removeprefix(begin) for name in names)


def without_owner(name: str, owner: str) -> str:
    """The name of a piece without that of its owner, which begins it or stands behind it in brackets.

    >>> without_owner("White king", "White"), without_owner("roi (Blancs)", "Blancs")
    ('king', 'roi')
    """
    return name.removeprefix(owner).removesuffix(f"({owner})").strip() or name


def beginnings(names: Mapping[str, str], least: int) -> dict[str, str]:
    """The first letters of each name, at least `least`, that no other name begins with; else the whole name."""
    return {
        key: next(
            (
                name[:size]
                for size in range(least, len(name))
                if not any(
                    other.startswith(name[:size]) for at, other in names.items() if at != key
                )
            ),
            name,
        )
        for key, name in names.items()
    }


@frozen(cache_hash=True)
class Piece:
    """A piece; of a hidden one only the owner is known.

    Attributes:
        key: its name in the ruleset, or that of its stack with its number there.
        name: its name in words; "" if it is hidden.
        short: the part of the name that stands on the block.
        owner: the number of its owner, if it has one.
        strength: its strength now.
        steps: its full strength.
        letter: when it acts in a battle.
        rating: how well it fights; in the battle that is fought, what it fights with there.
        emblem: the symbol of its kind.
        facts: all of it in words.
        initials: what stands on it instead of `short`, if that of some kind of pieces has no room there.
    """

    key: str
    name: str
    short: str
    owner: int | None
    strength: int | None
    steps: int | None
    letter: str
    rating: str
    emblem: str
    facts: str
    initials: str = ""

    @property
    def label(self) -> str:
        """What is written on it."""
        return self.short or self.name


@frozen(cache_hash=True)
class PlaceMark:
    """An icon of an area: its kind, the text on or beside it, and all of it in words."""

    mark: Mark = field(hash=False)
    text: str
    is_beside: bool
    is_empty: bool
    facts: str


@frozen(cache_hash=True)
class DrawnPlace:
    """A place with its pieces."""

    key: str
    name: str
    pieces: tuple[Piece, ...]
    marks: tuple[PlaceMark, ...] = ()
    counters: tuple[tuple[str, int], ...] = ()
    """Names of variables with the numbers that the place has of them."""
    short: str = ""
    terrain: str = ""
    """Its terrain in words; empty where none is declared."""

    @property
    def label(self) -> str:
        """What is written on the map."""
        return self.short or self.name

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The owners of the pieces, in the order of the players."""
        return tuple(sorted({piece.owner for piece in self.pieces if piece.owner is not None}))

    @cached_property
    def facts(self) -> str:
        """The place, its terrain, its marks and its pieces in words."""
        counted = [f"{name}: {number}" for name, number in self.counters]
        terrain = [self.terrain] if self.terrain else []
        marks = "; ".join([*terrain, *(mark.facts for mark in self.marks), *counted])
        pieces = "; ".join(piece.facts for piece in self.pieces) or "–"
        return f"{self.name} ({marks}): {pieces}" if marks else f"{self.name}: {pieces}"


@frozen
class Border:
    """A line between two places."""

    ends: tuple[str, str]
    name: str
    style: LinkStyle
    is_double: bool
    facts: str


@frozen
class PlayerRow:
    """What the panel tells of a player: the cards in hand, if known, the one that is played, what counts."""

    owner: int
    name: str
    cards: str
    played: str
    points: str


@frozen
class Status:
    """The state of the game in words and numbers."""

    big: str
    steps: tuple[int, int] | None
    steps_text: str
    lines: tuple[str, ...]
    players: tuple[PlayerRow, ...]
    hand_text: str
    hands: tuple[tuple[str, str], ...]
    """Pairs of a player and the cards of the hand."""
    counters: tuple[tuple[str, int], ...]
    """Names of variables with their numbers, for a terminal."""
    sections: tuple[BoardSection, ...]
    """Names with their values, for a ruleset that names no variables for its panel."""

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """The pairs of a name and a value in all sections."""
        return tuple(row for section in self.sections for row in section.rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it tells, line by line."""
        turn = f"{self.steps_text} {self.steps[0]} / {self.steps[1]}" if self.steps else ""
        first = ", ".join(word for word in (self.big, turn) if word)
        rows = [
            ", ".join(word for word in (row.name, self._hand(row), row.played, row.points) if word)
            for row in self.players
        ]
        pairs = [f"{name}: {value}" for name, value in (*self.hands, *self.values)]
        return tuple(line for line in (first, *self.lines, *rows, *pairs) if line)

    def _hand(self, row: PlayerRow) -> str:
        return f"{self.hand_text} {row.cards}" if row.cards else ""


@frozen
class BattleRow:
    """Blocks that act together in a battle: a letter, or the reserves; defenders first."""

    title: str
    defenders: tuple[Piece, ...]
    attackers: tuple[Piece, ...]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of both sides."""
        return (*self.defenders, *self.attackers)


@frozen
class Battle:
    """A battle that is fought."""

    place: str
    title: str
    defender: int
    attacker: int
    defender_text: str
    attacker_text: str
    rows: tuple[BattleRow, ...]


@frozen
class DrawnMove:
    """Pieces that went from one place to another in the last play."""

    start: str
    end: str
    owner: int | None
    facts: str


@frozen
class Position:
    """A position, as the whole table or as one player sees it.

    Attributes:
        title: the title of the ruleset.
        board: the shapes.
        language: the language of all texts.
        players: the names of the players.
        keys: their names in the ruleset.
        places: the places of the map, in the order of the ruleset.
        trays: the other places that hold pieces.
        borders: the lines between places.
        status: the state of the game.
        battle: the battle that is fought.
        moves: what moved last.
        targets: the places that are marked on request.
        ground: what was made for other positions of the ruleset in this language.
    """

    title: str
    board: Board
    language: str
    players: tuple[str, ...]
    keys: tuple[str, ...]
    places: tuple[DrawnPlace, ...]
    trays: tuple[DrawnPlace, ...]
    borders: tuple[Border, ...]
    status: Status
    battle: Battle | None
    moves: tuple[DrawnMove, ...]
    targets: frozenset[str]
    ground: Ground = field(eq=False, repr=False)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made under a key, which names all on which it depends beside the board and the language."""
        return self.ground.kept(key, make) if self.ground.board is self.board else make()

    def of_board(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made of the board alone, under a key of which it has few."""
        return self.ground.of_board(key, make) if self.ground.board is self.board else make()

    @property
    def terrains(self) -> Mapping[str, Colour]:
        """The colour of each terrain; what most places have comes first."""
        tints = {
            place.terrain: self.board.areas[place.key].tint
            for place in self.places
            if place.terrain
        }
        return {
            terrain: self.board.tints[tint]
            for terrain, tint in sorted(tints.items(), key=itemgetter(1))
        }

    @cached_property
    def contested(self) -> frozenset[str]:
        """The places of the map where pieces of several players stand."""
        return frozenset(place.key for place in self.places if len(place.owners) > 1)

    @property
    def facts(self) -> str:
        """The position in words, for those who do not see the picture."""
        occupied = [place.facts for place in (*self.places, *self.trays) if place.pieces]
        moved = [move.facts for move in self.moves]
        battle = [self.battle.title] if self.battle else []
        return ". ".join((*self.status.texts, *battle, *moved, *occupied))
