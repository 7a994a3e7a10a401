"""A position in characters, for a terminal of 80 columns or more."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from hots_rules.diagnostics import check_kind
from hots_rules.draw.scene.positions import position_of
from hots_rules.draw.text.canvas import Canvas, Fragments
from hots_rules.draw.text.map import WIDTH, TextMap, legend
from hots_rules.draw.text.panels import battle_canvas, battle_legend, status_rows, values_canvas
from hots_rules.play.game import BaseGame


@frozen
class TextBoard:
    """A position in characters.

    A row is a list of pairs of styles and a text. Styles are words: `bold`, `reverse`, `class:side0` for the first
    player, `class:tint0` for the first colour of the land, `class:sea`, `class:mark` and `class:head`.

    >>> import hots_rules as hr
    >>> board = hr.draw.text_board(hr.load("breakthrough-1.0").start("two-ranks"), "White")
    >>> print(board.text.splitlines()[0])
    a8 (B)  b8 (B)  c8 (B)  d8 (B)  e8 (B)  f8 (B)  g8 (B)  h8 (B)

    Attributes:
        status: two rows with the time, who chooses, and what each player has.
        rows: 16 rows or more with the map, the battle, or the values of a game without a map.
        legend: what the signs of the map or of the battle mean; empty without these.
    """

    status: tuple[Fragments, ...]
    rows: tuple[Fragments, ...]
    legend: str

    @property
    def text(self) -> str:
        """The rows below the status without their styles."""
        return "\n".join("".join(text for _, text in row).rstrip() for row in self.rows)


def text_board(
    game: BaseGame,
    player: str | None = None,
    *,
    targets: Iterable[str] = (),
    note: str = "",
    prefers_map: bool = False,
    width: int = WIDTH,
) -> TextBoard:
    """The position of a game in characters; for a player, as that player may see it.

    Args:
        game: the game.
        player: who looks at it; None sees the whole table.
        targets: names of places to mark.
        note: words at the end of the first row.
        prefers_map: whether a battle that is fought leaves the map in sight.
        width: the columns of the status.

    Raises:
        UnknownName: no such player, or no such place to mark.
        RulesetError: the file of the ruleset's board has faults.

    >>> import hots_rules as hr
    >>> board = hr.draw.text_board(hr.load("connect-four-1.0").start("empty-board"), "Red")
    >>> len(board.status), len(board.rows)
    (2, 16)
    """
    check_kind("game", game, BaseGame, "a game")
    targets = frozenset(targets)
    position = position_of(game, player, targets)
    canvas: Canvas
    signs = legend(position) if any(place.marks for place in position.places) else ""
    if not position.places:
        canvas = values_canvas(game, player)
    elif position.battle is not None and not prefers_map:
        canvas, signs = battle_canvas(position), battle_legend(position)
    else:
        drawn = TextMap(position, targets)
        canvas = drawn.canvas()
        signs = signs or ", ".join(f"{sign} {name}" for name, sign in drawn.terrain_signs.items())
    return TextBoard(tuple(status_rows(position, note, width)), tuple(canvas.rows()), signs)
