"""The routes of a seat, or of a spectator, at one game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

from litestar import Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, Parameter
from litestar.types import ASGIApp

import hots_rules as hr
from hots_rules.web.answering.seat import about, facts_of, preview_of, why_not
from hots_rules.web.bodies import NewAction, PreviewQuestion, Question, Undo
from hots_rules.web.events.event_stream import EventStream
from hots_rules.web.games.agreement_log import final_record
from hots_rules.web.refusals import NotYet, TooLong
from hots_rules.web.replies import Effects, Moment, Said, State
from hots_rules.web.requests import (
    AtGame,
    PlayCount,
    SeatRequest,
    SpokenLanguage,
    Visit,
    WithBoard,
    question_thread,
)

MAX_QUESTION_LENGTH = 1_000  # characters
# Answers that are made as text beside the loop, and what they hold.
GIVES_STATE = {200: ResponseSpec(State, generate_examples=False)}
GIVES_MOMENT = {200: ResponseSpec(Moment, generate_examples=False)}
GIVES_TEXT = {200: ResponseSpec(str, generate_examples=False, media_type="text/plain")}
GIVES_EVENTS = {200: ResponseSpec(str, generate_examples=False, media_type="text/event-stream")}


async def _told(
    told: Callable[[hr.Game, str, str], str],
    question: Question,
    visit: Visit,
    request: SeatRequest,
    language: str,
) -> Said:
    """What a function tells a seat about the words of a question, when it is the turn of who asks."""
    game, player, words = visit.game(language), visit.player, question.words
    if len(words) > MAX_QUESTION_LENGTH:
        raise TooLong.question(MAX_QUESTION_LENGTH)

    def said() -> Said:
        return {"text": told(game, player, words)}

    return await question_thread(request).run(said)


@get("/api/games/{name:str}", responses=GIVES_STATE)
async def read_game(
    visit: AtGame,
    language: SpokenLanguage = "en",
    since: PlayCount = None,
    board: WithBoard = True,
) -> Response[bytes]:
    """All that a seat, or a spectator, sees; with `board=false` without the picture, for programs."""
    return await visit.state(language, since, is_drawn=board)


@post("/api/games/{name:str}/actions", status_code=200, responses=GIVES_STATE)
async def play_action(
    data: JSONBody[NewAction],
    visit: AtGame,
    language: SpokenLanguage = "en",
    board: WithBoard = True,
) -> Response[bytes]:
    """Play an action; the answer is what the seat sees after it."""
    player, plays = visit.player, len(visit.open_game.game.moves)
    await visit.open_games.play(visit.open_game, player, data.action, data.number, language)
    return await visit.state(language, plays, is_drawn=board)


@post("/api/games/{name:str}/undo", status_code=200, responses=GIVES_STATE)
async def undo_action(
    data: JSONBody[Undo], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Take the seat's last action back; the answer is what the seat sees then."""
    await visit.open_games.take_back(visit.open_game, visit.player, data.number)
    return await visit.state(language)


@post("/api/games/{name:str}/why-not", status_code=200)
async def explain_refusal(
    data: JSONBody[Question], visit: AtGame, request: SeatRequest, language: SpokenLanguage = "en"
) -> Said:
    """Why something is not legal, as the seat may know."""
    return await _told(why_not, data, visit, request, language)


@get("/api/games/{name:str}/moments/{plays:int}", responses=GIVES_MOMENT)
async def read_moment(
    plays: Annotated[int, Parameter(ge=0, le=1_000_000)],
    visit: AtGame,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """What a seat, or a spectator, saw after a number of plays."""
    return await visit.moment(language, plays)


@get("/api/games/{name:str}/facts")
async def read_facts(visit: AtGame, language: SpokenLanguage = "en") -> Said:
    """All that a seat, or a spectator, sees, as text."""
    game, seat = visit.game(language), visit.seat
    return {"text": await asyncio.to_thread(facts_of, game, seat)}


@post("/api/games/{name:str}/preview", status_code=200)
async def preview_action(
    data: JSONBody[PreviewQuestion], visit: AtGame, language: SpokenLanguage = "en"
) -> Effects:
    """What an action changes for certain, as the seat may know; nothing if the game has gone on since `number`."""
    game, player = visit.game(language), visit.player
    if data.number is not None and data.number != visit.open_game.number:
        return {"effects": []}
    return {"effects": await asyncio.to_thread(preview_of, game, player, data.words)}


@post("/api/games/{name:str}/about", status_code=200)
async def explain_thing(
    data: JSONBody[Question], visit: AtGame, request: SeatRequest, language: SpokenLanguage = "en"
) -> Said:
    """What a thing on the board is, and what the seat can do with it."""
    return await _told(about, data, visit, request, language)


@get("/api/games/{name:str}/record", responses=GIVES_TEXT)
async def read_record(visit: AtGame) -> Response[bytes]:
    """The record of a game that is over; before the end it would tell all secrets."""
    open_game = visit.open_game
    if not open_game.is_over:
        raise NotYet("the record holds every secret; it can be read when the game is over")
    record = await asyncio.to_thread(lambda: str(final_record(open_game)))
    headers = {"Content-Disposition": f'attachment; filename="game-{visit.name}.txt"'}
    return Response(record.encode(), media_type="text/plain", headers=headers)


@get("/api/games/{name:str}/events", responses=GIVES_EVENTS)
async def follow_game(visit: AtGame, request: SeatRequest) -> ASGIApp:
    """The number of changes, now and after each, and of messages after each; everybody may know them."""
    return EventStream(visit.open_games, visit.name, request.app.state.streams)


ROUTES = (
    read_game,
    read_moment,
    read_facts,
    play_action,
    undo_action,
    preview_action,
    explain_refusal,
    explain_thing,
    read_record,
    follow_game,
)
