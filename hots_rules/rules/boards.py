"""What a board gives a ruleset: definitions of directions, rays and distances, as if the ruleset had written them.

`board Cell as squares` stands for a type of directions and for definitions over the places. Only definitions that
something uses are added. They read no state, so that each is computed once, as a table. Their place in the text is the
line of the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import cast

from attrs import evolve, fields, frozen

from hots_rules.diagnostics import Fault, Span
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.kinds import find_rival
from hots_rules.rules.rulebook import Entry, Key, key_of
from hots_rules.syntax import tree
from hots_rules.syntax.parse import parse
from hots_rules.syntax.walk import walk

DIRECTION = "Direction"
_SQUARES = MappingProxyType({"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)})
_DIAGONALS = MappingProxyType(
    {
        "north": (0, 1),
        "northeast": (1, 1),
        "east": (1, 0),
        "southeast": (1, -1),
        "south": (0, -1),
        "southwest": (-1, -1),
        "west": (-1, 0),
        "northwest": (-1, 1),
    }
)
# The columns of a board of hexes stand half a hex higher where their number is odd; steps are along slanting rows.
_HEXES = MappingProxyType(
    {
        "north": (0, 1),
        "northeast": (1, 0),
        "southeast": (1, -1),
        "south": (0, -1),
        "southwest": (-1, 0),
        "northwest": (-1, 1),
    }
)
_SHAPES: Mapping[tuple[str, str], Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        ("squares", ""): _SQUARES,
        ("squares", "diagonals"): _DIAGONALS,
        ("hexes", ""): _HEXES,
    }
)


@frozen
class _Coordinate:
    """A coordinate of the places of a board: numbers of a range, or the words of a type in their order."""

    name: str
    low: str
    high: str
    words: str  # the type; empty for a range

    def number(self, place: str) -> str:
        """The coordinate of a place as a number."""
        column = f"{self.name}[{place}]"
        return f"ordinal({column})" if self.words else column

    def of_number(self, number: str) -> str:
        """The coordinate that is a number, for a place to be made with it."""
        return f"nth({self.words}, {number})" if self.words else number


@frozen
class _Places:
    """The type of the places, the product that makes them, and their coordinates."""

    type: str
    product: str
    across: _Coordinate
    up: _Coordinate


def add_definitions_of_board(entries: dict[Key, Entry], faults: FaultCollector) -> None:
    """Adds the type and the definitions that the board of a ruleset gives it, if something uses them.

    A declaration of the ruleset takes the place of one of the same name.
    """
    declaration = entries.get(("board", "board"))
    if declaration is None or not isinstance(declaration.node, tree.Board):
        return
    board = declaration.node
    diagonals = board.diagonals.text if board.diagonals is not None else ""
    directions = _SHAPES.get((board.shape.text, diagonals))
    places = _places(entries, board.type)
    if directions is None:
        headline = "expected the shape of a board"
        remedy = "write `squares`, `squares with diagonals` or `hexes`"
        faults.add(Fault("unknown-name", headline, board.shape.span, help=remedy))
    elif places is None:
        headline = f"expected a type whose values have two coordinates, got `{board.type}`"
        remedy = (
            "declare it with two parts that have names: `type Board = Cell(file: 1..8, rank: 1..8)`"
        )
        faults.add(Fault("wrong-type", headline, board.type.span, help=remedy))
    else:
        declared = _declared(places, board.shape.text, tuple(directions.items()))
        for kind, name in _used(entries, declared):
            node = cast("tree.Declaration", _placed(declared[name], board.span))
            entries[kind, name] = Entry(kind, name, node, declaration.edition)


def _places(entries: Mapping[Key, Entry], word: tree.Word) -> _Places | None:
    """The places of a board; None if a type does not have two coordinates."""
    product = _declared_type(entries, word)
    if not isinstance(product, tree.ProductType) or len(product.parts) != 2:
        return None
    across, up = (_coordinate(entries, part) for part in product.parts)
    if across is None or up is None:
        return None
    return _Places(word.text, product.name.text, across, up)


def _coordinate(entries: Mapping[Key, Entry], part: tree.Node) -> _Coordinate | None:
    """A part of a product as a coordinate; None if it has no name, or other values than numbers or words."""
    if not isinstance(part, tree.Param):
        return None
    name = part.name.text
    values: tree.Type | None = part.type
    if isinstance(values, tree.NamedType):
        words = values.name
        values = _declared_type(entries, words)
        if ("table", words.text) in entries or isinstance(values, tree.UnionType):
            return _Coordinate(name, "1", f"count({words})", words.text)
    if isinstance(values, tree.RangeType):
        return _Coordinate(name, f"{values.low}", f"{values.high}", "")
    return None


def _declared_type(entries: Mapping[Key, Entry], word: tree.Word) -> tree.Type | None:
    """What a line `type` declares a name to be; None if there is none."""
    entry = entries.get(("type", word.text))
    node = entry.node if entry is not None else None
    return node.type if isinstance(node, tree.TypeAlias) else None


def _used(entries: Mapping[Key, Entry], declared: Mapping[str, tree.Declaration]) -> list[Key]:
    """The definitions of a board that the ruleset needs, directly or not, without names that it declares itself."""
    keys = {name: (key_of(node)[0], name) for name, node in declared.items()}
    given = {name for name, key in keys.items() if find_rival(entries, *key) is None}
    used = list[str]()
    pending: list[object] = [declaration.node for declaration in entries.values()]
    while pending:
        for part in walk(pending.pop()):
            match part:
                case tree.Apply(name=word) | tree.Reference(name=word) | tree.NamedType(name=word):
                    name = word.text
                case tree.Qualified(type=word):
                    name = word.text
                case _:
                    continue
            if name in given and name not in used:
                used.append(name)
                pending.append(declared[name])
    return [key for name, key in keys.items() if name in used]


@lru_cache(maxsize=32)  # a program may load many rulesets
def _declared(
    places: _Places, shape: str, directions: tuple[tuple[str, tuple[int, int]], ...]
) -> Mapping[str, tree.Declaration]:
    """All that a board gives, by name."""
    text = _text(places, shape, directions)
    parsed, faults = parse(text, "board")
    assert not faults, faults
    declarations = (node for node in parsed.items if isinstance(node, tree.Define | tree.TypeAlias))
    return {node.name.text: node for node in declarations}


def _text(places: _Places, shape: str, directions: tuple[tuple[str, tuple[int, int]], ...]) -> str:
    """The declarations of a board as a ruleset would write them."""
    place, make = places.type, places.product
    names = [name for name, _ in directions]
    half = len(names) // 2
    opposites = {name: names[(number + half) % len(names)] for number, name in enumerate(names)}

    def by_direction(values: Mapping[str, object]) -> str:
        *cases, (_, last) = values.items()
        rows = [f"  {value} when d = {DIRECTION}.{name}" for name, value in cases]
        return "\n".join([*rows, f"  {last}"])

    here, there = ((places.across.number(name), places.up.number(name)) for name in ("x", "y"))
    if shape == "hexes":
        new_up, distance = _hex_step_and_distance(here, there)
    else:
        new_up = f"{here[1]} + steps_up(d)"
        apart = (f"abs({here[0]} - {there[0]})", f"abs({here[1]} - {there[1]})")
        distance = " + ".join(apart) if len(names) == 4 else f"max({', '.join(apart)})"
    low, high = places.across.low, places.across.high
    lowest, highest = places.up.low, places.up.high
    made = f"{make}({places.across.of_number('a')}, {places.up.of_number('b')})"
    near = " | ".join(f"ahead(x, {DIRECTION}.{name})" for name in names)
    return f"""type {DIRECTION} = {" | ".join(names)}
define steps_over(d: {DIRECTION}) = first of
{by_direction({name: over for name, (over, _) in directions})}
define steps_up(d: {DIRECTION}) = first of
{by_direction({name: rise for name, (_, rise) in directions})}
define opposite(d: {DIRECTION}): {DIRECTION} = first of
{by_direction({name: f"{DIRECTION}.{opposite}" for name, opposite in opposites.items()})}
define ahead(x: {place}, d: {DIRECTION}): set of {place} =
  (let a = {here[0]} + steps_over(d): let b = {new_up}:
    if a >= {low} and a <= {high} and b >= {lowest} and b <= {highest} then {{{made}}} else {{}})
define near(x: {place}): set of {place} = {near}
define apart(x: {place}, y: {place}) = {distance}
define ray(x: {place}, d: {DIRECTION}): set of {place} = reach y from ahead(x, d): ahead(y, d)
define line(x: {place}, d: {DIRECTION}): set of {place} = ray(x, d) | {{x}} | ray(x, opposite(d))
define between(x: {place}, y: {place}): set of {place} =
  (let to = {{d in {DIRECTION} where y in ray(x, d)}}:
    if some to then ray(x, the(to)) - ray(y, the(to)) - {{y}} else {{}})
"""


def _hex_step_and_distance(here: tuple[str, str], there: tuple[str, str]) -> tuple[str, str]:
    """For a board of hexes: the second coordinate after a step to the column `a`, and the distance of two places.

    Both are computed with slanting rows, those along `northeast` and `southwest`.
    """

    def slanted(column: str, rank: str) -> str:
        return f"({rank} - ({column} - {column} mod 2) div 2)"

    new_up = f"{slanted(*here)} + steps_up(d) + (a - a mod 2) div 2"
    apart = f"let over = {here[0]} - {there[0]}, up = {slanted(*here)} - {slanted(*there)}: "
    return new_up, f"{apart}max(abs(over), max(abs(up), abs(over + up)))"


def _placed(node: object, span: Span) -> object:
    """A part of a tree with a place for all its parts."""
    if isinstance(node, tuple):
        return tuple(_placed(part, span) for part in node)
    if isinstance(node, tree.Word):
        return tree.Word(node.text, span)
    if not isinstance(node, tree.Node):
        return node
    parts = {
        part.name: _placed(getattr(node, part.name), span)
        for part in fields(type(node))
        if part.name != "span"
    }
    return evolve(node, **parts, span=span)
