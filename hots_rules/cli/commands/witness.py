"""`hots witness`: a smallest position and action that two editions decide differently."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.console import echo_json, progress_bar
from hots_rules.cli.output.witness import echo_no_witness, echo_witness

Sides = tuple[dict[str, str], dict[str, str]]
Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=A,B",
        help="An optional rule in A and in B (repeatable); one value is for both, none for the default.",
    ),
]
ReadingChoices = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="NAME=A,B",
        help="A reading of an unclear rule in A and in B, likewise.",
    ),
]


def witness(
    old: Annotated[str, typer.Argument(metavar="A", help="First ruleset: a name, file or folder.")],
    new: Annotated[str, typer.Argument(metavar="B", help="Second ruleset.")],
    section: Annotated[
        str | None,
        typer.Option("--section", metavar="N", help="Only the differences in this section."),
    ] = None,
    difference: Annotated[
        str | None,
        typer.Option(
            "--difference", metavar="NAME", help="Only this difference; `hots diff` names them."
        ),
    ] = None,
    kind: Annotated[
        Literal["legal", "outcome", "odds"] | None,
        typer.Option("--kind", help="What is to differ. [default: any]"),
    ] = None,
    option: Choices = None,
    reading: ReadingChoices = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            "--cases", metavar="FOLDER", exists=True, help="Cases whose positions are tried first."
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="SEED", help="Random seed of a search.  [default: 0]"),
    ] = None,
    search: Annotated[
        bool,
        typer.Option("--search", help="Search, even if the library keeps a witness."),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", min=0.0, help="Longest time of the search."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT", help="Picture to write, .svg.")
    ] = None,
    as_json: args.AsJson = False,
) -> None:
    """Find a small position that A and B decide differently.

    A witness is that position with an action.
    A witness that the library keeps is shown at once, unless --search, --seed, --cases, --option or --reading ask for
    more. The same seed searches the same; --seconds only ends the search sooner, and Ctrl-C ends it with the
    smallest witness found so far.

    Exit status: 0 if no witness was found, 1 if one was, 2 on error.
    """
    if out is not None and out.suffix.lower() != ".svg":
        raise typer.BadParameter("the file must end in .svg", param_hint="--out")
    rulesets = args.load_ruleset(old), args.load_ruleset(new)
    options = _settings(option or [])
    _check_options(options, rulesets)
    settings = _both(options, _settings(reading or []))
    result = None
    if not (search or seed is not None or cases or settings):
        result = hr.witness.kept_search(
            *rulesets, difference=difference, section=section, kind=kind
        )
    if result is None:
        with progress_bar("positions") as update:
            result = hr.witness.witness(
                *rulesets,
                difference=difference,
                section=section,
                kind=kind,
                settings=settings,
                trails=hr.witness.case_trails(cases, *rulesets) if cases else (),
                seed=seed or "0",
                seconds=seconds,
                progress=update,
            )
    if as_json:
        echo_json(result.as_json())
    found = result.witness
    if found is None:
        if not as_json:
            echo_no_witness(result)
        return
    sides = hr.witness.sides_of(found, *rulesets)
    if out is not None:
        atomic_write(out, found.moments(*sides)[0].draw())
    if not as_json:
        mixed = hr.diff(*sides).differences if sides != rulesets and found.isolates else ()
        more = [each.id for each in mixed if each.plays and each.id not in found.isolates]
        echo_witness(found, found.answers(*sides), more)
    fail_if(found)


def _check_options(options: Sides | None, rulesets: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    """Refuse the name of an option that neither ruleset has.

    Raises:
        UnknownName: there is such a name.
    """
    known = tuple(dict.fromkeys(name for rules in rulesets for name in rules.options))
    for side in options or ():
        for name in side:
            if name not in known:
                raise hr.UnknownName("option", name, known)


def _both(options: Sides | None, readings: Sides | None) -> Sides | None:
    """Options and readings of both sides together."""
    if options is None or readings is None:
        return options or readings
    return {**options[0], **readings[0]}, {**options[1], **readings[1]}


def _settings(arguments: list[str]) -> Sides | None:
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
