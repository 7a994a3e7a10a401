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


def reasons_seen(game: Game, player: str, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Reasons against an action, without the values that the player may not know.

    The clauses stand as they are: that one of them holds may still tell something.
    """
    veil, shape = veil_of(game, player), game.ruleset.shape
    known = {
        said
        for variable, keys, slot in shape.cells()
        if not veil.look.hides(variable, slot - variable.base)
        and (said := _found(shape, variable, keys, game.state.slots[slot]))
        == _found(veil, variable, keys, game.state.slots[slot])
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


def _found(words: Shape | Veil, variable: Variable, keys: tuple[int, ...], code: int) -> str:
    """A value as the verdicts say it."""
    said = [words.show(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)]
    named = variable.name.replace("_", " ") + (f" of {', '.join(said)}" if said else "")
    return f"{named} = {words.show(code, variable.type)}"
