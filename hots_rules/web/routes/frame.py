"""The route of what all boards of a ruleset share: it is sent once, and kept by browsers."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Response, get
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

import hots_rules as hr
from hots_rules.web.games.open_from_log import ruleset_named
from hots_rules.web.pages import FOR_EVER
from hots_rules.web.requests import RulesetName, SpokenLanguage

FrameName = Annotated[str, Parameter(pattern="^[0-9a-f]{24}$")]
GIVES_SVG = {200: ResponseSpec(str, generate_examples=False, media_type="text/plain")}


@get("/api/rulesets/{name:str}/frames/{frame:str}", responses=GIVES_SVG)
async def read_frame(
    name: RulesetName, frame: FrameName, language: SpokenLanguage = "en"
) -> Response[bytes]:
    """What all boards of a ruleset share in a language, by the name that a picture gives: SVG with slots for parts.

    Games that began before their ruleset was left out have their boards still.
    """
    made = await asyncio.to_thread(_frame_of, name, language)
    if made.name != frame:
        raise hr.UnknownName("frame", frame, (made.name,))
    return Response(made.svg.encode(), media_type="text/plain", headers=FOR_EVER)


def _frame_of(name: str, language: str) -> hr.draw.Frame:
    rules = ruleset_named(name).in_language(language)
    return hr.draw.drawing(rules.start(rules.scenarios[0], seed="frame")).frame


ROUTES = (read_frame,)
