"""A scenario as other libraries want it: numbered seats, one chooser at a time, a return for each at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import frozen

import hots_rules as hr

Choices = Mapping[str, str | int | bool | None]


@frozen
class SeatedScenario:
    """A scenario with its options and readings, played by the first players of the ruleset."""

    ruleset: hr.Ruleset
    scenario: str
    players: tuple[str, ...]
    options: Choices
    readings: Choices
    numbering: hr.formats.ActionNumbering
    encoding: hr.formats.ViewEncoding

    def start(self, seed: int | str, chance: Literal["auto", "ask"]) -> hr.Game:
        """A game at its beginning."""
        return self.ruleset.start(
            self.scenario, seed=seed, options=self.options, readings=self.readings, chance=chance
        )

    def seat_to_move(self, game: hr.Game) -> int:
        """The number of the player who chooses next.

        Players who choose in secret at the same time do so one after the other; the rules decide what the others see.
        """
        return self.players.index(game.to_move[0])

    def returns(self, game: hr.Game) -> list[float]:
        """The result for each player: 1 for the winner, -1 shared equally by the others; 0 for all without a winner."""
        outcome = game.outcome
        if outcome is None or outcome.winner is None:
            return [0.0] * len(self.players)
        loss = -1.0 / max(len(self.players) - 1, 1)
        return [1.0 if player == outcome.winner else loss for player in self.players]


def seat_scenario(
    ruleset: str, scenario: str, players: int, options: Choices, readings: Choices
) -> SeatedScenario:
    """A scenario for a number of players; 0 for all players of the ruleset.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownOption: there is no such scenario, option, reading, value or number of players.

    >>> seat_scenario("hots-4.0", "braveheart", 0, {}, {}).scenario
    'braveheart'
    """
    rules = hr.load(ruleset)
    most = len(rules.players)
    if type(players) is not int or not 0 <= players <= most:
        raise hr.UnknownOption("players", tuple(map(str, range(1, most + 1))), str(players))
    game = rules.start(scenario, options=options, readings=readings)
    return SeatedScenario(
        rules,
        scenario,
        rules.players[: players or most],
        dict(options),
        dict(readings),
        hr.formats.ActionNumbering(rules),
        hr.formats.ViewEncoding.of(game),
    )
