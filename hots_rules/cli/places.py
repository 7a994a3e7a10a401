"""The paths of the files of a ruleset from the current folder, so that a click in a terminal opens them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve

import hots_rules as hr
from hots_rules.diagnostics import Fault, RelatedPlace, Span

_FOLDERS_BELOW = 2  # levels below a ruleset in which its editions and house rules are sought
_FOLDERS_ABOVE = 3  # levels above a file of cases in which the files of its ruleset are sought


def path_from_here(name: str, near: str | Path) -> str:
    """The path of a file that a ruleset names, such as `noughts/board.rules`, from the current folder.

    Args:
        name: the name of the file: its folder and its own name.
        near: the ruleset as it was given, or a file in its folder. A name for which there is no file near it, such as
            that of a file of the library, is given back as it is.
    """
    given = Path(near)
    top = Path(os.path.abspath(given))
    if not name or not top.exists():
        return name
    for folder in (top, *list(top.parents)[:_FOLDERS_ABOVE]):
        file = folder / name
        if file.is_file():
            is_below = file.is_relative_to(Path.cwd())
            return str(file) if given.is_absolute() and not is_below else os.path.relpath(file)
    return name


def ruleset_near(name: str, near: str | Path) -> str | Path:
    """The folder or file of a ruleset with a name in the folder of another one, or below it; else the name itself.

    Args:
        name: the name of the ruleset, such as `house-2.0`, or of its folder or file.
        near: the other ruleset as it was given.
    """
    given = Path(near)
    folder = given if given.is_dir() else given.parent
    if name in hr.rulesets() or Path(name).exists() or not given.exists():
        return name
    if (folder / name).exists():
        return folder / name
    head = re.compile(rf"^ruleset[ \t]+{re.escape(name)}[ \t]", re.MULTILINE)
    for depth in range(_FOLDERS_BELOW + 1):
        for file in sorted(folder.glob(f"{'*/' * depth}*.rules")):
            if head.search(file.read_text("utf-8", errors="replace")):
                return file.parent if depth else file
    return name


@contextmanager
def places_from_here(ruleset: str | Path) -> Iterator[None]:
    """Errors of the texts of a ruleset name their files as seen from the current folder.

    Raises:
        RulesetError: the same error, with these names.
    """
    try:
        yield
    except hr.RulesetError as error:
        raise with_places_from_here(error, ruleset) from None


def with_places_from_here(error: hr.RulesetError, ruleset: str | Path) -> hr.RulesetError:
    """The error with the names of files as seen from the current folder."""
    sources = {path_from_here(name, ruleset): text for name, text in error.sources.items()}
    return hr.RulesetError([_from_here(fault, ruleset) for fault in error.faults], sources)


def _from_here(fault: Fault, ruleset: str | Path) -> Fault:
    """A fault in which all places name their files as seen from the current folder."""

    def from_here(span: Span) -> Span:
        return evolve(span, file=path_from_here(span.file, ruleset))

    related = [RelatedPlace(from_here(place.span), place.note) for place in fault.related]
    fixes = [
        evolve(fix, edits=[evolve(edit, span=from_here(edit.span)) for edit in fix.edits])
        for fix in fault.fixes
    ]
    return evolve(fault, place=from_here(fault.place), related=related, fixes=fixes)
