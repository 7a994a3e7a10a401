"""Who knows a secret: audiences that cannot be evaluated, and values of cells that nobody has filled."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.observe.observer import SPECTATOR, SecretDeclaration
from tests.observe.test_views import TINY, after, told
from tests.playing import ruleset_of


# ------------------------------------------------------------------ an audience that fails
def fails_for(*pieces: int):
    """An audience of all, which cannot be evaluated for some pieces."""

    def audience(slots: object, viewer: int, among: int, *keys: int) -> int:
        if any(among >> piece & 1 for piece in pieces):
            raise hr.EngineError("expected a set with one member")
        return among

    return audience


def secret(
    audience: object, *, is_public: bool = True, is_vectorized: bool = True
) -> SecretDeclaration:
    return SecretDeclaration(
        "Piece", ((audience, is_public),), is_vectorized, frozenset(), None, None
    )


@pytest.mark.parametrize("viewer", [SPECTATOR, 0])
def test_of_an_audience_that_fails_for_some_pieces_the_others_are_known(viewer: int) -> None:
    assert secret(fails_for(1, 3)).known((), viewer, 0b11111, ()) == 0b10101
    assert secret(fails_for(1, 3)).known((), viewer, 0b01010, ()) == 0


def test_nobody_knows_what_an_audience_that_fails_is_about() -> None:
    for is_vectorized in (True, False):
        failing = secret(fails_for(0), is_vectorized=is_vectorized)
        assert failing.known((), SPECTATOR, 1, (2,)) == 0


def test_a_piece_has_no_owner_where_the_audience_fails() -> None:
    owned = secret(fails_for(2), is_public=False)

    assert owned.owners((), 2, 0b111) == [0b011, 0b011]
    assert secret(fails_for(2)).owners((), 2, 0b111) == [0, 0]
    assert owned.known((), SPECTATOR, 0b111, ()) == 0


# ------------------------------------------------------------------ a key of a cell
MARKED = (
    TINY.replace("found[Side]   : Gem?", "marked[Gem] : bool")
    .replace("secret found[s] known to s", "secret marked[g] known to Red")
    .replace("when found[actor] = none", "when not marked[Opal]")
    .replace("draw g from Gem\n  found[actor] := g", "marked[Opal] := true\n  finds(actor, Ruby)")
    .replace("finds(actor, g)", "finds(actor, Opal)")
)


@pytest.mark.parametrize(
    ("player", "gems"), [("Red", ["hidden", "Opal"]), ("Blue", ["hidden"] * 2)]
)
def test_an_event_names_the_key_of_a_cell_that_is_seen_and_not_blank(
    player: str, gems: list[str]
) -> None:
    """Red sees all marks. That a gem has none does not mean that Red knows which one was found."""
    game = after("Red: rest", "Blue: dig", ruleset=ruleset_of(MARKED.replace("{rule}", "")))
    found = [text for text in told(game, player) if text.startswith("finds")]

    assert found == [f"finds: Blue, {gem}" for gem in gems]
