"""`hots diff`: what one ruleset has otherwise than another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson
from hots_rules.cli.console import console, harmless, say, say_json, say_pair
from hots_rules.cli.exits import DIFFERENT, comparing

_STYLES = {"added": "green", "repealed": "red", "amended": "yellow"}
_SAME_PLAY = {
    "wording": "only worded otherwise",
    "citation": "only in another section",
}


@comparing
def diff(
    old: Annotated[str, typer.Argument(metavar="A", help="A name, a file or a folder.")],
    new: Annotated[str, typer.Argument(metavar="B", help="What it is compared with.")],
    section: Annotated[
        str | None,
        typer.Option("--section", metavar="N", help="Only what cites this section or its parts."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what B has otherwise than A, section by section.

    Ends with 0 where nothing differs, with 1 where something does, with 2 where they cannot be compared.
    """
    found = _compared(old, new)
    if section is not None:
        found = found.within(_known_section(section, old, new))
    say_json(found.as_json()) if as_json else say_diff(found)
    if found:
        raise typer.Exit(DIFFERENT)


def _compared(old: str, new: str) -> hr.Diff:
    err = console(stderr=True)
    if not err.is_terminal:
        return hr.diff(place(old), place(new))
    with err.status(f"comparing {harmless(old)} and {harmless(new)}"):
        return hr.diff(place(old), place(new))


def _known_section(said: str, *rulesets: str) -> str:
    """The number of a section that one of the rulesets has, or that has parts there.

    Raises:
        UnknownOption: neither has it.
    """
    section = said.strip().lstrip("§").strip()
    books = [hr.headings(hr.load(place(name))) for name in rulesets]
    if all(books) and not any(
        section and number.startswith(section) for book in books for number in book
    ):
        raise hr.UnknownOption("section", tuple(sorted({n for book in books for n in book})), said)
    return section


def place(name: str) -> str | Path:
    """A ruleset as it is meant: a name of the list, else a file or a folder if there is one."""
    return name if name in hr.rulesets() or not Path(name).exists() else Path(name)


# ---------------------------------------------------------------- for a person
def say_diff(found: hr.Diff) -> None:
    """All differences, section by section."""
    say(f"{found.old} | {found.new}", "bold")
    if not found:
        say("nothing differs")
        return
    for section, differences in found.by_section().items():
        say()
        say(_title(section, differences), "bold")
        for one in differences:
            _say_one(one)


def _title(section: str, differences: tuple[hr.Difference, ...]) -> str:
    """A section with its heading on both sides."""
    sides = [*(one.old for one in differences), *(one.new for one in differences)]
    cited = (citation for side in sides if side is not None for citation in side.cited)
    named = (f"{one.edition} {one.heading}" for one in cited if one.section == section)
    return f"§{section}  {' | '.join(dict.fromkeys(named))}" if section else "without a section"


def _say_one(one: hr.Difference) -> None:
    say(
        f"{one.change} {one.kind} {one.name}{_sections(one)}", _STYLES.get(one.change, ""), indent=2
    )
    if one.change in _SAME_PLAY:
        say("; ".join(one.reasons) or _SAME_PLAY[one.change], "dim", indent=4)
    for change in one.changes:
        say(f"{change.where}: {_said(change.old)} → {_said(change.new)}", indent=4)
    if one.plays and not (one.kind == "table" and one.changes):
        say_pair(_source(one.old), _source(one.new), indent=4)


def _said(value: str | None) -> str:
    return "nothing" if value is None else value


def _sections(one: hr.Difference) -> str:
    """The sections of both sides, once where they are the same."""
    sides = [side.sections if side else () for side in (one.old, one.new)]
    said = [" ".join(f"§{section}" for section in side) for side in sides]
    kept = list(dict.fromkeys(filter(None, said)))
    return f"  {' | '.join(kept)}" if kept else ""


def _source(side: hr.Declaration | None) -> str:
    if side is None:
        return ""
    head = f"{side.summary}\n" if side.summary else ""
    return f"{head}{side.file}:{side.line}\n{side.source}"
