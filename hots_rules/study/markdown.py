"""A study as a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from hots_rules.study.board_texts import ControlTexts
from hots_rules.study.figure_words import StudyWords
from hots_rules.study.texts import StudyTexts, effects_of, pairs_of, rule_effects

if TYPE_CHECKING:
    from hots_rules.study.result import PolicyResult, Study


def markdown(study: Study, language: str = "en") -> str:
    """The report: what was played, and for each policy the estimates and the effects."""
    return "\n".join(_lines(StudyTexts(study, StudyWords.of(language))))


def _lines(texts: StudyTexts) -> Iterator[str]:
    study, gettext = texts.study, texts.say.gettext
    yield f"# {texts.title}"
    yield ""
    yield texts.played
    yield ""
    yield from table(*texts.sides)
    for result in study.results:
        yield ""
        yield from _policy(texts, result)
    if len(study.results) > 1 and len(study.sides) > 1:
        yield ""
        yield f"## {gettext('Policies side by side')}"
        yield ""
        yield from table(*texts.side_by_side)
    yield ""
    yield f"## {gettext('Method')}"
    yield ""
    yield texts.methods
    yield ""
    yield texts.file
    yield ""
    yield "```toml"
    yield study.plan.toml().rstrip()
    yield "```"
    yield ""


def _policy(texts: StudyTexts, result: PolicyResult) -> Iterator[str]:
    yield f"## {texts.policy(result)}"
    yield ""
    yield from table(*texts.estimates(result))
    for measure in texts.study.plan.measures:
        if values := texts.values(result, measure):
            yield ""
            yield from table(*values)
    for found in result.partings:
        yield ""
        yield texts.partings(found)
        if found.places:
            yield ""
            yield from table(*texts.places(found))
    yield ""
    yield from table(*texts.games_to_look_at(result))
    if result.control:
        control = ControlTexts(texts, result)
        yield ""
        yield control.line
        yield ""
        yield from table(*control.table)
    for one, other in pairs_of(result):
        yield ""
        yield f"### {texts.less(one, other)}"
        yield ""
        found_effects = effects_of(result, one, other)
        yield from table(texts.effect_head, map(texts.words.effect_cells, found_effects))
        if rules := rule_effects(result, one, other):
            yield ""
            yield texts.rules(result)
            yield ""
            heads, cells = texts.times(result, rules)
            counted = zip(map(texts.words.effect_cells, rules), cells, strict=True)
            yield from table((*texts.effect_head, *heads), [(*row, *more) for row, more in counted])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield f"| {' | '.join(map(_cell, head))} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
