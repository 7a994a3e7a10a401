"""What a player says, read as that player's own: nothing in the answer follows from what is hidden."""

from __future__ import annotations

from attrs import evolve

from hots_rules.diagnostics import (
    AmbiguousAction,
    IllegalAction,
    NoConsistentWorld,
    UnreadableAction,
    closest_match,
)
from hots_rules.observe.determinization import consistent_worlds
from hots_rules.observe.observer import viewer_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import MAX_SHOWN, notations
from hots_rules.play.reason import Reason


def parse_for_player(game: BaseGame, action: Action | str, player: str) -> int:
    """The code of a player's action that is legal now.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: it is not legal now; the reasons are those that the player may know.
        AmbiguousAction: the text has two meanings that are both legal.
        UnknownOption: no such player.
    """
    text = action.text if isinstance(action, Action) else action
    if not isinstance(text, str):
        raise UnreadableAction(f"a value of {type(text).__name__}", None, game.language)
    viewer = viewer_of(game, player)
    own = [one for one in game.actions if one.player == player]
    said = [one.code for one in own if one.text.casefold() == text.casefold()]
    if len(said) == 1:
        return said[0]
    meant = _meant(game, text, viewer)
    legal = [one.code for one in own if one.code in meant]
    if len(legal) == 1:
        return legal[0]
    if legal:
        meanings = tuple(game.notation.exact(code) for code in sorted(legal))
        raise AmbiguousAction(text, meanings, game.language)
    if meant:
        raise IllegalAction(text, known_reasons(game, player, meant), game.language)
    shown = text[:MAX_SHOWN]
    raise UnreadableAction(shown, closest_match(shown, [one.text for one in own]), game.language)


def _meant(game: BaseGame, text: str, viewer: int) -> list[int]:
    """The codes of the player's actions that a text can mean, in the first language that matches."""
    for notation in notations(game):
        codes = notation.parse(text)
        if own := [code for code in codes if game.machine.player_of(code) == viewer]:
            return own
    return []


def known_reasons(game: BaseGame, player: str, meant: list[int]) -> tuple[Reason, ...]:
    """The reasons that stand against an action in whatever the player can think of.

    They are found in worlds, not in the game: so they tell nothing but what the player could find out.
    """
    try:
        worlds = consistent_worlds(game, viewer_of(game, player))
    except NoConsistentWorld:
        worlds = ()
    found = [world.reasons_against(meant) for world in worlds]
    if found:
        common = tuple(merged for reason in found[0] if (merged := _common(reason, found[1:])))
        if common:
            return common
    return (Reason("moment", "", "", (), "it hangs on what you may not know", ()),)


def _common(reason: Reason, others: list[tuple[Reason, ...]]) -> Reason | None:
    """A reason that stands in all worlds, with the values that are the same in all."""
    values = reason.values
    for reasons in others:
        same = [other for other in reasons if _is_the_same(other, reason)]
        if not same:
            return None
        values = tuple(value for value in values if any(value in one.values for one in same))
    return evolve(reason, values=values)


def _is_the_same(one: Reason, other: Reason) -> bool:
    return (one.kind, one.rule, one.edition, one.summary) == (
        other.kind,
        other.rule,
        other.edition,
        other.summary,
    )
