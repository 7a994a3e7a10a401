"""Disputes: files that hold a state of a game, a question, and the answers of all editions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import hots_rules as hr
from hots_rules._files import atomic_write

HEADER = "hots_rules dispute 1"


def write_dispute(path: Path, game: hr.Game, question: str) -> None:
    """Write a dispute: the game, the question, and the answer of each edition.

    Raises:
        OSError: the file cannot be written.
    """
    table = hr.ask(game, question)
    lines = [HEADER, f"question {question}"]
    for answer in table.answers:
        lines.append(f"answer {answer.edition}: {answer.verdict}")
        lines += [f"  {line}" for line in _answer_lines(answer)]
    atomic_write(path, "\n".join([*lines, "", str(game.record)]))


def is_dispute(text: str) -> bool:
    """Whether the text of a file is a dispute."""
    return text.startswith(HEADER)


def recheck_dispute(text: str, limits: hr.Limits) -> tuple[hr.compare.AnswerTable, list[str]]:
    """Ask the question of a dispute again; return the answers, and a message for each change.

    Raises:
        BadRecord: the text is not a dispute, or its record does not replay.
    """
    head, separator, record = text.partition("\n\n")
    lines = head.split("\n")
    if not separator or not head.startswith(f"{HEADER}\nquestion "):
        raise hr.BadRecord(f"not a dispute: it must begin with `{HEADER}` and `question …`")
    game = hr.replay(record, limits=limits)
    table = hr.ask(game, lines[1].removeprefix("question "))
    recorded = _parse_answers(lines[2:])
    changes = []
    for answer in table.answers:
        if answer.edition not in recorded:
            changes.append(f"{answer.edition}: not asked when the dispute was written")
        elif recorded[answer.edition] != [f"{answer.verdict}", *_answer_lines(answer)]:
            before = "; ".join(recorded[answer.edition])
            changes.append(f"{answer.edition}: the answer changed; it was: {before}")
    missing = recorded.keys() - {answer.edition for answer in table.answers}
    return table, [*changes, *(f"{name}: no longer available" for name in sorted(missing))]


def _answer_lines(answer: hr.compare.EditionAnswer) -> Iterable[str]:
    """The lines of an answer, then the sections that it cites."""
    texts = sorted(answer.lines) if answer.verdict == "actions" else answer.lines
    return (*(line for text in texts for line in text.split("\n")), *map(str, answer.cited))


def _parse_answers(lines: list[str]) -> dict[str, list[str]]:
    """The recorded answers by edition."""
    answers: dict[str, list[str]] = {}
    edition = ""
    for line in lines:
        if head := re.fullmatch(r"answer ([\w.-]+): (\w+)", line):
            edition = head[1]
            answers[edition] = [head[2]]
        elif edition and line.startswith("  "):
            answers[edition].append(line[2:])
        else:
            raise hr.BadRecord(f"expected the answer of an edition, got `{line[:80]}`")
    return answers
