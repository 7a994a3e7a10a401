"""Input of one player, parsed without revealing hidden information."""

from __future__ import annotations

from hots_rules.diagnostics import (
    AmbiguousAction,
    IllegalAction,
    UnreadableAction,
    closest_match,
)
from hots_rules.observe.observer import viewer_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import MAX_SHOWN, notations


def parse_for_player(game: BaseGame, action: Action | str, player: str) -> int:
    """The code of a legal action of a player.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: it is not legal now; the reasons are those that the player can know.
        AmbiguousAction: the text matches several legal actions.
        UnknownOption: no such player.
    """
    text = action.text if isinstance(action, Action) else action
    if not isinstance(text, str):
        raise UnreadableAction(f"a value of {type(text).__name__}", None, game.language)
    viewer = viewer_of(game, player)
    own_actions = [own for own in game.actions if own.player == player]
    exact = [own.code for own in own_actions if own.text.casefold() == text.casefold()]
    if len(exact) == 1:
        return exact[0]
    candidates = _own_candidates(game, text, viewer)
    legal = [own.code for own in own_actions if own.code in candidates]
    if len(legal) == 1:
        return legal[0]
    if legal:
        meanings = tuple(game.notation.exact(code) for code in sorted(legal))
        raise AmbiguousAction(text, meanings, game.language)
    if candidates:
        raise IllegalAction(text, game.reasons_against(candidates, player), game.language)
    shown = text[:MAX_SHOWN]
    closest = closest_match(shown, [own.text for own in own_actions])
    raise UnreadableAction(shown, closest, game.language)


def _own_candidates(game: BaseGame, text: str, viewer: int) -> list[int]:
    """The codes of the player's actions that a text can mean, in the first language that matches."""
    for notation in notations(game):
        codes = notation.parse(text)
        if own := [code for code in codes if game.machine.player_of(code) == viewer]:
            return own
    return []
