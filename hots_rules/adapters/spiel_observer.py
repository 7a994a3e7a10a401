"""What a player of OpenSpiel sees of a state."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

from hots_rules.adapters.optional import import_library
from hots_rules.adapters.refusals import NotAvailable
from hots_rules.adapters.seats import HistoryNode, SeatedScenario

if TYPE_CHECKING:
    from typing import Protocol

    import numpy as np
    import pyspiel

    class NodeState(Protocol):
        """A state that has its moment."""

        @property
        def node(self) -> HistoryNode: ...
else:
    pyspiel = import_library("pyspiel", "openspiel")
    np = import_library("numpy", "openspiel")

NO_TENSOR = "there is no information-state tensor; load the game with `recall`, or take `information_state_string`"


def information_shape(seated: SeatedScenario, recall: int) -> tuple[int, int]:
    """The shape of an information state that recalls some decisions, the present one among them."""
    return recall, seated.encoding.size + seated.numbering.bits


class Observer:
    """What a player sees of a state, as text and as a vector of numbers.

    With perfect recall the text has everything that the player chose and observed. The tensor then has a row for what
    the player sees now, and one for each of its last decisions: what it saw there, and the bits of the number of its
    action; there is none if no decisions are recalled. Without private information it is what a spectator sees.
    """

    def __init__(
        self,
        seated: SeatedScenario,
        kind: pyspiel.IIGObservationType,
        params: Mapping[str, object] | None = None,
        recall: int = 0,
    ) -> None:
        private = pyspiel.PrivateInfoType
        if params or not kind.public_info or kind.private_info == private.ALL_PLAYERS:
            raise ValueError(
                "an observer needs public information, with no private information or that of a single player"
            )
        self._seated = seated
        self._has_recall = kind.perfect_recall
        self._is_spectator = kind.private_info == private.NONE
        shape: tuple[int, ...] = (seated.encoding.size,)
        if self._has_recall:
            shape = information_shape(seated, recall)
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if recall or not self._has_recall:
            self.tensor = np.zeros(prod(shape), np.float32)
            self.dict = {"decisions" if self._has_recall else "view": self.tensor.reshape(shape)}

    def _viewer(self, player: int) -> str | None:
        seat = self._seated.checked_seat(player)
        return None if self._is_spectator else self._seated.players[seat]

    def set_from(self, state: NodeState, player: int) -> None:
        """Write what a player sees into `tensor`.

        Raises:
            NotAvailable: the observer has perfect recall, and no decisions are recalled.
            BadArgument: there is no such player.
        """
        if self.tensor is None:
            raise NotAvailable(NO_TENSOR)
        viewer, numbering = self._viewer(player), self._seated.numbering
        self.tensor.fill(0)
        rows = self.dict["decisions"] if self._has_recall else [self.tensor]
        self._write(rows[0], state.node, viewer)
        for row, (node, code) in zip(rows[1:], state.node.decisions(player), strict=False):
            self._write(row, node, viewer)
            (number,) = numbering.numbers([code])
            for i, place in enumerate(range(self._seated.encoding.size, len(row))):
                row[place] = number >> i & 1

    def _write(self, row: np.ndarray, node: HistoryNode, viewer: str | None) -> None:
        for index, number in self._seated.encoding.cells(node.view(viewer)):
            row[index] = number

    def string_from(self, state: NodeState, player: int) -> str:
        """What a player sees, as text.

        Raises:
            BadArgument: there is no such player.
        """
        viewer = self._viewer(player)
        view = str(state.node.view(viewer)).partition("\n")[2]
        recalled = state.node.information_state(viewer) if self._has_recall else ""
        return f"{viewer or 'a spectator'}\n{recalled}{view}"
