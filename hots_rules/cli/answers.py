"""What a talk about the rules says to a question; and disputes, which keep the answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._translate import translator as spoken
from hots_rules.cli.ask import say_matrix
from hots_rules.cli.console import say
from hots_rules.cli.diff import place, say_diff
from hots_rules.cli.odds import say_odds
from hots_rules.cli.show import say_declarations
from hots_rules.cli.table import say_columns

DEPTHS = ("sentence", "paragraph", "tree")
HEAD = "hots_rules dispute 1"
_ODDS = re.compile(r"(?:^|\s+)(until|policy|of)\s+", re.IGNORECASE)


def reply(game: hr.Game, text: str, player: str | None, language: str) -> None:
    """The answer to a question that the ruleset declares, perhaps as one player may know it."""
    say(str(hr.reply(game, text, player=player, language=language)))


def ruling(found: hr.Ruling | hr.CausalTrace, depth: str) -> None:
    """What the rules say of an action, or of what happened."""
    say(found.text(depth))


def legal(game: hr.Game, words: str, language: str) -> None:
    """The legal actions in which all the words stand."""
    wanted = [word.strip() for word in words.split(",") if word.strip()]
    asked = f"actions: {', '.join(wanted)}"
    [answer] = hr.ask(game, asked, editions=[game.ruleset], language=language).answers
    if answer.verdict == "unanswerable":
        say("\n".join(answer.lines), "yellow")
    else:
        said = spoken(language).ngettext("{number} legal", "{number} legal", len(answer.lines))
        say(said, "bold")
        say_columns(answer.lines)


def legal_of(actions: list[str], words: str) -> None:
    """Those of some actions in which all the words stand, whatever the capitals."""
    wanted = [word.strip().casefold() for word in words.split(",")]
    found = [text for text in actions if all(word in text.casefold() for word in wanted)]
    say(f"{len(found)} legal", "bold")
    say_columns(found)


def last_action(game: hr.Game) -> str:
    """The last action of a player in a game."""
    texts = [entry.text for entry in hr.record_of(game).entries]
    return next((text for text in reversed(texts) if not text.startswith("chance:")), "")


def odds(game: hr.Game, text: str) -> None:
    """What may come of the moment or of an action: `[ACTION] [until END] [policy POLICY] [of QUESTION]`."""
    action, *rest = _ODDS.split(f" {text}")
    said = dict(zip((word.lower() for word in rest[::2]), rest[1::2], strict=True))
    found = game.odds(
        action.strip() or None,
        until=said.get("until", "decision").strip(),
        policy=said["policy"].strip() if "policy" in said else None,
    )
    say_odds({game.ruleset.name: found}, [said["of"].strip()] if "of" in said else [])


def show(ruleset: hr.Ruleset, what: str, language: str) -> None:
    """What the rulebook says under a section or a name."""
    say_declarations(ruleset, what, language)


def difference(ruleset: hr.Ruleset, text: str) -> None:
    """What another ruleset has otherwise, perhaps in one section alone."""
    name, _, section = text.partition(" ")
    found = hr.diff(ruleset, place(name))
    say_diff(found.within(section.strip().lstrip("§")) if section else found)


def matrix(game: hr.Game, question: str, language: str) -> None:
    """What every edition says to a question."""
    say_matrix(hr.ask(game, question, language=language), language)


# ------------------------------------------------------------------ disputes
def dispute(game: hr.Game, path: Path, question: str) -> None:
    """Keeps a moment with a question and the answers of all editions.

    Raises:
        OSError: the file cannot be written.
    """
    found = hr.ask(game, question)
    lines = [HEAD, f"question {question}"]
    for answer in found.answers:
        lines += [f"answer {answer.edition}: {answer.verdict}"]
        lines += [f"  {line}" for line in _substance(answer)]
    atomic_write(path, "\n".join([*lines, "", game.record]))


def _substance(answer: hr.EditionAnswer) -> Iterable[str]:
    """What an answer says, and the sections behind it."""
    said = sorted(answer.lines) if answer.verdict == "actions" else answer.lines
    return (*(line for text in said for line in text.split("\n")), *map(str, answer.cited))


def fsync(text: str) -> tuple[hr.AnswerTable, list[str]]:
    """Asks the question of a dispute again; the answers, and where they are not those that were kept.

    Raises:
        BadRecord: the text is no dispute, or its record does not replay.
    """
    head, sign, record = text.partition("\n\n")
    lines = head.split("\n")
    if lines[0] != HEAD or not sign or len(lines) < 2 or not lines[1].startswith("question "):
        raise hr.BadRecord(f"expected a dispute, beginning with `{HEAD}` and `question …`")
    game = hr.replay(hr.parse_record(record))
    found = hr.ask(game, lines[1].removeprefix("question "))
    kept = _kept(lines[2:])
    changed = []
    for answer in found.answers:
        now = [f"{answer.verdict}", *_substance(answer)]
        if answer.edition not in kept:
            changed.append(f"{answer.edition} was not asked then")
        elif kept[answer.edition] != now:
            changed.append(f"{answer.edition} said otherwise: {'; '.join(kept[answer.edition])}")
    gone = kept.keys() - {answer.edition for answer in found.answers}
    return found, [*changed, *(f"{name} cannot be asked any more" for name in sorted(gone))]


def _kept(lines: list[str]) -> dict[str, list[str]]:
    """The answers as they were kept, by edition."""
    found: dict[str, list[str]] = {}
    edition = ""
    for line in lines:
        if head := re.fullmatch(r"answer ([\w.-]+): (\w+)", line):
            edition = head[1]
            found[edition] = [head[2]]
        elif edition and line.startswith("  "):
            found[edition].append(line[2:])
        else:
            raise hr.BadRecord(f"expected an answer of an edition, got `{line[:80]}`")
    return found


def expected(text: str, what: str) -> str:
    """A text that must not be empty.

    Raises:
        typer.BadParameter: it is.
    """
    if not text:
        raise typer.BadParameter(f"expected {what}, got nothing")
    return text
