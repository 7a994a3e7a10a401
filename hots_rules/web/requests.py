"""What the routes have in common: the key of a request, its seat, and answers as JSON."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from attrs import frozen
from litestar import Request, Response
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.exceptions import ClientException, SerializationException
from litestar.handlers import BaseRouteHandler
from litestar.params import Parameter, SkipValidation
from litestar.serialization import encode_json

import hots_rules as hr
from hots_rules.web.answering.seat import moment_of
from hots_rules.web.body_faults import body_faults, no_body
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.games.states import pictured_at, state_now
from hots_rules.web.limits import address_of
from hots_rules.web.refusals import WrongKey
from hots_rules.web.storage.store import Store
from hots_rules.web.storage.tokens import given_token, token_name
from hots_rules.web.workers import SharedWorker, WorkerOfAsker

SeatRequest = Request[None, None, State]


_SURROGATE = b"\\ud"


async def check_body(request: object, handler: BaseRouteHandler) -> None:
    """Check that the body of a request is strict JSON of the form that its route takes, if it takes one.

    Raises:
        ClientException: there is no body, it is not in UTF-8, too deep, or has a text with the character U+0000, or it
            has not the form.
    """
    if handler.parsed_data_field is None or not isinstance(request, Request):
        return
    form = handler.parsed_data_field.annotation
    try:
        content = await request.body()
        content.decode()  # readers of JSON do not agree on the error of other bytes
        body = await request.json()
    except (UnicodeDecodeError, RecursionError):
        raise ClientException(
            "the request is not in UTF-8, or has too many levels inside one another"
        ) from None
    except SerializationException as error:
        half = "; a surrogate without its other half is no text" if _SURROGATE in content else ""
        raise ClientException(f"the body is no JSON: {error}{half}") from None
    if not content:
        raise ClientException(no_body(form))
    if any("\0" in text for text in _texts_in(body)):
        raise ClientException("a text has the character U+0000; leave it out")
    if faults := body_faults(body, form):
        raise ClientException(faults)


def _texts_in(body: object) -> Iterator[str]:
    """The texts of a value of JSON, keys included."""
    left = [body]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case list() as members:
                left += members
            case dict() as members:
                left += [*members, *members.values()]


KNOWN_PICTURE = "Known-Picture"
"""The header of a request for boards in parts: the name of the picture that the asker has, or nothing."""
GameName = Annotated[str, Parameter(pattern="^[0-9a-f]{16}$")]
RulesetName = Annotated[str, Parameter(max_length=100)]
SpokenLanguage = Annotated[str, Parameter(pattern="^[a-z]{2,8}$")]
WithBoard = Annotated[bool, Parameter(description="Whether the board is drawn.")]
PlayCount = Annotated[int | None, Parameter(ge=0, le=1_000_000)]


def open_games_of(request: SeatRequest) -> OpenGames:
    """The games of the process that answers a request."""
    open_games: OpenGames = request.app.state.open_games
    return open_games


def offered_rulesets(request: SeatRequest) -> tuple[str, ...]:
    """The names of the rulesets that this game server has for games, positions and records, in the order of the page.

    They are in the order in which whoever runs it names them, if they do. Else the newest edition of the game that has
    most editions comes first, then all by their names.
    """
    chosen: Sequence[str] = request.app.state.operation.rulesets
    if chosen:
        return tuple(chosen)
    names = hr.rulesets()
    editions = Counter(name.rpartition("-")[0] for name in names)
    first = max(names, key=lambda name: (editions[name.rpartition("-")[0]], name), default="")
    return tuple(sorted(names, key=lambda name: name != first))


def check_offered(request: SeatRequest, name: str) -> str:
    """The same name, if the operator does not leave the ruleset out; it need not exist.

    Raises:
        UnknownName: the game server leaves it out.
    """
    chosen: Sequence[str] = request.app.state.operation.rulesets
    if chosen and name not in chosen:
        raise hr.UnknownName("ruleset", name, chosen)
    return name


def odds_worker(request: SeatRequest) -> WorkerOfAsker:
    """The process for what takes seconds: odds and films."""
    shared: SharedWorker = request.app.state.odds
    return shared.of(asker_of(request))


def study_worker(request: SeatRequest) -> WorkerOfAsker:
    """The process for positions that are set up, and records that are looked at."""
    shared: SharedWorker = request.app.state.studies
    return shared.of(asker_of(request))


def question_thread(request: SeatRequest) -> WorkerOfAsker:
    """The thread for questions in words at a game."""
    shared: SharedWorker = request.app.state.questions
    return shared.of(asker_of(request))


def untrusted_worker(request: SeatRequest) -> WorkerOfAsker:
    """The process for rulesets of strangers."""
    shared: SharedWorker = request.app.state.untrusted
    return shared.of(asker_of(request))


def key_of(request: SeatRequest) -> str | None:
    """The key of a seat that a request has; None for a spectator.

    It stands after the word Bearer, or in a header of its own if a token stands there.
    """
    key = request.headers.get("seat-key")
    if key is None and given_token(request.headers) is None:
        key = request.headers.get("authorization")
    return None if key is None else key.removeprefix("Bearer ")


def asker_of(request: SeatRequest) -> str:
    """Who asks: the token of a request, or else its address, of IPv6 the network of a household (/64)."""
    token = token_name(request.scope)
    if token is not None:
        return f"token {token}"
    return address_of(request.scope)


def as_json(value: object, status: int = 200) -> Response[bytes]:
    """An answer of plain data."""
    return Response(encode_json(value), media_type="application/json", status_code=status)


@frozen
class Visit:
    """A game, and who asks of it."""

    open_games: OpenGames
    open_game: OpenGame
    key: str | None
    known_picture: str | None
    """The name of the picture that the asker has, if the board is wanted in parts; empty for none."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.open_game.row.name

    @property
    def store(self) -> Store:
        """Where the games are kept."""
        return self.open_games.store

    @property
    def seat(self) -> str | None:
        """The player to whom the key of the request belongs; None for a spectator, who has none.

        Raises:
            WrongKey: the key belongs to no seat.
        """
        return self.open_game.seat(self.key)

    @property
    def player(self) -> str:
        """The player whose key the request has.

        Raises:
            WrongKey: the request has no key, or one of no seat.
        """
        if (seat := self.seat) is None:
            raise WrongKey("only a seat may do this; open the link of a seat")
        return seat

    def game(self, language: str) -> hr.Game:
        """The game as it is now."""
        return self.open_game.game.in_language(language)

    async def state(
        self, language: str, since: int | None = None, *, is_drawn: bool = True
    ) -> Response[bytes]:
        """What the seat, or the spectator, is told now; see `state_now`."""
        told = state_now(
            self.open_game,
            self.seat,
            language,
            since,
            is_drawn=is_drawn,
            known_picture=self.known_picture,
        )
        return as_json(await told)

    async def moment(self, language: str, plays: int) -> Response[bytes]:
        """What the seat, or the spectator, saw after a number of plays."""
        pictured = None
        if self.known_picture is not None:
            name = f"{self.open_game.number} {plays}"
            pictured = pictured_at(self.open_game, name, self.known_picture, with_values=False)
        told = asyncio.to_thread(moment_of, self.game(language), self.seat, plays, pictured)
        return as_json(await told)


async def find_game(name: GameName, request: SeatRequest) -> Visit:
    """The game that a path names.

    Raises:
        UnknownGame: there is no such game.
        NotBegun: it waits for shares of its seed.
    """
    open_games = open_games_of(request)
    open_game = await open_games.open(name, asker_of(request))
    return Visit(open_games, open_game, key_of(request), request.headers.get(KNOWN_PICTURE))


AtGame = NamedDependency[SkipValidation[Visit]]
