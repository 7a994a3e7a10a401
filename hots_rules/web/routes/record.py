"""The routes of records: uploads that anybody may look at, and the film of a game that is over."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, Parameter

from hots_rules.web.answering.record import (
    asked_of_record,
    facts_of_record,
    film_of_game,
    film_of_record,
    moment_of_record,
    odds_of_record,
    ruleset_of_record,
)
from hots_rules.web.bodies import OddsQuestion, Question, RecordText
from hots_rules.web.refusals import NotYet
from hots_rules.web.replies import Film, OddsTold, RecordMoment, Said, UploadedRecord, UploadFacts
from hots_rules.web.requests import (
    AtGame,
    GameName,
    SeatRequest,
    SpokenLanguage,
    asker_of,
    check_offered,
    odds_worker,
    open_games_of,
    study_worker,
)
from hots_rules.web.routes.lobby import counted
from hots_rules.web.storage.uploads import Upload, Uploads

MAX_BYTES = 1_200_000  # of the body of a request: a record has at most 1,000,000
UploadName = GameName  # it has the same form
Plays = Annotated[int, Parameter(ge=0, le=1_000_000)]
AsPlayer = Annotated[str | None, Parameter(max_length=100)]


async def _upload(request: SeatRequest, name: str) -> Upload:
    """An uploaded record, if its ruleset is one of this game server."""
    upload = await Uploads(open_games_of(request).store).read(name)
    check_offered(request, await asyncio.to_thread(ruleset_of_record, upload.record))
    return upload


async def _record_text(request: SeatRequest, name: str) -> str:
    return (await _upload(request, name)).record


@post("/api/records", request_max_body_size=MAX_BYTES)
async def upload_record(
    data: JSONBody[RecordText], request: SeatRequest, language: SpokenLanguage = "en"
) -> UploadedRecord:
    """Check a record and keep it under a name; at a closed table only with a token."""
    with counted(request):
        check_offered(request, await asyncio.to_thread(ruleset_of_record, data.record))
        await study_worker(request).run(facts_of_record, data.record, language)
        upload = await Uploads(open_games_of(request).store).keep(data.record, asker_of(request))
    return {"name": upload.name, "until": upload.until}


@get("/api/records/{name:str}")
async def read_upload(
    name: UploadName, request: SeatRequest, language: SpokenLanguage = "en"
) -> UploadFacts:
    """What an uploaded record is of, and until when it is kept."""
    upload = await _upload(request, name)
    facts = await study_worker(request).run(facts_of_record, upload.record, language)
    return {**facts, "until": upload.until}


@get("/api/records/{name:str}/moments/{plays:int}")
async def read_upload_moment(
    name: UploadName,
    plays: Plays,
    request: SeatRequest,
    language: SpokenLanguage = "en",
    player: AsPlayer = None,
) -> RecordMoment:
    """The game after a number of plays, as all players together saw it or as one player did."""
    text = await _record_text(request, name)
    return await study_worker(request).run(moment_of_record, text, language, plays, player)


@post("/api/records/{name:str}/moments/{plays:int}/ask", status_code=200)
async def ask_upload(
    name: UploadName,
    plays: Plays,
    data: JSONBody[Question],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Said:
    """Why an action is legal or not at a moment of a record, or the answer to a question."""
    text = await _record_text(request, name)
    return await study_worker(request).run(asked_of_record, text, language, plays, data.words)


@post("/api/records/{name:str}/moments/{plays:int}/odds", status_code=200)
async def compute_upload_odds(
    name: UploadName,
    plays: Plays,
    data: JSONBody[OddsQuestion],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> OddsTold:
    """The odds at a moment of a record."""
    text = await _record_text(request, name)
    return await odds_worker(request).run(
        odds_of_record, text, language, plays, data.until, data.action
    )


@get("/api/records/{name:str}/film")
async def read_upload_film(
    name: UploadName, request: SeatRequest, language: SpokenLanguage = "en"
) -> Film:
    """A record as an animated picture."""
    text = await _record_text(request, name)
    return await odds_worker(request).run(film_of_record, text, language)


@get("/api/games/{name:str}/film")
async def read_film(visit: AtGame, request: SeatRequest, language: SpokenLanguage = "en") -> Film:
    """A game that is over as an animated picture; before the end it would tell all secrets."""
    open_game = visit.open_game
    if not open_game.is_over:
        raise NotYet("the film shows every secret; it can be seen when the game is over")
    return await odds_worker(request).run(
        film_of_game, open_game.row, list(open_game.actions), language
    )


ROUTES = (
    upload_record,
    read_upload,
    read_upload_moment,
    ask_upload,
    compute_upload_odds,
    read_upload_film,
    read_film,
)
