"""Games of a study as records: a game is played again by its number, as it was played in machine code."""

from __future__ import annotations

from hots_rules.native.cached_code import MAX_DECISIONS
from hots_rules.play.game import BaseGame
from hots_rules.study.choosers import GameChoosers, guided_machine
from hots_rules.study.sides import StudySide


def played_again(side: StudySide, scenario: str, policy: str, seed: str) -> BaseGame:
    """The game of a side with a seed, at its end; its record replays.

    >>> import hots_rules as hr
    >>> from hots_rules.study.games import played_again
    >>> side = hr.study.StudySide("as printed", hr.load("breakthrough-1.0"))
    >>> played_again(side, "two-ranks", "random", "7/0").is_over
    True
    """
    choosers = GameChoosers(side, policy, scenario, guided_machine(side, policy))
    chooser, game = choosers.chooser(seed), choosers.start(seed)
    chooser.play(choosers.machine.begin(scenario), MAX_DECISIONS)
    for code in chooser.codes:
        game = game.play_code(code)
    return game
