"""A queue in which askers take turns: an asker with many requests waits behind those with few."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from attrs import define, field

Place = TypeVar("Place")


@define
class FairQueue(Generic[Place]):
    """Places, such as processes, and the requests that wait for one of them.

    Attributes:
        places: all of them, free at first.
    """

    places: Sequence[Place]
    _free: list[Place] = field(init=False)
    _waiting: OrderedDict[str, deque[asyncio.Future[Place]]] = field(
        factory=OrderedDict, init=False
    )
    """The waiting requests of each asker, the oldest first; the asker whose turn is next comes first."""
    _counts: Counter[str] = field(factory=Counter, init=False)
    """How many places each asker has or waits for."""

    @_free.default
    def _make_free(self) -> list[Place]:
        return list(self.places)

    @property
    def count(self) -> int:
        """How many places are taken or waited for."""
        return self._counts.total()

    def count_of(self, asker: str) -> int:
        """How many places an asker has or waits for."""
        return self._counts[asker]

    def share_of(self, asker: str) -> float:
        """The part of a place that an asker who asks now has for each of its requests; at most a whole one."""
        others = len(self._counts.keys() - {asker})
        requests = (1 + others) * max(self._counts[asker], 1)
        return min(len(self.places) / requests, 1.0)

    @asynccontextmanager
    async def place(self, asker: str) -> AsyncIterator[Place]:
        """A place, which is free again after the block."""
        self._counts[asker] += 1
        try:
            taken = self._free.pop(0) if self._free else await self._wait(asker)
            try:
                yield taken
            finally:
                self._give(taken)
        finally:
            self._counts[asker] -= 1
            self._counts += Counter()  # drops counts of 0

    async def _wait(self, asker: str) -> Place:
        """The next place that is free for an asker; one that comes too late for it goes to the next asker."""
        request: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(asker, deque()).append(request)
        try:
            return await request
        except asyncio.CancelledError:
            if request.done() and not request.cancelled():
                self._give(request.result())
            raise

    def _give(self, place: Place) -> None:
        """Give a place to the next asker; another request of the same asker waits until all others had a turn."""
        while self._waiting:
            asker, requests = self._waiting.popitem(last=False)
            request = requests.popleft()
            if requests:
                self._waiting[asker] = requests
            if not request.done():
                request.set_result(place)
                return
        self._free.append(place)
