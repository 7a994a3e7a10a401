"""`hots fmt`: rulesets in standard form."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._files import atomic_write
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli.arguments import AsJson, Reader
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


@frozen(kw_only=True)
class FormatPlan:
    """Which files are formatted, and how."""

    files: tuple[Path, ...] = argument(
        NEEDED, "The .rules files, or folders of them.", "FILES", exists=True
    )
    check: bool = option(False, "Write nothing; exit with 1 if a file would change.")
    diff: bool = option(False, "Write nothing; print the changes.")
    upgrade: bool = option(False, "Replace spellings of earlier versions of the language.")

    @property
    def writes(self) -> bool:
        """Whether files are written."""
        return not self.check and not self.diff


def fmt(plan: FormatPlan, as_json: AsJson = False) -> None:
    """Format rulesets; comments are kept."""
    results: list[_Result] = []
    with progress_bar("files") as update:
        for file in _rules_files(plan.files):
            results.append(_format(file, upgrade=plan.upgrade))
            update(len(results))
    changed = [result for result in results if result.is_changed]
    if plan.writes:
        for result in changed:
            atomic_write(result.file, result.after)
    if as_json:
        echo_json({"files": [_as_json(result) for result in results]})
    else:
        _echo(results, written=plan.writes, diff=plan.diff)
    fail_if(any(result.error for result in results) or (plan.check and changed))


def _rules_files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.rules")) if path.is_dir() else [path]


def _format(file: Path, *, upgrade: bool) -> _Result:
    text = Reader().read_as_written(file)
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
