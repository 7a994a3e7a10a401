"""The application: its routes, the headers of all answers, and errors as answers."""

from __future__ import annotations

import json
import logging
import traceback
from secrets import token_hex

from litestar import Controller, Litestar, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import Message, Scope
from sqlalchemy.exc import OperationalError

import hots_rules as hr
from hots_rules.web.compression import compressed
from hots_rules.web.description import StrictBodies, description
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.limits import RateLimit, StreamLimit
from hots_rules.web.middleware import cors_of, middleware_of, tell_health
from hots_rules.web.operation import Operation
from hots_rules.web.pages import FOR_EVER, PageFile, page_files
from hots_rules.web.refusals import CannotServe, TableError
from hots_rules.web.requests import SeatRequest, as_json, check_body, find_game
from hots_rules.web.routes import (
    agreement,
    frame,
    lobby,
    odds,
    position,
    record,
    sandbox,
    seat,
    sitting,
    talk,
)
from hots_rules.web.storage.store import Store
from hots_rules.web.workers import SharedWorker, ThreadWorker, Worker

LOGGER = logging.getLogger(__name__)
MAX_BYTES = 16_384  # of the body of a request
SECONDS_OF_WORK, MEMORY_OF_WORK = 30.0, 2_000_000_000  # of a process beside the server
HOUR, SECONDS_OF_REFUSALS = 3600.0, 600.0  # of what an address tries in vain
UNTRUSTED_SECONDS, UNTRUSTED_MEMORY = 20.0, 1_000_000_000
PARTS = (
    lobby,
    frame,
    seat,
    agreement,
    odds,
    talk,
    position,
    record,
    sandbox,
    sitting,
)
HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
_NAMED = {name.lower().encode(): value.encode() for name, value in HEADERS}
_FOR_EVER = {name.lower().encode(): value.encode() for name, value in FOR_EVER.items()}
_OF_ALL, _OF_KEPT_FILES = [*_NAMED.items()], [*(_NAMED | _FOR_EVER).items()]


def _refused(_: SeatRequest, error: hr.HotsError) -> Response[bytes]:
    """An error of the library: what the rules do not allow is no fault of the request."""
    status = error.status if isinstance(error, TableError) else 422
    return as_json(json.loads(hr.to_json(error)), status)


def _absent(_: SeatRequest, error: Exception) -> Response[bytes]:
    """The database does not answer; its words may hold its address, so they are not sent."""
    return as_json({"kind": "CannotServe", "message": "the database does not answer"}, 503)


def _misread(_: SeatRequest, error: HTTPException) -> Response[bytes]:
    """A request that cannot be read; the answer says which parts have another form, and repeats no value."""
    parts = [part for part in error.extra or () if isinstance(part, dict) and "key" in part]
    # The whole body has the name that the function of a route gives it.
    faults = "; ".join(f"{part['key']}: {part['message']}".removeprefix("data: ") for part in parts)
    message = faults or error.detail.splitlines()[0]
    answer = as_json({"kind": "BadRequest", "message": message}, error.status_code)
    answer.headers.update(error.headers or {})
    return answer


def _failed(request: SeatRequest, error: Exception) -> Response[bytes]:
    """An error that nobody foresaw, in the log with a number that the answer has as well.

    Its words may hold secrets, such as a key or what is hidden in a game: the log has only its type and its place.
    """
    failure = token_hex(4)
    template = request.scope.get("path_template", "")
    places = "".join(traceback.format_tb(error.__traceback__))
    kind = type(error).__name__
    LOGGER.error("failure %s: %s at %s %s\n%s", failure, kind, request.method, template, places)
    message = f"the table failed; the game is as it was. The log has this as failure {failure}"
    return as_json({"kind": "Failure", "message": message, "failure": failure}, 500)


async def _with_headers(message: Message, _: Scope) -> None:
    """Give the headers to every answer, to refusals as well; what browsers keep for ever says so itself."""
    if message["type"] == "http.response.start":
        others = [header for header in message["headers"] if header[0].lower() not in _NAMED]
        is_kept = any(header in _FOR_EVER.items() for header in message["headers"])
        message["headers"] = [*others, *(_OF_KEPT_FILES if is_kept else _OF_ALL)]


def _page(path: str, file: PageFile) -> HTTPRouteHandler:
    @get(path, sync_to_thread=False, include_in_schema=False, name=path)
    def page() -> Response[bytes]:
        return Response(file.content, media_type=file.kind, headers=file.headers)

    return page


def _metrics(operation: Operation) -> list[type[Controller]]:
    if not operation.has_metrics:
        return []
    from litestar.plugins.prometheus import (
        PrometheusController,  # its library is wanted for this alone
    )

    class Metrics(PrometheusController):
        include_in_schema = False

    return [Metrics]


def make_app(store: Store, operation: Operation | None = None) -> Litestar:
    """The application on a store, to be run by an ASGI server.

    Args:
        store: the games.
        operation: how the game server is run; as for friends on one machine if omitted.

    >>> from hots_rules.web.storage.store import Store
    >>> app = make_app(Store.at("sqlite:///:memory:"))
    >>> "/api/rulesets" in {route.path for route in app.routes}
    True
    """
    open_games, run = OpenGames(store), operation or Operation()
    odds, studies = (SharedWorker(Worker(SECONDS_OF_WORK, MEMORY_OF_WORK)) for _ in range(2))
    questions = SharedWorker(ThreadWorker())
    strict = Worker(UNTRUSTED_SECONDS, UNTRUSTED_MEMORY, is_strict=True)
    untrusted = SharedWorker(strict, most_of_asker=2, most=6)
    routes = [route for part in PARTS for route in part.ROUTES]
    pages = [_page(path, file) for path, file in page_files().items()]
    return Litestar(
        route_handlers=[*routes, tell_health, *_metrics(run), *pages],
        state=State(
            {
                "open_games": open_games,
                "operation": run,
                "odds": odds,
                "studies": studies,
                "questions": questions,
                "untrusted": untrusted,
                "openings": RateLimit(run.openings_per_hour, HOUR),
                "refusals": RateLimit(run.openings_per_hour and SECONDS_OF_REFUSALS, HOUR),
                "streams": StreamLimit(run.streams_per_address),
            }
        ),
        exception_handlers={
            CannotServe: _absent,
            OperationalError: _absent,
            hr.HotsError: _refused,
            HTTPException: _misread,
            Exception: _failed,
        },
        dependencies={"visit": Provide(find_game)},
        on_startup=[open_games.begin],
        on_shutdown=[open_games.end, odds.close, studies.close, untrusted.close],
        guards=[check_body],
        request_max_body_size=MAX_BYTES,
        before_send=[_with_headers],
        cors_config=cors_of(run),
        middleware=[compressed, *middleware_of(run)],
        logging_config=None,
        openapi_config=description(run.root_path),
        plugins=[StrictBodies()],
    )
