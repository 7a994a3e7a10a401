"""What a player of OpenSpiel sees of a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hots_rules.adapters.optional import import_library
from hots_rules.adapters.refusals import NotAvailable
from hots_rules.adapters.seats import HistoryNode, SeatedScenario

if TYPE_CHECKING:
    from typing import Protocol

    import numpy as np
    import pyspiel

    class SpielState(Protocol):
        """A state that has its moment."""

        @property
        def node(self) -> HistoryNode: ...
else:
    pyspiel = import_library("pyspiel", "openspiel")
    np = import_library("numpy", "openspiel")

NO_TENSOR = (
    "there is no information-state tensor; take `information_state_string` or an observation"
)


class Observer:
    """What a player sees of a state, as text and as a vector of numbers.

    With perfect recall there is only text, and no tensor: everything that the player chose and observed. Without
    private information it is what a spectator sees.
    """

    def __init__(
        self,
        seated: SeatedScenario,
        kind: pyspiel.IIGObservationType,
        params: Mapping[str, object] | None = None,
    ) -> None:
        private = pyspiel.PrivateInfoType
        if params or not kind.public_info or kind.private_info == private.ALL_PLAYERS:
            raise ValueError(
                "an observer needs public information, with no private information or that of a single player"
            )
        self._seated = seated
        self._has_recall = kind.perfect_recall
        self._is_spectator = kind.private_info == private.NONE
        self.tensor: np.ndarray | None = (
            None if self._has_recall else np.zeros(seated.encoding.size, np.float32)
        )
        self.dict = {} if self.tensor is None else {"view": self.tensor}

    def _viewer(self, player: int) -> str | None:
        seat = self._seated.checked(player)
        return None if self._is_spectator else self._seated.players[seat]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees into `tensor`.

        Raises:
            NotAvailable: the observer has perfect recall, so it has no tensor.
            BadArgument: there is no such player.
        """
        if self.tensor is None:
            raise NotAvailable(NO_TENSOR)
        view = state.node.view(self._viewer(player))
        self.tensor.fill(0)
        for index, number in self._seated.encoding.cells(view):
            self.tensor[index] = number

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, as text.

        Raises:
            BadArgument: there is no such player.
        """
        viewer = self._viewer(player)
        view = str(state.node.view(viewer)).partition("\n")[2]
        recalled = state.node.information_state(viewer) if self._has_recall else ""
        return f"{viewer or 'a spectator'}\n{recalled}{view}"
