"""`hots ask`: one question, answered by several editions side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.arguments import AsJson, Language
from hots_rules.cli.console import console, say, say_json
from hots_rules.cli.diff import place
from hots_rules.cli.exits import DIFFERENT, WRONG_USE, comparing
from hots_rules.cli.opening import opened
from hots_rules.cli.situation import At, SituationFile, Under, game_in, is_record, text_of

_STYLES = {"legal": "green", "illegal": "red", "unanswerable": "yellow"}


@comparing
def ask(
    file: SituationFile,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="The text of an action; `actions: WORDS`; or `after: TEXT; roll 2 4`.",
        ),
    ],
    edition: Annotated[
        list[str] | None,
        typer.Option("--edition", metavar="RULESET", help="Whom to ask; may be repeated."),
    ] = None,
    ruleset: Under = None,
    at: At = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Ask every edition one question about a record or a position.

    Ends with 0 where all say the same, with 1 where they do not, with 2 where none can say anything.
    A position needs no --ruleset here: it is read by each edition for itself.
    """
    editions = None if edition is None else [place(name) for name in edition]
    found = _matrix(_moment(file, ruleset, at), question, editions, language)
    say_json(found.as_json()) if as_json else say_matrix(found, language)
    if len(found.silent) == len(found.answers):
        raise typer.Exit(WRONG_USE)
    if not found.agree:
        raise typer.Exit(DIFFERENT)


def _matrix(
    at: hr.Game | str, question: str, editions: list[str | Path] | None, language: str
) -> hr.AnswerTable:
    err = console(stderr=True)
    if not err.is_terminal:
        return hr.ask(at, question, editions=editions, language=language)
    with err.status("asking the editions"):
        return hr.ask(at, question, editions=editions, language=language)


def _moment(file: Path, ruleset: str | None, at: int | None) -> hr.Game | str:
    """The game of a record, or the words of a position."""
    text = text_of(file)
    if ruleset is None and not is_record(text):
        return text
    return game_in(text, None if ruleset is None else opened(ruleset), at=at)


def say_matrix(found: hr.AnswerTable, language: str = "en") -> None:
    """The answers of all editions, one after the other, and whether they agree."""
    said = translator(language)
    say(found.question, "bold")
    for answer in found.answers:
        say()
        verdict = said.gettext("{what}: {value}", what=answer.edition, value=_verdict(said, answer))
        say(verdict, f"bold {_STYLES.get(answer.verdict, '')}".strip())
        for line in answer.lines:
            say(line, indent=2)
        for citation in answer.cited:
            say(str(citation), "dim", indent=4)
        for note in answer.notes:
            say(note, "dim", indent=4)
    say()
    groups = " | ".join(", ".join(names) for names in found.groups())
    differ = said.gettext("they differ: {groups}", groups=groups)
    say(said.gettext("all agree") if found.agree else differ, "bold")


def _verdict(said: Translator, answer: hr.EditionAnswer) -> str:
    match answer.verdict:
        case "legal":
            return said.gettext("legal")
        case "illegal":
            return said.gettext("illegal")
        case "happens":
            return said.gettext("happens")
        case "answer":
            return said.gettext("answer")
        case "unanswerable":
            return said.gettext("unanswerable")
    return said.ngettext("{number} action", "{number} actions", len(answer.lines))
