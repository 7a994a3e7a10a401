"""The legal actions nearest to an illegal one."""

from __future__ import annotations

from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame

MAX_NEAREST = 3
MAX_COMPARED = 5000


def nearest_legal(game: BaseGame, code: int) -> tuple[str, ...]:
    """The texts of the legal actions of the same player that differ in the fewest arguments.

    Those of the same name come first, in the order of the legal actions; one of another name is near if
    it has an argument in common.
    """
    wanted = game.notation.action(code)
    ranked = [
        (rank, index, action.text)
        for index, action in enumerate(game.actions[:MAX_COMPARED])
        if action.player == wanted.player and (rank := _distance(wanted, action)) is not None
    ]
    return tuple(text for _, _, text in sorted(ranked)[:MAX_NEAREST])


def _distance(wanted: Action, action: Action) -> tuple[int, int] | None:
    """Whether the names differ, and the number of arguments that do; None if nothing is in common."""
    if wanted.name == action.name:
        pairs = zip(wanted.args, action.args, strict=True)
        return 0, sum(arg != other for arg, other in pairs)
    common = len({*wanted.args} & {*action.args})
    return (1, len(action.args) - common) if common else None
