"""Output of the differences between editions: in their rules, their answers, and a game played under each."""

from __future__ import annotations

from collections.abc import Sequence

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.output.console import echo

MAX_LINES = 20

_VERDICT_STYLES = {"legal": "green", "illegal": "red", "unanswerable": "yellow"}
_DIVERGENCES = {
    "state": "the results differ",
    "asked": "different players are to choose",
    "actions": "different actions are legal",
    "outcome": "the outcomes differ",
}


# ---------------------------------------------------------------- rules
def echo_groups(old: str, new: str, groups: Sequence[hr.compare.DifferenceGroup]) -> None:
    """Print the smallest sets of differences that work alone: the other members of each, and the sets within it."""
    echo(
        f"{old} → {new}: {len(groups)} {'set that works' if len(groups) == 1 else 'sets that work'} alone",
        "bold",
    )
    for group in groups:
        echo()
        echo(group.name, "bold cyan")
        others = [name for name in group.differences if name != group.name]
        for title, names in (("with", others), ("contains the set of", group.requires)):
            if names:
                echo(f"{title} {', '.join(names)}", indent=2)


# ---------------------------------------------------------------- answers
def echo_answers(table: hr.compare.AnswerTable, language: str = "en") -> None:
    """Print the answer of each edition, then whether they agree."""
    t = translator(language)
    echo(table.question, "bold")
    for answer in table.answers:
        echo()
        verdict = t.gettext("{what}: {value}", what=answer.edition, value=_verdict(t, answer))
        echo(verdict, f"bold {_VERDICT_STYLES.get(answer.verdict, '')}".strip())
        for line in answer.lines:
            echo(line, indent=2)
        for line in (*map(str, answer.cited), *answer.notes):
            echo(line, "dim", indent=4)
    echo()
    groups = " | ".join(", ".join(names) for names in table.groups())
    differ = t.gettext("the answers differ: {groups}", groups=groups)
    echo(t.gettext("all editions agree") if table.agree else differ, "bold")


def _verdict(t: Translator, answer: hr.compare.EditionAnswer) -> str:
    verdicts = {
        "legal": t.gettext("legal"),
        "illegal": t.gettext("illegal"),
        "actions": t.ngettext("{number} action", "{number} actions", len(answer.lines)),
        "happens": t.gettext("result"),
        "answer": t.gettext("answer"),
        "unanswerable": t.gettext("no answer"),
    }
    return verdicts[answer.verdict]


# ---------------------------------------------------------------- games
def echo_divergence(divergence: hr.compare.Divergence) -> None:
    """Print where a game diverges under another edition, and the rules responsible."""
    echo(f"{divergence.old} | {divergence.new}", "bold")
    for note in divergence.notes:
        echo(note, "dim", indent=2)
    if not divergence:
        echo(f"no divergence in {divergence.of} decisions")
        return
    after = f"after {divergence.at} of {divergence.of} decisions"
    place = after if divergence.at else "at the start"
    echo(f"{place}, {_DIVERGENCES[divergence.what]}", "bold yellow")
    if divergence.text:
        echo(divergence.text, indent=2)
    for change in divergence.changes[:MAX_LINES]:
        echo(f"{change.where}: {change.old} | {change.new}", indent=2)
    for side in (divergence.here, divergence.there):
        if side is not None:
            _echo_side(side)


def _echo_side(point: hr.compare.DivergencePoint) -> None:
    echo()
    phase = point.phase.replace("_", " ")
    status = point.outcome or f"to choose: {' and '.join(point.to_move)}, in {phase}"
    echo(f"{point.edition}: {status}", "bold")
    for text in point.actions[:MAX_LINES]:
        echo(f"legal only here: {text}", indent=2)
    if len(point.actions) > MAX_LINES:
        echo(f"and {len(point.actions) - MAX_LINES} more", "dim", indent=2)
    for cause in point.causes:
        echo(f"{cause.kind} {cause.name}: {cause.summary}".rstrip(": "), "cyan", indent=2)
        for citation in cause.cited:
            echo(str(citation), "dim", indent=4)
