"""What moved in the last play, told from where pieces were seen before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hots_rules.compile.facts import Variable
from hots_rules.draw.board.geometry import Board
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.draw.scene.position import DrawnMove
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import viewer_of
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types

Tally = Counter[tuple[str, str]]
"""How many pieces each owner has in each place."""


def last_moves(
    game: BaseGame, player: str | None, facts: RulesetFacts, board: Board
) -> tuple[DrawnMove, ...]:
    """The moves from one place of the map to another in the last play, as the player could see them."""
    map_facts = facts.schema.facts.map
    if game.previous is None or facts.location is None:
        return ()
    states = game.previous, game.state.slots
    if map_facts is None or not map_facts.is_board:
        return tuple(_moves(*_tallies(game, player, facts, states), facts, board))
    cells = slice(facts.location.base, facts.location.base + facts.location.count)
    if states[0][cells] == states[1][cells] and not facts.schema.facts.secrets:
        return ()
    for by_kind in (False, True):  # in castling a player moves two men, of two kinds
        was, now = (_tally_on_squares(game, player, facts, slots, by_kind) for slots in states)
        if moves := tuple(_moves(was, now, facts, board)):
            return moves
    return ()


def _hidden(
    game: BaseGame, player: str | None, cells: Sequence[Variable], slots: tuple[int, ...]
) -> int:
    """The pieces, as a mask, of which something in some variables is hidden from the player."""
    hidden = 0
    if player is not None:
        visibility = tracker_of(game, viewer_of(game, player or None)).visibility(slots)
        for cell in cells:
            hidden |= visibility.cells.get(cell.name, 0)
    return hidden


def _tally_on_squares(
    game: BaseGame, player: str | None, facts: RulesetFacts, slots: tuple[int, ...], by_kind: bool
) -> Tally:
    """The pieces on each square of a board, by their owner, or with `by_kind` by their kind; without hidden ones."""
    content, schema = facts.location, facts.schema
    assert content is not None
    hidden = _hidden(game, player, (content,), slots)
    tally: Tally = Counter()
    for at, (square,) in enumerate(content.key_codes):
        code = slots[content.base + at]
        kind = schema.to_python(code, content.type)
        if kind is None or hidden >> at & 1:
            continue
        assert isinstance(content.type, types.WordType)
        number = facts.owner_in(content.type.values[code])
        holder = str(kind) if by_kind or number is None else schema.players[number]
        tally[holder, str(schema.to_python(square, content.keys[0]))] += 1
    return tally


def _tallies(
    game: BaseGame,
    player: str | None,
    facts: RulesetFacts,
    states: tuple[tuple[int, ...], tuple[int, ...]],
) -> tuple[Tally, Tally]:
    """The pieces of each owner in each place before and after a play, of those whose owner or place has changed.

    What is hidden from the player is left out.
    """
    location, owner, schema = facts.location, facts.owner, facts.schema
    assert location is not None
    cells = [variable for variable in (owner, location) if variable is not None]
    hidden = [_hidden(game, player, cells, slots) for slots in states]
    columns = [
        [slots[cell.base : cell.base + location.count] for cell in cells] for slots in states
    ]
    was, now = Tally(), Tally()
    if hidden[0] == hidden[1] and columns[0] == columns[1]:
        return was, now
    rows = [list(zip(*each, strict=True)) for each in columns]
    turned = hidden[0] ^ hidden[1]
    for at, (before, after) in enumerate(zip(*rows, strict=True)):
        if before == after and not turned >> at & 1:
            continue
        for tally, codes, mask in zip((was, now), (before, after), hidden, strict=True):
            if not mask >> at & 1:
                names = [
                    str(schema.to_python(code, cell.type))
                    for code, cell in zip(codes, cells, strict=True)
                ]
                tally["" if owner is None else names[0], names[-1]] += 1
    return was, now


def _moves(was: Tally, now: Tally, facts: RulesetFacts, board: Board) -> Iterator[DrawnMove]:
    """For each owner, the move from the one place that lost pieces to the one that got some."""
    keys = dict.fromkeys((*was, *now))
    for owner in dict.fromkeys(owner for owner, _ in keys):
        places = [place for mover, place in keys if mover == owner]
        losing = [place for place in places if now[owner, place] < was[owner, place]]
        gaining = [place for place in places if now[owner, place] > was[owner, place]]
        if len(losing) == len(gaining) == 1 and {*losing, *gaining} <= set(board.areas):
            yield _move(losing[0], gaining[0], owner, facts)


def _move(start: str, end: str, owner: str, facts: RulesetFacts) -> DrawnMove:
    location = facts.location
    assert location is not None
    names = [facts.text(place, facts.schema.place_type or location.type) for place in (start, end)]
    players = facts.schema.players
    number = players.index(owner) if owner in players else None
    who = "" if number is None else f"{facts.labels.player(number)}: "
    return DrawnMove(start, end, number, f"{who}{names[0]} → {names[1]}")
