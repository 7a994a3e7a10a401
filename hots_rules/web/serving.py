"""The game server on a port."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable

import uvicorn
from attrs import evolve
from litestar import Litestar
from platformdirs import user_data_path

import hots_rules as hr
from hots_rules._gc_policy import collect_seldom, keep_all
from hots_rules.web.application import make_app
from hots_rules.web.events.subscribers import Subscribers
from hots_rules.web.operation import Operation
from hots_rules.web.refusals import CannotServe
from hots_rules.web.root_path import below
from hots_rules.web.storage.store import Store
from hots_rules.web.storage.tokens import Tokens
from hots_rules.web.warming import warm
from hots_rules.web.writing import GatheringProtocol

__all__ = ["CannotServe", "Operation", "change_tokens", "default_database", "serve"]

_ROOT_PATH = re.compile(r"[A-Za-z0-9._~/-]*")
SECONDS_FOR_A_HEAD = 60.0  # of a request; a busy machine reads late
MAX_BESIDE_BODY = (
    65_536  # bytes of a request: its head, and what stands about the parts of its body
)
SECONDS_TO_END = 10  # for requests that are under way when the server is stopped


def default_database() -> str:
    """The database of this user: a file in the folder for data."""
    folder = user_data_path("hots_rules", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'tables.db'}"


def serve(
    host: str = "127.0.0.1",
    port: int = 8297,
    database: str | None = None,
    *,
    is_to_migrate: bool = False,
    operation: Operation | None = None,
    on_ready: Callable[[str], None] = lambda address: None,
    on_progress: Callable[[int, int], None] = lambda count, total: None,
) -> None:
    """Serve games until the process is interrupted.

    Args:
        host: the address to listen at.
        port: the port; 0 takes a free one.
        database: the URL of the database; a file in the user's data folder if omitted.
        is_to_migrate: bring the tables of an older version up to date first.
        operation: limits, names, other origins, metrics and log; as by default if omitted.
        on_ready: is told the address of the game server, when it answers, and every question soon.
        on_progress: is told how many of the rulesets are loaded, and how many there are.

    Raises:
        CannotServe: the port is taken, the database cannot be used, there is no ruleset of a name, or the root path
            is none.
    """
    for name in operation.rulesets if operation is not None else ():
        if name not in hr.rulesets():
            raise CannotServe(
                f"there is no ruleset `{name}`; `hots list` names all that are installed"
            )
    root_path = "" if operation is None else operation.root_path
    if _ROOT_PATH.fullmatch(root_path) is None:
        raise CannotServe("a root path has letters, digits, slashes, and `-`, `_`, `.` or `~` only")
    asyncio.run(_check_database(database or default_database(), is_to_migrate))
    run = operation or Operation()
    run = evolve(run, host_names=(*run.host_names, host))
    with _listening(host, port) as listener:
        app = make_app(Store.at(database or default_database()), run)
        if not run.is_cold:
            names = rulesets_to_warm(run)
            warm(names, lambda count: on_progress(count, len(names)))
            app.openapi_schema.to_schema()
        _run(listener, app, root_path, on_ready)


def rulesets_to_warm(operation: Operation) -> tuple[str, ...]:
    """The rulesets of which games are opened."""
    return operation.rulesets or tuple(name for name, all_ in hr.scenarios().items() if all_)


async def _check_database(url: str, is_to_migrate: bool) -> None:
    store = Store.at(url)
    await store.open(is_to_migrate=is_to_migrate)
    await store.close()


async def change_tokens(
    database: str | None = None, make: str | None = None, revoke: str | None = None
) -> list[str]:
    """A new token of a game server, or the names of its tokens.

    Args:
        database: the URL of the database; a file in the user's data folder if omitted.
        make: the name of a token to make.
        revoke: the name of a token that is worth nothing from now on; it is revoked first.

    Raises:
        CannotServe: the database cannot be used.
        HotsError: there is a token of this name, or there is none.
    """
    store = Store.at(database or default_database())
    await store.open()
    try:
        if revoke is not None:
            await Tokens(store).revoke(revoke)
        if make is not None:
            return [await Tokens(store).make(make)]
        return list(await Tokens(store).names()) if revoke is None else []
    finally:
        await store.close()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = (error.strerror or str(error)).lower()
        raise CannotServe(f"cannot listen at {host}, port {port}: {reason}") from None
    return listener


def _run(
    listener: socket.socket, app: Litestar, root_path: str, on_ready: Callable[[str], None]
) -> None:
    host, port = listener.getsockname()[:2]
    config = uvicorn.Config(
        below(root_path, app) if root_path else app,
        http=TimelyProtocol,
        ws="none",
        log_level="warning",
        access_log=False,  # it would hold the names of games
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    collect_seldom()
    keep_all()
    name = f"[{host}]" if ":" in host else host
    on_ready(f"http://{name}:{port}{root_path}/")
    _Server(config, app.state.open_games.subscribers).run(sockets=[listener])


class TimelyProtocol(GatheringProtocol):
    """A connection that is closed if the head of the next request does not come in time.

    So is one with a request that is longer than `MAX_BESIDE_BODY` without its body.
    """

    _timer: asyncio.TimerHandle | None = None
    _length = 0
    """The bytes of a request that have come, without its body."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        """Count the bytes, and wait on or no longer."""
        self._length += len(data)
        super().data_received(data)
        if self._length > MAX_BESIDE_BODY:
            self.transport.abort()
        self._update_timer()

    def on_body(self, body: bytes) -> None:
        """A part of a body has come."""
        self._length -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request has come."""
        self._length = 0
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_timer()
        super().connection_lost(exc)

    def _update_timer(self) -> None:
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(SECONDS_FOR_A_HEAD, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Server(uvicorn.Server):
    """A server that ends the connections that wait for news when it is stopped."""

    def __init__(self, config: uvicorn.Config, subscribers: Subscribers) -> None:
        super().__init__(config)
        self._subscribers = subscribers

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._subscribers.end()
        await super().shutdown(sockets)
