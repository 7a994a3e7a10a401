"""The routes beside the game: chat, notes, and the shares of the seed."""

from __future__ import annotations

from contextlib import suppress

from litestar import get, post, put
from litestar.params import JSONBody

from hots_rules.web.bodies import Commitment, Secret, Words
from hots_rules.web.games import seed_shares
from hots_rules.web.refusals import NotBegun, TooLong
from hots_rules.web.replies import ChatLine, Said, SharesOfSeed
from hots_rules.web.requests import AtGame, GameName, SeatRequest, key_of, open_games_of

MAX_MESSAGE_LENGTH = 1_000  # characters
MAX_NOTE_LENGTH = 10_000


@get("/api/games/{name:str}/messages")
async def read_messages(visit: AtGame) -> list[ChatLine]:
    """What was said at the table; spectators read it as well."""
    visit.open_game.seat(visit.key)  # it refuses a wrong key
    messages = await visit.store.read_messages(visit.name)
    return [{"player": message.player, "text": message.text} for message in messages]


@post("/api/games/{name:str}/messages")
async def say(data: JSONBody[Words], visit: AtGame) -> ChatLine:
    """Say something to everybody at the table."""
    player, words = visit.player, data.text.strip()
    if not 0 < len(words) <= MAX_MESSAGE_LENGTH:
        raise TooLong(f"a message has from 1 to {MAX_MESSAGE_LENGTH:,} characters")
    await visit.open_games.say(visit.open_game, player, words)
    return {"player": player, "text": words}


@get("/api/games/{name:str}/note")
async def read_note(visit: AtGame) -> Said:
    """What the seat has noted for itself; nobody else reads it."""
    return {"text": await visit.store.read_note(visit.name, visit.player)}


@put("/api/games/{name:str}/note")
async def keep_note(data: JSONBody[Words], visit: AtGame) -> Said:
    """Keep what the seat notes for itself."""
    player = visit.player
    if len(data.text) > MAX_NOTE_LENGTH:
        raise TooLong(f"notes have at most {MAX_NOTE_LENGTH:,} characters")
    await visit.store.keep_note(visit.name, player, data.text)
    return {"text": data.text}


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
async def commit_share(name: GameName, data: JSONBody[Commitment], request: SeatRequest) -> None:
    """Commit the seat to a share of the seed."""
    await seed_shares.commit_share(
        open_games_of(request).store, name, key_of(request), data.commitment
    )


@post("/api/games/{name:str}/secret", status_code=204)
async def reveal_share(name: GameName, data: JSONBody[Secret], request: SeatRequest) -> None:
    """Reveal the share of the seat to the table; the last one begins the game."""
    await seed_shares.reveal_share(open_games_of(request).store, name, key_of(request), data.secret)
    with suppress(NotBegun):
        await open_games_of(request).open(name)


ROUTES = (
    read_messages,
    say,
    read_note,
    keep_note,
    read_shares,
    commit_share,
    reveal_share,
)
