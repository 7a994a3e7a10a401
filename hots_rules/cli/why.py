"""`hots why`, `hots whynot`, `hots explain`: what the rules say of an action, and of what happened."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson, Language, OptionChoices, ReadingChoices, player_of
from hots_rules.cli.console import say
from hots_rules.cli.situation import At, SituationFile, Under, game_of

ActionText = Annotated[
    str, typer.Argument(metavar="ACTION", help="An action as it is written, legal or not.")
]
Depth = Annotated[
    Literal["sentence", "paragraph", "tree"], typer.Option(help="How much of the answer.")
]
Side = Annotated[
    str | None,
    typer.Option("--side", metavar="PLAYER", help="Tell what this player may know, no more."),
]


def why(
    file: SituationFile,
    action: ActionText,
    ruleset: Under = None,
    at: At = None,
    option: OptionChoices = None,
    reading: ReadingChoices = None,
    depth: Depth = "paragraph",
    side: Side = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Say why an action is legal: what permits it, and what was looked at."""
    game = game_of(file, ruleset, at=at, options=option, readings=reading)
    _answer(game.why(action, player=_seen_by(game, side), language=language), depth, as_json)


def whynot(
    file: SituationFile,
    action: ActionText,
    ruleset: Under = None,
    at: At = None,
    option: OptionChoices = None,
    reading: ReadingChoices = None,
    depth: Depth = "paragraph",
    side: Side = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Say why an action is not legal: all that stands against it, and what comes near to it."""
    game = game_of(file, ruleset, at=at, options=option, readings=reading)
    _answer(game.why_not(action, player=_seen_by(game, side), language=language), depth, as_json)


def explain(
    file: SituationFile,
    what: Annotated[
        str | None,
        typer.Argument(metavar="[WHAT]", help="What happened, in words of the trace."),
    ] = None,
    ruleset: Under = None,
    at: At = None,
    depth: Depth = "tree",
    side: Side = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Say why something happened in the last play: the rules that led to it, and what came of it."""
    game = game_of(file, ruleset, at=at)
    _answer(game.explain(what, player=_seen_by(game, side), language=language), depth, as_json)


def _seen_by(game: hr.Game, side: str | None) -> str | None:
    return None if side is None else player_of(game.ruleset, side)


def _answer(answer: Any, depth: str, as_json: bool) -> None:
    say(hr.to_json(answer) if as_json else answer.text(depth))
