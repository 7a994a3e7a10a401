"""The routes beside the game: chat, notes, the key of a seat, and the shares of the seed."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from litestar import get, post, put
from litestar.params import Body

from hots_rules.web.bodies import Commitment, Secret, Words
from hots_rules.web.games import seed_shares
from hots_rules.web.refusals import NotBegun, TooLong
from hots_rules.web.replies import ChatLine, NewKey, Said, SharesOfSeed
from hots_rules.web.requests import GameName, SeatRequest, key_of, open_games_of, player_of

MAX_MESSAGE_LENGTH = 1_000  # characters
MAX_NOTE_LENGTH = 10_000


@get("/api/games/{name:str}/messages")
async def read_messages(name: GameName, request: SeatRequest) -> list[ChatLine]:
    """What was said at the table; spectators read it as well."""
    open_game = await open_games_of(request).open(name)
    open_game.seat(key_of(request))
    messages = await open_games_of(request).store.read_messages(name)
    return [{"player": message.player, "text": message.text} for message in messages]


@post("/api/games/{name:str}/messages")
async def say(name: GameName, data: Annotated[Words, Body()], request: SeatRequest) -> ChatLine:
    """Say something to everybody at the table."""
    open_game = await open_games_of(request).open(name)
    player = player_of(open_game, request)
    words = data.text.strip()
    if not 0 < len(words) <= MAX_MESSAGE_LENGTH:
        raise TooLong(f"a message has from 1 to {MAX_MESSAGE_LENGTH:,} characters")
    await open_games_of(request).say(open_game, player, words)
    return {"player": player, "text": words}


@get("/api/games/{name:str}/note")
async def read_note(name: GameName, request: SeatRequest) -> Said:
    """What the seat has noted for itself; nobody else reads it."""
    player = player_of(await open_games_of(request).open(name), request)
    return {"text": await open_games_of(request).store.read_note(name, player)}


@put("/api/games/{name:str}/note")
async def keep_note(name: GameName, data: Annotated[Words, Body()], request: SeatRequest) -> Said:
    """Keep what the seat notes for itself."""
    player = player_of(await open_games_of(request).open(name), request)
    if len(data.text) > MAX_NOTE_LENGTH:
        raise TooLong(f"notes have at most {MAX_NOTE_LENGTH:,} characters")
    await open_games_of(request).store.keep_note(name, player, data.text)
    return {"text": data.text}


@post("/api/games/{name:str}/key", status_code=200)
async def change_key(name: GameName, request: SeatRequest) -> NewKey:
    """Another key for the seat; the old one is worth nothing from now on."""
    open_game = await open_games_of(request).open(name)
    return {
        "key": await open_games_of(request).change_key(open_game, player_of(open_game, request))
    }


@get("/api/games/{name:str}/shares")
async def read_shares(name: GameName, request: SeatRequest) -> SharesOfSeed:
    """The commitments to the shares of the seed; the shares themselves when the game is over."""
    open_games = open_games_of(request)
    try:
        is_over = (await open_games.open(name)).is_over
    except NotBegun:
        is_over = False
    return await seed_shares.read_shares(open_games.store, name, key_of(request), is_over)


@post("/api/games/{name:str}/commitment", status_code=204)
async def commit_share(
    name: GameName, data: Annotated[Commitment, Body()], request: SeatRequest
) -> None:
    """Commit the seat to a share of the seed."""
    await seed_shares.commit_share(
        open_games_of(request).store, name, key_of(request), data.commitment
    )


@post("/api/games/{name:str}/secret", status_code=204)
async def reveal_share(
    name: GameName, data: Annotated[Secret, Body()], request: SeatRequest
) -> None:
    """Reveal the share of the seat to the table; the last one begins the game."""
    await seed_shares.reveal_share(open_games_of(request).store, name, key_of(request), data.secret)
    with suppress(NotBegun):
        await open_games_of(request).open(name)


ROUTES = (
    read_messages,
    say,
    read_note,
    keep_note,
    change_key,
    read_shares,
    commit_share,
    reveal_share,
)
