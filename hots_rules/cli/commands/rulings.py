"""`hots why`, `hots whynot`, `hots explain`: the rules behind an action and its effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo

ActionText = Annotated[str, typer.Argument(metavar="ACTION", help="An action, legal or not.")]


def _ruling_command(
    name: str, summary: str, rule: Callable[[hr.Game, str, str | None], hr.explain.Ruling]
) -> Callable[..., None]:
    """A command with a name and a help text that prints a ruling on an action."""

    def command(
        file: args.GameFile,
        action: ActionText,
        ruleset: args.RulesetOption = None,
        at: args.At = None,
        option: args.OptionChoices = None,
        reading: args.ReadingChoices = None,
        depth: args.Depth = "paragraph",
        side: args.Side = None,
        language: args.Language = "en",
        as_json: args.AsJson = False,
    ) -> None:
        game = args.load_game(
            file, ruleset, at=at, options=option, readings=reading, language=language
        )
        _echo(rule(game, action, args.parse_side(game.ruleset, side)), depth, as_json)

    command.__name__, command.__doc__ = name, summary
    return command


why = _ruling_command(
    "why",
    """Explain why an action is legal.

    Cites the rules that permit it, and the rules that could forbid it but do not.
    """,
    lambda game, action, player: game.why(action, player=player),
)
whynot = _ruling_command(
    "whynot",
    """Explain why an action is illegal.

    Lists every rule against it, what would have to change, and the closest legal actions.
    """,
    lambda game, action, player: game.why_not(action, player=player),
)


def explain(
    file: args.GameFile,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="EVENT", help="Words of one line of the trace. [default: all lines]"
        ),
    ] = None,
    ruleset: args.RulesetOption = None,
    at: args.At = None,
    depth: args.Depth = "tree",
    side: args.Side = None,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Explain what happened in the last action.

    Shows each effect with the rule that caused it.
    """
    game = args.load_game(file, ruleset, at=at, language=language)
    _echo(game.explain(what, player=args.parse_side(game.ruleset, side)), depth, as_json)


def _echo(
    answer: hr.explain.Ruling | hr.explain.CausalTrace, depth: args.Depth, as_json: bool
) -> None:
    echo(hr.to_json(answer) if as_json else answer.text(depth))
