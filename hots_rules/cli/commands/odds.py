"""`hots odds`, `hots simulate`: probabilities of outcomes, and statistics of games with random moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from attrs import asdict, frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules._translate import Translator, translator
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, echo_error, echo_json, progress_bar
from hots_rules.cli.output.odds import echo_odds
from hots_rules.cli.signals import interrupt_event

if TYPE_CHECKING:
    Policy = str | hr.analysis.Best

BEST = "best:"


@frozen(kw_only=True)
class OddsPlan:
    """What is computed, and where it ends."""

    action: str | None = argument(
        None, "Action to evaluate. [default: the next decision]", "ACTION"
    )
    play: tuple[str, ...] = option((), "Play an action first (repeatable).", metavar="ACTION")
    until: str = option(
        "decision",
        "Where to stop: `decision`, `game`, `choose NAME`, or the name of a phase, stage, event or action.",
        metavar="END",
    )
    policies: tuple[str, ...] = option(
        (),
        "How players choose (once per player): the name of a policy, its text, `random`, or `best: QUESTION`.",
        "--policy",
        metavar="[PLAYER=]POLICY",
    )
    questions: tuple[str, ...] = option(
        (), "Expression to report on (repeatable).", "--ask", metavar="QUESTION"
    )
    compare: tuple[str, ...] = option(
        (), "Add a column with another option or reading (repeatable).", metavar="NAME=VALUE"
    )
    under: tuple[str, ...] = option(
        (), "Add a column with another ruleset (repeatable).", metavar="RULESET"
    )
    plot: Path | None = option(None, "Write a bar chart of the first question.", metavar="FILE")


@frozen(kw_only=True)
class OddsLimits:
    """How much is computed."""

    states: int = option(200_000, "Maximum number of states to explore.", metavar="N", min=1)
    seconds: float | None = option(None, "Maximum time in seconds.", metavar="S", min=0.0)
    samples: int = option(
        10_000, "Samples to draw if a limit is exceeded; 0: report an error.", metavar="N", min=0
    )
    seed: str = option("0", "Random seed.", metavar="SEED")


def odds(
    source: args.GameSource,
    plan: OddsPlan,
    limits: OddsLimits,
    as_json: args.AsJson = False,
    *,
    reader: args.Reader,
) -> None:
    """Compute the probabilities of possible outcomes.

    The probabilities are exact unless a limit is exceeded.
    """
    game = source.load(reader)
    for text in plan.play:
        game = game.play(text)
    if plan.plot is not None and not plan.questions:
        raise typer.BadParameter("--plot needs a question", param_hint="--ask")
    policies = _parse_policies(game, plan.policies)
    columns: dict[str, hr.analysis.Odds] = {}
    with progress_bar("states") as update:
        for name, variant in _variants(reader, game, plan):
            columns[name] = variant.odds(
                plan.action, until=plan.until, policy=policies, **asdict(limits), on_progress=update
            )
    if as_json:
        echo_json({name: column.as_json(*plan.questions) for name, column in columns.items()})
    else:
        echo_odds(columns, plan.questions)
    if plan.plot is not None:
        _plot(columns, plan.questions[0], plan.plot)


def _variants(reader: args.Reader, game: hr.Game, plan: OddsPlan) -> Iterator[tuple[str, hr.Game]]:
    """The game, then its replay under each other choice and each other ruleset, with their names."""
    rules = game.ruleset
    yield rules.name, game
    for text in plan.compare:
        if text.partition("=")[0].strip() in rules.readings:
            readings = args.parse_settings(rules, "reading", [text])
            yield text, hr.compare.replay_under(game, readings=readings)
        else:
            options = args.parse_settings(rules, "option", [text])
            yield text, hr.compare.replay_under(game, options=options)
    for name in plan.under:
        variant = reader.load_ruleset(name)
        yield variant.name, hr.compare.replay_under(game, variant)


def _parse_policies(game: hr.Game, texts: Sequence[str]) -> Policy | dict[str, Policy] | None:
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


@frozen(kw_only=True)
class SimulationPlan(args.SettingArguments):
    """Which games are played."""

    ruleset: str = argument(NEEDED, args.RULESET, "RULESET")
    scenario: str | None = argument(None, args.OWN_SCENARIO, "SCENARIO")
    games: int = option(100, "Number of games.", metavar="N", min=1, max=10_000_000)
    seed: str = option("0", "Random seed.", metavar="SEED")
    policy: str = option(
        "random",
        "What guides the moves: `random`, the name of a policy, or its text.",
        metavar="POLICY",
    )


def simulate(
    plan: SimulationPlan, work: args.Work, output: args.Output, reader: args.Reader
) -> None:
    """Play many games with random moves, and count the results."""
    rules = reader.load_ruleset(plan.ruleset, output.language)
    scenario = plan.scenario or rules.scenarios[0]
    simulation_run = hr.analysis.SimulationRun(
        rules, scenario, plan.seed, *plan.of(rules), work.backend, work.workers, plan.policy
    )
    _play(simulation_run, plan.games)
    simulation = simulation_run.result()
    if output.as_json:
        echo_json({**simulation.as_json(), "seed": args.seed_as_json(plan.seed)})
    else:
        _echo(simulation, rules)
        # So that the output is the same on every machine unless a back end is named.
        if work.backend != "auto":
            _echo_backend(simulation, work.backend, translator(rules.language))
    if simulation_run.games < plan.games:
        echo_error(f"interrupted after {simulation_run.games} of {plan.games} games")
        raise typer.Exit(Exit.INTERRUPTED)


def _echo_backend(simulation: hr.analysis.Simulation, asked: str, words: Translator) -> None:
    """The back end that played; the reason too, if another one was asked for."""
    if simulation.backend == asked:
        echo(words.gettext("back end: {name}", name=simulation.backend), "dim")
    else:
        text = words.gettext(
            "back end: {name}, since {reason}", name=simulation.backend, reason=simulation.why
        )
        echo(text, "dim")


def _play(simulation_run: hr.analysis.SimulationRun, games: int) -> None:
    """Play a number of games; after Ctrl-C, only the games that machine code is playing are finished."""
    with interrupt_event() as interrupted, progress_bar("games", games) as update:
        for played in simulation_run.play_parts(games):
            update(played)
            if interrupted.is_set():
                break


def _echo(simulation: hr.analysis.Simulation, rules: hr.Ruleset) -> None:
    t, labels = translator(rules.language), rules.labels
    head = t.ngettext(
        "{ruleset} {scenario}, {number} game, seed {seed}",
        "{ruleset} {scenario}, {number} games, seed {seed}",
        simulation.games,
        ruleset=simulation.ruleset,
        scenario=simulation.scenario,
        seed=simulation.seed,
    )
    echo(head, "bold")
    names = dict(zip(rules.players, labels.players, strict=True))
    names["nobody"] = t.gettext("nobody")
    wins = {
        names[player]: count
        for player, count in simulation.wins.items()
        if player not in simulation.absent
    }
    for players, count in simulation.shared.items():
        listed = t.join_list([names[player] for player in players])
        wins[t.gettext("{players} together", players=listed)] = count
    _echo_counts(t.gettext("wins"), wins, simulation.games)
    if simulation.absent:
        listed = t.join_list([names[player] for player in simulation.absent])
        echo(t.gettext("asked nothing, and left out: {players}", players=listed), "dim")
    _echo_counts(t.gettext("reasons"), simulation.reasons, simulation.games)
    if simulation.finished != simulation.games:
        echo(t.gettext("not finished: {number}", number=simulation.games - simulation.finished))
    speed = t.gettext(
        "{decisions} decisions in {seconds} s: {speed} per second",
        decisions=f"{simulation.decisions:,}",
        seconds=f"{simulation.seconds:.1f}",
        speed=f"{simulation.decisions_per_second:,.0f}",
    )
    echo(speed, "dim")


def _echo_counts(title: str, counts: dict[str, int], games: int) -> None:
    echo(title, "bold cyan")
    width = max(map(len, counts), default=0)
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        share = 100 * count / games if games else 0.0
        echo(f"{name:{width}}  {count:>6}  {share:5.1f} %", indent=2)
