"""`hots tables`: the games of a table, as whoever runs it lists, ends, exports and deletes them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from attrs import asdict, frozen

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit, fail_if
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, echo_error, echo_json
from hots_rules.cli.plans import runnable

if TYPE_CHECKING:
    from hots_rules.web.upkeep import KeptGame, Upkeep

tables = typer.Typer(
    help="List, export, close or delete the games of a table.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)
T = TypeVar("T")
HOURS = MappingProxyType({"h": 1, "d": 24, "w": 24 * 7})
MILLISECONDS = 60 * 60 * 1000  # of an hour


def _parse_age(text: object) -> int | None:
    """An age in milliseconds: `12h`, `90d` or `8w`.

    Raises:
        typer.BadParameter: it has another form.
    """
    if text is None or isinstance(text, int):
        return text
    age = re.fullmatch(r"(\d{1,6})([hdw])", str(text))
    if age is None:
        raise typer.BadParameter(
            f"expected hours, days or weeks such as 12h, 90d or 8w, got `{text}`",
            param_hint="--older-than",
        )
    return int(age[1]) * HOURS[age[2]] * MILLISECONDS


@frozen(kw_only=True)
class Age:
    """Which games are chosen."""

    older_than: int | None = option(
        None,
        "Only games that have not changed for so long.",
        metavar="AGE",
        given_as=str,
        converter=_parse_age,
    )


@frozen(kw_only=True)
class NeededAge:
    """Which games are deleted."""

    older_than: int = option(
        NEEDED,
        "Games that have not changed for so long: 12h, 90d or 8w.",
        metavar="AGE",
        given_as=str,
        converter=_parse_age,
    )


@frozen(kw_only=True)
class GameNames:
    """Games by their names."""

    names: tuple[str, ...] = argument(NEEDED, "Names of games.", "GAMES")


def _in_database(database: str | None, work: Callable[[Upkeep], Awaitable[T]]) -> T:
    """What is done to the games of a database.

    Raises:
        typer.Exit: the database cannot be used.
    """
    with needs_extra("web"):
        from hots_rules.web import upkeep

    async def done() -> T:
        async with upkeep.Upkeep.of(database) as games:
            return await work(games)

    try:
        return asyncio.run(done())
    except upkeep.CannotServe as error:
        echo_error(str(error))
        raise typer.Exit(Exit.USAGE) from None


# ---------------------------------------------------------------- list, show
def list_games(age: Age, as_json: args.AsJson = False, database: args.Database = None) -> None:
    """List the games, the last changed first."""
    found = _in_database(database, lambda games: games.older_than(age.older_than))
    if as_json:
        echo_json([asdict(game) for game in found])
        return
    width = max((len(f"{game.ruleset} {game.scenario}") for game in found), default=0)
    for game in found:
        what = f"{game.ruleset} {game.scenario}"
        echo(f"{game.name}  {_day(game.changed)}  {game.lines:5}  {what:{width}}  {_status(game)}")


def show(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game.")],
    as_json: args.AsJson = False,
    database: args.Database = None,
) -> None:
    """Show who plays a game, and how far it is; neither keys nor hidden parts."""
    game = _in_database(database, lambda games: games.kept.find(name))
    if as_json:
        echo_json(asdict(game))
        return
    echo(f"{game.name}  {game.ruleset} {game.scenario}", "bold")
    echo(f"{_status(game)}; {game.lines} lines in its log")
    echo(f"begun {_minute(game.begun)}, changed {_minute(game.changed)}")
    for player in (*game.people, *game.bots):
        kept = f"{game.messages.get(player, 0)} messages{', notes' * (player in game.notes)}"
        bot = game.bots.get(player)
        echo(f"{player}: {f'bot {bot}' if bot else f'a person, {kept}'}", indent=2)


def _status(game: KeptGame) -> str:
    return f"{game.status}, waits for {', '.join(game.waiting)}" if game.waiting else game.status


def _day(instant: int) -> str:
    return f"{_time(instant):%Y-%m-%d}"


def _minute(instant: int) -> str:
    return f"{_time(instant):%Y-%m-%d %H:%M} UTC"


def _time(instant: int) -> datetime:
    return datetime.fromtimestamp(instant / 1000, UTC)


# ---------------------------------------------------------------- close, delete, expire, erase
def close(plan: GameNames, database: args.Database = None) -> None:
    """End games: nobody plays on, and their records can be read by everybody who has a link."""

    async def close_all(games: Upkeep) -> None:
        for name in plan.names:
            await games.close(name)

    _in_database(database, close_all)


def delete(plan: GameNames, database: args.Database = None) -> None:
    """Delete games with their logs, chats and notes."""
    _in_database(database, lambda games: games.delete(plan.names))


def expire(age: NeededAge, database: args.Database = None) -> None:
    """Delete the games that have not changed for a time; `list` with the same option shows which."""
    gone = _in_database(database, lambda games: games.expire(age.older_than))
    echo(f"{len(gone)} games deleted")


def erase(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Name of the player.")],
    database: args.Database = None,
) -> None:
    """Erase what a player has written at a game: messages in the chat, and notes."""
    messages, notes = _in_database(database, lambda games: games.erase(name, player))
    echo(f"{messages} messages and {notes} notes erased")


# ---------------------------------------------------------------- export
@frozen(kw_only=True)
class ExportPlan(Age):
    """Which games are exported, and where to."""

    names: tuple[str, ...] = argument((), "Names of games; all if there are none.", "GAMES")
    out: Path = option(
        NEEDED, "Folder to write a record of each game to.", "-o", "--out", metavar="DIR"
    )


def export(plan: ExportPlan, database: args.Database = None) -> None:
    """Write the records of games, with all that is hidden in them, as `hots replay` reads them."""

    async def write_all(games: Upkeep) -> int:
        names = plan.names or [game.name for game in await games.older_than(plan.older_than)]
        return sum([await _write(games, name, plan.out) for name in names])

    if plan.names and plan.older_than is not None:
        raise typer.BadParameter("give names or an age, not both", param_hint="--older-than")
    plan.out.mkdir(parents=True, exist_ok=True)
    failures = _in_database(database, write_all)
    fail_if(failures)


async def _write(games: Upkeep, name: str, folder: Path) -> bool:
    """Write the record of a game; whether that fails, after a message."""
    try:
        record = await games.record(name)
    except hr.HotsError as error:
        echo_error(f"{name}: {error}")
        return True
    atomic_write(folder / f"{name}.txt", record)
    return False


COMMANDS: Sequence[tuple[str, Callable[..., None]]] = (
    ("list", list_games),
    ("show", show),
    ("export", export),
    ("close", close),
    ("delete", delete),
    ("expire", expire),
    ("erase", erase),
)
for _name, _command in COMMANDS:
    tables.command(_name)(runnable(_command))
