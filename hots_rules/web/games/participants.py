"""Who takes part in a game: a scenario may leave players of the ruleset out, and their seats stay empty."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random

import hots_rules as hr
from hots_rules.web.games.open_from_log import begun, ruleset_named
from hots_rules.web.storage.rows import GameRow

GAMES = 3
MAX_DECISIONS = 1_000  # of one of these games


def who_takes_part(row: GameRow) -> frozenset[str]:
    """The players who are ever to choose in games that are played at random from the beginning of this one.

    These games end as soon as everybody has been to choose, which most do after a few decisions. If one of them
    does not end, or cannot be played, everybody takes part. The answer is the same in all processes of a game server.
    """
    return _who_takes_part(row.ruleset, row.scenario, row.settings, row.position)


@lru_cache(maxsize=256)
def _who_takes_part(ruleset: str, scenario: str, settings: str, position: str) -> frozenset[str]:
    rules = ruleset_named(ruleset)
    everybody, choosing = frozenset(rules.players), set[str]()
    for number in range(GAMES):
        random = Random(number)
        game = begun(rules, scenario, str(number), json.loads(settings), position)
        for _ in range(MAX_DECISIONS):
            choosing.update(player for player in game.to_move if player in everybody)
            if game.is_over or choosing == everybody:
                break
            try:
                game = game.play(random.choice(game.actions))
            except hr.HotsError:
                return everybody
        if choosing == everybody or not game.is_over:
            return everybody
    return frozenset(choosing)
