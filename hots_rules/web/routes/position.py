"""The routes of the position editor: for anybody, as a position is no game yet."""

from __future__ import annotations

import asyncio

from litestar import get, post
from litestar.params import JSONBody

from hots_rules.web.answering.position import (
    asked_of_position,
    drafted,
    form_of,
    odds_of_position,
)
from hots_rules.web.bodies import PositionOdds, PositionQuestion, PositionText
from hots_rules.web.games.open_from_log import ruleset_named
from hots_rules.web.replies import OddsTold, PositionDraft, PositionForm, Said
from hots_rules.web.requests import (
    RulesetName,
    SeatRequest,
    SpokenLanguage,
    check_offered,
    odds_worker,
    study_worker,
)

MAX_BYTES = 200_000  # of the body of a request: a position has at most 64,000


@get("/api/rulesets/{name:str}/form")
async def read_form(
    name: RulesetName, request: SeatRequest, language: SpokenLanguage = "en"
) -> PositionForm:
    """What can be set in the positions of a ruleset."""
    check_offered(request, name)
    return await asyncio.to_thread(lambda: form_of(ruleset_named(name).in_language(language)))


@post("/api/rulesets/{name:str}/positions", status_code=200, request_max_body_size=MAX_BYTES)
async def draft_position(
    name: RulesetName,
    data: JSONBody[PositionText],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> PositionDraft:
    """A position after a change, with its faults, its picture and its values."""
    asked = (check_offered(request, name), language, data.text, data.change, data.settings)
    return await study_worker(request).run(drafted, *asked)


@post("/api/rulesets/{name:str}/positions/ask", status_code=200, request_max_body_size=MAX_BYTES)
async def ask_position(
    name: RulesetName,
    data: JSONBody[PositionQuestion],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Said:
    """Why an action is legal or not at a position, or the answer to a question."""
    asked = (check_offered(request, name), language, data.text, data.settings, data.words)
    return await study_worker(request).run(asked_of_position, *asked)


@post("/api/rulesets/{name:str}/positions/odds", status_code=200, request_max_body_size=MAX_BYTES)
async def compute_position_odds(
    name: RulesetName,
    data: JSONBody[PositionOdds],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> OddsTold:
    """The odds of a position."""
    asked = (
        check_offered(request, name),
        language,
        data.text,
        data.settings,
        data.until,
        data.action,
    )
    return await odds_worker(request).run(odds_of_position, *asked)


ROUTES = (read_form, draft_position, ask_position, compute_position_odds)
