"""Moments of a game as packed states, for libraries that play many steps and look at few."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Generic

from attrs import define, field

from hots_rules.compile.codes import (
    DecisionPoint,
    DicePoint,
    DrawPoint,
    Slots,
    bits,
    first_bit,
    winners_of,
)
from hots_rules.compile.machine import Machine
from hots_rules.compile.sampling import permutation_count
from hots_rules.diagnostics import check_kind
from hots_rules.play.game import BaseGame, G

CHANCE: Final = -1
"""The seat of chance."""
NOBODY: Final = -2
"""The seat of nobody, at the end of a game."""
Outcomes = list[tuple[int, float]]
"""Outcomes of chance with their probabilities."""

MAX_DICE_KEPT = 256


@lru_cache(maxsize=MAX_DICE_KEPT)
def dice_shares(
    rolls: tuple[tuple[int, ...], ...], sides: int, number: int
) -> tuple[tuple[int, float], ...]:
    """The outcomes of rolling `number` dice, with their probabilities; `rolls` has the sorted dice of each code."""
    total = sides**number
    return tuple(
        (code, permutation_count(roll) / total)
        for code, roll in enumerate(rolls)
        if len(roll) == number
    )


def returns_of(winners: Sequence[int], players: int) -> list[float]:
    """The results of all players, given the numbers of the winners; see `PackedMoment.returns`."""
    lost = -len(winners) / max(players - len(winners), 1) if winners else 0.0
    return [1.0 if seat in winners else lost for seat in range(players)]


@define(eq=False)
class PackedMoment(Generic[G]):
    """A moment of a game as a packed state. A game is made of it when it is first asked for; it pickles as its game.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> moment = hr.formats.PackedMoment.of(game)
    >>> later = moment.after(moment.codes[0])
    >>> later.game == game.play_code(moment.codes[0])
    True
    >>> moment.seat, later.seat
    (0, 1)

    Attributes:
        machine: the compiled ruleset.
        seed: the seed of chance; None if outcomes are actions.
        slots: the packed state.
        before: the moment before; None at the beginning.
        move: the code of the action or outcome that led here.
    """

    machine: Machine = field(repr=False)
    seed: str | None
    slots: Slots = field(repr=False)
    before: PackedMoment[G] | None = field(default=None, repr=False)
    move: int = 0
    _game: G | None = field(default=None, repr=False)
    _seat: int | None = field(default=None, repr=False)
    _codes: list[int] | None = field(default=None, repr=False)
    _outcomes: Outcomes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, game: G) -> PackedMoment[G]:
        """The moment at which a game is, as a beginning."""
        check_kind("game", game, BaseGame, "a game")
        return cls(game.machine, game.chance_seed, list(game.state.slots), game=game)

    def __reduce__(self) -> tuple[object, ...]:
        return PackedMoment.of, (self.game,)

    @property
    def game(self) -> G:
        """The game at this moment, with all hidden information."""
        made, missing = self, list[PackedMoment[G]]()
        while made._game is None and made.before is not None:
            missing.append(made)
            made = made.before
        game = made._game
        assert game is not None
        for moment in reversed(missing):
            moment._game = game = game.after(moment.move)
        return game

    @property
    def seat(self) -> int:
        """The number of the player who chooses next, the first of several; `CHANCE`, or `NOBODY` at the end."""
        if self._seat is None:
            self._seat = self._computed_seat()
        return self._seat

    def _computed_seat(self) -> int:
        point = self.machine.point(self.slots)
        if point is None:
            return NOBODY
        if not isinstance(point, DecisionPoint):
            return CHANCE
        return first_bit(self.machine.players(self.slots))

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the players who have won; none if nobody has, and before the end."""
        return bits(winners_of(self.machine.outcome(self.slots))) if self.seat == NOBODY else ()

    def returns(self, players: int) -> list[float]:
        """The result for each of the players: 0 for all before the end, and if nobody has won.

        A winner has 1, and the others lose as much as all winners have, in equal parts; where all win, nobody loses.

        >>> import hots_rules as hr
        >>> start = hr.load("connect-four-1.0").start("empty-board")
        >>> hr.formats.PackedMoment.of(start).returns(2)
        [0.0, 0.0]
        """
        return returns_of(self.winners, players)

    @property
    def codes(self) -> list[int]:
        """The codes of all legal actions, or of the outcomes of chance; none at the end of the game.

        Raises:
            EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
        """
        if self._codes is None:
            if self.seat == NOBODY:
                self._codes = []
            elif self.seat == CHANCE:
                self._codes = [-1 - outcome for outcome, _ in self.outcomes]
            else:
                # Without a legal action the game raises the error that tells where.
                self._codes = self.machine.legal(self.slots) or list(self.game.legal_codes)
        return self._codes

    def codes_of(self, seat: int) -> list[int]:
        """The codes of the legal actions of a player; none where the player does not choose."""
        if self.seat < 0:
            return []
        if self.machine.players(self.slots) == 1 << seat:
            return self.codes
        return [code for code in self.codes if self.machine.player_of(code) == seat]

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of chance with their probabilities.

        Raises:
            EngineError: there is nothing to draw.
        """
        if self._outcomes is None:
            self._outcomes = self._computed_outcomes()
        return self._outcomes

    def _computed_outcomes(self) -> Outcomes:
        point = self.machine.point(self.slots)
        if isinstance(point, DrawPoint):
            weights = self.machine.weights(self.slots, point)
            total = sum(weight for _, weight in weights)
            return [(member, weight / total) for member, weight in weights if weight]
        assert isinstance(point, DicePoint)
        if point.most is None:
            return [(side, 1 / point.sides) for side in range(1, point.sides + 1)]
        rolls = self.machine.dice[point.most, point.sides]
        return list(dice_shares(rolls, point.sides, point.number(self.slots)))

    def after(self, code: int) -> PackedMoment[G]:
        """The moment after an action, or an outcome of chance.

        Raises:
            IllegalAction: no legal action has the code; the error has the reasons.
            EngineError: the ruleset violates one of its bounds.
        """
        self.require(code)
        slots = self.slots.copy()
        self.machine.move(slots, code, self.seed)
        return self.followed_by(code, slots)

    def require(self, code: int) -> None:
        """Raise an error unless an action is legal, or an outcome of chance possible.

        Raises:
            IllegalAction: no legal action has the code; the error has the reasons.
        """
        if code not in self.codes:
            self.game.play_code(code)  # which raises the error

    def followed_by(self, code: int, slots: Slots) -> PackedMoment[G]:
        """The moment after an action, or an outcome of chance, whose packed state is at hand."""
        return PackedMoment(self.machine, self.seed, slots, self, code)
