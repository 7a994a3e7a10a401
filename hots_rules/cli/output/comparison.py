"""Output of the differences between editions: in their rules, their answers, and a game played under each."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.output.console import console, echo, echo_columns

MAX_LINES = 20
MIN_COLUMN = 28  # characters of a column in which texts can be read
ABSENT = "–"

_CHANGE_STYLES = {"added": "green", "repealed": "red", "amended": "yellow"}
_VERDICT_STYLES = {"legal": "green", "illegal": "red", "unanswerable": "yellow"}
_DIVERGENCES = {
    "state": "the results differ",
    "asked": "different players are to choose",
    "actions": "different actions are legal",
    "outcome": "the outcomes differ",
}


# ---------------------------------------------------------------- rules
def echo_table(table: hr.compare.DiffTable, *, sources: bool = False) -> None:
    """Print how many rules differ, then the differences by section, with a column for each ruleset.

    Where the columns would be too narrow for texts, they have letters, and the texts are below by letter.
    """
    for sentence in table.summaries():
        echo_columns([sentence], ["bold"])
    is_wide = console().width // len(table.columns) >= MIN_COLUMN
    widths = [0, *(len(name) for name in table.columns)]
    for section in table.shown():
        echo()
        echo_columns([section.title], ["bold cyan"])
        if any(row.cells for row in section.rows):
            head = table.columns if is_wide else ("", *table.columns)
            echo_columns(head, ["dim"] * len(head), widths=() if is_wide else widths, indent=4)
        for row in section.rows:
            cells = ["\n".join(cell) for cell in row.cells]
            if sources and row.effect == "behavioural":
                cells = [_source(cell.declaration) for cell in row.rows[0].cells]
            letters = {} if is_wide else _letters(cells)
            _echo_title(row, [letters[cell] for cell in cells if letters], widths)
            if is_wide and cells:
                echo_columns(cells, indent=4)
            for text, letter in letters.items():
                if text != ABSENT:
                    echo_columns([letter, text], widths=[1, 0], indent=4)


def echo_groups(old: str, new: str, groups: Sequence[hr.compare.Group]) -> None:
    """Print the smallest sets of differences of two rulesets: what each has besides, and the sets within it."""
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


def _echo_title(row: hr.compare.ShownRow, letters: list[str], widths: list[int]) -> None:
    """Print what differs and how, the column of each ruleset, and what is said of all of them."""
    changes = [change for change in row.rows[0].changes if change]
    style = _CHANGE_STYLES.get(changes[0], "") if len(changes) == 1 else "yellow"
    styles = [style if row.effect == "behavioural" else ""] * (1 + len(letters))
    title = f"{row.title} ({row.changes})"
    echo_columns([title, *letters], styles, widths=widths if letters else (), indent=2)
    for note in row.notes:
        echo_columns([note], ["dim"], indent=4)


def _letters(cells: list[str]) -> dict[str, str]:
    """Text → the letter that stands for it; a ruleset without the declaration has a dash."""
    texts = [text for text in dict.fromkeys(cells) if text != ABSENT]
    return {**dict(zip(texts, ascii_lowercase, strict=False)), ABSENT: ABSENT} if texts else {}


def _source(declaration: hr.explain.Declaration | None) -> str:
    if declaration is None:
        return ABSENT
    head = f"{declaration.summary}\n" if declaration.summary else ""
    return f"{head}{declaration.file}:{declaration.line}\n{declaration.source}"


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
            _echo_moment(side)


def _echo_moment(moment: hr.compare.DivergencePoint) -> None:
    echo()
    phase = moment.phase.replace("_", " ")
    status = moment.outcome or f"to choose: {' and '.join(moment.to_move)}, in {phase}"
    echo(f"{moment.edition}: {status}", "bold")
    for text in moment.actions[:MAX_LINES]:
        echo(f"legal only here: {text}", indent=2)
    if len(moment.actions) > MAX_LINES:
        echo(f"and {len(moment.actions) - MAX_LINES} more", "dim", indent=2)
    for cause in moment.causes:
        echo(f"{cause.kind} {cause.name}: {cause.summary}".rstrip(": "), "cyan", indent=2)
        for citation in cause.cited:
            echo(str(citation), "dim", indent=4)
