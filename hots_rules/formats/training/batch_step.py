"""What comes of a step of a batch, as NumPy arrays."""

from __future__ import annotations

from attrs import frozen

from hots_rules.formats.training.numpy_arrays import np
from hots_rules.native.runtime.stepping import BEGIN


@frozen(eq=False)
class SparseVectors:
    """The numbers of many vectors that are not 0; those of game i are at `offsets[i]` to `offsets[i + 1] - 1`.

    >>> import hots_rules as hr
    >>> rules = hr.load("goofspiel-1.0")
    >>> batch = hr.formats.GameBatch.of(rules, "full-hands", 2, observations="sparse", backend="python")
    >>> shown = batch.reset().observations
    >>> len(shown.offsets), int(shown.offsets[-1]) == len(shown.marks)
    (3, True)

    Attributes:
        offsets: of shape (games + 1,), int64.
        marks: of shape (numbers, 2), int32: the index of each number in its vector, and its share of 255. Those of a
            game are in no order.
    """

    offsets: np.ndarray
    marks: np.ndarray


@frozen(eq=False)
class BatchStep:
    """Where the games of a batch stand. Arrays may lie in the memory of the batch: they hold until its next step.

    >>> import hots_rules as hr
    >>> batch = hr.formats.GameBatch.of(hr.load("reversi-1.0"), "four-discs", 2, backend="python")
    >>> step = batch.reset()
    >>> step.seats.tolist(), step.legal(0).tolist() == step.legal(1).tolist(), step.ends.any().item()
    ([0, 0], True, False)

    Attributes:
        observations: of shape (games, size), uint8: what the player to choose sees, or the viewer of the batch, in
            parts of 255; or `SparseVectors`, or None. See `GameBatch.of` for a game that is over.
        offsets: of shape (games + 1,), int64: the legal actions of game i are `actions[offsets[i]:offsets[i + 1]]`.
        actions: of shape (legal actions of all games,), int64: their numbers, each below `GameBatch.action_count`.
        seats: of shape (games,), int64: the number of the player who chooses; -1 where the game is over.
        rewards: of shape (games, players), float32: 0 except where a game ended in this step.
        ends: of shape (games,), bool: whether the game ended in this step.
        numbers: of shape (games,), int64: the number of each game, with which its seed ends.
        information: of shape (games, recall, width), uint8: what who chooses sees now, and what that player saw and
            chose at its earlier decisions, the last one first; None unless the batch recalls.
    """

    observations: np.ndarray | SparseVectors | None
    offsets: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray
    numbers: np.ndarray
    information: np.ndarray | None = None

    def legal(self, game: int) -> np.ndarray:
        """The numbers of the legal actions of a game, as an array over `actions`."""
        return self.actions[self.offsets[game] : self.offsets[game + 1]]

    def random_actions(self, generator: np.random.Generator) -> np.ndarray:
        """A legal action for each game, all equally likely: of shape (games,), int64; `BEGIN` where it is over.

        >>> import numpy as np
        >>> import hots_rules as hr
        >>> batch = hr.formats.GameBatch.of(hr.load("reversi-1.0"), "four-discs", 2, backend="python")
        >>> chosen = batch.reset().random_actions(np.random.default_rng(1))
        >>> bool((chosen >= 0).all())
        True
        """
        counts = np.diff(self.offsets)
        places = self.offsets[:-1] + (generator.random(len(counts)) * counts).astype(np.int64)
        chosen: np.ndarray = np.full(len(counts), BEGIN, np.int64)
        is_open = counts > 0
        chosen[is_open] = self.actions[places[is_open]]
        return chosen
