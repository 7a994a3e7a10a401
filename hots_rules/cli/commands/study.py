"""`hots study`: what a change of the rules does to a game."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules.cli import arguments as args
from hots_rules.cli.cluster import cluster
from hots_rules.cli.exits import Exit
from hots_rules.cli.interrupts import interrupt_event
from hots_rules.cli.output.console import (
    echo,
    echo_error,
    echo_json,
    echo_report,
    json_text,
    progress_bar,
)
from hots_rules.cli.results_folder import ResultsFolder


def study(
    sides: Annotated[
        list[str],
        typer.Argument(
            metavar="A B…",
            help="A study file that ends in .toml, or rulesets: a name, file or folder each, with options and "
            "readings as in NAME,OPTION=VALUE.",
        ),
    ],
    scenario: Annotated[
        str | None,
        typer.Option(metavar="SCENARIO", help="Scenario to play; a study file has it."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=100_000_000, help="Games of each side with each policy."
        ),
    ] = 1_000,
    seed: args.Seed = "0",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="What guides the moves: `random`, the name of a policy, its text, or one for each player as in "
            "PLAYER=POLICY,PLAYER=POLICY (repeatable). [default: random]",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXPRESSION", help="A number at the end of a game, such as `year` (repeatable)."
        ),
    ] = None,
    until_width: Annotated[
        str | None,
        typer.Option(
            metavar="WIDTH",
            help="Stop when every interval of wins is narrower than WIDTH, such as 2%.",
        ),
    ] = None,
    rules: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=100_000,
            help="Replay the first N games to count rules and control of the board.",
        ),
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Output file, .html, .md or .json. [default: the report on stdout, as Markdown off a terminal]",
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write sample games to DIR, as records for `hots replay`.",
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of Parquet files with the games that were played; an interrupted study resumes from it.",
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Play on a Dask cluster, such as tcp://localhost:8786.",
        ),
    ] = None,
    language: args.Language = "en",
    backend: args.Backend = "auto",
    workers: args.Workers = 1,
    as_json: args.AsJson = False,
) -> None:
    """Compare how the same games end under several rulesets.

    Game number N has the same seed under every ruleset. Intervals are valid at every sample size.
    Ctrl-C ends the study; its report covers the games played until then.
    """
    form = _form(out)
    if len(sides) == 1 and sides[0].endswith(".toml"):
        plan = hr.study.StudyPlan.parse(args.read_text(Path(sides[0])))
    elif scenario is None:
        raise typer.BadParameter("name the scenario", param_hint="--scenario")
    else:
        width = 0.0 if until_width is None else _parse_width(until_width)
        guides, measures = tuple(policy or ["random"]), tuple(measure or [])
        plan = hr.study.StudyPlan(
            tuple(sides), scenario, games, seed, guides, measures, width, rules
        )
    load = partial(args.load_ruleset, language=language)
    loaded = [hr.study.StudySide.parse(text, load) for text in plan.sides]
    with cluster(address) if address else nullcontext() as executor:
        store = ResultsFolder(results) if results else None
        totals = hr.study.StudyTotals(loaded, plan, backend, workers, executor, store)
        was_stopped = _play(totals)
    result = totals.result()
    if out is not None:
        atomic_write(out, form(result, language))
        echo(f"report written to `{out}`", "dim")
    elif as_json:
        echo_json(result.as_json())
    else:
        echo_report(result.report(language), pipes_markdown=True)
    if records is not None:
        _write_records(totals, result, records)
    if was_stopped:
        echo_error(f"interrupted after {totals.rounds} of {plan.games} games")
        raise typer.Exit(Exit.INTERRUPTED)


def _write_records(totals: hr.study.StudyTotals, result: hr.study.Study, folder: Path) -> None:
    """Write the sample games: each is named by the numbers of its policy, its side and itself."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [side.name for side in result.sides]
    found = {
        (number, names.index(each.side), each.number): each
        for number, part in enumerate(result.results)
        for each in part.sample_games
    }
    for (policy, side, game), each in found.items():
        file = folder / f"policy-{policy + 1}-side-{side + 1}-game-{game}.txt"
        played = totals.game(result.results[policy].policy, each)
        assert isinstance(played, hr.Game)  # the sides are loaded here
        atomic_write(file, str(played.record))
    echo(f"{len(found)} records written to `{folder}`", "dim")


def _play(totals: hr.study.StudyTotals) -> bool:
    """Play the games, fewer if the intervals are narrow enough; returns whether Ctrl-C stopped it."""
    plan = totals.plan
    with interrupt_event() as interrupted:
        with progress_bar("games", plan.games) as update:
            for rounds in totals.play():
                update(rounds)
                if interrupted.is_set():
                    return True
        with progress_bar("games looked at", plan.traced) as update:
            for traced in totals.trace():
                update(traced)
                if interrupted.is_set():
                    return True
    return False


def _form(out: Path | None) -> Callable[[hr.study.Study, str], str]:
    """What makes the text of the output file.

    Raises:
        typer.BadParameter: no report has such a name.
    """
    forms: dict[str, Callable[[hr.study.Study, str], str]] = {
        ".html": lambda study, language: study.report(language).page(),
        ".md": lambda study, language: study.report(language).markdown(),
        ".json": lambda study, _: json_text(study.as_json()),
    }
    kind = ".md" if out is None else out.suffix.lower()
    if kind not in forms:
        raise typer.BadParameter(f"the file must end in {' or '.join(forms)}", param_hint="--out")
    return forms[kind]


def _parse_width(text: str) -> float:
    """A width of an interval: a percentage, or a share.

    Raises:
        typer.BadParameter: it is neither, or not above 0.
    """
    number, percent, rest = text.strip().partition("%")
    try:
        width = float(number) / (100 if percent else 1)
    except ValueError:
        width = 0.0
    if rest.strip() or not 0 < width <= 1:
        raise typer.BadParameter("expected a width such as 1%", param_hint="--until-width")
    return width
