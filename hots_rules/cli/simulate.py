"""`hots simulate`: many games by chance, counted."""

from __future__ import annotations

from time import monotonic
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.arguments import (
    AsJson,
    Language,
    OptionChoices,
    ReadingChoices,
    RulesetName,
    ScenarioName,
    chosen,
    seed_as_given,
)
from hots_rules.cli.console import complain, console, say, say_json
from hots_rules.cli.exits import INTERRUPTED
from hots_rules.cli.opening import opened

PATIENCE = 2.0  # seconds before a bar is shown


def simulate(
    ruleset: RulesetName,
    scenario: ScenarioName,
    games: Annotated[int, typer.Option(metavar="N", min=1, max=10_000_000, help="How many.")] = 100,
    seed: Annotated[str, typer.Option(metavar="S", help="The seed of all luck.")] = "0",
    option: OptionChoices = None,
    reading: ReadingChoices = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Play many games by chance, and count who wins and why."""
    book = opened(ruleset)
    options, readings = chosen(book, "option", option), chosen(book, "reading", reading)
    book.notation(language)
    tally = hr.SimulationTotals(book, scenario, seed, options, readings)
    whole = _play_all(tally, games)
    found = {**tally.result().as_json(), "seed": seed_as_given(seed)}
    say_json(found) if as_json else _say(found, book, language)
    if not whole:
        complain(f"stopped after {tally.games} of {games} games")
        raise typer.Exit(INTERRUPTED)


def _play_all(tally: hr.SimulationTotals, games: int) -> bool:
    """Plays the games; False if Ctrl-C came before the last one ended."""
    bar = _Bar(games)
    try:
        while tally.games < games:
            tally.play_one()
            bar.show(tally.games)
    except KeyboardInterrupt:
        return False
    finally:
        bar.close()
    return True


class _Bar:
    """A progress bar on stderr, for a terminal and a long wait alone."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._due = monotonic() + PATIENCE
        self._progress: Progress | None = None

    def show(self, done: int) -> None:
        """Says how many games are done."""
        if self._progress is None:
            if monotonic() < self._due:
                return
            self._open()
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], completed=done)

    def _open(self) -> None:
        err = console(stderr=True)
        self._due = float("inf")
        if err.is_terminal:
            columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn())
            self._progress = Progress(*columns, TimeRemainingColumn(), console=err, transient=True)
            self._progress.add_task("games", total=self._games)
            self._progress.start()

    def close(self) -> None:
        """Gives the terminal back as it was."""
        if self._progress is not None:
            self._progress.stop()


def _say(found: dict[str, Any], book: hr.Ruleset, language: str) -> None:
    said, notation = translator(language), book.notation(language)
    games, seed, scenario = found["games"], found["seed"], found["scenario"]
    head = said.ngettext(
        "{ruleset} {scenario}, {number} game, seed {seed}",
        "{ruleset} {scenario}, {number} games, seed {seed}",
        games,
        ruleset=found["ruleset"],
        scenario=scenario,
        seed=seed,
    )
    say(head, "bold")
    names = dict(zip(book.players, notation.players_called(book.players), strict=True))
    names["nobody"] = said.gettext("nobody")
    _count(said.gettext("wins"), {names[n]: k for n, k in found["wins"].items()}, games)
    _count(said.gettext("reasons"), found["reasons"], games)
    if found["finished"] != games:
        say(said.gettext("not finished: {number}", number=games - found["finished"]))
    speed = said.gettext(
        "{decisions} decisions in {seconds} s: {speed} a second",
        decisions=f"{found['decisions']:,}",
        seconds=f"{found['seconds']:.1f}",
        speed=f"{found['decisions_per_second']:,.0f}",
    )
    say(speed, "dim")


def _count(title: str, counts: dict[str, int], games: int) -> None:
    say(title, "bold cyan")
    width = max((len(name) for name in counts), default=0)
    for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        share = 100 * count / games if games else 0.0
        say(f"{name:{width}}  {count:>6}  {share:5.1f} %", indent=2)
