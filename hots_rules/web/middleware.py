"""What stands before the routes of a game server: limits, other origins, health, metrics, a log of requests."""

from __future__ import annotations

import json
import logging
import time

from litestar import get
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Middleware, Receive, Scope, Send

from hots_rules.web.limits import checked, limited
from hots_rules.web.operation import Operation
from hots_rules.web.requests import SeatRequest, open_games_of
from hots_rules.web.storage.tokens import find_token, refuse_wrong_token

LOGGER = logging.getLogger(__name__)


@get("/health", include_in_schema=False)
async def tell_health(request: SeatRequest) -> dict[str, str]:
    """Whether the game server works: its database answers.

    Raises:
        CannotServe: the database does not answer.
    """
    await open_games_of(request).store.check()
    return {"status": "ok"}


def cors_of(operation: Operation) -> CORSConfig | None:
    """Which pages of other origins may ask; keys are sent by headers, so cookies play no part."""
    if not operation.origins:
        return None
    return CORSConfig(
        allow_origins=list(operation.origins),
        allow_methods=["GET", "POST", "PUT"],
        allow_headers=["Authorization", "Content-Type", "Seat-Key", "Known-Picture"],
    )


def middleware_of(operation: Operation) -> list[Middleware]:
    """The middleware before the routes."""
    layers: list[Middleware] = []
    if operation.has_log:
        layers.append(log_requests)
    if operation.has_metrics:
        from litestar.plugins.prometheus import (
            PrometheusConfig,  # its library is wanted for this alone
        )

        layers.append(
            PrometheusConfig(
                prefix="hots_rules", group_path=True, exclude_unhandled_paths=True
            ).middleware
        )
    layers += [checked(operation), find_token, limited(operation), refuse_wrong_token]
    return layers


def log_requests(app: ASGIApp) -> ASGIApp:
    """An application that logs each request of another one: its route, never what stands in it."""

    async def logged(scope: Scope, receive: Receive, send: Send) -> None:
        begun, status = time.perf_counter(), 0

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, send_and_note_status)
        except HTTPException as error:  # it becomes an answer further out
            status = error.status_code
            raise
        finally:
            seconds = time.perf_counter() - begun
            LOGGER.info(log_line(scope, status, seconds))

    return logged


def log_line(scope: Scope, status: int, seconds: float) -> str:
    """A request as a line of JSON: its method, the pattern of its path, the status and the time of its answer."""
    line = {
        "method": scope.get("method", ""),
        "route": scope.get("path_template", ""),
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    return json.dumps(line)
