"""What a drawing of a position shows: places with their counters, and the lines between them."""

from __future__ import annotations

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
Spot = tuple[int, int]


@frozen
class Counter:
    """A thing on the board, or so many alike; without a name it is a back.

    `owner` is the number of a player.
    """

    name: str | None
    number: str
    owner: int | None
    words: str
    count: int = 1


@frozen
class Site:
    """A place with what stands there; on the map it lies so far across and so far down."""

    name: str
    counters: tuple[Counter, ...]
    across: int = 0
    down: int = 0

    @property
    def words(self) -> str:
        """The place and all that stands there."""
        return f"{self.name}: {', '.join(counter.words for counter in self.counters) or '–'}"


@frozen
class Line:
    """A line between two places, in the colour of a word."""

    start: Spot
    end: Spot
    colour: str
    words: str


@frozen
class Picture:
    """A position as it is drawn: places on the map, places beside it, and lines."""

    title: str
    sites: tuple[Site, ...]
    beside: tuple[Site, ...]
    lines: tuple[Line, ...]

    @property
    def words(self) -> str:
        """All of it, for those who do not see it."""
        taken = [site for site in (*self.sites, *self.beside) if site.counters]
        return "; ".join(site.words for site in taken)


def picture(
    labels: Labels,
    values: Mapping[str, Any],
    counts: Mapping[str, int] | None = None,
    title: str = "",
) -> Picture:
    """A state in plain values, as `State.as_dict` or a view has them, as it is drawn.

    `counts` are the names that stand for backs, and how many each stands for. Things stand where the
    variable of the line `map` of the ruleset puts them; without such a line all places are drawn
    side by side.
    """
    return _Drawing(labels, values, counts or {}).picture(title)


@frozen(slots=False)
class _Drawing:
    labels: Labels
    values: Mapping[str, Any] = field(repr=False)
    counts: Mapping[str, int]

    @property
    def schema(self) -> StateSchema:
        return self.labels.schema

    def picture(self, title: str) -> Picture:
        placed = self._placed
        if placed is None:
            return Picture(title, (), (), ())
        there = self._things_by_place(placed)
        assert isinstance(placed.type, types.WordType)
        spots = self._map.spots if self._map is not None else {}
        names = self.labels.words(placed.type)
        sites, beside = [], []
        for code, name in enumerate(names):
            counters = tuple(there.get(str(self.schema.to_python(code, placed.type)), ()))
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
                words = f"{names[start]} – {names[end]}"
                said = f"{words}, {link.colour}" if link.colour else words
                yield Line(spots[start], spots[end], link.colour, said)

    # -------------------------------------------------------------- things
    @cached_property
    def _placed(self) -> Variable | None:
        """The variable that says where things are: that of the map, or the first that could."""
        if self._map is not None:
            return self.schema.variables[self._map.variable]
        return next(
            (v for v in self.schema.variables.values() if self.schema.is_location_map(v)), None
        )

    @cached_property
    def _beside(self) -> tuple[Variable, ...]:
        """The other variables with the same things as keys."""
        return tuple(
            v
            for v in self.schema.variables.values()
            if self._placed and v.keys == self._placed.keys and v is not self._placed
        )

    def _things_by_place(self, placed: Variable) -> dict[str, list[Counter]]:
        found: dict[str, list[Counter]] = {}
        for thing, place in self.values[placed.name].items():
            counter = self._counter(thing)
            found.setdefault(str(place), []).append(counter)
        return found

    def _counter(self, thing: str) -> Counter:
        """What a thing shows: its name, its first number, whose it is."""
        assert self._placed is not None
        key = self._placed.keys[0]
        owner = next((v for v in self._beside if self.schema.is_of_players(v.type)), None)
        number = next((v for v in self._beside if isinstance(v.type, types.IntType)), None)
        held_by = self._value(owner, thing)
        strength = self._value(number, thing)
        name = None if thing in self.counts else self._word(thing, key)
        side = self._word(held_by, owner.type) if owner and held_by else ""
        about = ", ".join(w for w in (side, strength and f"{_words(number)} {strength}") if w)
        count = self.counts.get(thing, 1)
        said = f"{count} × {HIDDEN}" if count > 1 else name or HIDDEN
        players = self.schema.players
        return Counter(
            name,
            strength,
            players.index(held_by) if held_by in players else None,
            f"{said} ({about})" if about else said,
            count,
        )

    def _value(self, variable: Variable | None, thing: str) -> str:
        found = None if variable is None else self.values[variable.name][thing]
        return "" if found in (None, 0, HIDDEN) else str(found)

    def _word(self, thing: str, key: types.Type) -> str:
        code = self.schema.value_parser().value(thing, key)
        return thing if code is None else self.labels.format_value(code, key)


def _words(variable: Variable | None) -> str:
    return variable.name.replace("_", " ") if variable is not None else ""
