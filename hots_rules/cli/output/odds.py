"""Probabilities as tables, with one column for each ruleset, option or reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import hots_rules as hr
from hots_rules.cli.arguments import format_value
from hots_rules.cli.output.console import echo

Distribution = Mapping[Any, Fraction]  # the probability of each answer; answers may have any type
UNFINISHED = "unfinished"


def echo_odds(columns: Mapping[str, hr.analysis.Odds], questions: Sequence[str]) -> None:
    """Print a table for each question, or without questions for each state entry that may change."""
    results = list(columns.values())
    if questions:
        tables = {question: [odds.of(question) for odds in results] for question in questions}
    else:
        tables = _changes(results)
    for name, odds in columns.items():
        exact = f"exact, {odds.states:,} {'state' if odds.states == 1 else 'states'}"
        echo(
            f"{name}: {exact if odds.exact else f'estimated from {odds.samples:,} samples'}",
            "bold" if odds.exact else "bold yellow",
        )
    certain = [title for title, table in tables.items() if not questions and _is_certain(table)]
    for title, table in tables.items():
        if title not in certain:
            _echo_table(title, table, results)
    if certain:
        echo()
        echo("certain", "bold cyan")
        for title in certain:
            echo(f"{title}  {next(iter(tables[title][0]))}", indent=2)
    if not tables:
        echo("nothing changes")
    if any(odds.outcomes.keys() != {UNFINISHED} for odds in results):
        _echo_table("outcome of the game", [odds.outcomes for odds in results], results)


def _changes(results: list[hr.analysis.Odds]) -> dict[str, list[dict[Any, Fraction]]]:
    """The distribution of each state entry that may change, for each column."""
    changes = [odds.changes() for odds in results]
    entries = dict.fromkeys(entry for column in changes for entry in column)
    return {entry: [dict(column.get(entry, {})) for column in changes] for entry in entries}


def _is_certain(table: Sequence[Distribution]) -> bool:
    return len(table[0]) == 1 and all(column == table[0] for column in table)


def _echo_table(title: str, table: Sequence[Distribution], results: list[hr.analysis.Odds]) -> None:
    echo()
    echo(title, "bold cyan")
    answers = {format_value(answer): answer for column in table for answer in column}
    width = max(map(len, answers), default=0)
    for text, answer in answers.items():
        cells = (
            percentage(column.get(answer, Fraction()), odds)
            for column, odds in zip(table, results, strict=True)
        )
        echo(f"{text:{width}}  {'  '.join(cells)}", indent=2)


def percentage(probability: Fraction, odds: hr.analysis.Odds) -> str:
    """The probability in percent, with its confidence interval if it is an estimate."""
    text = f"{100 * float(probability):6.2f} %"
    if odds.exact:
        return text
    low, high = odds.interval(probability)
    return f"{text} ({100 * low:.2f}-{100 * high:.2f})"
