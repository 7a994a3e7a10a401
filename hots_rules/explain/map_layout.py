"""The layout of a position as a picture: places with their counters, and lines between places."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

from attrs import field, frozen

from hots_rules.compile.facts import MapFacts, Variable
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema

HIDDEN = "?"
SQUARE = 90  # the side of a square of a board, in pixels
Spot = tuple[int, int]


@frozen
class Counter:
    """A piece on the board, or several that look alike.

    Attributes:
        name: its name; None if it is hidden.
        number: the first number that it has, as text.
        owner: the index of the player who owns it.
        description: all of it in words.
        count: how many pieces it stands for.
    """

    name: str | None
    number: str
    owner: int | None
    description: str
    count: int = 1


@frozen
class Site:
    """A place with its pieces.

    Attributes:
        name: its name.
        counters: the pieces there.
        x: how far right it is on the map, in pixels.
        y: how far down it is on the map, in pixels.
    """

    name: str
    counters: tuple[Counter, ...]
    x: int = 0
    y: int = 0

    @property
    def description(self) -> str:
        """The place and its pieces in words."""
        pieces = ", ".join(counter.description for counter in self.counters)
        return f"{self.name}: {pieces or '–'}"


@frozen
class Line:
    """A line between two places, with the name of its colour."""

    start: Spot
    end: Spot
    colour: str
    description: str


@frozen
class Picture:
    """The layout of a position.

    Attributes:
        title: the title of the ruleset.
        sites: the places on the map.
        beside: the places with pieces that are not on the map.
        lines: the lines between places.
    """

    title: str
    sites: tuple[Site, ...]
    beside: tuple[Site, ...]
    lines: tuple[Line, ...]

    @property
    def description(self) -> str:
        """All pieces in words, for screen readers."""
        occupied = [site for site in (*self.sites, *self.beside) if site.counters]
        return "; ".join(site.description for site in occupied)


def picture(
    labels: Labels,
    values: Mapping[str, Any],
    counts: Mapping[str, int] | None = None,
    title: str = "",
) -> Picture:
    """The layout of a state.

    Pieces are placed by the variable that the ruleset's `map` names; without a `map`, all places are
    drawn side by side.

    Args:
        labels: the names of the ruleset.
        values: the state as plain data, as in `State.as_dict` or a view.
        counts: the names of stacks of hidden pieces, with the number of pieces of each.
        title: the title of the picture.
    """
    return _LayoutBuilder(labels, values, counts or {}).picture(title)


@frozen(slots=False)
class _LayoutBuilder:
    labels: Labels
    values: Mapping[str, Any] = field(repr=False)
    counts: Mapping[str, int]

    @property
    def schema(self) -> StateSchema:
        return self.labels.schema

    def picture(self, title: str) -> Picture:
        location = self._location
        if location is None:
            return Picture(title, (), (), ())
        if self._map is not None and self._map.is_board:
            return Picture(title, tuple(self._squares(location)), (), ())
        counters_by_place = self._counters_by_place(location)
        assert isinstance(location.type, types.WordType)
        spots = self._map.spots if self._map is not None else {}
        names = self.labels.words(location.type)
        sites, beside = [], []
        for code, name in enumerate(names):
            place = str(self.schema.to_python(code, location.type))
            counters = tuple(counters_by_place.get(place, ()))
            if code in spots:
                sites.append(Site(name, counters, *spots[code]))
            elif counters:
                beside.append(Site(name, counters))
        return Picture(title, tuple(sites), tuple(beside), tuple(self._lines(spots, names)))

    @property
    def _map(self) -> MapFacts | None:
        return self.schema.facts.map

    def _lines(self, spots: Mapping[int, Spot], names: tuple[str, ...]) -> Iterator[Line]:
        for link in self._map.links if self._map is not None else ():
            for start, end in combinations(link.ends, 2):
                ends = f"{names[start]} – {names[end]}"
                description = f"{ends}, {link.colour}" if link.colour else ends
                yield Line(spots[start], spots[end], link.colour, description)

    def _squares(self, content: Variable) -> Iterator[Site]:
        """The places of a board with what is in each; their coordinates count from the bottom left."""
        assert self._map is not None
        spots, place_type = self._map.spots, content.keys[0]
        left = min(x for x, _ in spots.values())
        top = max(y for _, y in spots.values())
        for code, (x, y) in spots.items():
            place = str(self.schema.to_python(code, place_type))
            counters = self._content(content, self.values[content.name][place])
            name = self.labels.format_value(code, place_type)
            yield Site(name, counters, (x - left) * SQUARE, (top - y) * SQUARE)

    def _content(self, content: Variable, value: str | None) -> tuple[Counter, ...]:
        if value is None:
            return ()
        players = self.schema.players
        name = None if value == HIDDEN else self._label(value, content.type)
        owner = players.index(value) if value in players else None
        return (Counter(name, "", owner, name or HIDDEN),)

    # -------------------------------------------------------------- pieces
    @cached_property
    def _location(self) -> Variable | None:
        """The variable with the places of the pieces: that of the map, or the first location map."""
        if self._map is not None:
            return self.schema.variables[self._map.variable]
        return next(
            (v for v in self.schema.variables.values() if self.schema.is_location_map(v)), None
        )

    @cached_property
    def _details(self) -> tuple[Variable, ...]:
        """The other variables with the same pieces as keys."""
        return tuple(
            v
            for v in self.schema.variables.values()
            if self._location and v.keys == self._location.keys and v is not self._location
        )

    def _counters_by_place(self, location: Variable) -> dict[str, list[Counter]]:
        counters: dict[str, list[Counter]] = {}
        for piece, place in self.values[location.name].items():
            counters.setdefault(str(place), []).append(self._counter(piece, location.keys[0]))
        return counters

    def _counter(self, piece: str, type_: types.Type) -> Counter:
        """A piece with its name, its first number and its owner."""
        owner = next((v for v in self._details if self.schema.is_of_players(v.type)), None)
        number = next((v for v in self._details if isinstance(v.type, types.IntType)), None)
        player, number_text = self._value(owner, piece), self._value(number, piece)
        name = None if piece in self.counts else self._label(piece, type_)
        details = [self._label(player, owner.type)] if owner and player else []
        if number and number_text:
            details.append(f"{number.name.replace('_', ' ')} {number_text}")
        count = self.counts.get(piece, 1)
        description = f"{count} × {HIDDEN}" if count > 1 else name or HIDDEN
        players = self.schema.players
        return Counter(
            name,
            number_text,
            players.index(player) if player in players else None,
            f"{description} ({', '.join(details)})" if details else description,
            count,
        )

    def _value(self, variable: Variable | None, piece: str) -> str:
        value = None if variable is None else self.values[variable.name][piece]
        return "" if value in (None, 0, HIDDEN) else str(value)

    def _label(self, name: str, type_: types.Type) -> str:
        code = self.schema.value_parser().value(name, type_)
        return name if code is None else self.labels.format_value(code, type_)
