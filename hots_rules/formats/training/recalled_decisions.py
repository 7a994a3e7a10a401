"""Information states of a fixed shape: what the players of a batch saw and chose at their last decisions."""

from __future__ import annotations

from attrs import define, field

from hots_rules.formats.training.numpy_arrays import np
from hots_rules.native.runtime.stepping import BEGIN

MAX_OBSERVED = 255  # what a number of an observation is at most


@define(eq=False)
class RecalledDecisions:
    """The last decisions of each player in each game of a batch.

    The example needs the extra `numpy`:

    >>> import numpy as np
    >>> from hots_rules.formats.training.recalled_decisions import RecalledDecisions
    >>> recalled = RecalledDecisions(games=1, players=2, length=3, size=5, bits=3)
    >>> seen, seats = np.ones((1, 5), np.uint8), np.array([0])
    >>> begun = recalled.after(np.array([-2]), seen, seats)
    >>> recalled.after(np.array([4]), seen, seats)[0, 1].tolist()
    [1, 1, 1, 1, 1, 0, 0, 255]

    Attributes:
        games: how many games there are.
        players: how many players each has.
        length: how many decisions are recalled, with the present one.
        size: the length of an observation.
        bits: how many numbers tell which action was chosen, one for each bit of its number.
    """

    games: int
    players: int
    length: int
    size: int
    bits: int
    _rows: np.ndarray = field(init=False, repr=False)
    _present: np.ndarray = field(init=False, repr=False)
    _seats: np.ndarray = field(init=False, repr=False)
    _bits: np.ndarray = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._bits = np.arange(self.bits)
        width = self.size + len(self._bits)
        self._rows = np.zeros((self.games, self.players, self.length - 1, width), np.uint8)
        self._present = np.zeros((self.games, self.length, width), np.uint8)
        self._seats = np.full(self.games, -1, np.int64)

    def after(self, choices: np.ndarray, observations: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The information states after a step, from the actions of the step, what is seen now, and who chooses.

        Of shape (games, length, size and bits of actions), uint8. It holds until the next call.
        """
        acted = np.flatnonzero((choices >= 0) & (self._seats >= 0))
        who = self._seats[acted]
        if self.length > 1 and len(acted):
            self._rows[acted, who, 1:] = self._rows[acted, who, :-1]
            self._rows[acted, who, 0, : self.size] = self._present[acted, 0, : self.size]
            bits = choices[acted, None] >> self._bits & 1
            self._rows[acted, who, 0, self.size :] = MAX_OBSERVED * bits
        self._rows[choices == BEGIN] = 0
        self._seats = seats.copy()
        waiting = np.flatnonzero(seats >= 0)
        self._present[:] = 0
        self._present[waiting, 0, : self.size] = observations[waiting]
        self._present[waiting, 1:] = self._rows[waiting, seats[waiting]]
        return self._present
