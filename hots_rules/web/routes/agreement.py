"""The routes by which seats agree: going back, the start of the clock, and an end that the rules do not know."""

from __future__ import annotations

from collections.abc import Callable

from litestar import Response, post
from litestar.params import JSONBody

from hots_rules.web.bodies import Answer, AskBack, Claim, ClockStart, Ending
from hots_rules.web.games.agreements import (
    abort_row,
    answer_row,
    ask_back_row,
    draw_row,
    resign_row,
)
from hots_rules.web.games.clocks import claim_row, start_clock_row
from hots_rules.web.games.open_game import OpenGame
from hots_rules.web.refusals import NotYet
from hots_rules.web.replies import NextGame
from hots_rules.web.requests import AtGame, SeatRequest, SpokenLanguage, Visit, asker_of
from hots_rules.web.routes.lobby import counted
from hots_rules.web.routes.seat import GIVES_STATE
from hots_rules.web.storage.rows import ActionRow


async def _after_line(
    visit: Visit, number: int, made: Callable[[OpenGame, str], ActionRow], language: str
) -> Response[bytes]:
    """What a seat sees after a line of the log, which `made` makes of the open game and the player of the seat."""
    open_game, player = visit.open_game, visit.player
    await visit.open_games.add_line(open_game, number, lambda: made(open_game, player))
    return await visit.state(language)


def _check_goes_on(open_game: OpenGame) -> None:
    """Refuse to end a game that is over.

    Raises:
        NotYet: the game is over.
    """
    if open_game.is_over:
        raise NotYet("the game is over")


@post("/api/games/{name:str}/ask-back", status_code=200, responses=GIVES_STATE)
async def ask_back(
    data: JSONBody[AskBack], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Ask the other seats to go back to an earlier moment; the answer is what the seat sees then."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        return ask_back_row(open_game.game, open_game.actions, open_game.seats, player, data.plays)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/answer", status_code=200, responses=GIVES_STATE)
async def answer_question(
    data: JSONBody[Answer], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Agree to what another seat asks, or refuse it; who has asked withdraws it by refusing."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        return answer_row(open_game.actions, open_game.seats, player, data.agrees)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/start-clock", status_code=200, responses=GIVES_STATE)
async def start_clock(
    data: JSONBody[ClockStart], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Start the clock before the first action; else the time runs from that action on."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        return start_clock_row(open_game.times, open_game.actions, player)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/claim", status_code=200, responses=GIVES_STATE)
async def claim_game(
    data: JSONBody[Claim], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Claim the game, as the time of another player is out; that ends it."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        return claim_row(open_game.times, player)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/resign", status_code=200, responses=GIVES_STATE)
async def resign_game(
    data: JSONBody[Ending], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Give the game up, so that the other player wins; that ends it."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        _check_goes_on(open_game)
        return resign_row(open_game.actions, open_game.playing, player)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/offer-draw", status_code=200, responses=GIVES_STATE)
async def offer_draw(
    data: JSONBody[Ending], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """Ask the other seats to end the game as a draw; they answer as to any question."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        _check_goes_on(open_game)
        return draw_row(open_game.actions, open_game.seats, player)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/abort", status_code=200, responses=GIVES_STATE)
async def abort_game(
    data: JSONBody[Ending], visit: AtGame, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """End the game before the first action."""

    def made(open_game: OpenGame, player: str) -> ActionRow:
        return abort_row(open_game.actions, player)

    return await _after_line(visit, data.number, made, language)


@post("/api/games/{name:str}/rematch", status_code=200)
async def open_rematch(visit: AtGame, request: SeatRequest) -> NextGame:
    """The next game between the same seats, which their keys open as well; two who play exchange their sides."""
    with counted(request):
        _ = visit.player  # it refuses a spectator
        return {"game": await visit.open_games.rematch(visit.open_game, asker_of(request))}


ROUTES = (
    ask_back,
    answer_question,
    start_clock,
    claim_game,
    resign_game,
    offer_draw,
    abort_game,
    open_rematch,
)
