"""Output of test cases: a mark for each, the lines that do not hold, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import hots_rules as hr
from hots_rules._text import plain_text
from hots_rules.cli.output.console import console, echo

LINES_BEFORE = 2  # of a file, that are shown above a line that does not hold
MARKS = {"passed": ".", "failed": "F", "other": "s"}


def status(result: hr.testing.CaseResult) -> str:
    """How a case came out: "passed", "failed", or "other" if it is for other rulesets."""
    if result.is_other:
        return "other"
    return "failed" if result.unmet else "passed"


def echo_marks(path: Path, results: Sequence[hr.testing.CaseResult], percent: int) -> None:
    """Print a mark for each result of a file, and how far the run is."""
    marks = "".join(MARKS[status(result)] for result in results)
    color = "red" if "F" in marks else "green"
    width = max(min(console().width, 100), 40)
    end = f"[{percent:3}%]"
    rows = [marks[at : at + width - 8] for at in range(0, len(marks), width - 8)]
    head = f"{path} {rows[0]}"
    lines = [head, *rows[1:]] if len(head) <= width - 8 else [str(path), *rows]
    for line in lines[:-1]:
        echo(line, color)
    echo(f"{lines[-1]:<{width - 7}} {end}", color)


def echo_failures(results: Sequence[hr.testing.CaseResult]) -> None:
    """Print each case that failed: its place, the lines that do not hold, and what was found."""
    failed = [result for result in results if status(result) == "failed"]
    if failed:
        echo(f"{' FAILURES ':=^70}", "bold")
    for result in failed:
        where = f" in {result.ruleset}" if result.ruleset else ""
        echo(f"{result.path}:{result.line} {result.title}{where}", "bold red")
        texts = _lines(result.path)
        for unmet in result.unmet:
            for line, style in _excerpt(unmet, texts):
                echo(line, style)
        echo()


def _excerpt(unmet: hr.testing.UnmetLine, texts: list[str]) -> Iterator[tuple[str, str]]:
    """A line that does not hold with those before it, and what was found; each with its style."""
    if 0 < unmet.line <= len(texts):
        for number in range(max(unmet.line - LINES_BEFORE, 1), unmet.line + 1):
            mark = ">" if number == unmet.line else " "
            yield f"{mark} {number:4} | {texts[number - 1]}", "bold" if mark == ">" else "dim"
    for line in unmet.message.splitlines():
        yield f"E        {line}", "red"
    if unmet.instead and unmet.text and "\n" not in unmet.instead:
        yield f"         now: {unmet.instead}", "dim"


def _lines(path: Path) -> list[str]:
    try:
        return plain_text(path.read_text(encoding="utf-8")).split("\n")
    except OSError:
        return []


def echo_totals(results: Sequence[hr.testing.CaseResult], seconds: float) -> None:
    """Print how many cases failed and held, and the time that they took."""
    counted = Counter(map(status, results))
    for result in results:
        if status(result) == "failed":
            echo(f"FAILED {result.path}:{result.line} {result.title}", "red")
    words = {"failed": "failed", "passed": "passed", "other": "for other rulesets"}
    parts = [f"{counted[key]} {word}" for key, word in words.items() if counted[key]]
    color = "red" if counted["failed"] or not results else "green"
    echo(f"{', '.join(parts) or 'no cases'} in {seconds:.1f} s", f"bold {color}")


def as_json(results: Sequence[hr.testing.CaseResult]) -> dict[str, object]:
    """The results as plain data."""
    return {
        "results": [
            {
                "file": str(result.path),
                "line": result.line,
                "title": result.title,
                "ruleset": result.ruleset,
                "status": status(result),
                "unmet": [
                    {
                        key: getattr(expectation, key)
                        for key in ("line", "text", "message", "instead")
                    }
                    for expectation in result.unmet
                ],
            }
            for result in results
        ]
    }
