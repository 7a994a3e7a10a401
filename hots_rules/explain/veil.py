"""Words for a game as one player may know it."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from hots_rules.play.game import Game
from hots_rules.play.reason import Reason
from hots_rules.state.shape import Shape, Variable
from hots_rules.state.veil import Veil


def veil_of(game: Game, player: str) -> Veil:
    """The veil before the eyes of a player, at the state of a game.

    Raises:
        UnknownOption: no such player.
    """
    slots = game.state.slots
    return Veil(game._onlooker(game._seat(player)).eyes.look(slots), slots)


def reasons_seen(
    game: Game, player: str, reasons: Iterable[Reason], *, language: str = "en"
) -> tuple[Reason, ...]:
    """Reasons against an action, without the values that the player may not know.

    They are in `language`, as they were asked for. The clauses stand as they are: that one of them
    holds may still tell something.
    """
    veil, shape = veil_of(game, player), game.ruleset.shape
    known = {
        said
        for variable, keys, slot in shape.cells()
        if not veil.look.hides(variable, slot - variable.base)
        and (said := _found(shape, shape, variable, keys, game.state.slots[slot], language))
        == _found(shape, veil, variable, keys, game.state.slots[slot], language)
    }
    return tuple(
        evolve(
            reason,
            values=tuple(value for value in reason.values if value in known),
            found="",
            ground=None,
            lifted_by=(),
        )
        for reason in reasons
    )


def _found(
    shape: Shape,
    words: Shape | Veil,
    variable: Variable,
    keys: tuple[int, ...],
    code: int,
    language: str,
) -> str:
    """A value as the verdicts say it."""
    said = [
        words.show(key, type_, language) for key, type_ in zip(keys, variable.keys, strict=True)
    ]
    cell = shape.cell(variable.name, said, language)
    return f"{cell} = {words.show(code, variable.type, language)}"
