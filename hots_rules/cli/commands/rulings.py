"""`hots why`, `hots whynot`, `hots explain`: the rules behind an action, and behind what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli.arguments import (
    AsJson,
    At,
    Depth,
    GameFile,
    Language,
    OptionChoices,
    ReadingChoices,
    RulesetOption,
    Side,
    parse_side,
)
from hots_rules.cli.inputs import load_game
from hots_rules.cli.output.console import echo

ActionText = Annotated[str, typer.Argument(metavar="ACTION", help="An action, legal or not.")]


def _ruling_command(
    summary: str, rule: Callable[[hr.Game, str, str | None], hr.explain.Ruling]
) -> Callable[..., None]:
    """A command that prints a ruling on an action."""

    def command(
        file: GameFile,
        action: ActionText,
        ruleset: RulesetOption = None,
        at: At = None,
        option: OptionChoices = None,
        reading: ReadingChoices = None,
        depth: Depth = "paragraph",
        side: Side = None,
        language: Language = "en",
        as_json: AsJson = False,
    ) -> None:
        game = load_game(file, ruleset, at=at, options=option, readings=reading, language=language)
        _echo(rule(game, action, parse_side(game.ruleset, side)), depth, as_json)

    command.__doc__ = summary
    return command


why = _ruling_command(
    """Explain why an action is legal.

    The rules that permit it, and those that were checked because they could forbid it.
    """,
    lambda game, action, player: game.why(action, player=player),
)
whynot = _ruling_command(
    """Explain why an action is illegal.

    Every rule against it, what would have to change, and the closest legal actions.
    """,
    lambda game, action, player: game.why_not(action, player=player),
)


def explain(
    file: GameFile,
    what: Annotated[
        str | None,
        typer.Argument(metavar="EVENT", help="Words of a line of the trace. [default: all]"),
    ] = None,
    ruleset: RulesetOption = None,
    at: At = None,
    depth: Depth = "tree",
    side: Side = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Explain what happened in the last action.

    The rules that caused it, and its effects.
    """
    game = load_game(file, ruleset, at=at, language=language)
    _echo(game.explain(what, player=parse_side(game.ruleset, side)), depth, as_json)


def _echo(answer: hr.explain.Ruling | hr.explain.CausalTrace, depth: Depth, as_json: bool) -> None:
    echo(hr.to_json(answer) if as_json else answer.text(depth))
