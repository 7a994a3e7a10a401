"""A game as several peers want it: numbered seats, one chooser at a time, a value for each at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from hots_rules.adapters.encoding import Encoding
from hots_rules.adapters.numbering import Numbering
from hots_rules.api import load
from hots_rules.diagnostics import UnknownOption
from hots_rules.game import Game, Ruleset
from hots_rules.play.ruleset import Chance


@frozen
class Table:
    """A scenario with its choices, at which the first players of the ruleset sit."""

    ruleset: Ruleset
    scenario: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    readings: Mapping[str, Any]
    numbering: Numbering
    encoding: Encoding

    def start(self, seed: int | str, chance: Chance) -> Game:
        """A game at its beginning."""
        return self.ruleset.start(
            self.scenario, seed=seed, options=self.options, readings=self.readings, chance=chance
        )

    def seat(self, game: Game) -> int:
        """Who chooses next, by number.

        Where several choose in secret, one after the other does, and what they chose shows only in what the
        rules let the others see.
        """
        return self.players.index(game.to_move[0])

    def values(self, game: Game) -> list[float]:
        """What the end is worth to each: 1 to the winner, who has it from the others in equal parts."""
        outcome = game.outcome
        if outcome is None or outcome.winner is None:
            return [0.0] * len(self.players)
        lost = -1.0 / max(len(self.players) - 1, 1)
        return [1.0 if player == outcome.winner else lost for player in self.players]


def table(
    ruleset: str,
    scenario: str,
    players: int,
    options: Mapping[str, Any],
    readings: Mapping[str, Any],
) -> Table:
    """A table for so many players, for all of the ruleset if the number is 0.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownOption: no such scenario, option, reading, value or number of players.
    """
    rules = load(ruleset)
    many = len(rules.players)
    if type(players) is not int or not 0 <= players <= many:
        raise UnknownOption("players", tuple(str(n) for n in range(1, many + 1)), str(players))
    begun = rules.start(scenario, options=options, readings=readings)
    return Table(
        rules,
        scenario,
        rules.players[: players or many],
        dict(options),
        dict(readings),
        Numbering(rules),
        Encoding.of(begun),
    )
