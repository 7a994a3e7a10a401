"""`hots fmt`: rulesets in standard form."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._files import atomic_write
from hots_rules.cli.arguments import AsJson, read_as_written
from hots_rules.cli.exits import fail_if, report
from hots_rules.cli.output.console import echo, echo_error, echo_json, progress_bar


@frozen
class _Result:
    """A file before and after; with an error it stays as it is."""

    file: Path
    before: str = ""
    after: str = ""
    error: hr.RulesetError | None = None

    @property
    def is_changed(self) -> bool:
        return self.after != self.before

    @property
    def diff(self) -> str:
        # A line end of another system shows, or such a file would seem to have no change.
        before, after = (
            text.replace("\r", "␍").removesuffix("\n").split("\n")
            for text in (self.before, self.after)
        )
        file = str(self.file)
        return "\n".join(difflib.unified_diff(before, after, file, file, lineterm=""))


def fmt(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES", exists=True, help="The .rules files, or folders of them."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print the changes.")] = False,
    upgrade: Annotated[
        bool,
        typer.Option("--upgrade", help="Replace spellings of earlier versions of the language."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Format rulesets; comments are kept."""
    results: list[_Result] = []
    with progress_bar("files") as update:
        for file in _rules_files(files):
            results.append(_format(file, upgrade=upgrade))
            update(len(results))
    changed = [result for result in results if result.is_changed]
    if not check and not diff:
        for result in changed:
            atomic_write(result.file, result.after)
    if as_json:
        echo_json({"files": [_as_json(result) for result in results]})
    else:
        _echo(results, written=not check and not diff, diff=diff)
    fail_if(any(result.error for result in results) or (check and changed))


def _rules_files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.rules")) if path.is_dir() else [path]


def _format(file: Path, *, upgrade: bool) -> _Result:
    text = read_as_written(file)
    try:
        return _Result(file, text, hr.format_rules(text, str(file), upgrade=upgrade))
    except hr.RulesetError as error:
        return _Result(file, text, text, error)


def _echo(results: list[_Result], *, written: bool, diff: bool) -> None:
    """Prints the changes or the changed files; faults and the count go to stderr."""
    changed = [result for result in results if result.is_changed]
    for result in changed:
        echo(result.diff if diff else f"{'formatted' if written else 'would format'} {result.file}")
    for result in results:
        if result.error:
            report(result.error)
    count = f"{len(changed)} of {len(results)} {'file' if len(results) == 1 else 'files'}"
    echo_error(f"{count} {'formatted' if written else 'would be formatted'}")


def _as_json(result: _Result) -> dict[str, object]:
    faults = diagnostics.as_json(result.error.faults) if result.error else []
    return {
        "file": str(result.file),
        "changed": result.is_changed,
        "diff": result.diff,
        "faults": faults,
    }
