"""The subscribers of each game; they stay when an idle game leaves the memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from attrs import define, field

News = tuple[str, int]
"""What subscribers are told: how many lines the log has, how many messages were sent, or that nothing is new."""
STILL_HERE: News = ("still-here", 0)
END: News = ("end", 0)
MAX_UNREAD = 100
"""The most news that wait for one subscriber; a page that reads none of them asks again when it comes back."""


@define
class Subscribers:
    """The queues of all subscribers, by the names of games."""

    _queues: dict[str, set[asyncio.Queue[News]]] = field(factory=dict, init=False)
    _is_over: bool = field(default=False, init=False)

    @contextmanager
    def subscribed(self, game: str) -> Iterator[asyncio.Queue[News]]:
        """A queue into which the news of a game are put."""
        queue: asyncio.Queue[News] = asyncio.Queue(MAX_UNREAD)
        self._queues.setdefault(game, set()).add(queue)
        if self._is_over:  # this request came before the end, and asks only now
            queue.put_nowait(END)
        try:
            yield queue
        finally:
            self._queues[game].discard(queue)
            if not self._queues[game]:
                del self._queues[game]

    def tell(self, game: str, kind: str, count: int) -> None:
        """Tell all subscribers of a game; a subscriber with too many unread news loses the oldest."""
        for queue in self._queues.get(game, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait((kind, count))

    def try_all(self) -> None:
        """Tell each subscriber who has read all news that nothing is new, so that both notice broken connections."""
        for queues in self._queues.values():
            for queue in queues:
                if queue.empty():
                    queue.put_nowait(STILL_HERE)

    def end(self, games: Iterable[str] | None = None) -> None:
        """Tell the subscribers of some games, or everybody, that no more news come."""
        self._is_over = self._is_over or games is None
        for game in self._queues if games is None else games:
            for queue in self._queues.get(game, ()):
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(END)

    @property
    def games(self) -> frozenset[str]:
        """The games that have a subscriber."""
        return frozenset(self._queues)
