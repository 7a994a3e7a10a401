"""Actions as numbers below a bound, as other libraries need them.

The number of an action is its code without the player, whom the turn determines. Each action has a range of numbers, in
the order of declaration; in the range its arguments are digits, the last one the lowest. So a number means the same at
every moment of every game of a ruleset.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from attrs import frozen

from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.typed import value_types as types


@frozen(slots=False)
class ActionNumbering:
    """The numbers of the actions of a ruleset, from 0 to `size - 1`.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> game = rules.start("braveheart", seed=1297)
    >>> numbering = hr.formats.ActionNumbering(rules)
    >>> action = game.actions[0]
    >>> player = rules.players.index(action.player)
    >>> numbering.code(numbering.number(action.code), player) == action.code
    True
    """

    ruleset: AnyRuleset
    """The ruleset whose actions are numbered."""

    @cached_property
    def _players(self) -> int:
        return len(self.ruleset.players)

    @cached_property
    def _forms(self) -> tuple[list[int], list[int]]:
        """The first code of each action, and how many codes each player has of it."""
        forms = self.ruleset.notation.forms
        return [form.base for form in forms], [form.size // self._players for form in forms]

    @property
    def size(self) -> int:
        """The number of different actions of a player."""
        return self.ruleset.schema.facts.action_codes // self._players

    @property
    def bits(self) -> int:
        """How many bits the number of any action has at most."""
        return (self.size - 1).bit_length()

    def number(self, code: int) -> int:
        """The number of the action with a code (`Action.code`)."""
        (number,) = self.numbers((code,))
        return number

    def numbers(self, codes: Iterable[int]) -> list[int]:
        """The numbers of the actions with some codes, in their order."""
        (bases, shares), players, numbered = self._forms, self._players, []
        for code in codes:
            at = bisect_right(bases, code) - 1
            base = bases[at]
            numbered.append(base // players + (code - base) % shares[at])
        return numbered

    def code(self, number: int, player: int) -> int:
        """The code of an action, from its number and the number of its player; the inverse of `number`."""
        bases, shares = self._forms
        at = bisect_right(bases, number * self._players) - 1
        return bases[at] + player * shares[at] + number - bases[at] // self._players

    def legal(self, game: BaseGame, player: str) -> list[int]:
        """The numbers of a player's legal actions, ascending."""
        own = (action.code for action in game.actions if action.player == player)
        return sorted(self.numbers(own))


def chance_outcome_bound(game: BaseGame) -> int:
    """A number above that of every outcome at any chance point of games with these settings.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.formats.chance_outcome_bound(game) >= 6
    True
    """
    check_kind("game", game, BaseGame, "a game")
    bound = 1
    for point in game.machine.facts.points:
        if (type_ := point.type) is not None:
            high = type_.high if isinstance(type_, types.IntType) else types.size(type_) - 1
            bound = max(bound, high + 1)
    return bound
