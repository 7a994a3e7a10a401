"""What an observer sees of a state: audiences that cannot be evaluated, spectators, and what becomes visible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import get_ident

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import (
    SPECTATOR,
    SecretDeclaration,
    Visibility,
    element_type,
    viewer_of,
)
from hots_rules.rules.typed import value_types as types

COLOURS = types.WordType("Colour", ("red", "green", types.NONE))
Audience = Callable[..., int]


def secret(*audiences: tuple[Audience, bool], is_vectorized: bool = True) -> SecretDeclaration:
    return SecretDeclaration("Piece", audiences, is_vectorized, frozenset(), COLOURS, None)


def shown_to(*players: int) -> Audience:
    """All pieces, to some players."""
    return lambda _, player, among: among if player in players else 0


def fails_for(piece: int) -> Audience:
    """An audience that cannot be evaluated for one piece, and so not for a mask with it."""

    def audience(_: Sequence[int], __: int, among: int) -> int:
        if among >> piece & 1:
            raise ZeroDivisionError
        return among

    return audience


def test_an_audience_that_fails_for_one_piece_includes_the_others() -> None:
    assert 0b1011 == secret((fails_for(2), False)).known([], 0, 0b1111, ())
    assert 0 == secret((fails_for(2), False)).known([], 0, 0b0100, ())


def test_an_audience_of_one_cell_that_fails_includes_nobody() -> None:
    cell = secret((fails_for(0), False), is_vectorized=False)

    assert 0 == cell.known([], 0, 0b11, ())


def test_a_spectator_knows_what_everybody_knows_alone() -> None:
    declared = secret((shown_to(SPECTATOR, 0), False), (lambda *_: 0b100, True))

    assert 0b100 == declared.known([], SPECTATOR, 0b111, ())
    assert 0b111 == declared.known([], 0, 0b111, ())
    assert 0b100 == declared.known([], 1, 0b111, ())


def test_owners_are_those_who_know_more_than_everybody() -> None:
    declared = secret((shown_to(1), False), (lambda *_: 0b100, True))

    assert [0, 0b111, 0] == declared.owners([], 3, 0b111)


@pytest.mark.parametrize(
    ("before", "after", "is_revealed"),
    [
        (((0b11,), {"hand": 0}), ((0b01,), {"hand": 0}), True),
        (((0b01,), {"hand": 0}), ((0b10,), {"hand": 0}), True),
        (((0b01,), {"hand": 0}), ((0b11,), {"hand": 0}), False),
        (((0,), {"hand": 0b10}), ((0,), {"hand": 0b01}), True),
        (((0,), {"hand": 0b10}), ((0,), {"hand": 0b11}), False),
        (((0b10,), {"hand": 0b10}), ((0b10,), {"hand": 0b10}), False),
    ],
)
def test_what_was_hidden_and_is_not_is_revealed(
    before: tuple, after: tuple, is_revealed: bool
) -> None:
    observer = None
    earlier, later = (Visibility(observer, *hidden) for hidden in (before, after))  # type: ignore[arg-type]

    assert is_revealed == later.reveals(earlier)


def test_an_element_is_a_value_without_none() -> None:
    plain = types.WordType("Colour", ("red", "green"))

    assert plain == element_type(COLOURS)
    assert plain == element_type(plain)
    assert COLOURS == element_type(types.SetType(COLOURS))


def seen_at_the_start(name: str, viewer: int) -> tuple[hr.Game, Visibility]:
    """A game at its start, with what is hidden from a viewer."""
    rules = hr.load(name)
    game = rules.start(rules.scenarios[0], seed=1)
    return game, tracker_of(game, viewer).visibility(game.state.slots)


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
def test_the_cells_of_others_are_hidden(viewer: int) -> None:
    game, visibility = seen_at_the_start("hots-4.0", viewer)
    hand = game.state.schema.variables["hand"]

    assert 2 * len(hand.keys[1].values) == len(hand.key_codes)  # type: ignore[union-attr]
    for offset, (side, _) in enumerate(hand.key_codes):
        assert visibility.hides(hand, offset) is (side != viewer)
    assert not visibility.cells["hand"] >> len(hand.key_codes)


def test_a_piece_is_hidden_from_those_who_cannot_identify_it() -> None:
    game, visibility = seen_at_the_start("hots-4.0", 0)
    (blocks,) = visibility.observer.secret_types
    side = game.state.schema.variables["side"]
    hidden = [
        code
        for code in range(len(blocks.piece_type.values))
        if visibility.hidden_piece(code, blocks.piece_type) == (0, code)
    ]
    own = [code for code in range(len(blocks.piece_type.values)) if code not in hidden]

    assert sum(1 << code for code in hidden) == visibility.pieces[0]
    assert {1} == {game.state.slots[side.base + code] for code in hidden}
    assert all(visibility.hidden_piece(code, blocks.piece_type) is None for code in own)
    assert visibility.hidden_piece(0, side.type) is None
    assert visibility.hidden_piece(1, types.IntType(0, 9)) is None


def test_what_decides_who_knows_is_computed_once() -> None:
    game, visibility = seen_at_the_start("hots-4.0", 0)
    calls, here = [], get_ident()
    known = SecretDeclaration.known
    # Threads of other tests may still play: they have the observer of the ruleset, this test its own.
    observer, slots = evolve(visibility.observer), game.state.slots
    assert observer.visibility(slots) == visibility

    def counted(*given: object) -> object:
        if get_ident() == here:
            calls.append(given)
        return known(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SecretDeclaration, "known", counted)
        assert observer.visibility(slots) == visibility
        assert observer.visibility(list(slots)) == visibility

    assert calls == []


def test_who_is_no_player_has_no_number() -> None:
    game = hr.load("goofspiel-1.0").start("full-hands", seed=1)

    assert [SPECTATOR, 0, 1] == [viewer_of(game, player) for player in (None, "Ann", "Ben")]
    with pytest.raises(hr.UnknownName, match="Anne"):
        viewer_of(game, "Anne")
