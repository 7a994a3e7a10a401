"""`hots check --fix` and `--diff`: the safe fixes of a ruleset, written into its files or shown."""

from __future__ import annotations

import difflib
import re
from codecs import BOM_UTF8
from errno import EINVAL
from pathlib import Path

import typer
from attrs import evolve, frozen

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._files import atomic_write
from hots_rules._text import plain_text
from hots_rules.cli.arguments import resolve_ruleset
from hots_rules.cli.exits import fail_if, report
from hots_rules.cli.output.console import echo, echo_error, echo_json
from hots_rules.cli.places import path_from_here, places_from_here, with_places_from_here

_LINE_END = re.compile(r"\r\n|\r|\n")


@frozen
class Changed:
    """A file of a ruleset, with its text before and after the fixes."""

    file: Path
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        before, after = self.before.splitlines(), self.after.splitlines()
        file = str(self.file)
        return "\n".join(difflib.unified_diff(before, after, file, file, lineterm=""))


@frozen
class Fixes:
    """The safe fixes of a ruleset, the files that they change, and the faults that are left.

    Attributes:
        files: the files that change.
        applied: the fixes as values of JSON.
        lines: the fixes in words.
        left: the faults that stay, as an error; None if there is none.
    """

    files: tuple[Changed, ...]
    applied: tuple[dict[str, object], ...]
    lines: tuple[str, ...]
    left: hr.RulesetError | None


def fixes_of(ruleset: str, limits: hr.Limits) -> Fixes:
    """What the safe fixes change in the files of a ruleset; nothing is written.

    Raises:
        RulesetError: there is no such ruleset, or it cannot be read.
        typer.BadParameter: it is an installed one, whose files are not the user's.
    """
    if not Path(ruleset).exists() and ruleset in hr.rulesets():
        raise typer.BadParameter(
            "--fix and --diff change files: name a file or a folder", param_hint="FILE"
        )
    with places_from_here(ruleset):
        fixed = hr.fix_rules(resolve_ruleset(ruleset), limits=limits)
    files = tuple(
        Changed(Path(path_from_here(name, ruleset)), text, fixed.after[name])
        for name, text in fixed.before.items()
        if fixed.after[name] != text
    )
    faults = [applied.fault for applied in fixed.applied]
    places = [evolve(f.place, file=path_from_here(f.place.file, ruleset)) for f in faults]
    titles = [applied.fix.title for applied in fixed.applied]
    rows = list(zip(places, faults, titles, strict=True))
    as_json: tuple[dict[str, object], ...] = tuple(
        {"code": fault.code, "headline": fault.headline, "place": str(place), "title": title}
        for place, fault, title in rows
    )
    lines = tuple(f"{place}: {fault.code}: {title}" for place, fault, title in rows)
    left = hr.RulesetError(fixed.faults, fixed.after) if fixed.faults else None
    return Fixes(files, as_json, lines, left and with_places_from_here(left, ruleset))


def write_fixes(fixes: Fixes, *, as_json: bool) -> dict[str, object]:
    """Write the files, say what was done, and give it as JSON.

    Raises:
        OSError: a file cannot be written, or is no longer what it was.
    """
    for changed in fixes.files:
        data = changed.file.read_bytes()
        mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
        text = data.removeprefix(mark).decode()
        if plain_text(text) != changed.before:
            raise OSError(EINVAL, "it was changed meanwhile", str(changed.file))
        atomic_write(changed.file, mark + with_line_ends(changed.after, text).encode())
    if not as_json:
        for line in fixes.lines:
            echo(f"fixed {line}")
    return {"fixed": list(fixes.applied)}


def echo_diff(fixes: Fixes, *, as_json: bool) -> None:
    """Print what the fixes change; the faults that are left go to stderr."""
    diff = "\n".join(changed.diff for changed in fixes.files)
    if as_json:
        faults = diagnostics.as_json(fixes.left.faults if fixes.left else ())
        echo_json({"fixed": list(fixes.applied), "diff": diff, "faults": faults})
    else:
        if diff:
            echo(diff)
        count = len(fixes.lines)
        echo_error(f"{count} {'fault' if count == 1 else 'faults'} would be fixed")
        if fixes.left:
            report(fixes.left)
    fail_if(fixes.left)


def with_line_ends(new: str, old: str) -> str:
    """The new text with the line ends of the old one: unchanged lines keep theirs, others get the most frequent one."""
    old_rows, new_rows = _LINE_END.split(old), new.split("\n")
    old_ends = _LINE_END.findall(old)
    most_frequent = max(("\n", "\r\n", "\r"), key=old_ends.count)
    new_ends = list[str]()
    matcher = difflib.SequenceMatcher(None, old_rows, new_rows, autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        is_line_by_line = kind == "equal" or stop - start == last - first
        kept = old_ends[start:stop] if is_line_by_line else []
        new_ends += [*kept, *[most_frequent] * (last - first - len(kept))]
    # What follows the last line end is no line.
    return "".join(map("".join, zip(new_rows, [*new_ends[:-1], ""], strict=True)))
