"""A game as a film: one SVG file that shows its positions one after the other and begins again."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from attrs import evolve, field, frozen

from hots_rules.diagnostics import check_kind
from hots_rules.draw.board.geometry import Point, number
from hots_rules.draw.picture.blocks import BlockPainter
from hots_rules.draw.picture.elements import element
from hots_rules.draw.picture.map import MapPainter
from hots_rules.draw.picture.page import drawn_below, panels_on_map, root, width_of_picture
from hots_rules.draw.scene.position import Piece, Position
from hots_rules.draw.scene.positions import position_of
from hots_rules.play.game import BaseGame
from hots_rules.state.state import State

MAX_FRAMES = 200


@frozen
class _FilmPainter(BlockPainter):
    """Draws each different block once, and refers to it in every frame."""

    ids: dict[str, str] = field(factory=dict)
    """The id of each block by its drawing."""

    def block(self, piece: Piece, at: Point, size: float) -> str:
        """A reference to a block, put around a point."""
        drawn = super().block(piece, (0, 0), size)
        name = self.ids.setdefault(drawn, f"film-{len(self.ids)}")
        return element("use", href=f"#{name}", x=at[0], y=at[1])


def film(game: BaseGame, player: str | None = None, *, seconds: float = 1.5) -> str:
    """The plays of a game as the text of an animated SVG file; for a player, as that player saw them.

    Plays that change nothing in the picture have no frame. Of more than 200 frames, some are left out evenly.

    Args:
        game: the game.
        player: who looks at it; None sees the whole table.
        seconds: how long each frame is shown.

    Raises:
        UnknownName: no such player.
        RulesetError: the file of the ruleset's board has faults.

    >>> import hots_rules as hr
    >>> game = hr.load("connect-four-1.0").start("empty-board")
    >>> hr.draw.film(game.play("a1").play("b1")).count('class="frame"')
    3
    """
    check_kind("game", game, BaseGame, "a game")
    positions = [position_of(moment, player) for moment in _games(game)]
    ids: dict[str, str] = {}
    frames: list[tuple[str, float]] = []
    for position in positions:
        frame = _frame(position, ids)
        if frames[-1:] != [frame]:
            frames.append(frame)
    frames_to_one = ceil(len(frames) / MAX_FRAMES)
    return _film(positions[-1], frames[::frames_to_one], ids, seconds)


def _games(game: BaseGame) -> Iterator[BaseGame]:
    """The game at each of its moments, from the beginning."""
    start = State(tuple(game.initial_slots()), game.state.schema)
    moment = evolve(game, state=start, moves=(), previous=None, derived={})
    yield moment
    for move in game.moves:
        moment = moment.after(move)
        yield moment


def _frame(position: Position, ids: dict[str, str]) -> tuple[str, float]:
    """What changes from frame to frame, and how high the picture is; new blocks are added to `ids`."""
    painter = _FilmPainter(position, False, ids)
    on_map = MapPainter(position, painter)
    content = on_map.changing() if position.board.areas else ""
    content += "".join(panel.at(*place[:2]) for _, place, panel in panels_on_map(position, painter))
    below, height = drawn_below(position, on_map, painter)
    return content + below, height


def _film(
    position: Position, frames: list[tuple[str, float]], ids: dict[str, str], seconds: float
) -> str:
    """The film: the blocks by their ids, what never changes, and the frames, each shown for some seconds."""
    blocks = "".join(element("g", block, id=name) for block, name in ids.items())
    fixed = MapPainter(position, BlockPainter(position)).fixed() if position.board.areas else ""
    total = number(seconds * len(frames))
    clock = element(
        "animate", id="film", attributeName="x", begin="0s;film.end", dur=f"{total}s", to="0"
    )
    shown = "".join(
        element(
            "g",
            element(
                "set",
                attributeName="display",
                to="inline",
                begin=f"film.begin+{number(seconds * step)}s",
                dur=f"{number(seconds)}s",
            )
            + frame,
            class_="frame",
            # Where nothing moves, such as on paper, the last frame is seen.
            display="none" if step < len(frames) - 1 else "inline",
        )
        for step, (frame, _) in enumerate(frames)
    )
    height = max(height for _, height in frames)
    content = element("defs", blocks) + element("rect", clock, width=0, height=0) + fixed + shown
    return root(position, content, width_of_picture(position), height)
