"""`hots diverge`: where a recorded game goes another way under another edition."""

from __future__ import annotations

from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson
from hots_rules.cli.console import console, say, say_json
from hots_rules.cli.diff import place
from hots_rules.cli.exits import DIFFERENT, comparing
from hots_rules.cli.situation import At, SituationFile, Under, game_of

MAX_SHOWN = 20
_WHAT = {
    "state": "it brought something else",
    "asked": "another player is asked",
    "actions": "other actions are legal",
    "outcome": "it ends otherwise",
}


@comparing
def diverge(
    file: SituationFile,
    other: Annotated[str, typer.Argument(metavar="RULESET", help="The other edition.")],
    ruleset: Under = None,
    at: At = None,
    as_json: AsJson = False,
) -> None:
    """Replay a record under another edition, to the first moment at which the two part.

    Ends with 0 where they never do, with 1 where they do, with 2 where they cannot be compared.
    """
    found = _found(game_of(file, ruleset, at=at), other)
    say_json(found.as_json()) if as_json else _say(found)
    if found:
        raise typer.Exit(DIFFERENT)


def _found(game: hr.Game, other: str) -> hr.Divergence:
    err = console(stderr=True)
    if not err.is_terminal:
        return hr.divergence(game, place(other))
    with err.status("playing the game twice"):
        return hr.divergence(game, place(other))


def _say(found: hr.Divergence) -> None:
    say(f"{found.old} | {found.new}", "bold")
    for note in found.notes:
        say(note, "dim", indent=2)
    if not found:
        say(f"they play alike to the end of the record, {found.of} decisions")
        return
    after = f"after {found.at} of {found.of} decisions" if found.at else "at the beginning"
    say(f"{after}, {_WHAT[found.what]}", "bold yellow")
    if found.text:
        say(found.text, indent=2)
    for change in found.changes[:MAX_SHOWN]:
        say(f"{change.where}: {change.old} | {change.new}", indent=2)
    for side in (found.here, found.there):
        if side is not None:
            _say_side(side)


def _say_side(side: hr.Moment) -> None:
    say()
    asked = f"to choose: {' and '.join(side.to_move)}, in {side.phase.replace('_', ' ')}"
    say(f"{side.edition}: {side.outcome or asked}", "bold")
    for text in side.actions[:MAX_SHOWN]:
        say(f"only here: {text}", indent=2)
    if len(side.actions) > MAX_SHOWN:
        say(f"and {len(side.actions) - MAX_SHOWN} more", "dim", indent=2)
    for cause in side.causes:
        say(f"{cause.kind} {cause.name}: {cause.summary}".rstrip(": "), "cyan", indent=2)
        for citation in cause.cited:
            say(str(citation), "dim", indent=4)
