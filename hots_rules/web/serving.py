"""The game server on a port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from litestar import Litestar
from platformdirs import user_data_path

import hots_rules as hr
from hots_rules._gc_policy import keep_all
from hots_rules.web.application import make_app
from hots_rules.web.events.subscribers import Subscribers
from hots_rules.web.operation import Operation
from hots_rules.web.refusals import CannotServe
from hots_rules.web.storage.store import Store
from hots_rules.web.storage.tokens import Tokens
from hots_rules.web.warming import warm
from hots_rules.web.writing import GatheringProtocol

__all__ = ["CannotServe", "Operation", "change_tokens", "default_database", "serve"]

SECONDS_TO_END = 2  # for connections that wait for news when the server is stopped


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
        operation: limits, other origins, metrics and log; none of them if omitted.
        on_ready: is told the address of the game server, when it answers, and every question soon.
        on_progress: is told how many of the rulesets are loaded, and how many there are.

    Raises:
        CannotServe: the port is taken, the database cannot be used, or there is no ruleset of a name.
    """
    for name in operation.rulesets if operation is not None else ():
        if name not in hr.rulesets():
            raise CannotServe(
                f"there is no ruleset `{name}`; `hots list` names all that are installed"
            )
    asyncio.run(_check_database(database or default_database(), is_to_migrate))
    with _listening(host, port) as listener:
        app = make_app(Store.at(database or default_database()), operation)
        if operation is None or not operation.is_cold:
            names = offered(operation or Operation())
            warm(names, lambda count: on_progress(count, len(names)))
            app.openapi_schema.to_schema()
        _run(listener, app, on_ready)


def offered(operation: Operation) -> tuple[str, ...]:
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


def _run(listener: socket.socket, app: Litestar, on_ready: Callable[[str], None]) -> None:
    host, port = listener.getsockname()[:2]
    config = uvicorn.Config(
        app,
        http=GatheringProtocol,
        log_level="warning",
        access_log=False,  # it would hold the names of games
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    keep_all()
    on_ready(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")
    _Server(config, app.state.open_games.subscribers).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that ends the connections that wait for news when it is stopped."""

    def __init__(self, config: uvicorn.Config, subscribers: Subscribers) -> None:
        super().__init__(config)
        self._subscribers = subscribers

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._subscribers.end()
        await super().shutdown(sockets)
