"""The news of a game as server-sent events, as the answer to a request.

The events are written by hand: one takes some microseconds so, and the server sends two for each action.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from attrs import frozen
from litestar.types import Receive, Scope, Send

from hots_rules.web.events.subscribers import END, STILL_HERE
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.limits import StreamLimit, address_of

SECONDS_OF_A_STREAM = 3600.0  # then it ends, and a browser that is still there connects again


@frozen
class EventStream:
    """The stream of the news of a game, until the client is gone, the server is stopped, or an hour is over."""

    open_games: OpenGames
    name: str
    streams: StreamLimit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            TooMany: its address has too many of them.
        """
        with self.streams.one_of(address_of(scope)):
            await self._answer(receive, send)

    async def _answer(self, receive: Receive, send: Send) -> None:
        """Send news until they end or the client is gone, whichever is first."""
        work = self._send_news(send), _wait_for_disconnect(receive)
        tasks = [asyncio.ensure_future(part) for part in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()

    async def _send_news(self, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        with self.open_games.subscribers.subscribed(self.name) as queue:
            number = (await self.open_games.open(self.name)).number  # nothing is missed any more
            await _send(send, f"retry: 1000\r\ndata: {number}\r\n\r\n")
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_OF_A_STREAM):
                    while (news := await queue.get()) != END:
                        kind, count = news
                        if kind == "number":
                            number = count
                        await _send(send, event_of(kind, number if news == STILL_HERE else count))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def event_of(kind: str, count: int) -> str:
    """The text of an event: of a number of changes, or of another kind, which is named.

    >>> event_of("number", 7)
    'data: 7\\r\\n\\r\\n'
    >>> event_of("chat", 2)
    'event: chat\\r\\ndata: 2\\r\\n\\r\\n'
    """
    named = "" if kind == "number" else f"event: {kind}\r\n"
    return f"{named}data: {count}\r\n\r\n"


async def _send(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _wait_for_disconnect(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
