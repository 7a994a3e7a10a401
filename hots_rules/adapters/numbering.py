"""Actions as small numbers that mean the same at every moment of every game of a ruleset.

Peers want actions as numbers below a bound. The number of an action is its code without the player, who
is known from whose turn it is: each action has a stretch of numbers in the order of declaration, and in it
its arguments count in mixed radix, the last one lowest. So a number means one thing under one text of a
ruleset, whatever the state, the scenario, the options or the player.
"""

from __future__ import annotations

from attrs import frozen

from hots_rules.game import Game, Ruleset


@frozen
class Numbering:
    """The numbers of the actions of a ruleset, 0 to `size` - 1."""

    ruleset: Ruleset

    @property
    def _players(self) -> int:
        return len(self.ruleset.players)

    @property
    def size(self) -> int:
        """How many actions a player can ever have."""
        return self.ruleset.schema.facts.action_codes // self._players

    def number(self, code: int) -> int:
        """The number of an action, from `Action.code`."""
        form = self.ruleset.notation.form_of(code)
        return form.base // self._players + (code - form.base) % (form.size // self._players)

    def code(self, number: int, player: int) -> int:
        """The code of the action of a number, chosen by a player."""
        notation = self.ruleset.notation
        form = notation.form_of(number * self._players)
        stretch = form.size // self._players
        return form.base + player * stretch + number - form.base // self._players

    def legal(self, game: Game, player: str) -> list[int]:
        """The numbers of the actions that a player may choose now, in ascending order."""
        own = (action for action in game.actions if action.player == player)
        return sorted(self.number(action.code) for action in own)
