"""The route for odds."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

import hots_rules as hr
from hots_rules.web.answering.odds import odds_at_table, odds_ends
from hots_rules.web.bodies import OddsQuestion
from hots_rules.web.refusals import NotYet
from hots_rules.web.replies import OddsTold
from hots_rules.web.requests import (
    AtGame,
    SeatRequest,
    SpokenLanguage,
    odds_worker,
)


@post("/api/games/{name:str}/odds", status_code=200)
async def compute_odds(
    data: JSONBody[OddsQuestion],
    visit: AtGame,
    request: SeatRequest,
    language: SpokenLanguage = "en",
) -> OddsTold:
    """The odds that a seat can know, if the table tells odds at this game."""
    open_game, player = visit.open_game, visit.player
    if not open_game.row.has_odds:
        raise NotYet("no odds are told at this game; that was chosen when it was opened")
    ends = tuple(end["until"] for end in odds_ends(open_game.game))
    if data.until not in ends:
        raise hr.BadArgument("until", data.until, allowed=ends)
    asked = (open_game.row, list(open_game.actions), player, language, data.until, data.action)
    return await odds_worker(request).run(odds_at_table, *asked)


ROUTES = (compute_odds,)
