"""The legal actions that come nearest to one that is not."""

from __future__ import annotations

from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame

MAX_NEAREST = 3
MAX_COMPARED = 5000


def nearest_legal(game: BaseGame, code: int) -> tuple[str, ...]:
    """The texts of the few legal actions of the same player that differ in the fewest arguments.

    Those of the same kind come first, in the order of the list of legal actions; one of another kind
    is near if it has an argument in common.
    """
    wanted = game.notation.action(code)
    told = [
        (rank, place, action.text)
        for place, action in enumerate(game.actions[:MAX_COMPARED])
        if action.player == wanted.player and (rank := _distance(wanted, action)) is not None
    ]
    return tuple(text for _, _, text in sorted(told)[:MAX_NEAREST])


def _distance(wanted: Action, action: Action) -> tuple[int, int] | None:
    """How far one action is from another: of another kind or not, and how many arguments differ."""
    if wanted.name == action.name:
        pairs = zip(wanted.args, action.args, strict=True)
        return 0, sum(one != other for one, other in pairs)
    common = len({*wanted.args} & {*action.args})
    return (1, len(action.args) - common) if common else None
