"""The routes: what a browser, or another front end, may ask for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated

from attrs import field, frozen
from litestar import Litestar, Request, Response, get, post
from litestar.datastructures import MutableScopeHeaders, State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import Body, Parameter
from litestar.response import ServerSentEvent, ServerSentEventMessage
from litestar.types import Message, Scope

import hots_rules as hr
from hots_rules._translate import LANGUAGES, translator
from hots_rules.web.answers import Data, state_of, why_not
from hots_rules.web.bots import KINDS
from hots_rules.web.opening import ruleset_named
from hots_rules.web.pages import page_files
from hots_rules.web.refusals import NotYet, TableError, WrongKey
from hots_rules.web.store import Store
from hots_rules.web.tables import OpenGame, Tables
from hots_rules.web.words import words_of_the_pages

MOST_BYTES = 16_384  # of the body of a request
HEARTBEAT = 15.0  # seconds after which a connection that waits for news is tried
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
SeatRequest = Request[None, None, State]
GameName = Annotated[str, Parameter(pattern="^[0-9a-f]{16}$")]
SpokenLanguage = Annotated[str, Parameter(pattern="^[a-z]{2,8}$")]
PlayCount = Annotated[int | None, Parameter(ge=0, le=1_000_000)]


@frozen
class NewGame:
    """A game to begin: without a seed it gets 128 random bits."""

    ruleset: str
    scenario: str
    seed: str | None = None
    bots: dict[str, str] = field(factory=dict)
    """The kinds of the bots by their players."""


@frozen
class NewAction:
    """An action by its text, with the number of changes that the seat knows of."""

    number: int
    action: str


@frozen
class Undo:
    """The last action is taken back, with the number of changes that the seat knows of."""

    number: int


@frozen
class Question:
    """An action, names of things on the board, or a question in words."""

    words: str


# ------------------------------------------------------------------ what anybody may ask
@get("/api/rulesets", sync_to_thread=True)
def list_rulesets(language: SpokenLanguage = "en") -> list[Data]:
    """The rulesets with their scenarios."""
    titles = hr.rulesets()
    return [
        {"name": name, "title": titles[name], "scenarios": scenarios}
        for name, scenarios in hr.scenarios(language).items()
        if scenarios
    ]


@get("/api/rulesets/{name:str}", sync_to_thread=True)
def read_ruleset(name: str, language: SpokenLanguage = "en") -> Data:
    """Who plays a game, and which bots can sit there."""
    rules = ruleset_named(name).in_language(language)
    return {"players": dict(zip(rules.players, rules.labels.players, strict=True)), "bots": KINDS}


@get("/api/words", sync_to_thread=False)
def list_words(language: SpokenLanguage = "en") -> Data:
    """The words of the pages in a language, and the languages that there are."""
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    return {
        "language": spoken,
        "languages": list(LANGUAGES),
        "words": words_of_the_pages(translator(spoken)),
    }


@post("/api/games")
async def create_game(data: Annotated[NewGame, Body()], request: SeatRequest) -> Data:
    """Begin a game; the answer has the key of each seat, once."""
    name, keys = await _tables(request).create(data.ruleset, data.scenario, data.seed, data.bots)
    return {"game": name, "keys": keys}


# ------------------------------------------------------------------ what a seat may ask
@get("/api/games/{name:str}")
async def read_game(
    name: GameName,
    request: SeatRequest,
    language: SpokenLanguage = "en",
    since: PlayCount = None,
) -> Response[bytes]:
    """All that a seat, or a spectator, sees."""
    table = await _tables(request).open(name)
    seat = table.seat(_key_of(request))
    return _json(await asyncio.to_thread(_state, table, seat, language, since))


@post("/api/games/{name:str}/actions", status_code=200)
async def play_action(
    name: GameName,
    data: Annotated[NewAction, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """Play an action; the answer is what the seat sees after it."""
    table = await _tables(request).open(name)
    player = _player(table, request)
    plays = len(table.game.moves)
    await _tables(request).play(table, player, data.action, data.number, language)
    return _json(await asyncio.to_thread(_state, table, player, language, plays))


@post("/api/games/{name:str}/undo", status_code=200)
async def undo_action(
    name: GameName,
    data: Annotated[Undo, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """Take the seat's last action back; the answer is what the seat sees then."""
    table = await _tables(request).open(name)
    player = _player(table, request)
    await _tables(request).take_back(table, player, data.number)
    return _json(await asyncio.to_thread(_state, table, player, language, None))


@post("/api/games/{name:str}/why-not", status_code=200)
async def explain_refusal(
    name: GameName,
    data: Annotated[Question, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Data:
    """Why something is not legal, as the seat may know."""
    table = await _tables(request).open(name)
    player = _player(table, request)
    game = table.game.in_language(language)
    return {"text": await asyncio.to_thread(why_not, game, player, data.words)}


@get("/api/games/{name:str}/record")
async def read_record(name: GameName, request: SeatRequest) -> Response[bytes]:
    """The record of a game that is over; before the end it would tell all secrets."""
    game = (await _tables(request).open(name)).game
    if not game.is_over:
        raise NotYet("the record holds every secret; it can be read when the game is over")
    record = await asyncio.to_thread(lambda: str(game.record))
    headers = {"Content-Disposition": f'attachment; filename="game-{name}.txt"'}
    return Response(record.encode(), media_type="text/plain", headers=headers)


@get("/api/games/{name:str}/events")
async def follow_game(name: GameName, request: SeatRequest) -> ServerSentEvent:
    """The number of changes, now and after each; everybody may know it."""
    return ServerSentEvent(_numbers(await _tables(request).open(name)))


async def _numbers(table: OpenGame) -> AsyncIterator[ServerSentEventMessage]:
    queue: asyncio.Queue[int] = asyncio.Queue()
    table.listeners.add(queue)
    try:
        yield ServerSentEventMessage(data=str(table.number), retry=1000)
        while True:
            try:
                number = await asyncio.wait_for(queue.get(), HEARTBEAT)
            except TimeoutError:
                yield ServerSentEventMessage(comment="still here")
            else:
                yield ServerSentEventMessage(data=str(number))
    finally:
        table.listeners.discard(queue)


def _state(table: OpenGame, player: str | None, language: str, since: int | None) -> Data:
    number, game = table.number, table.game.in_language(language)
    return {"number": number, **state_of(game, player, since)}


def _tables(request: SeatRequest) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def _key_of(request: SeatRequest) -> str | None:
    """The key that a request has, after the word Bearer."""
    given = request.headers.get("authorization")
    return None if given is None else given.removeprefix("Bearer ")


def _player(table: OpenGame, request: SeatRequest) -> str:
    player = table.seat(_key_of(request))
    if player is None:
        raise WrongKey("only a seat may do this; open the link of a seat")
    return player


# ------------------------------------------------------------------ answers
def _json(value: object, status: int = 200) -> Response[bytes]:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode(), media_type="application/json", status_code=status)


def _refused(_: SeatRequest, error: hr.HotsError) -> Response[bytes]:
    """An error of the library: what the rules do not allow is no fault of the request."""
    status = error.status if isinstance(error, TableError) else 422
    return _json(json.loads(hr.to_json(error)), status)


def _misread(_: SeatRequest, error: HTTPException) -> Response[bytes]:
    """A request that cannot be read; the answer repeats nothing of it."""
    return _json({"kind": "BadRequest", "message": error.detail.splitlines()[0]}, error.status_code)


def _failed(_: SeatRequest, error: Exception) -> Response[bytes]:
    """An error that nobody foresaw: its words may hold secrets, so they are not sent."""
    return _json({"kind": "Failure", "message": "the table failed; the game is as it was"}, 500)


async def _with_headers(message: Message, _: Scope) -> None:
    """Give the headers to every answer, to refusals as well."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS:
            headers[name] = value


def _page(path: str, content: bytes, kind: str) -> HTTPRouteHandler:
    @get(path, sync_to_thread=False, include_in_schema=False, name=path)
    def page() -> Response[bytes]:
        return Response(content, media_type=kind)

    return page


def make_app(store: Store) -> Litestar:
    """The application on a store, to be run by an ASGI server.

    >>> from hots_rules.web.store import Store
    >>> app = make_app(Store.at("sqlite+aiosqlite:///:memory:"))
    >>> "/api/rulesets" in {route.path for route in app.routes}
    True
    """
    tables = Tables(store)
    routes = (list_rulesets, list_words, create_game, read_game, play_action)
    more = (read_ruleset, undo_action, explain_refusal, read_record, follow_game)
    pages = [_page(path, content, kind) for path, (content, kind) in page_files().items()]
    return Litestar(
        route_handlers=[*routes, *more, *pages],
        state=State({"tables": tables}),
        exception_handlers={
            hr.HotsError: _refused,
            HTTPException: _misread,
            Exception: _failed,
        },
        on_startup=[tables.begin],
        on_shutdown=[tables.end],
        request_max_body_size=MOST_BYTES,
        before_send=[_with_headers],
        openapi_config=OpenAPIConfig(
            title="hots_rules table",
            version=hr.__version__,
            path="/api",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
    )
