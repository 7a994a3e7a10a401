"""A position as a table, and a page with the picture and the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hots_rules.diagnostics import check_kind
from hots_rules.draw.picture.page import picture
from hots_rules.draw.scene.position import DrawnPlace, Position
from hots_rules.draw.scene.positions import position_of
from hots_rules.play.game import BaseGame
from hots_rules.report.html_printer import notebook_table
from hots_rules.report.markup import Markup, document, tag

_STYLE = "svg{max-width:100%;height:auto}body{font-family:sans-serif;margin:1rem}"


def position_table(position: Position) -> str:
    """The position as an HTML table: the state of the game, then each place with its pieces by player."""
    rows = [("", line) for line in position.status.texts]
    if position.battle is not None:
        rows.append(("", position.battle.title))
    rows += [("", move.facts) for move in position.moves]
    for place in (*position.places, *position.trays):
        if place.pieces:
            rows.append((place.name, "; ".join(_pieces(place))))
    return notebook_table(rows, position.title)


def _pieces(place: DrawnPlace) -> Iterator[str]:
    """The pieces of a place in words; the hidden ones of a player are counted."""
    hidden = [piece for piece in place.pieces if not piece.name]
    for facts in dict.fromkeys(piece.facts for piece in hidden):
        yield f"{facts} ×{sum(piece.facts == facts for piece in hidden)}"
    yield from (piece.facts for piece in place.pieces if piece.name)


def figure(position: Position, svg: str) -> str:
    """A picture with its table, which a reader can open."""
    details = tag("details", tag("summary", position.title), Markup(position_table(position)))
    return tag("figure", Markup(svg), details, style="margin:0;max-width:60rem")


def page(game: BaseGame, player: str | None = None, *, targets: Iterable[str] = ()) -> str:
    """A whole page in HTML with the picture of a game and its position as a table.

    Areas and blocks are buttons with full names, as in `Game.draw(live=True)`.

    Raises:
        UnknownName: no such player.
        RulesetError: the file of the ruleset's board has faults.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> page = hr.draw.page(game, game.to_move[0])
    >>> page.count("<svg"), page.count("<table")
    (1, 1)
    """
    check_kind("game", game, BaseGame, "a game")
    position = position_of(game, player, targets)
    body = figure(position, picture(position, is_live=True))
    return document(position.title, body, style=_STYLE, language=position.language)
