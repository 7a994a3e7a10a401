"""What an observer sees of a state: audiences that cannot be evaluated, spectators, and what becomes visible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import hots_rules as hr
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


def test_who_is_no_player_has_no_number() -> None:
    game = hr.load("goofspiel-1.0").start("full-hands", seed=1)

    assert [SPECTATOR, 0, 1] == [viewer_of(game, player) for player in (None, "Ann", "Ben")]
    with pytest.raises(hr.UnknownName, match="Anne"):
        viewer_of(game, "Anne")
