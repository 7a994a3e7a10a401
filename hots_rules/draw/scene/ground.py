"""What the pictures of a ruleset have in common in one language, and what was made for one and serves others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from attrs import define, field

from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Board
from hots_rules.play.game import AnyRuleset

T = TypeVar("T")
MAX_KEPT = 10_000
"""The most parts of pictures that are kept, of a kilobyte each on average.

Once half as many have been made or used anew, those that have not been used since are given up.
"""
_NOTHING = object()


@define(slots=False, eq=False)
class Ground:
    """A board with what was made of values that are equal, by these values; threads may share it."""

    board: Board
    words: dict[int, dict[str, int]] = field(factory=dict, init=False, repr=False)
    """For `RulesetFacts`: the codes of the values of types."""
    _of_board: dict[Hashable, object] = field(factory=dict, init=False, repr=False)
    """What was made of the board alone."""
    _made: dict[Hashable, object] = field(factory=dict, init=False, repr=False)
    _made_before: dict[Hashable, object] = field(factory=dict, init=False, repr=False)
    """What was made, or used, before the first of `_made`."""

    def of_board(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made of the board alone, under a key of which it has few; it is never given up."""
        if key not in self._of_board:
            self._of_board[key] = make()
        return cast("T", self._of_board[key])

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made under a key, which names all on which it depends; made now if it is not there."""
        made = self._made.get(key, _NOTHING)
        if made is _NOTHING:
            made = self._made_before.get(key, _NOTHING)
            if made is _NOTHING:
                made = make()
            if len(self._made) >= MAX_KEPT // 2:
                self._made, self._made_before = {}, self._made
            self._made[key] = made
        return cast("T", made)


def ground_of(ruleset: AnyRuleset) -> Ground:
    """The ground of a ruleset in its language.

    Raises:
        RulesetError: the file of the ruleset's board has faults.
    """
    key = ("draw", "ground", ruleset.labels.language)
    return ruleset.compiled.memo(key, lambda: Ground(board_of(ruleset)))
