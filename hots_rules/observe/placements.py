"""What a player can conclude from the invariants about single pieces: all that is so wherever hidden pieces may be.

A hidden piece is at one of the places of hidden pieces that it fits. In a series of states each hidden piece takes each
of its places at least once, independently of the others. A set or a number of pieces that is found by the cells of each
piece, and is the same in all these states, is so in every state that the player cannot tell from the true one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import asdict, frozen

from hots_rules.compile.evaluate import Budget
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import EngineError, LimitExceeded
from hots_rules.observe.hidden_information import HiddenInformation
from hots_rules.observe.knowledge import HiddenCell, KnowingEvaluator
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.piece_assignment import PieceAssignment
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed.tast import Expr


def follows(game: BaseGame, player: str, node: Expr) -> bool:
    """Whether the value of an expression is the same wherever the invariants let the hidden pieces be.

    Raises:
        UnknownName: no such player.
    """
    viewer = viewer_of(game, player)
    placements = game.memo((Placements, viewer), lambda: Placements.of(game, viewer))
    budget = Budget.to_answer(game.ruleset.limits.answer_steps)
    answers = set()
    try:
        for number in range(placements.most):
            evaluator = game.evaluator(partial(placements.load, number), budget, _no_index)
            answers.add(KnowingEvaluator(**asdict(evaluator, recurse=False)).value(node, {}))
    except (HiddenCell, EngineError, LookupError, ArithmeticError):
        return False
    return len(answers) == 1


def _no_index(_name: str, _code: int) -> None:
    """No index of the keys with a value: these differ from state to state."""


@frozen(eq=False)
class Placements:
    """The cells that a player can know, and those of hidden pieces at each of their places.

    Attributes:
        hidden: what is hidden.
        holders: by secret type and hidden piece, the pieces at whose places it may be.
    """

    hidden: HiddenInformation
    holders: Mapping[tuple[int, int], tuple[int, ...]]

    @classmethod
    def of(cls, game: BaseGame, viewer: int) -> Placements:
        """The placements of a game; those of a hidden piece are left out if the search for its places is too long."""
        hidden = HiddenInformation(game, viewer)
        holders: dict[tuple[int, int], tuple[int, ...]] = {}
        try:
            with hidden.steps.bounded():
                domains = PieceAssignment(hidden).domains
        except LimitExceeded:
            return cls(hidden, holders)
        for (type_number, piece, stack), values in domains.items():
            if values:
                places = (
                    place.piece
                    for place in hidden.hidden_slots
                    if (place.type_number, place.stack) == (type_number, stack)
                )
                before = holders.get((type_number, piece), ())
                holders[type_number, piece] = (*before, *places)
        return cls(hidden, holders)

    @property
    def most(self) -> int:
        """The number of states in which each piece has been at each of its places."""
        return max(map(len, self.holders.values()), default=1)

    def load(self, number: int, name: str, keys: tuple[int, ...]) -> int:
        """The value of a cell in the state with a number.

        Raises:
            HiddenCell: it is hidden there, or may name a hidden piece.
        """
        hidden = self.hidden
        variable = hidden.observer.schema.variables[name]
        offset = self._offset(number, variable, keys)
        if hidden.observer.may_be_hidden(variable.type) or hidden.visibility.hides(
            variable, offset
        ):
            raise HiddenCell
        return int(hidden.game.state.slots[variable.base + offset])

    def _offset(self, number: int, variable: Variable, keys: tuple[int, ...]) -> int:
        """The cell of some keys; for a hidden piece, the cell of its place.

        Raises:
            HiddenCell: it is not known which this is.
        """
        observer = self.hidden.observer
        pieces = zip(keys, variable.keys, strict=True)
        if not any(self.hidden.visibility.hidden_piece(*typed) for typed in pieces):
            return variable.offsets[keys]
        numbers = [
            at for at, secret in enumerate(observer.secret_types) if variable.keys == (secret.type,)
        ]
        places = self.holders.get((numbers[0], keys[0]), ()) if numbers else ()
        if not places:
            raise HiddenCell
        return variable.offsets[places[number % len(places)],]
