"""The shapes of a board as a message, for a front end that draws its own board or lays buttons over a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from hots_rules.draw.board.geometry import Area, AreaLabel, Board, LinkStyle


@frozen
class LabelShape:
    """Where a name stands: its middle, its width, and the box of the name with its icons."""

    at: tuple[int, ...]
    """Across and down."""
    width: int
    """The width of the name."""
    box: tuple[int, ...]
    """Left, top, width, height."""


@frozen
class AreaShape:
    """The shape of a place of the map."""

    outline: tuple[tuple[int, ...], ...]
    """Its corners; neighbours have the same corners along their border."""
    colour: str
    """The colour of its land."""
    label: LabelShape | None
    """Where its name stands; null if it has none."""
    slots: tuple[tuple[int, ...], ...]
    """The middles of its pieces, in the order in which they are filled."""
    small_slots: tuple[tuple[int, ...], ...]
    """The same for small pieces, when the others do not suffice."""
    marker: tuple[int, ...]
    """The middle of a mark for a battle."""
    icons: Mapping[str, tuple[int, ...]]
    """The middles of its icons, by name."""


@frozen
class BorderShape:
    """The border of two places."""

    between: tuple[str, ...]
    """The two places."""
    lines: tuple[tuple[tuple[int, ...], ...], ...]
    """The lines that they share, each point by point."""
    badge: tuple[int, ...] | None
    """Where the number of the border stands; null if it has none."""


@frozen
class BorderStyle:
    """How the borders of one colour of the map are drawn."""

    colour: str
    """The colour of the line."""
    dash: str
    """The lengths of its dashes; empty for a whole line."""
    badge: str
    """The shape around its number: `circle`, `diamond` or `none`."""
    number: int | None
    """Its number; null if it has none."""


@frozen
class SideStyle:
    """How the pieces of a player are drawn."""

    colour: str
    """Their colour."""
    corner: int
    """The rounding of their corners."""


@frozen
class GeometryMessage:
    """The shapes of a board: points across and down from the top left, all lengths in tenths of a unit of its picture.

    >>> import hots_rules as hr
    >>> shapes = hr.formats.geometry_message(hr.draw.board_of(hr.load("hots-4.0")))
    >>> shapes.canvas, len(shapes.areas), shapes.areas["Fife"].label.at
    ((10000, 14000), 23, (7203, 7340))
    """

    canvas: tuple[int, ...]
    """The width and the height of the board."""
    background: str
    """The colour around the land."""
    block: int
    """The size of a piece."""
    small_block: int
    """The size of a small piece."""
    areas: Mapping[str, AreaShape]
    """The places; empty without a map."""
    borders: tuple[BorderShape, ...]
    """The borders of places that touch."""
    styles: Mapping[str, BorderStyle]
    """How borders are drawn, by their colour in the map of the ruleset."""
    sides: Mapping[str, SideStyle]
    """How pieces are drawn, by player, where the board says it."""


def geometry_message(board: Board) -> GeometryMessage:
    """The shapes of a board, for a front end.

    >>> import hots_rules as hr
    >>> import json
    >>> message = json.loads(hr.to_json(hr.draw.board_of(hr.load("hots-4.0"))))
    >>> message["schema"], message["styles"]["red"]["number"]
    ('hots_rules/geometry.v1', 2)
    """
    return GeometryMessage(
        _tenths(board.canvas),
        board.background,
        _tenth(board.block),
        _tenth(board.small_block),
        {name: _area(area, board) for name, area in board.areas.items()},
        tuple(_border(board, *sorted(names)) for names in board.shared_edges),
        {name: _style(style) for name, style in board.links.items()},
        {
            name: SideStyle(style.colour, _tenth(style.corner))
            for name, style in board.players.items()
        },
    )


def _tenth(length: float) -> int:
    return round(length * 10)


def _tenths(lengths: Iterable[float]) -> tuple[int, ...]:
    return tuple(map(_tenth, lengths))


def _area(area: Area, board: Board) -> AreaShape:
    return AreaShape(
        tuple(map(_tenths, area.polygon)),
        board.tints[area.tint],
        None if area.label is None else _label(area.label),
        tuple(map(_tenths, area.slots)),
        tuple(map(_tenths, area.small_slots)),
        _tenths(area.marker),
        {name: _tenths(at) for name, at in area.icons.items()},
    )


def _label(label: AreaLabel) -> LabelShape:
    return LabelShape(_tenths(label.at), _tenth(label.width), _tenths(label.box))


def _border(board: Board, first: str, second: str) -> BorderShape:
    names = frozenset((first, second))
    badge = board.badge_of.get(names)
    return BorderShape(
        (first, second),
        tuple(tuple(map(_tenths, line)) for line in board.shared_edges[names]),
        None if badge is None else _tenths(badge),
    )


def _style(style: LinkStyle) -> BorderStyle:
    return BorderStyle(style.colour, style.dash, style.badge, style.number)
