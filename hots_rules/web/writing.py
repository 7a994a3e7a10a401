"""Connections that write the head of an answer and its body together."""

from __future__ import annotations

import asyncio
from typing import cast

from attrs import define, field
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


@define(eq=False)
class GatheredWrites:
    """A transport that collects what it is given, and writes it in one piece in the next turn of the event loop."""

    transport: asyncio.Transport
    _waiting: list[bytes] = field(factory=list, init=False)

    def __getattr__(self, name: str) -> object:
        return getattr(self.transport, name)

    def write(self, content: bytes) -> None:
        """Write content, soon."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(content)

    def close(self) -> None:
        """Close the connection after all that was given."""
        self._flush()
        self.transport.close()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self.transport.is_closing():
            self.transport.write(b"".join(waiting))


class GatheringProtocol(HttpToolsProtocol):
    """HTTP over connections whose writes are gathered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin a connection."""
        super().connection_made(cast("asyncio.Transport", GatheredWrites(transport)))
