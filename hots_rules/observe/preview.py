"""What an action would change for certain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, field, frozen

from hots_rules.observe.determinization import consistent_worlds
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.player_input import parse_for_player
from hots_rules.observe.view import View, view_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame


@frozen
class Effect:
    """One value of a view that would change: the names on the way to it, what it is, and what it would be.

    A value that is there on one side alone is None on the other.
    """

    path: tuple[str, ...]
    before: Any = field(hash=False)
    after: Any = field(hash=False)

    def __str__(self) -> str:
        return f"{' '.join(self.path).replace('_', ' ')}: {self.before} -> {self.after}"


@frozen
class Preview:
    """What an action would change, whatever is hidden from the player.

    `effects` happen before anything falls or is laid open. Then `to_move` are asked in `phase`, or
    `("chance",)` where luck decides next; both are empty where that hangs on what the player may not know.
    """

    action: str
    effects: tuple[Effect, ...]
    phase: str
    to_move: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.action, *(f"  {effect}" for effect in self.effects)])


def preview_of(game: BaseGame, action: Action | str, player: str) -> Preview:
    """What an action of a player would change in all worlds that the player can think of."""
    code = parse_for_player(game, action, player)
    text = game.notation.text(code)
    before, found, stands = view_of(game, player), [], []
    for world in consistent_worlds(game, viewer_of(game, player)):
        after = evolve(world, chance="ask").after(code)
        found.append(_effects(before, view_of(after, player)))
        stands.append((after.phase, after.to_move))
    common = tuple(one for one in found[0] if all(one in other for other in found[1:]))
    phase, to_move = stands[0] if len(set(stands)) == 1 else ("", ())
    return Preview(text, common, phase, to_move)


def _effects(before: View, after: View) -> list[Effect]:
    old, new = dict(_leaves(before.state)), dict(_leaves(after.state))
    return [
        Effect(path, old.get(path), new.get(path))
        for path in dict.fromkeys([*old, *new])
        if old.get(path) != new.get(path)
    ]


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    else:
        yield path, value
