"""`hots replay`, `hots verify`: the state of a recorded game, and whether its record is intact."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs
import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if, usage_errors
from hots_rules.cli.output.comparison import echo_divergence
from hots_rules.cli.output.console import echo, echo_error, echo_json, spinner
from hots_rules.cli.output.game import echo_board, echo_status, game_as_json

if TYPE_CHECKING:
    Migration = hr.records.Migration[hr.Game]


# ---------------------------------------------------------------- replay
@frozen(kw_only=True)
class ReplayPlan:
    """Which record is replayed, and how."""

    file: Path = argument(NEEDED, "Record of a game.", "FILE", is_file=True)
    at: int | None = option(None, args.AT, metavar="N", min=0)
    board: bool = option(True, "Show the board.", "--board/--no-board")
    content: Literal["refuse", "pinned", "migrate"] = option(
        "refuse",
        "If the ruleset has changed since: report an error (refuse), use the rules stored in the record (pinned), or "
        "replay as far as possible and report the changes (migrate).",
    )
    sealed: bool = option(
        False, "Refuse a record without its seal: it may have lost lines at its end."
    )
    ruleset: str | None = option(None, args.RULESET_OF_FILE, metavar="RULESET")
    under: str | None = option(
        None,
        "Replay under another edition too, and tell where the games diverge.",
        metavar="RULESET",
    )


def replay(plan: ReplayPlan, output: args.Output, reader: args.Reader) -> None:
    """Replay a record and show the state of the game.

    With --under, find where the game diverges under another edition, and why. The exit status is then 0 if the games
    are the same, 1 if they diverge, 2 on error.
    """
    if plan.under is not None:
        _diverge(plan, plan.under, output, reader)
        return
    game, record, migration = _replayed(plan, output.language, reader)
    if output.as_json:
        echo_json(_as_json(game, record, migration))
    else:
        _echo(game, record, board=plan.board)
        if migration:
            echo()
            echo(str(migration))
    fail_if(migration and not migration.is_whole)


def _diverge(plan: ReplayPlan, edition: str, output: args.Output, reader: args.Reader) -> None:
    with usage_errors():
        game, _, _ = _replayed(plan, output.language, reader)
        with spinner("replaying the game under both editions"):
            divergence = hr.compare.divergence(game, reader.load_ruleset(edition))
    echo_json(divergence.as_json()) if output.as_json else echo_divergence(divergence)
    fail_if(divergence)


def _replayed(
    plan: ReplayPlan, language: str, reader: args.Reader
) -> tuple[hr.Game, hr.Record, Migration | None]:
    """The game of a record up to `--at`, the record up to there, and its migration if one was asked for."""
    record = reader.read_record(plan.file)
    if plan.sealed and not record.seal:
        raise hr.BadRecord("missing seal: the record may have lost lines at its end; get it anew")
    if plan.at is not None:
        record = record.up_to(plan.at)
    given = reader.load_given(plan.ruleset)
    if plan.content != "migrate":
        game = reader.replay(record, given, plan.content)
        return game.in_language(language), record, None
    with spinner(args.REPLAYING):
        rules = given or hr.ruleset_for(record, limits=reader.limits)
        migration = hr.records.migrate(record, rules)
    return migration.game.in_language(language), record, migration


def _echo(game: hr.Game, record: hr.Record, *, board: bool) -> None:
    start = game.scenario or "from a position"
    echo(f"{game.ruleset.name} {start}, seed {game.seed}, {len(game.moves)} decisions", "bold")
    last = record.entries[len(game.moves) - 1] if game.moves else record
    for comment in last.comments:
        echo(f"# {comment}", "dim")
    if board:
        echo_board(hr.explain.render_board(game))
        echo()
    echo_status(game)


def _as_json(game: hr.Game, record: hr.Record, migration: Migration | None) -> dict[str, object]:
    torn = record.torn and {"line": record.torn[0], "text": record.torn[1]}
    data = {**game_as_json(game), "torn": torn}
    if migration:
        first = migration.first and attrs.asdict(migration.first)
        data["migration"] = {"of": migration.of, "notes": list(migration.notes), "first": first}
    return data


# ---------------------------------------------------------------- verify
@frozen(kw_only=True)
class VerificationPlan:
    """What is checked."""

    file: Path = argument(NEEDED, "Record of a game.", "FILE", is_file=True)
    content: Literal["refuse", "pinned"] = option("refuse", args.CONTENT)
    published: Path | None = option(
        None,
        "Also compare the seals that were published during the game: a file with a line ACTIONS COMMITMENT SALT for "
        "each.",
        metavar="SEALS",
        is_file=True,
    )
    seeds: Path | None = option(
        None,
        "Also check the dice: the seeds of the game, as the table tells them when it is over.",
        metavar="FILE",
        is_file=True,
    )
    ruleset: str | None = option(None, args.RULESET_OF_FILE, metavar="RULESET")


def verify(plan: VerificationPlan, as_json: args.AsJson = False, *, reader: args.Reader) -> None:
    """Replay a record, and check its digests and its seal."""
    seals = [] if plan.published is None else _parse_seals(reader.read_text(plan.published))
    held = () if plan.seeds is None else _parse_seeds(reader, plan.seeds)
    record = reader.read_record(plan.file)
    given = reader.load_given(plan.ruleset)
    with spinner(args.REPLAYING):
        rules = hr.ruleset_for(record, given, content=plan.content, limits=reader.limits)
        result = hr.records.verify(record, rules, seals)
        result, outcomes = _with_seeds(result, record, rules, held)
    if as_json:
        checked = {"outcomes": outcomes} if held else {}
        echo_json({"sound": result.is_sound, **attrs.asdict(result), **checked})
    elif result.fault:
        echo_error(result.fault)
    else:
        echo(f"{result.actions} actions, {result.digests} digests match", "bold")
        if seals:
            echo(f"{len(seals)} published seals match")
        if result.variations:
            echo(f"{result.variations} variations are playable")
        echo(f"sealed: {result.seal}" if result.is_sealed else "not sealed")
        _echo_seeds(held, outcomes)
    fail_if(not result.is_sound)


def _parse_seeds(reader: args.Reader, file: Path) -> tuple[hr.records.HeldSeed, ...]:
    return hr.formats.parse_seeds(reader.read_text(file), limits=reader.limits)


def _with_seeds(
    result: hr.records.Verification,
    record: hr.Record,
    rules: hr.Ruleset,
    seeds: Sequence[hr.records.HeldSeed],
) -> tuple[hr.records.Verification, tuple[int, ...]]:
    """A verification with the first fault of the dice, and how many outcomes each seed gave."""
    if result.fault or not seeds:
        return result, ()
    try:
        return result, hr.records.verify_seeds(record, rules, seeds)
    except (hr.BadRecord, hr.records.BadSecret) as error:
        return attrs.evolve(result, fault=str(error)), ()


def _echo_seeds(seeds: Sequence[hr.records.HeldSeed], outcomes: Sequence[int]) -> None:
    for number, (held, count) in enumerate(zip(seeds, outcomes, strict=True), 1):
        names = ", ".join(held.commitments)
        source = f"mixed from the shares of {names}" if names else "not mixed from shares"
        echo(f"seed {number}, from play {held.plays}, is {source}; {count} outcomes match")


def _parse_seals(text: str) -> list[hr.records.PublishedSeal]:
    """The published seals of a text, one in each line.

    Raises:
        typer.BadParameter: a line is not of the form ACTIONS COMMITMENT SALT.
        BadSecret: a commitment or a salt is malformed.
    """
    seals = []
    for number, line in enumerate(text.splitlines(), start=1):
        match line.split():
            case [actions, commitment, salt] if actions.isascii() and actions.isdecimal():
                seals.append(hr.records.PublishedSeal(int(actions), commitment, salt))
            case []:
                continue
            case _:
                fault = f"expected ACTIONS COMMITMENT SALT in line {number}, got `{line:.80}`"
                raise typer.BadParameter(fault, param_hint="--published")
    return seals
