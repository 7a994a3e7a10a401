"""`hots attribute`: which differences a change in results is due to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo_json, echo_report, progress_bar


def attribute(
    old: Annotated[str, typer.Argument(metavar="A", help="Ruleset that differences are added to.")],
    new: Annotated[str, typer.Argument(metavar="B", help="Ruleset that they are taken from.")],
    scenario: Annotated[str, typer.Option(metavar="SCENARIO", help="Scenario to play.")],
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Player whose wins are counted.")],
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000, help="Games of each ruleset.")
    ] = 1_000,
    seed: args.Seed = "0",
    most: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=100, help="Groups of differences that are told apart, at most."
        ),
    ] = 12,
    orders: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=10_000,
            help="Orders in which they are added; 0 to add each alone.",
        ),
    ] = 8,
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="What guides the moves, as in `hots study`.")
    ] = "random",
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="CSV file to keep what each group is worth alone in, for `hots atlas --worths`; rows of other "
            "rulesets stay.",
        ),
    ] = None,
    backend: args.Backend = "auto",
    workers: args.Workers = 1,
    as_json: args.AsJson = False,
) -> None:
    """Divide the change in a player's wins among the differences.

    Plays A with more and more groups of differences of B, in several orders. What a group changes on average is its
    worth.
    """
    rulesets = args.load_ruleset(old), args.load_ruleset(new)
    kept = args.read_text(out) if out is not None and out.exists() else ""
    with progress_bar("rulesets") as update:
        found = hr.study.attribute(
            *rulesets,
            scenario=scenario,
            player=player,
            games=games,
            seed=seed,
            most=most,
            orders=orders,
            policy=policy,
            backend=backend,
            workers=workers,
            progress=update,
        )
    if out is not None:
        atomic_write(out, hr.study.with_worths(kept, found, *rulesets))
    if as_json:
        echo_json(found.as_json())
    else:
        echo_report(found.report(), pipes_markdown=True)
