"""The routes for anybody: the games that there are, their rules, and a game to begin."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from attrs import define
from litestar import get, post
from litestar.params import JSONBody, Parameter

import hots_rules as hr
from hots_rules._translate import LANGUAGES, translator
from hots_rules.web.answering.opponents import bot_choices
from hots_rules.web.answering.seat import rules_of_section, settings_of
from hots_rules.web.bodies import NewGame
from hots_rules.web.games.open_from_log import ruleset_named
from hots_rules.web.limits import RateLimit, address_of
from hots_rules.web.page_texts import words_of_the_pages
from hots_rules.web.refusals import NotTaken, TooMany, WrongToken
from hots_rules.web.replies import NewSeats, PageWords, RulesetFacts, RulesetLine, SectionRules
from hots_rules.web.requests import (
    RulesetName,
    SeatRequest,
    SpokenLanguage,
    asker_of,
    check_offered,
    offered_rulesets,
    open_games_of,
)
from hots_rules.web.storage.tokens import token_name

SectionNumber = Annotated[str, Parameter(pattern=r"^[0-9A-Za-z.]{1,20}$")]


@get("/api/rulesets", sync_to_thread=True)
def list_rulesets(request: SeatRequest, language: SpokenLanguage = "en") -> list[RulesetLine]:
    """The rulesets of which games can be opened here, with their scenarios; the page proposes the first."""
    titles, scenarios = hr.rulesets(), hr.scenarios(language)
    return [
        {"name": name, "title": titles[name], "scenarios": scenarios[name]}
        for name in offered_rulesets(request)
        if scenarios.get(name)
    ]


@get("/api/rulesets/{name:str}", sync_to_thread=True)
def read_ruleset(
    name: RulesetName, request: SeatRequest, language: SpokenLanguage = "en"
) -> RulesetFacts:
    """Who plays a game, which bots can sit there, and what can be chosen about the rules."""
    rules = ruleset_named(check_offered(request, name)).in_language(language)
    kinds = open_games_of(request).bot_kinds
    return {
        "players": dict(zip(rules.players, rules.labels.players, strict=True)),
        "bots": {player: bot_choices(rules, player, kinds) for player in rules.players},
        "settings": settings_of(rules),
    }


@get("/api/rulesets/{name:str}/sections/{section:str}", sync_to_thread=True)
def read_section(
    name: RulesetName, section: SectionNumber, language: SpokenLanguage = "en"
) -> SectionRules:
    """The heading of a section, and the sentences of the rules that cite it.

    Games that began before their ruleset was left out have their sentences still, and so have editions that others
    extend.
    """
    return rules_of_section(ruleset_named(name).in_language(language), section)


@get("/api/words", sync_to_thread=False)
def list_words(request: SeatRequest, language: SpokenLanguage = "en") -> PageWords:
    """The words of the pages in a language, and the languages that there are."""
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    return {
        "language": spoken,
        "languages": list(LANGUAGES),
        "words": words_of_the_pages(translator(spoken)),
        "takes_rulesets": request.app.state.operation.takes_rulesets,
    }


@post("/api/games")
async def create_game(data: JSONBody[NewGame], request: SeatRequest) -> NewSeats:
    """Begin a game; the answer has the key of each seat, once."""
    with counted(request):
        check_offered(request, data.ruleset)
        if data.seed is not None and not request.app.state.operation.takes_seeds:
            raise NotTaken(
                "this table takes no given seeds; whoever runs it can: hots serve --given-seeds"
            )
        name, keys = await open_games_of(request).create(data, asker_of(request))
    return {"game": name, "keys": keys}


@define
class Attempt:
    """A request that opens, keeps or tries something."""

    is_accepted: bool = True


@contextmanager
def counted(request: SeatRequest) -> Iterator[Attempt]:
    """Count what a request opens or keeps, if it is accepted: with a token as much as it likes, else some in an hour.

    What is refused, by an error or as the attempt says, is not counted, but the time that it took is: else refusals
    that take long would have no end.

    Raises:
        WrongToken: the request has no token, and needs one.
        TooMany: its address has opened as much in this hour as it may, or tried for too long.
    """
    attempt = Attempt()
    if token_name(request.scope) is not None:
        yield attempt
        return
    if request.app.state.operation.is_closed:
        raise WrongToken("games are opened with a token of this table only")
    openings: RateLimit = request.app.state.openings
    refusals: RateLimit = request.app.state.refusals
    who = address_of(request.scope)
    if refusals.wait(who):
        raise TooMany("what this address has tried in vain took as long as it may in an hour")
    if openings.take(who):  # at once, as many may be tried at the same time
        raise TooMany("this address has opened as many games and records as it may in an hour")
    begun = time.monotonic()
    try:
        yield attempt
    except Exception:
        attempt.is_accepted = False
        raise
    finally:
        if not attempt.is_accepted:
            openings.add(who, -1)
            refusals.add(who, time.monotonic() - begun)


ROUTES = (list_rulesets, read_ruleset, read_section, list_words, create_game)
