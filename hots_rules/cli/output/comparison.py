"""Output of the differences between editions: in their rules, their answers, and a game played under each."""

from __future__ import annotations

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.output.console import echo, echo_side_by_side

MAX_LINES = 20

_CHANGE_STYLES = {"added": "green", "repealed": "red", "amended": "yellow"}
_SAME_MEANING = {"wording": "wording only", "citation": "section number only"}
_VERDICT_STYLES = {"legal": "green", "illegal": "red", "unanswerable": "yellow"}
_DIVERGENCES = {
    "state": "the results differ",
    "asked": "different players are to choose",
    "actions": "different actions are legal",
    "outcome": "the outcomes differ",
}


# ---------------------------------------------------------------- rules
def echo_diff(diff: hr.compare.Diff) -> None:
    """Print all differences between two editions, section by section."""
    echo(f"{diff.old} | {diff.new}", "bold")
    if not diff:
        echo("no differences")
        return
    for section, differences in diff.by_section().items():
        echo()
        echo(_section_title(section, differences), "bold")
        for difference in differences:
            _echo_difference(difference)


def _section_title(section: str, differences: tuple[hr.compare.Difference, ...]) -> str:
    """A section with its heading in each edition."""
    if not section:
        return "no section"
    old = [difference.old for difference in differences]
    new = [difference.new for difference in differences]
    citations = [citation for side in old + new if side is not None for citation in side.cited]
    cited = [citation for citation in citations if citation.section == section]
    headings = dict.fromkeys(f"{citation.edition} {citation.heading}" for citation in cited)
    return f"§{section}  {' | '.join(headings)}"


def _echo_difference(difference: hr.compare.Difference) -> None:
    change, kind = difference.change, difference.kind
    if kind == "label":
        _echo_labels(difference)
        return
    title = f"{change} {kind} {difference.name}{_cited_sections(difference)}"
    echo(title, _CHANGE_STYLES.get(change, ""), indent=2)
    if change in _SAME_MEANING:
        echo("; ".join(difference.reasons) or _SAME_MEANING[change], "dim", indent=4)
    for part in difference.changes:
        old, new = ("absent" if text is None else text for text in (part.old, part.new))
        echo(f"{part.where}: {f'{old} → {new}' if old != new else 'differs'}", indent=4)
    if difference.plays and not (kind == "table" and difference.changes):
        echo_side_by_side(_source(difference.old), _source(difference.new), indent=4)


def _echo_labels(difference: hr.compare.Difference) -> None:
    """Print which labels of a language differ; an edition drops those of sentences that it changes."""
    echo(f"labels in {difference.name}", indent=2)
    for label in difference.changes:
        if label.new is None:
            text = f"dropped, was {label.old}"
        else:
            text = f"added, {label.new}" if label.old is None else f"{label.old} → {label.new}"
        echo(f"{label.where}: {text}", indent=4)


def _cited_sections(difference: hr.compare.Difference) -> str:
    """The sections cited by each edition, once if they are the same."""
    sides = [side.sections if side else () for side in (difference.old, difference.new)]
    lists = (" ".join(f"§{section}" for section in sections) for sections in sides)
    distinct = list(dict.fromkeys(filter(None, lists)))
    return f"  {' | '.join(distinct)}" if distinct else ""


def _source(declaration: hr.explain.Declaration | None) -> str:
    if declaration is None:
        return ""
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
