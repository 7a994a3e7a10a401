"""`hots simulate`: statistics of many games with random moves."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit
from hots_rules.cli.inputs import load_ruleset
from hots_rules.cli.output.console import echo, echo_error, echo_json
from hots_rules.cli.output.progress import progress_bar


def simulate(
    ruleset: args.RulesetName,
    scenario: args.ScenarioName,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000_000, help="Number of games.")
    ] = 100,
    seed: args.Seed = "0",
    option: args.OptionChoices = None,
    reading: args.ReadingChoices = None,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Play many games with random moves, and count the results."""
    rules = load_ruleset(ruleset, language)
    options = args.parse_settings(rules, "option", option)
    readings = args.parse_settings(rules, "reading", reading)
    totals = hr.analysis.SimulationTotals(rules, scenario, seed, options, readings)
    _play(totals, games)
    result = totals.result()
    if as_json:
        echo_json({**result.as_json(), "seed": args.seed_as_json(seed)})
    else:
        _echo(result, rules)
    if totals.games < games:
        echo_error(f"interrupted after {totals.games} of {games} games")
        raise typer.Exit(Exit.INTERRUPTED)


def _play(totals: hr.analysis.SimulationTotals, games: int) -> None:
    """Play a number of games; after Ctrl-C, only the current game is finished."""
    with _interrupt_event() as interrupted, progress_bar("games", games) as update:
        while totals.games < games and not interrupted.is_set():
            totals.play_one()
            update(totals.games)


@contextmanager
def _interrupt_event() -> Iterator[Event]:
    """An event that the first Ctrl-C sets; a second one raises KeyboardInterrupt."""
    interrupted = Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, previous)


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
