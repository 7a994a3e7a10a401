"""A game begun again under another ruleset or other choices."""

from hots_rules.play.game import BaseGame, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.play.start import begin


def begin_as(game: BaseGame, ruleset: BaseRuleset[G], options: Choices, readings: Choices) -> G:
    """The beginning of a game under a ruleset and choices, with the same seed."""
    position, seed, chance = game.initial_position, game.seed, game.chance
    return begin(ruleset, game.scenario, position, seed, options, readings, chance)
