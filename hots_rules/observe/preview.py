"""The actions of one player, parsed and previewed without revealing hidden information."""

from collections.abc import Iterator
from typing import Any

from attrs import evolve, field, frozen

from hots_rules._translate import translator
from hots_rules.diagnostics import (
    AmbiguousAction,
    IllegalAction,
    UnreadableAction,
    closest_match,
    only_match,
)
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.view import View, view_of
from hots_rules.observe.view_data import NestedValue
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import MAX_SHOWN, notations, text_of
from hots_rules.state.data_text import UNKNOWN


def parse_for_player(game: BaseGame, action: Action | str, player: str) -> int:
    """The code of a legal action of a player.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: it is not legal now; the reasons are those that the player can know.
        AmbiguousAction: the text matches several legal actions.
        UnknownName: no such player.
    """
    text = text_of(game, action)
    viewer = viewer_of(game, player)
    own_actions = [own for own in game.actions if own.player == player]
    exact = only_match(text, ((own.code, own.text) for own in own_actions))
    if exact is not None:
        return exact
    candidates = _own_candidates(game, text, viewer)
    legal = [own.code for own in own_actions if own.code in candidates]
    if len(legal) == 1:
        return legal[0]
    if legal:
        meanings = tuple(game.notation.distinct_texts(sorted(legal)))
        raise AmbiguousAction(text, meanings, game.language)
    if candidates:
        raise IllegalAction(text, game.reasons_against(candidates, player), game.language)
    shown = text[:MAX_SHOWN]
    closest = closest_match(shown, [own.text for own in own_actions])
    raise UnreadableAction(shown, closest, game.language)


def is_action_of(game: BaseGame, text: str, player: str) -> bool:
    """Whether a text is an action of a player, legal or not; that of another player is none.

    Raises:
        UnknownName: no such player.
    """
    return bool(_own_candidates(game, text_of(game, text), viewer_of(game, player)))


def _own_candidates(game: BaseGame, text: str, viewer: int) -> list[int]:
    """The codes of the player's actions that a text can mean, in the first language that matches."""
    for notation in notations(game):
        codes = notation.parse(text)
        if own := [code for code in codes if game.machine.player_of(code) == viewer]:
            return own
    return []


@frozen
class Effect:
    """One value of a view that an action changes.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> effect = game.preview(game.actions[0], game.to_move[0]).effects[0]
    >>> effect.before == effect.after
    False

    Attributes:
        path: the variable, followed by the keys of the value.
        before: the value now, as in a view: `?` if it is hidden, None if it is `none`.
        after: the value after the action, as in a view.
        language: of the words for what is hidden and for `none`.
    """

    path: tuple[str, ...]
    before: Any = field(hash=False)
    after: Any = field(hash=False)
    language: str = field(default="en", eq=False, repr=False)

    def __str__(self) -> str:
        before, after = self.text_of(self.before), self.text_of(self.after)
        return f"{' '.join(self.path).replace('_', ' ')}: {before} -> {after}"

    def text_of(self, value: object) -> str:
        """A value in words: "unknown" and "none" are said in the language, anything else stands as it is."""
        t = translator(self.language)
        if value == UNKNOWN:
            return t.gettext("unknown")
        return t.gettext("none") if value is None else str(value)


@frozen
class Preview:
    """What an action of a player changes, whatever is hidden from that player.

    It ends at the next outcome of chance or the next decision. `str(preview)` lists the effects.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> preview = game.preview(game.actions[0], game.to_move[0])
    >>> preview.action == game.actions[0].text, len(preview.effects) > 0
    (True, True)

    Attributes:
        action: the action as text.
        effects: the changes of the player's view that are the same in all sampled worlds.
        phase: the phase of the next decision; empty if it depends on hidden information.
        to_move: the players who choose next, or `("chance",)`; empty if it depends on hidden information.
    """

    action: str
    effects: tuple[Effect, ...]
    phase: str
    to_move: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.action, *(f"  {effect}" for effect in self.effects)])


def preview_of(game: BaseGame, action: Action | str, player: str) -> Preview:
    """What an action of a player changes in every possible state of the player in which it can be played.

    Raises:
        UnreadableAction, IllegalAction, AmbiguousAction: as in `Game.play`.
        UnknownName: no such player.
        NoConsistentWorld: no such state was found in bounded time.
    """
    code = parse_for_player(game, action, player)
    text, before = game.notation.text(code), view_of(game, player)
    effects, next_decisions = [], []
    # A late import: who parses an action needs no worlds.
    from hots_rules.observe.worlds import consistent_worlds

    for world in consistent_worlds(game, viewer_of(game, player)):
        after = evolve(world, chance="ask").after(code)
        effects.append(_effects(before, view_of(after, player), game.language))
        next_decisions.append((after.phase, after.to_move))
    common = tuple(
        effect for effect in effects[0] if all(effect in others for others in effects[1:])
    )
    phase, to_move = next_decisions[0] if len(set(next_decisions)) == 1 else ("", ())
    return Preview(text, common, phase, to_move)


def _effects(before: View, after: View, language: str) -> list[Effect]:
    """The values that differ. A piece that is hidden has no entry of its own: what it has is unknown."""
    old, new = dict(_leaves(before.state)), dict(_leaves(after.state))
    return [
        Effect(path, old.get(path, UNKNOWN), new.get(path, UNKNOWN), language)
        for path in dict.fromkeys([*old, *new])
        if old.get(path, UNKNOWN) != new.get(path, UNKNOWN)
    ]


def _leaves(
    value: NestedValue, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], NestedValue]]:
    """The values that are not dicts, with the keys that lead to them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    else:
        yield path, value
