"""`hots diff`, `hots ask`, `hots diverge`: editions side by side."""

from __future__ import annotations

import sys
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict, evolve

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit, fail_if
from hots_rules.cli.output.comparison import (
    echo_answers,
    echo_divergence,
    echo_groups,
    echo_table,
)
from hots_rules.cli.output.console import echo_json, spinner


# ---------------------------------------------------------------- diff
class Format(StrEnum):
    """How differences are printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"


def diff(
    old: Annotated[
        str, typer.Argument(metavar="A", help="Ruleset to compare from: a name, file or folder.")
    ],
    new: Annotated[
        list[str],
        typer.Argument(metavar="B", help="Rulesets to compare to, each with the one before it."),
    ],
    section: Annotated[
        str | None,
        typer.Option(
            "--section", metavar="N", help="Show only differences in this section and its parts."
        ),
    ] = None,
    plays_only: Annotated[
        bool, typer.Option("--plays-only", help="Show only differences that can change play.")
    ] = False,
    sources: Annotated[
        bool, typer.Option("--sources", help="Show the rules as they are written.")
    ] = False,
    groups: Annotated[
        bool,
        typer.Option(
            "--groups", help="Show the smallest sets of differences that work alone instead."
        ),
    ] = False,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            parser=args.choice_of(Format),
            metavar=args.choices(Format),
            help="Form of the output.",
            show_default=True,
        ),
    ] = Format.TEXT,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Show how rulesets differ, in a table by section.

    A summary comes first. Each ruleset has a column.

    Exit status: 0 if nothing differs, 1 if something does, 2 on error.
    """
    for option, is_given in (("--sources", sources), ("--groups", groups)):
        if is_given and form is not Format.TEXT:
            raise typer.BadParameter("leave out --format", param_hint=option)
    names = [old, *new]
    number = None if section is None else _parse_section(section, *names)
    rulesets = [args.resolve_ruleset(name) for name in names]
    with spinner(f"comparing {' and '.join(names)}"):
        table = hr.compare.table(*rulesets, language=language, limits=args.limits())
    if number is not None:
        table = table.within(number)
    if plays_only:
        table = table.playing()
    if groups:
        _show_groups(rulesets, {row.id for row in table.rows}, as_json=as_json)
        fail_if(table)
        return
    match Format.JSON if as_json else form:
        case Format.TEXT:
            echo_table(table, sources=sources)
        case Format.MARKDOWN:
            sys.stdout.write(table.markdown())
        case Format.HTML:
            sys.stdout.write(table.page())
        case Format.JSON:
            echo_json(_as_json(table, rulesets))
    fail_if(table)


def _show_groups(rulesets: list[str | Path], ids: set[str], *, as_json: bool) -> None:
    """Print the groups of each ruleset and the next one that have one of some differences."""
    found = {}
    for old, new in pairwise(rulesets):
        with spinner(f"checking what {old} can take over from {new} alone"):
            found[str(old), str(new)] = [
                group for group in hr.compare.groups(old, new) if ids & {*group.differences}
            ]
    if as_json:
        echo_json(
            [
                {"old": old, "new": new, "groups": [asdict(group) for group in groups]}
                for (old, new), groups in found.items()
            ]
        )
        return
    for (old, new), groups in found.items():
        echo_groups(old, new, groups)


def _as_json(table: hr.compare.DiffTable, rulesets: list[str | Path]) -> dict[str, object]:
    """The differences of two rulesets with both sides, or the table of more."""
    if len(rulesets) > 2:
        return table.as_json()
    differences = hr.diff(*rulesets, limits=args.limits())
    kept = {row.id for row in table.rows}
    return evolve(
        differences, differences=tuple(e for e in differences.differences if e.id in kept)
    ).as_json()


def _parse_section(text: str, *rulesets: str) -> str:
    """The number of a section that one of the rulesets has, or parts of it.

    Raises:
        UnknownName: no ruleset has the section.
    """
    section = text.strip().lstrip("§").strip()
    headings = [hr.explain.section_headings(args.load_ruleset(name)) for name in rulesets]
    numbers = dict.fromkeys(number for listed in headings for number in listed)
    if all(headings) and not (section and any(number.startswith(section) for number in numbers)):
        raise hr.UnknownName("section", text, numbers)
    return section


# ---------------------------------------------------------------- ask
def ask(
    file: args.GameFile,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="An action; a question that the ruleset declares; `actions: WORDS` for the legal "
            "actions with these words; or `after: ACTION; roll 2 4` for the result of an action.",
        ),
    ],
    edition: Annotated[
        list[str] | None,
        typer.Option(
            "--edition", metavar="RULESET", help="Edition to query (repeatable). [default: all]"
        ),
    ] = None,
    ruleset: args.RulesetOption = None,
    at: args.At = None,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Ask all editions one question about a record or a position.

    Each edition parses a position itself, so --ruleset is not needed.

    Exit status: 0 if all answers agree, 1 if they differ, 2 if no edition has an answer.
    """
    editions = None if edition is None else [args.load_ruleset(name) for name in edition]
    text = args.read_text(file)
    game: hr.Game | str = text
    if ruleset is not None or args.is_record(text):
        rules = None if ruleset is None else args.load_ruleset(ruleset)
        game = args.parse_game(text, rules, at=at)
    with spinner("asking the editions"):
        table = hr.ask(game, question, editions=editions, language=language)
    echo_json(table.as_json()) if as_json else echo_answers(table, language)
    if len(table.silent) == len(table.answers):
        raise typer.Exit(Exit.USAGE)
    fail_if(not table.agree)


# ---------------------------------------------------------------- diverge
def diverge(
    file: args.GameFile,
    other: Annotated[
        str, typer.Argument(metavar="RULESET", help="Edition to replay the game under.")
    ],
    ruleset: args.RulesetOption = None,
    at: args.At = None,
    as_json: args.AsJson = False,
) -> None:
    """Find where a game diverges under another edition, and why.

    Exit status: 0 if the games are the same, 1 if they diverge, 2 on error.
    """
    game = args.load_game(file, ruleset, at=at)
    with spinner("replaying the game under both editions"):
        divergence = hr.compare.divergence(game, args.load_ruleset(other))
    echo_json(divergence.as_json()) if as_json else echo_divergence(divergence)
    fail_if(divergence)
