"""The routes of a seat, or of a spectator, at one game."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import Body, Parameter
from litestar.types import ASGIApp

import hots_rules as hr
from hots_rules.web.answering.seat import about, moment_of, preview_of, why_not
from hots_rules.web.bodies import NewAction, PreviewQuestion, Question, Undo
from hots_rules.web.events.event_stream import EventStream
from hots_rules.web.games.final_records import final_record
from hots_rules.web.games.states import state_now
from hots_rules.web.refusals import NotYet
from hots_rules.web.replies import Effects, Moment, Said, State
from hots_rules.web.requests import (
    GameName,
    PlayCount,
    SeatRequest,
    SpokenLanguage,
    WithBoard,
    as_json,
    key_of,
    open_games_of,
    player_of,
)

# Answers that are made as text beside the loop, and what they hold.
GIVES_STATE = {200: ResponseSpec(State, generate_examples=False)}
GIVES_MOMENT = {200: ResponseSpec(Moment, generate_examples=False)}
GIVES_TEXT = {200: ResponseSpec(str, generate_examples=False, media_type="text/plain")}
GIVES_EVENTS = {200: ResponseSpec(str, generate_examples=False, media_type="text/event-stream")}


async def _seated(name: str, request: SeatRequest, language: str) -> tuple[hr.Game, str]:
    """A game in a language, and the player whose seat asks."""
    open_game = await open_games_of(request).open(name)
    player = player_of(open_game, request)
    return open_game.game.in_language(language), player


@get("/api/games/{name:str}", responses=GIVES_STATE)
async def read_game(
    name: GameName,
    request: SeatRequest,
    language: SpokenLanguage = "en",
    since: PlayCount = None,
    board: WithBoard = True,
) -> Response[bytes]:
    """All that a seat, or a spectator, sees; with `board=false` without the picture, for programs."""
    open_game = await open_games_of(request).open(name)
    seat = open_game.seat(key_of(request))
    return as_json(await state_now(open_game, seat, language, since, is_drawn=board))


@post("/api/games/{name:str}/actions", status_code=200, responses=GIVES_STATE)
async def play_action(
    name: GameName,
    data: Annotated[NewAction, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
    board: WithBoard = True,
) -> Response[bytes]:
    """Play an action; the answer is what the seat sees after it."""
    open_game = await open_games_of(request).open(name)
    player = player_of(open_game, request)
    plays = len(open_game.game.moves)
    await open_games_of(request).play(open_game, player, data.action, data.number, language)
    return as_json(await state_now(open_game, player, language, plays, is_drawn=board))


@post("/api/games/{name:str}/undo", status_code=200, responses=GIVES_STATE)
async def undo_action(
    name: GameName,
    data: Annotated[Undo, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """Take the seat's last action back; the answer is what the seat sees then."""
    open_game = await open_games_of(request).open(name)
    player = player_of(open_game, request)
    await open_games_of(request).take_back(open_game, player, data.number)
    return as_json(await state_now(open_game, player, language))


@post("/api/games/{name:str}/why-not", status_code=200)
async def explain_refusal(
    name: GameName,
    data: Annotated[Question, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Said:
    """Why something is not legal, as the seat may know."""
    game, player = await _seated(name, request, language)
    return {"text": await asyncio.to_thread(why_not, game, player, data.words)}


@get("/api/games/{name:str}/moments/{plays:int}", responses=GIVES_MOMENT)
async def read_moment(
    name: GameName,
    plays: Annotated[int, Parameter(ge=0, le=1_000_000)],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """What a seat, or a spectator, saw after a number of plays."""
    open_game = await open_games_of(request).open(name)
    seat = open_game.seat(key_of(request))
    game = open_game.game.in_language(language)
    return as_json(await asyncio.to_thread(moment_of, game, seat, plays))


@post("/api/games/{name:str}/preview", status_code=200)
async def preview_action(
    name: GameName,
    data: Annotated[PreviewQuestion, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Effects:
    """What an action changes for certain, as the seat may know; nothing if the game has gone on since `number`."""
    open_game = await open_games_of(request).open(name)
    player = player_of(open_game, request)
    if data.number is not None and data.number != open_game.number:
        return {"effects": []}
    game = open_game.game.in_language(language)
    return {"effects": await asyncio.to_thread(preview_of, game, player, data.words)}


@post("/api/games/{name:str}/about", status_code=200)
async def explain_thing(
    name: GameName,
    data: Annotated[Question, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Said:
    """What a thing on the board is, and what the seat can do with it."""
    game, player = await _seated(name, request, language)
    return {"text": await asyncio.to_thread(about, game, player, data.words)}


@get("/api/games/{name:str}/record", responses=GIVES_TEXT)
async def read_record(name: GameName, request: SeatRequest) -> Response[bytes]:
    """The record of a game that is over; before the end it would tell all secrets."""
    open_game = await open_games_of(request).open(name)
    if not open_game.is_over:
        raise NotYet("the record holds every secret; it can be read when the game is over")
    record = await asyncio.to_thread(lambda: str(final_record(open_game)))
    headers = {"Content-Disposition": f'attachment; filename="game-{name}.txt"'}
    return Response(record.encode(), media_type="text/plain", headers=headers)


@get("/api/games/{name:str}/events", responses=GIVES_EVENTS)
async def follow_game(name: GameName, request: SeatRequest) -> ASGIApp:
    """The number of changes, now and after each, and of messages after each; everybody may know them."""
    open_games = open_games_of(request)
    await open_games.open(name)
    return EventStream(open_games, name)


ROUTES = (
    read_game,
    read_moment,
    play_action,
    undo_action,
    preview_action,
    explain_refusal,
    explain_thing,
    read_record,
    follow_game,
)
