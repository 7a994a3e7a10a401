"""A game opened from its log."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import hots_rules as hr
from hots_rules.web.refusals import TableError
from hots_rules.web.rows import TAKE_BACK, ActionRow, GameRow


@cache
def ruleset_named(name: str) -> hr.Ruleset:
    """A ruleset that `hr.rulesets` lists; a path is none.

    Raises:
        UnknownOption: there is no such ruleset.
    """
    if name not in hr.rulesets():
        raise hr.UnknownOption("ruleset", tuple(hr.rulesets()), name)
    return hr.load(name)


def replayed(row: GameRow, actions: Iterable[ActionRow]) -> hr.Game:
    """The game of a log.

    Raises:
        TableError: the ruleset has changed since the game began.
    """
    rules = ruleset_named(row.ruleset)
    if rules.content_hash != row.content:
        raise TableError("the ruleset of this game has changed since it began; it cannot be opened")
    return continued(rules.start(row.scenario, seed=row.seed), actions)


def continued(game: hr.Game, actions: Iterable[ActionRow]) -> hr.Game:
    """A game after more actions of its log."""
    for action in actions:
        game = game.back() if action.code == TAKE_BACK else game.play_code(action.code)
    return game
