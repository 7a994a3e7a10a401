"""The news of a game as server-sent events, as the answer to a request.

The events are written by hand: one takes some microseconds so, and the server sends two for each action.
"""

from __future__ import annotations

import asyncio

from attrs import frozen
from litestar.types import Receive, Scope, Send

from hots_rules.web.events.subscribers import END
from hots_rules.web.games.open_games import OpenGames


@frozen
class EventStream:
    """What is told of a game from now on, until whoever asked is gone, or the server is stopped."""

    open_games: OpenGames
    name: str

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        both = [asyncio.ensure_future(part) for part in (self._tell(send), _end(receive))]
        try:
            done, _rest = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for part in done:
                part.result()
        finally:
            for part in both:
                part.cancel()

    async def _tell(self, send: Send) -> None:
        kind_of_content = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": kind_of_content})
        with self.open_games.subscribers.subscribed(self.name) as queue:
            number = (await self.open_games.open(self.name)).number  # nothing is missed any more
            await _send(send, f"retry: 1000\r\ndata: {number}\r\n\r\n")
            while (news := await queue.get()) != END:
                await _send(send, event_of(*news))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def event_of(kind: str, count: int) -> str:
    """The text of an event: of a number of changes, of something else that is counted, or of nothing.

    >>> event_of("number", 7)
    'data: 7\\r\\n\\r\\n'
    >>> event_of("chat", 2)
    'event: chat\\r\\ndata: 2\\r\\n\\r\\n'
    """
    if kind == "":
        return ": still here\r\n\r\n"
    named = "" if kind == "number" else f"event: {kind}\r\n"
    return f"{named}data: {count}\r\n\r\n"


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _end(receive: Receive) -> None:
    """Wait until whoever asked is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
