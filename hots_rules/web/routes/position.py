"""The routes of the position editor: for anybody, as a position is no game yet."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get, post
from litestar.params import Body

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
    data: Annotated[PositionText, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> PositionDraft:
    """A position after a change, with its faults, its picture and its values."""
    asked = (check_offered(request, name), language, data.text, data.change, data.settings)
    draft: PositionDraft = await study_worker(request).run(drafted, *asked)
    return draft


@post("/api/rulesets/{name:str}/positions/ask", status_code=200, request_max_body_size=MAX_BYTES)
async def ask_position(
    name: RulesetName,
    data: Annotated[PositionQuestion, Body()],
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> Said:
    """Why an action is legal or not at a position, or the answer to a question."""
    asked = (check_offered(request, name), language, data.text, data.settings, data.words)
    reply: Said = await study_worker(request).run(asked_of_position, *asked)
    return reply


@post("/api/rulesets/{name:str}/positions/odds", status_code=200, request_max_body_size=MAX_BYTES)
async def compute_position_odds(
    name: RulesetName,
    data: Annotated[PositionOdds, Body()],
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
    odds: OddsTold = await odds_worker(request).run(odds_of_position, *asked)
    return odds


ROUTES = (read_form, draft_position, ask_position, compute_position_odds)
