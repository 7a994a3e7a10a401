"""Output of a witness: the position, the action, and what each edition says about it."""

from __future__ import annotations

from collections.abc import Sequence

import hots_rules as hr
from hots_rules.cli.output.console import echo

MAX_LINES = 20
_STYLES = {"legal": "green", "illegal": "red"}


def echo_no_witness(search: hr.witness.Search) -> None:
    """Print what was tried without finding a witness, or why none is kept."""
    if search.is_kept:
        echo(f"no witness is known: {search.tried}")
        echo("`--search` searches one all the same", "dim")
    else:
        echo(f"no witness found: {search.tried}")


def echo_witness(
    witness: hr.witness.Witness,
    answers: tuple[hr.compare.EditionAnswer, ...],
    more: Sequence[str] = (),
    *,
    shows_all: bool = False,
) -> None:
    """Print a witness with the answer of each edition; `more` are differences that came along with its own.

    The lines of its position are those on which the answers depend; with `shows_all`, all lines.
    """
    echo(f"{witness.old} | {witness.new}", "bold")
    if witness.without:
        echo(f"{witness.old} without {', '.join(witness.without)}, and with it", "dim")
    elif witness.isolates:
        names = ", ".join(witness.isolates)
        echo(f"isolates: {names}" + (f"; with {', '.join(more)}" if more else ""), "dim")
    settings = [
        ", ".join(f"{key}={value}" for key, value in settings.items())
        for settings in witness.settings
    ]
    for name, chosen in zip((witness.old, witness.new), settings, strict=True):
        if chosen:
            echo(f"{name}: {chosen}", "dim")
    echo()
    echo(f"scenario {witness.scenario}" if witness.scenario else "position", "bold")
    facts = hr.witness.position_facts(
        witness, [line for answer in answers for line in answer.lines]
    )
    for line in witness.position.splitlines() if shows_all else facts.essential:
        echo(line.strip(), indent=2)
    if facts.others and not shows_all:
        echo(f"and {len(facts.others)} more lines: `--all` shows them", "dim", indent=2)
    for text in witness.play:
        echo(f"then: {text}", indent=2)
    echo(" ".join(("action:", witness.action)) if witness.action else "at its beginning", "bold")
    for text in witness.chance:
        echo(text, indent=2)
    for answer, chosen in zip(answers, settings, strict=True):
        _echo_answer(answer, f" with {chosen}" if chosen else "")


def _echo_answer(answer: hr.compare.EditionAnswer, chosen: str) -> None:
    verdict = "result" if answer.verdict == "happens" else answer.verdict
    echo()
    echo(f"{answer.edition}{chosen}: {verdict}", f"bold {_STYLES.get(verdict, '')}".strip())
    lines = answer.changes or answer.lines
    for line in lines[:MAX_LINES]:
        echo(line, indent=2)
    if len(lines) > MAX_LINES:
        echo(f"and {len(lines) - MAX_LINES} more", "dim", indent=2)
    if answer.changes:
        for line in answer.lines[:MAX_LINES]:
            echo(line, "dim", indent=4)
    for citation in answer.cited:
        echo(str(citation), "dim", indent=4)
