"""Packed states that tell which of their slots a computation reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsIndex, overload

from hots_rules.compile.codes import Slots


class WatchedSlots(list[int]):
    """A packed state that notes which of its slots are read.

    A computation that reads none of some slots has the same result whatever their values are.
    """

    def __init__(self, slots: Slots) -> None:
        super().__init__(slots)
        self.read = set[int]()

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        """See `list`."""
        numbers = range(len(self))[at]
        self.read.update(numbers if isinstance(numbers, range) else (numbers,))
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[int]:
        """See `list`."""
        self.read.update(range(len(self)))
        return super().__iter__()

    def copy(self) -> list[int]:
        """A copy, for which all slots are read."""
        return [*self]
