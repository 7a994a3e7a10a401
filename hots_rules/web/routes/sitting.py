"""The routes of the seats: who has sat down, by which key, and what is done when a key is lost."""

from __future__ import annotations

import asyncio

from litestar import get, post
from litestar.params import JSONBody

from hots_rules.web.bodies import LostAnswer, LostKey, SeatKey
from hots_rules.web.games.open_from_log import ruleset_named
from hots_rules.web.games.opening_facts import opening_facts
from hots_rules.web.games.seating import Seating, seating_of
from hots_rules.web.refusals import Unclaimed, WrongKey
from hots_rules.web.replies import NewKey, SeatsTold
from hots_rules.web.requests import GameName, SeatRequest, SpokenLanguage, key_of, open_games_of
from hots_rules.web.storage.keys import digest_of, seat_of


async def _seats_told(name: str, key: str | None, request: SeatRequest, language: str) -> SeatsTold:
    seating = await Seating.of(open_games_of(request), name)
    rules = (await asyncio.to_thread(ruleset_named, seating.row.ruleset)).in_language(language)
    names = dict(zip(rules.players, rules.labels.players, strict=True))
    seat, is_link = None, False
    if key is not None:
        try:
            seat = seat_of(seating.seats, key)
        except Unclaimed:
            links = (each for each in seating.seats if digest_of(key) in each.links)
            seat, is_link = next(links).player, True
    seats_taken = seating_of(seating.row, seating.seats, seating.playing)
    players = {player: text for player, text in names.items() if player in seating.playing}
    facts = opening_facts(seating.row, seating.seats, seating.actions, rules, language)
    return {**seats_taken, "seat": seat, "players": players, "is_link": is_link, "opening": facts}


def _player(seating: Seating, request: SeatRequest) -> str:
    key = key_of(request)
    if key is None:
        raise WrongKey("only a seat may do this; open the link of a seat")
    return seat_of(seating.seats, key)


@get("/api/games/{name:str}/seats")
async def read_seats(
    name: GameName, request: SeatRequest, language: SpokenLanguage = "en"
) -> SeatsTold:
    """Who has sat down; this claims nothing, also with the key of a link."""
    return await _seats_told(name, key_of(request), request, language)


@post("/api/games/{name:str}/seat", status_code=200)
async def sit_down(
    name: GameName,
    data: JSONBody[SeatKey],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> SeatsTold:
    """Trade the key of a link for one that the request has made; from then on it is the key of the seat."""
    seating = await Seating.of(open_games_of(request), name)
    await seating.sit_down(key_of(request) or "", data.key)
    return await _seats_told(name, data.key, request, language)


@post("/api/games/{name:str}/device", status_code=200)
async def add_device(name: GameName, request: SeatRequest) -> NewKey:
    """The key of a link for another device of the seat; the seat has all its keys still."""
    seating = await Seating.of(open_games_of(request), name)
    return {"key": await seating.add_device(_player(seating, request))}


@post("/api/games/{name:str}/key", status_code=200)
async def change_key(name: GameName, request: SeatRequest) -> NewKey:
    """Another key for the seat; those that it had are worth nothing from now on."""
    seating = await Seating.of(open_games_of(request), name)
    return {"key": await seating.change_key(_player(seating, request))}


@post("/api/games/{name:str}/lost-seat", status_code=200)
async def ask_for_seat(
    name: GameName,
    data: JSONBody[LostKey],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> SeatsTold:
    """Ask for the seat of a player, whose key is lost, with a key that the request has made.

    When another seat has consented, it is the key of the seat after a day in which its holder has not refused it.
    """
    seating, key = await Seating.of(open_games_of(request), name), key_of(request)
    asker = None if key is None else seat_of(seating.seats, key)
    await seating.ask_for_lost(data.player, data.key, asker)
    return await _seats_told(name, key, request, language)


@post("/api/games/{name:str}/lost-seat/answer", status_code=200)
async def answer_lost_seat(
    name: GameName,
    data: JSONBody[LostAnswer],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> SeatsTold:
    """Consent to another key for the seat of a player, or refuse it."""
    seating = await Seating.of(open_games_of(request), name)
    await seating.answer_lost(data.player, _player(seating, request), data.agrees)
    return await _seats_told(name, key_of(request), request, language)


ROUTES = (read_seats, sit_down, add_device, change_key, ask_for_seat, answer_lost_seat)
