"""What moved in the last play, told from where pieces were seen before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hots_rules.draw.board.geometry import Board
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.draw.scene.position import DrawnMove
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import Visibility, viewer_of
from hots_rules.play.game import BaseGame

Tally = Counter[tuple[str, str]]
"""How many pieces each owner has in each place."""


def last_moves(
    game: BaseGame, player: str | None, facts: RulesetFacts, board: Board
) -> tuple[DrawnMove, ...]:
    """The moves from one place of the map to another in the last play, as the player could see them."""
    drawn = facts.schema.facts.map
    if game.previous is None or facts.location is None or (drawn is not None and drawn.is_board):
        return ()
    was, now = (_tally(game, player, facts, slots) for slots in (game.previous, game.state.slots))
    return tuple(_moves(was, now, facts, board))


def _tally(
    game: BaseGame, player: str | None, facts: RulesetFacts, slots: tuple[int, ...]
) -> Tally:
    """How many pieces of each owner stand in each place, without what is hidden from the player."""
    location, owner, schema = facts.location, facts.owner, facts.schema
    assert location is not None
    visibility: Visibility | None = None
    if player is not None:
        visibility = tracker_of(game, viewer_of(game, player or None)).observer.visibility(slots)
    cells = [variable for variable in (owner, location) if variable is not None]
    hidden = 0
    if visibility is not None:
        for cell in cells:
            hidden |= visibility.cells.get(cell.name, 0)
    columns = [slots[cell.base : cell.base + location.count] for cell in cells]
    seen = (codes for at, codes in enumerate(zip(*columns, strict=True)) if not hidden >> at & 1)
    tally: Tally = Counter()
    for codes, count in Counter(seen).items():
        names = [
            str(schema.to_python(code, cell.type)) for code, cell in zip(codes, cells, strict=True)
        ]
        tally["" if owner is None else names[0], names[-1]] += count
    return tally


def _moves(was: Tally, now: Tally, facts: RulesetFacts, board: Board) -> Iterator[DrawnMove]:
    """For each owner, the move from the one place that lost pieces to the one that got some."""
    keys = dict.fromkeys((*was, *now))
    for owner in dict.fromkeys(owner for owner, _ in keys):
        places = [place for mover, place in keys if mover == owner]
        left = [place for place in places if now[owner, place] < was[owner, place]]
        come = [place for place in places if now[owner, place] > was[owner, place]]
        if len(left) == len(come) == 1 and {*left, *come} <= set(board.areas):
            yield _move(left[0], come[0], owner, facts)


def _move(start: str, end: str, owner: str, facts: RulesetFacts) -> DrawnMove:
    assert facts.location is not None
    names = [facts.text(place, facts.location.type) for place in (start, end)]
    players = facts.schema.players
    number = players.index(owner) if owner in players else None
    who = "" if number is None else f"{facts.labels.player(number)}: "
    return DrawnMove(start, end, number, f"{who}{names[0]} → {names[1]}")
