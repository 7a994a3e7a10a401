"""`hots battle`: the odds of a battle that is made up in one line."""

from __future__ import annotations

from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.output.battle import battle_json, echo_battles
from hots_rules.cli.output.console import echo_json, progress_bar


def battle(
    ruleset: args.RulesetName,
    line: Annotated[
        str,
        typer.Argument(metavar="BATTLE", help='Such as "Shore: Fox 3 against Dog 4".'),
    ],
    edition: Annotated[
        list[str] | None,
        typer.Option(
            "--edition", metavar="RULESET", help="Add a column with another edition (repeatable)."
        ),
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Policy of both players. [default: the ruleset's]")
    ] = "",
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.1, help="Time after which outcomes are sampled.")
    ] = 20.0,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Compute the odds of a battle that you make up.

    Those named first attack. A piece without a number is at full strength; `later` comes before reserves.
    """
    battles = []
    with progress_bar("states") as update:
        for name in (ruleset, *(edition or ())):
            rules = args.load_ruleset(name).in_language(language)
            battles.append(
                hr.talk.battle(rules, line, policy=policy, seconds=seconds, on_progress=update)
            )
    if as_json:
        echo_json([battle_json(each) for each in battles])
    else:
        echo_battles(battles)
