"""The report of a study: what was played, and for each policy the estimates and the effects, with intervals drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from hots_rules.draw.picture.charts import interval_bar
from hots_rules.report.blocks import Block, Code, Figure, Heading, Paragraph, Row, Table
from hots_rules.report.whole import Report
from hots_rules.study.board_report import board_report
from hots_rules.study.control import StudyBoard
from hots_rules.study.estimates import Effect, PolicyResult
from hots_rules.study.texts import StudyTexts, effects_of, pairs_of, rule_effects


def study_report(texts: StudyTexts, played: str, boards: Mapping[str, StudyBoard]) -> Report:
    """The report of a study.

    Args:
        texts: the texts of the report.
        played: the sentence that says how much was played.
        boards: the board of each side, by its name.
    """
    blocks = tuple(_blocks(texts, played, boards))
    return Report(texts.title, blocks, texts.say.language)


def _blocks(texts: StudyTexts, played: str, boards: Mapping[str, StudyBoard]) -> Iterator[Block]:
    gettext = texts.say.gettext
    yield Heading(texts.title, 1)
    yield Paragraph(played)
    yield texts.played_sides
    for result in texts.results:
        yield from _policy(texts, result, boards)
    if len(texts.results) > 1 and len(texts.sides) > 1:
        yield Heading(gettext("Policies side by side"))
        yield texts.side_by_side
    yield Heading(gettext("Method"))
    yield Paragraph(texts.methods)
    yield Paragraph(texts.file)
    yield Code(texts.plan.toml(), "toml")


def _policy(
    texts: StudyTexts, result: PolicyResult, boards: Mapping[str, StudyBoard]
) -> Iterator[Block]:
    yield Heading(texts.policy(result))
    yield texts.estimates(result)
    for measure in texts.plan.measures:
        if values := texts.values(result, measure):
            yield values
    yield _drawn_shares(texts, result)
    for divergences in result.divergences:
        yield Paragraph(texts.divergences(divergences))
        if divergences.places:
            yield texts.places(divergences)
    yield texts.sample_games(result)
    if result.control:
        yield from board_report(texts, result, boards)
    for first, second in pairs_of(result):
        yield Heading(texts.difference(first, second), 3)
        yield _effects(texts, effects_of(result, first, second))
        if rules := rule_effects(result, first, second):
            yield Paragraph(texts.rules(result))
            yield _effects(texts, rules, *texts.times(result, rules))


def _drawn_shares(texts: StudyTexts, result: PolicyResult) -> Table:
    """The shares of all sides with their intervals, one below the other."""
    gettext, rows = texts.say.gettext, []
    for side in texts.sides:
        for estimate in result.estimates[side.name]:
            if estimate.kind == "share":
                ends = estimate.low, estimate.high
                bar = Figure(interval_bar(estimate.figure, estimate.mean, ends, (0, 1)))
                figure = texts.words.figure(estimate.figure)
                rows.append((figure, side.name, bar, texts.words.estimate(estimate)))
    rows.sort(key=lambda row: row[0])
    head = gettext("share"), gettext("side"), gettext("0 to 100 %"), gettext("estimate")
    return Table.of(head, rows, is_drawing=True)


def _effects(
    texts: StudyTexts,
    effects: Sequence[Effect],
    more: Sequence[str] = (),
    cells: Sequence[Sequence[str]] = (),
) -> Table:
    """A row for each effect, with its interval drawn on an axis around 0, and perhaps with more columns."""
    rows = []
    for effect, others in zip(effects, cells or [()] * len(effects), strict=True):
        figure, *numbers = texts.words.effect_cells(effect)
        same_kind = [candidate for candidate in effects if candidate.kind == effect.kind]
        ends = (end for candidate in same_kind for end in (candidate.low, candidate.high))
        largest = max((abs(end) for end in ends if isfinite(end)), default=1) or 1
        interval = effect.low, effect.high
        bar = interval_bar(effect.figure, effect.difference, interval, (-largest, largest))
        kinds = ("clear",) if effect.is_significant else ()
        rows.append(Row((figure, Figure(bar), *numbers, *others), kinds=kinds))
    head, *heads = texts.effect_head
    return Table.of((head, texts.say.gettext("less | more"), *heads, *more), rows)
