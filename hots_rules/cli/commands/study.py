"""`hots study`, `hots attribute`: what a change of the rules does to a game, and which differences it is due to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import typer
from attrs import evolve, fields_dict, frozen

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.cluster import cluster
from hots_rules.cli.exits import Exit
from hots_rules.cli.output.console import (
    echo,
    echo_error,
    echo_json,
    echo_report,
    json_text,
    progress_bar,
)
from hots_rules.cli.results_folder import ResultsFolder
from hots_rules.cli.signals import interrupt_event


@frozen
class StudyFiles:
    """Where the games of a study are played, and where its files are."""

    out: Path | None = option(
        None,
        "Output file, .html, .md or .json. [default: the report on stdout, as Markdown off a terminal]",
        "-o",
        "--out",
        metavar="OUT",
    )
    records: Path | None = option(
        None, "Write sample games to DIR, as records for `hots replay`.", metavar="DIR"
    )
    results: Path | None = option(
        None,
        "Folder of Parquet files with the games that were played; an interrupted study resumes from it.",
        metavar="DIR",
    )
    cluster: str | None = option(
        None, "Play on a Dask cluster, such as tcp://localhost:8786.", metavar="ADDRESS"
    )


def study(
    context: typer.Context,
    plan: hr.study.StudyPlan,
    files: StudyFiles,
    work: args.Work,
    output: args.Output,
    reader: args.Reader,
) -> None:
    """Compare how the same games end under several rulesets.

    Game number N has the same seed under every ruleset. Intervals are valid at every sample size. Options beside a
    study file take the place of its entries. Ctrl-C ends the study; its report covers the games played until then.
    """
    form = _form(files.out)
    if not plan.sides:
        raise typer.BadParameter("name rulesets, or a study file", param_hint="A B…")
    if len(plan.sides) == 1 and plan.sides[0].endswith(".toml"):
        plan = evolve(
            hr.study.StudyPlan.parse(reader.read_text(Path(plan.sides[0]))),
            **{name: getattr(plan, name) for name in _options_given(context)},
        )
    elif not plan.scenario:
        raise typer.BadParameter("name the scenario", param_hint="--scenario")
    load = partial(reader.load_ruleset, language=output.language)
    loaded = [hr.study.StudySide.parse(text, load) for text in plan.sides]
    with cluster(files.cluster) if files.cluster else nullcontext() as executor:
        store = ResultsFolder(files.results) if files.results else None
        study_run = hr.study.StudyRun(loaded, plan, work.backend, work.workers, executor, store)
        was_stopped = _play(study_run)
    result = study_run.result()
    if files.out is not None:
        atomic_write(files.out, form(result, output.language))
        echo(f"report written to `{files.out}`", "dim")
    elif output.as_json:
        echo_json(result.as_json())
    else:
        echo_report(result.report(output.language), pipes_markdown=True)
    if files.records is not None:
        _write_records(study_run, result, files.records)
    if was_stopped:
        echo_error(f"interrupted after {study_run.rounds} of {plan.games} games")
        raise typer.Exit(Exit.INTERRUPTED)


def _options_given(context: typer.Context) -> list[str]:
    """The options of a plan that stand on the command line; the entries of a study file give way to them."""
    return [
        name
        for name in fields_dict(hr.study.StudyPlan)
        if name != "sides" and _is_on_command_line(context, name)
    ]


def _is_on_command_line(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _write_records(study_run: hr.study.StudyRun, result: hr.study.Study, folder: Path) -> None:
    """Write the sample games: each is named by the numbers of its policy, its side and itself."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [side.name for side in result.sides]
    samples = {
        (number, names.index(sample.side), sample.number): sample
        for number, part in enumerate(result.results)
        for sample in part.sample_games
    }
    for (policy, side, game), sample in samples.items():
        file = folder / f"policy-{policy + 1}-side-{side + 1}-game-{game}.txt"
        played = study_run.game(result.results[policy].policy, sample)
        assert isinstance(played, hr.Game)  # the sides are loaded here
        atomic_write(file, str(played.record))
    echo(f"{len(samples)} records written to `{folder}`", "dim")


def _play(study_run: hr.study.StudyRun) -> bool:
    """Play the games, fewer if the intervals are narrow enough; returns whether Ctrl-C stopped it."""
    plan = study_run.plan
    with interrupt_event() as interrupted:
        with progress_bar("games", plan.games) as update:
            for rounds in study_run.play():
                update(rounds)
                if interrupted.is_set():
                    return True
        with progress_bar("games traced", plan.traced) as update:
            for traced in study_run.trace():
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


# ---------------------------------------------------------------- attribute
@frozen(kw_only=True)
class AttributionCommand:
    """Between which rulesets a change is divided, and where it is kept."""

    old: str = argument(NEEDED, "Ruleset that differences are added to.", "A")
    new: str = argument(NEEDED, "Ruleset that they are taken from.", "B")
    out: Path | None = option(
        None,
        "CSV file to keep what each group is worth alone in, for `hots diff --format site --worths`; rows of other "
        "rulesets stay.",
        "-o",
        "--out",
        metavar="FILE",
    )


def attribute(
    given: AttributionCommand,
    plan: hr.study.AttributionPlan,
    work: args.Work,
    as_json: args.AsJson = False,
    *,
    reader: args.Reader,
) -> None:
    """Divide the change in a player's wins among the differences.

    Plays A with more and more groups of differences of B, in several orders. What a group changes on average is its
    worth.
    """
    rulesets = reader.load_ruleset(given.old), reader.load_ruleset(given.new)
    kept = reader.read_text(given.out) if given.out is not None and given.out.exists() else ""
    with progress_bar("rulesets") as update:
        attribution = hr.study.attribute(
            *rulesets, plan, backend=work.backend, workers=work.workers, progress=update
        )
    if given.out is not None:
        atomic_write(given.out, hr.study.update_effects(kept, attribution, *rulesets))
    if as_json:
        echo_json(attribution.as_json())
    else:
        echo_report(attribution.report(), pipes_markdown=True)
