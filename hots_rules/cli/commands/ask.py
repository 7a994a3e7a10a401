"""`hots ask`: one question to all editions, or that of a dispute again."""

from __future__ import annotations

from pathlib import Path

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit, fail_if
from hots_rules.cli.output.comparison import echo_answers
from hots_rules.cli.output.console import echo_error, echo_json, spinner
from hots_rules.cli.prompt.disputes import is_dispute, recheck_dispute


@frozen(kw_only=True)
class AskPlan:
    """What is asked, and of whom."""

    file: Path = argument(
        NEEDED,
        "Record of a game, position (with --ruleset), or dispute.",
        "FILE",
        is_file=True,
    )
    question: str | None = argument(
        None,
        "An action; a question in words; `actions: WORDS` for the legal actions with these words; or "
        "`after: ACTION; roll 2 4` for the result of an action. [default: that of the dispute]",
        "QUESTION",
    )
    editions: tuple[str, ...] = option(
        (), "Edition to query (repeatable). [default: all]", "--edition", metavar="RULESET"
    )
    ruleset: str | None = option(None, args.RULESET_OF_FILE, metavar="RULESET")
    at: int | None = option(None, args.AT, metavar="N", min=0)


def ask(plan: AskPlan, output: args.Output, reader: args.Reader) -> None:
    """Ask all editions one question about a record or a position.

    Each edition parses a position itself, so --ruleset is not needed. A dispute has its question, and changes of the
    recorded answers are reported.

    Exit status: 0 if all answers agree, 1 if they differ, 2 if no edition has an answer. For a dispute: 0 if unchanged,
    1 if an answer changed.
    """
    text = reader.read_text(plan.file)
    if is_dispute(text):
        _recheck(text, output, reader)
        return
    if plan.question is None:
        raise typer.BadParameter("name the question", param_hint="QUESTION")
    editions = [reader.load_ruleset(name) for name in plan.editions] or None
    game: hr.Game | str = text
    if plan.ruleset is not None or args.is_record(text):
        source = args.GameSource(file=plan.file, at=plan.at)
        game = source.parse(reader, text, reader.load_given(plan.ruleset))
    with spinner("asking the editions"):
        table = hr.ask(game, plan.question, editions=editions, language=output.language)
    echo_json(table.as_json()) if output.as_json else echo_answers(table, output.language)
    if len(table.silent) == len(table.answers):
        raise typer.Exit(Exit.USAGE)
    fail_if(not table.agree)


def _recheck(text: str, output: args.Output, reader: args.Reader) -> None:
    """Ask the question of a dispute again."""
    with spinner("asking the editions"):
        table, changes = recheck_dispute(text, reader.limits)
    if output.as_json:
        echo_json({**table.as_json(), "changes": changes})
    else:
        echo_answers(table, output.language)
    for change in changes:
        echo_error(change)
    fail_if(changes)
