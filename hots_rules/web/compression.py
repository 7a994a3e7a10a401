"""Compression of answers, for clients that accept it."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

SMALLEST = 800  # bytes of an answer that is worth it: below, it fits a packet as it is
LEVEL = 3  # half the time of the level that zlib takes by itself, for a twentieth more bytes
ACCEPTED_KEPT = 100  # headers for which the last verdicts are kept
_ZERO = re.compile(r"q\s*=\s*0(\.0*)?")
_GZIP = 16 + zlib.MAX_WBITS


def compressed(app: ASGIApp) -> ASGIApp:
    """An application that compresses the answers of another one that are sent in one piece, so no stream of events."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        start: HTTPResponseStartEvent | None = None

        async def pass_on(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if message["type"] == "http.response.body" and start is not None:
                first, start = start, None
                body = message["body"]
                if not message["more_body"] and len(body) >= SMALLEST:
                    first["headers"] = [*first["headers"], (b"vary", b"accept-encoding")]
                    if is_wanted(_accepted(scope)):
                        body = packed(body)
                        first["headers"] = [*_others(first), *_headers_of(body)]
                        message = {**message, "body": body}
                await send(first)
            await send(message)

        await app(scope, receive, pass_on)

    return answered


def packed(content: bytes) -> bytes:
    """Content in the format of gzip.

    >>> import gzip
    >>> gzip.decompress(packed(b"Fox" * 99)) == b"Fox" * 99
    True
    """
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(content) + packer.flush()


@lru_cache(ACCEPTED_KEPT)
def is_wanted(accepted: bytes) -> bool:
    """Whether a client accepts gzip, by its header `Accept-Encoding`.

    >>> [is_wanted(accepted) for accepted in (b"br, gzip", b"gzip;q=0, *", b"*;q=0.5", b"identity", b"")]
    [True, False, True, False, False]
    """
    weights: dict[str, bool] = {}
    for coding in accepted.decode("latin-1").lower().split(","):
        name, *parameters = (part.strip() for part in coding.split(";"))
        weights[name] = not any(_ZERO.fullmatch(parameter) for parameter in parameters)
    return weights.get("gzip", weights.get("*", False))


def _accepted(scope: Scope) -> bytes:
    return b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")


def _others(start: HTTPResponseStartEvent) -> list[tuple[bytes, bytes]]:
    return [header for header in start["headers"] if header[0].lower() != b"content-length"]


def _headers_of(body: bytes) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-length", str(len(body)).encode()),
        (b"content-encoding", b"gzip"),
    ]
