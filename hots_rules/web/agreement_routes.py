"""The routes by which seats agree: going back, and claiming a game whose time is out."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, post
from litestar.params import Body

from hots_rules.web.agreements import answering, asking
from hots_rules.web.bodies import Answer, AskBack, Claim
from hots_rules.web.clocks import claiming
from hots_rules.web.requests import (
    GameName,
    SeatRequest,
    SpokenLanguage,
    as_json,
    player_of,
    tables_of,
)
from hots_rules.web.seat_routes import GIVES_STATE
from hots_rules.web.states import state_now


@post("/api/games/{name:str}/ask-back", status_code=200, responses=GIVES_STATE)
async def ask_back(
    name: GameName,
    data: Annotated[AskBack, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """Ask the other seats to go back to an earlier moment; the answer is what the seat sees then."""
    table = await tables_of(request).open(name)
    player = player_of(table, request)
    await tables_of(request).add_line(
        table,
        data.number,
        lambda: asking(table.game, table.actions, table.seats, player, data.plays),
    )
    return as_json(await state_now(table, player, language))


@post("/api/games/{name:str}/answer", status_code=200, responses=GIVES_STATE)
async def answer_question(
    name: GameName,
    data: Annotated[Answer, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """Agree to what another seat asks, or refuse it; who has asked withdraws it by refusing."""
    table = await tables_of(request).open(name)
    player = player_of(table, request)
    await tables_of(request).add_line(
        table, data.number, lambda: answering(table.actions, table.seats, player, data.agrees)
    )
    return as_json(await state_now(table, player, language))


@post("/api/games/{name:str}/claim", status_code=200, responses=GIVES_STATE)
async def claim_game(
    name: GameName,
    data: Annotated[Claim, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Response[bytes]:
    """Claim the game, as the time of another player is out; that ends it."""
    table = await tables_of(request).open(name)
    player = player_of(table, request)
    await tables_of(request).add_line(table, data.number, lambda: claiming(table.times, player))
    return as_json(await state_now(table, player, language))


ROUTES = (ask_back, answer_question, claim_game)
