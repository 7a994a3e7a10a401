"""`hots odds`: what may come of a moment of a game, and how likely it is."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.status import Status

import hots_rules as hr
from hots_rules.cli.arguments import AsJson, OptionChoices, ReadingChoices, chosen
from hots_rules.cli.console import complain, console, say, say_json
from hots_rules.cli.exits import INTERRUPTED
from hots_rules.cli.opening import opened
from hots_rules.cli.situation import At, SituationFile, Under, game_of

PATIENCE = 2.0  # seconds before something is said
BEST = "best:"


def odds(
    file: SituationFile,
    action: Annotated[
        str | None, typer.Argument(metavar="[ACTION]", help="What comes of this action.")
    ] = None,
    ruleset: Under = None,
    at: At = None,
    play: Annotated[
        list[str] | None,
        typer.Option("--play", metavar="ACTION", help="Play on first; may be repeated."),
    ] = None,
    until: Annotated[
        str,
        typer.Option(
            metavar="END",
            help="The name of a phase, stage, event or action; `choose NAME`; `decision`; `game`.",
        ),
    ] = "decision",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="[PLAYER=]POLICY",
            help="A policy of the ruleset, its lines, `random`, or `best: QUESTION`.",
        ),
    ] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option("--ask", metavar="QUESTION", help="An expression; may be repeated."),
    ] = None,
    option: OptionChoices = None,
    reading: ReadingChoices = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            "--compare", metavar="NAME=VALUE", help="Also under this option or reading; repeatable."
        ),
    ] = None,
    under: Annotated[
        list[str] | None,
        typer.Option("--under", metavar="RULESET", help="Also under this ruleset; repeatable."),
    ] = None,
    states: Annotated[int, typer.Option(metavar="N", min=1, help="At most so many.")] = 200_000,
    seconds: Annotated[float | None, typer.Option(metavar="S", min=0.0, help="At most.")] = None,
    samples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Drawn where it is too much; 0: refuse.")
    ] = 10_000,
    seed: Annotated[str, typer.Option(metavar="S", help="The seed of samples.")] = "0",
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="A chart of the first question (extra `plot`)."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what may come of a moment of a game, and how likely it is."""
    game = game_of(file, ruleset, at=at, options=option, readings=reading)
    for text in play or ():
        game = game.play(text)
    if plot is not None and not ask:
        raise typer.BadParameter("expected a question to draw", param_hint="--ask")
    found: dict[str, hr.Odds] = {}
    with _Waiting() as waiting:
        for name, one in _sides(game, compare or [], under or []):
            found[name] = one.odds(
                action,
                until=until,
                policy=_policies(game, policy),
                states=states,
                seconds=seconds,
                samples=samples,
                seed=seed,
                watch=waiting.say,
            )
    if as_json:
        say_json({name: one.as_json(*(ask or ())) for name, one in found.items()})
    else:
        say_odds(found, ask or [])
    if plot is not None:
        _plot(found, (ask or [""])[0], plot)


def _sides(game: hr.Game, compare: list[str], under: list[str]) -> Iterator[tuple[str, hr.Game]]:
    """The game as it is, then the same moves under each other choice and ruleset."""
    rules = game.ruleset
    yield rules.name, game
    for text in compare:
        kind = "reading" if text.partition("=")[0].strip() in rules.readings else "option"
        values = chosen(rules, kind, [text])
        options, readings = (values, None) if kind == "option" else (None, values)
        yield text, hr.carried(game, options=options, readings=readings)
    for name in under:
        other = opened(name)
        yield other.name, hr.carried(game, other)


def _policies(game: hr.Game, given: list[str] | None) -> Any:
    """One policy for all, or one for each player who is named."""
    found: dict[str, Any] = {}
    for text in given or ():
        who, sign, said = text.partition("=")
        players = {player.casefold(): player for player in game.ruleset.players}
        if sign and who.strip().casefold() in players:
            found[players[who.strip().casefold()]] = _one(said.strip())
        elif len(given or ()) > 1:
            raise typer.BadParameter(
                f"expected PLAYER=POLICY for each player, got `{text}`", param_hint="--policy"
            )
        else:
            return _one(text.strip())
    return found or None


def _one(said: str) -> str | hr.Best:
    return hr.Best(said.removeprefix(BEST).strip()) if said.startswith(BEST) else said


class _Waiting:
    """Tells a terminal how many states are known, once it takes long."""

    def __init__(self) -> None:
        self._due = monotonic() + PATIENCE
        self._status: Status | None = None

    def __enter__(self) -> _Waiting:
        return self

    def say(self, states: int) -> None:
        """Says how far the work is."""
        if monotonic() < self._due:
            return
        text = f"{states:,} states"
        if self._status is not None:
            self._status.update(text)
        elif (err := console(stderr=True)).is_terminal:
            self._status = err.status(text)
            self._status.start()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._status is not None:
            self._status.stop()
        if kind is KeyboardInterrupt:
            complain("stopped before the odds were known")
            raise typer.Exit(INTERRUPTED)


# ------------------------------------------------------------------ on paper
def say_odds(found: dict[str, hr.Odds], questions: list[str]) -> None:
    """What may come, question by question, or entry by entry of the state."""
    tables: dict[str, list[dict[Any, Fraction]]] = {
        text: [one.of(text) for one in found.values()] for text in questions
    }
    if not questions:
        changes = [one.changes() for one in found.values()]
        entries = dict.fromkeys(entry for one in changes for entry in one)
        tables = {entry: [dict(one.get(entry, {})) for one in changes] for entry in entries}
    for name, one in found.items():
        how = f"exact, {one.states:,} states" if one.exact else f"SAMPLED, {one.samples:,} ways"
        say(f"{name}: {how}", "bold" if one.exact else "bold yellow")
    sure = [title for title, columns in tables.items() if not questions and _is_certain(columns)]
    for title, columns in tables.items():
        if title in sure:
            continue
        _table(title, columns, list(found.values()))
    if sure:
        say()
        say("for certain", "bold cyan")
        for title in sure:
            say(f"{title}  {next(iter(tables[title][0]))}", indent=2)
    if any(one.outcomes.keys() != {"goes on"} for one in found.values()):
        _table("the game", [dict(one.outcomes) for one in found.values()], list(found.values()))


def _is_certain(columns: list[dict[Any, Fraction]]) -> bool:
    return len(columns[0]) == 1 and all(column == columns[0] for column in columns)


def _table(title: str, columns: list[dict[Any, Fraction]], odds: list[hr.Odds]) -> None:
    say()
    say(title, "bold cyan")
    answers = {_word(answer): answer for column in columns for answer in column}
    width = max(map(len, answers), default=0)
    for word, answer in answers.items():
        cells = (
            _share(column.get(answer, Fraction()), one)
            for column, one in zip(columns, odds, strict=True)
        )
        say(f"{word:{width}}  {'  '.join(cells)}", indent=2)


def _word(answer: Any) -> str:
    return {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer)


def _share(share: Fraction, one: hr.Odds) -> str:
    said = f"{100 * float(share):6.2f} %"
    if one.exact:
        return said
    low, high = one.interval(share)
    return f"{said} ({100 * low:.2f}-{100 * high:.2f})"


def _plot(found: dict[str, hr.Odds], question: str, path: Path) -> None:
    try:
        figure = hr.chart(found, question)
    except ImportError:
        raise typer.BadParameter(
            "expected matplotlib: install the extra `plot`", param_hint="--plot"
        ) from None
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(str(error), param_hint="--plot") from None
    say(f"the chart is in `{path}`", "dim")
