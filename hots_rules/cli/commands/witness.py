"""`hots witness`: a smallest position and action that two editions decide differently."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer
from attrs import evolve, frozen

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit, fail_if
from hots_rules.cli.output.console import echo_error, echo_json, progress_bar
from hots_rules.cli.output.witness import echo_no_witness, echo_witness

Sides = tuple[dict[str, str], dict[str, str]]


@frozen(kw_only=True)
class WitnessCommand:
    """The rulesets, their settings, and where a witness is looked for and shown."""

    old: str = argument(NEEDED, "First ruleset: a name, file or folder.", "A")
    new: str = argument(NEEDED, "Second ruleset.", "B")
    options: tuple[str, ...] = option(
        (),
        "An optional rule in A and in B (repeatable); one value is for both, none for the default.",
        "--option",
        metavar="NAME=A,B",
    )
    readings: tuple[str, ...] = option(
        (), "A reading of an unclear rule, in A and in B.", "--reading", metavar="NAME=A,B"
    )
    cases: Path | None = option(
        None, "Cases whose positions are tried first.", metavar="FOLDER", exists=True
    )
    search: bool = option(False, "Search, even if the library keeps a witness.")
    all_lines: bool = option(
        False, "Show all of the position, not only what the answers depend on.", "--all"
    )
    out: Path | None = option(None, "Picture to write, .svg.", "-o", "--out", metavar="OUT")


def witness(
    given: WitnessCommand,
    plan: hr.witness.SearchPlan,
    as_json: args.AsJson = False,
    *,
    reader: args.Reader,
) -> None:
    """Find a small position that A and B decide differently.

    A witness is that position with an action.
    A witness that the library keeps is shown at once, unless --search, --seed, --cases, --option or --reading ask for
    more. A search is repeatable for a given seed; --seconds only ends it sooner, and Ctrl-C ends it with the smallest
    witness found so far.

    Exit status: 0 if no witness was found, 1 if one was, 2 on error, 130 if Ctrl-C ended the search without one.
    """
    if given.out is not None and given.out.suffix.lower() != ".svg":
        raise typer.BadParameter("the file must end in .svg", param_hint="--out")
    rulesets = reader.load_ruleset(given.old), reader.load_ruleset(given.new)
    options = _settings(given.options)
    _check_options(options, rulesets)
    settings = _both(options, _settings(given.readings))
    result = None
    if not (given.search or plan.seed is not None or given.cases or settings):
        result = hr.witness.kept_search(
            *rulesets, difference=plan.difference, section=plan.section, kind=plan.kind
        )
    if result is None:
        trails = hr.witness.case_trails(given.cases, *rulesets) if given.cases else ()
        asked = evolve(plan, settings=settings, trails=trails)
        with progress_bar(_tried(hr.witness.Search(None)), plan.walks) as update:
            result = hr.witness.witness(
                *rulesets,
                asked,
                progress=lambda so_far: update(so_far.walks, unit=_tried(so_far)),
            )
    if as_json:
        echo_json(result.as_json())
    example = result.witness
    if example is None:
        if result.is_stopped:
            echo_error(f"interrupted: {result.tried}")
            raise typer.Exit(Exit.INTERRUPTED)
        if not as_json:
            echo_no_witness(result)
        return
    sides = hr.witness.sides_of(example, *rulesets)
    if given.out is not None:
        atomic_write(given.out, example.games_at_action(*sides)[0].draw())
    if not as_json:
        mixed = hr.diff(*sides).differences if sides != rulesets and example.isolates else ()
        more = [
            difference.id
            for difference in mixed
            if difference.plays and difference.id not in example.isolates
        ]
        echo_witness(example, example.answers(*sides), more, shows_all=given.all_lines)
    fail_if(example)


def _tried(search: hr.witness.Search) -> str:
    """What a search has tried, beside the number of its walks."""
    partings = f", {search.partings} differences" if search.partings else ""
    return f"{search.positions} positions{partings}, walks"


def _check_options(options: Sides | None, rulesets: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    """Refuse the name of an option that neither ruleset has.

    Raises:
        UnknownName: there is such a name.
    """
    declared = tuple(dict.fromkeys(name for rules in rulesets for name in rules.options))
    for side in options or ():
        for name in side:
            if name not in declared:
                raise hr.UnknownName("option", name, declared)


def _both(options: Sides | None, readings: Sides | None) -> Sides | None:
    """Options and readings of both sides together."""
    if options is None or readings is None:
        return options or readings
    return {**options[0], **readings[0]}, {**options[1], **readings[1]}


def _settings(arguments: Sequence[str]) -> Sides | None:
    """The options and readings of both sides; None without any.

    Raises:
        typer.BadParameter: an argument is not of the form NAME=A,B.
    """
    if not arguments:
        return None
    sides: Sides = ({}, {})
    for text in arguments:
        name, _, values = (part.strip() for part in text.partition("="))
        words = [word.strip() for word in values.split(",")]
        if not name or not any(words) or len(words) > 2:
            raise typer.BadParameter(f"expected NAME=VALUE or NAME=A,B, got `{text}`")
        for side, word in zip(sides, words * 2 if len(words) == 1 else words, strict=True):
            if word:
                side[name] = word
    return sides
