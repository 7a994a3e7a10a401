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

BothSettings = tuple[dict[str, str], dict[str, str]]
"""The options and readings of A and those of B."""
Rulesets = tuple[hr.Ruleset, hr.Ruleset]


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
    result = _search(given, plan, rulesets)
    if as_json:
        echo_json(result.as_json())
    example = result.witness
    if example is None and result.is_stopped:
        echo_error(f"interrupted: {result.tried}")
        raise typer.Exit(Exit.INTERRUPTED)
    if example is not None:
        sides = hr.witness.sides_of(example, *rulesets)
        if given.out is not None:
            atomic_write(given.out, example.games_at_action(*sides)[0].draw())
        if not as_json:
            is_mixed = sides != rulesets and example.isolates
            not_isolated = [
                difference.id
                for difference in (hr.diff(*sides).differences if is_mixed else ())
                if difference.plays and difference.id not in example.isolates
            ]
            answers = example.answers(*sides)
            echo_witness(example, answers, not_isolated, shows_all=given.all_lines)
    elif not as_json:
        echo_no_witness(result)
    fail_if(example)


def _search(
    given: WitnessCommand, plan: hr.witness.SearchPlan, rulesets: Rulesets
) -> hr.witness.Search:
    """The search of which the library keeps the witness, if that will do; else a new one."""
    options = _settings(given.options)
    _check_options(options, rulesets)
    settings = _both(options, _settings(given.readings))
    if not (given.search or plan.seed is not None or given.cases or settings):
        kept = hr.witness.kept_search(
            *rulesets, difference=plan.difference, section=plan.section, kind=plan.kind
        )
        if kept is not None:
            return kept
    trails = hr.witness.case_trails(given.cases, *rulesets) if given.cases else ()
    whole_plan = evolve(plan, settings=settings, trails=trails)
    with progress_bar(_tried(hr.witness.Search(None)), plan.walks) as update:
        return hr.witness.witness(
            *rulesets, whole_plan, progress=lambda so_far: update(so_far.walks, unit=_tried(so_far))
        )


def _tried(search: hr.witness.Search) -> str:
    """What a search has tried, beside the number of its walks."""
    divergences = f", {search.divergences} differences" if search.divergences else ""
    return f"{search.positions} positions{divergences}, walks"


def _check_options(options: BothSettings | None, rulesets: Rulesets) -> None:
    """Refuse the name of an option that neither ruleset has.

    Raises:
        UnknownName: there is such a name.
    """
    declared = tuple(dict.fromkeys(name for rules in rulesets for name in rules.options))
    for side in options or ():
        for name in side:
            if name not in declared:
                raise hr.UnknownName("option", name, declared)


def _both(options: BothSettings | None, readings: BothSettings | None) -> BothSettings | None:
    """Options and readings of both sides together."""
    if options is None or readings is None:
        return options or readings
    return {**options[0], **readings[0]}, {**options[1], **readings[1]}


def _settings(arguments: Sequence[str]) -> BothSettings | None:
    """The options and readings of both sides; None without any.

    Raises:
        typer.BadParameter: an argument is neither NAME=A,B nor NAME=VALUE.
    """
    if not arguments:
        return None
    sides: BothSettings = ({}, {})
    for text in arguments:
        name, _, values = (part.strip() for part in text.partition("="))
        words = [word.strip() for word in values.split(",")]
        if not name or not any(words) or len(words) > 2:
            raise typer.BadParameter(f"expected NAME=VALUE or NAME=A,B, got `{text}`")
        for side, word in zip(sides, words * 2 if len(words) == 1 else words, strict=True):
            if word:
                side[name] = word
    return sides
