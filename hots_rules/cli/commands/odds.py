"""`hots odds`, `hots simulate`: probabilities of outcomes, and statistics of games with random moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.interrupts import interrupt_event
from hots_rules.cli.output.console import echo, echo_error, echo_json, progress_bar
from hots_rules.cli.output.odds import echo_odds

if TYPE_CHECKING:
    Policy = str | hr.analysis.Best

BEST = "best:"


def odds(
    file: args.GameFile,
    action: Annotated[
        str | None,
        typer.Argument(metavar="ACTION", help="Action to evaluate. [default: the next decision]"),
    ] = None,
    ruleset: args.RulesetOption = None,
    at: args.At = None,
    play: Annotated[
        list[str] | None,
        typer.Option("--play", metavar="ACTION", help="Play an action first (repeatable)."),
    ] = None,
    until: Annotated[
        str,
        typer.Option(
            metavar="END",
            help="Where to stop: `decision`, `game`, `choose NAME`, or the name of a phase, stage, "
            "event or action.",
        ),
    ] = "decision",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="[PLAYER=]POLICY",
            help="How players choose (once per player): the name of a policy, its text, `random`, or "
            "`best: QUESTION`.",
        ),
    ] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option("--ask", metavar="QUESTION", help="Expression to report on (repeatable)."),
    ] = None,
    option: args.OptionChoices = None,
    reading: args.ReadingChoices = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            metavar="NAME=VALUE",
            help="Add a column with another option or reading (repeatable).",
        ),
    ] = None,
    under: Annotated[
        list[str] | None,
        typer.Option(
            "--under", metavar="RULESET", help="Add a column with another ruleset (repeatable)."
        ),
    ] = None,
    states: Annotated[
        int, typer.Option(metavar="N", min=1, help="Maximum number of states to explore.")
    ] = 200_000,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0.0, help="Maximum time in seconds.")
    ] = None,
    samples: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Samples to draw if a limit is exceeded; 0: report an error."
        ),
    ] = 10_000,
    seed: args.Seed = "0",
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Write a bar chart of the first question."),
    ] = None,
    as_json: args.AsJson = False,
) -> None:
    """Compute the probabilities of possible outcomes.

    The probabilities are exact unless a limit is exceeded.
    """
    game = args.load_game(file, ruleset, at=at, options=option, readings=reading)
    for text in play or ():
        game = game.play(text)
    questions = ask or []
    if plot is not None and not questions:
        raise typer.BadParameter("--plot needs a question", param_hint="--ask")
    columns: dict[str, hr.analysis.Odds] = {}
    with progress_bar("states") as update:
        for name, variant in _variants(game, compare or [], under or []):
            columns[name] = variant.odds(
                action,
                until=until,
                policy=_parse_policies(game, policy or []),
                states=states,
                seconds=seconds,
                samples=samples,
                seed=seed,
                on_progress=update,
            )
    if as_json:
        echo_json({name: column.as_json(*questions) for name, column in columns.items()})
    else:
        echo_odds(columns, questions)
    if plot is not None:
        _plot(columns, questions[0], plot)


def _variants(game: hr.Game, compare: list[str], under: list[str]) -> Iterator[tuple[str, hr.Game]]:
    """The game, then its replay under each other choice and each other ruleset, with their names."""
    rules = game.ruleset
    yield rules.name, game
    for text in compare:
        if text.partition("=")[0].strip() in rules.readings:
            readings = args.parse_settings(rules, "reading", [text])
            yield text, hr.compare.replay_under(game, readings=readings)
        else:
            options = args.parse_settings(rules, "option", [text])
            yield text, hr.compare.replay_under(game, options=options)
    for name in under:
        other = args.load_ruleset(name)
        yield other.name, hr.compare.replay_under(game, other)


def _parse_policies(game: hr.Game, texts: list[str]) -> Policy | dict[str, Policy] | None:
    """One policy for all players, or a policy for each player that is named.

    Raises:
        typer.BadParameter: there are several policies, and one of them names no player.
    """
    by_player: dict[str, Policy] = {}
    for text in texts:
        name, equals, policy = text.partition("=")
        player = next(iter(hr.diagnostics.names_alike(name.strip(), game.ruleset.players)), None)
        if equals and player is not None:
            by_player[player] = _parse_policy(policy)
        elif len(texts) == 1:
            return _parse_policy(text)
        else:
            raise typer.BadParameter(
                f"expected PLAYER=POLICY for each player, got `{text}`", param_hint="--policy"
            )
    return by_player or None


def _parse_policy(text: str) -> Policy:
    text = text.strip()
    return hr.analysis.Best(text.removeprefix(BEST).strip()) if text.startswith(BEST) else text


def _plot(columns: dict[str, hr.analysis.Odds], question: str, path: Path) -> None:
    with needs_extra("plot"):
        figure = hr.analysis.chart(columns, question)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(str(error), param_hint="--plot") from None
    echo(f"chart written to `{path}`", "dim")


def simulate(
    ruleset: args.RulesetName,
    scenario: args.OwnScenario = None,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000_000, help="Number of games.")
    ] = 100,
    seed: args.Seed = "0",
    option: args.OptionChoices = None,
    reading: args.ReadingChoices = None,
    backend: args.Backend = "auto",
    workers: args.Workers = 1,
    policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="What guides the moves: `random`, the name of a policy, or its text.",
        ),
    ] = "random",
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Play many games with random moves, and count the results."""
    rules = args.load_ruleset(ruleset, language)
    options = args.parse_settings(rules, "option", option)
    readings = args.parse_settings(rules, "reading", reading)
    totals = hr.analysis.SimulationTotals(
        rules, scenario or rules.scenarios[0], seed, options, readings, backend, workers, policy
    )
    _play(totals, games)
    result = totals.result()
    if as_json:
        echo_json({**result.as_json(), "seed": args.seed_as_json(seed)})
    else:
        _echo(result, rules)
        if backend != "auto":  # so that the output is the same on every machine unless one is named
            t = translator(rules.language)
            echo(t.gettext("back end: {name}", name=result.backend), "dim")
    if totals.games < games:
        echo_error(f"interrupted after {totals.games} of {games} games")
        raise typer.Exit(Exit.INTERRUPTED)


def _play(totals: hr.analysis.SimulationTotals, games: int) -> None:
    """Play a number of games; after Ctrl-C, only the current game is finished."""
    with interrupt_event() as interrupted, progress_bar("games", games) as update:
        for played in totals.play(games):
            update(played)
            if interrupted.is_set():
                break


def _echo(result: hr.analysis.Simulation, rules: hr.Ruleset) -> None:
    t, labels = translator(rules.language), rules.labels
    head = t.ngettext(
        "{ruleset} {scenario}, {number} game, seed {seed}",
        "{ruleset} {scenario}, {number} games, seed {seed}",
        result.games,
        ruleset=result.ruleset,
        scenario=result.scenario,
        seed=result.seed,
    )
    echo(head, "bold")
    names = dict(zip(rules.players, labels.players, strict=True))
    names["nobody"] = t.gettext("nobody")
    wins = {names[player]: count for player, count in result.wins.items()}
    _echo_counts(t.gettext("wins"), wins, result.games)
    _echo_counts(t.gettext("reasons"), result.reasons, result.games)
    if result.finished != result.games:
        echo(t.gettext("not finished: {number}", number=result.games - result.finished))
    speed = t.gettext(
        "{decisions} decisions in {seconds} s: {speed} per second",
        decisions=f"{result.decisions:,}",
        seconds=f"{result.seconds:.1f}",
        speed=f"{result.decisions_per_second:,.0f}",
    )
    echo(speed, "dim")


def _echo_counts(title: str, counts: dict[str, int], games: int) -> None:
    echo(title, "bold cyan")
    width = max(map(len, counts), default=0)
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        share = 100 * count / games if games else 0.0
        echo(f"{name:{width}}  {count:>6}  {share:5.1f} %", indent=2)
