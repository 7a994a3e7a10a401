"""A study as one HTML page without a server, with the intervals drawn, that prints well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from hots_rules.compare.markup import document, html, picture, tag
from hots_rules.study.board_texts import ControlTexts
from hots_rules.study.figure_words import StudyWords
from hots_rules.study.texts import StudyTexts, effects_of, pairs_of, rule_effects

if TYPE_CHECKING:
    from hots_rules.study.result import Effect, Estimate, PolicyResult, Study

_WIDTH, _HEIGHT, _EDGE = 260, 18, 8
_STYLE = """
body { font: 15px/1.5 "Segoe UI", Lato, "DejaVu Sans", Arial, sans-serif; color: #2a2118; background: #fffdf8;
  max-width: 75em; margin: 0 auto; padding: 1em; }
h1, h2, h3 { color: #15366b; }
table { border-collapse: collapse; margin: 0.8em 0; }
th, td { border: 1px solid #c9bda5; padding: 0.25em 0.6em; text-align: left; vertical-align: middle; }
thead th { background: #f1e8d4; }
.clear td { font-weight: 700; }
svg { display: block; }
.boards { display: flex; flex-wrap: wrap; gap: 1em; }
.boards figure { flex: 1 1 22em; max-width: 34em; margin: 0; break-inside: avoid; }
.boards.small figure { flex-basis: 11em; max-width: 16em; }
.boards svg { width: 100%; height: auto; border: 1px solid #c9bda5; }
.boards path, .boards rect, .key i { print-color-adjust: exact; }
.key i { display: inline-block; width: 1em; height: 1em; border: 1px solid #2a2118; vertical-align: -0.1em; }
.key span { margin-right: 1em; }
pre { background: #f1e8d4; padding: 0.8em; white-space: pre-wrap; }
@media print { body { background: none; max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; } h2:first-of-type { break-before: auto; } table { break-inside: avoid; } }
"""


def page(study: Study, language: str = "en") -> str:
    """The report as a page that stands alone."""
    texts = StudyTexts(study, StudyWords.of(language))
    gettext = texts.say.gettext
    body = tag("main", tag("h1", texts.title), tag("p", texts.played), _table(*texts.sides))
    for result in study.results:
        body.extend(_policy(texts, result))
    if len(study.results) > 1 and len(study.sides) > 1:
        body.extend([tag("h2", gettext("Policies side by side")), _table(*texts.side_by_side)])
    body.extend([tag("h2", gettext("Method")), tag("p", texts.methods)])
    body.extend([tag("p", texts.file), tag("pre", study.plan.toml())])
    return document(texts.title, html(body), style=_STYLE, language=language)


def _policy(texts: StudyTexts, result: PolicyResult) -> Iterator[Element]:
    yield tag("h2", texts.policy(result))
    yield _table(*texts.estimates(result))
    for measure in texts.study.plan.measures:
        if values := texts.values(result, measure):
            yield _table(*values)
    yield _drawn(texts, result)
    for found in result.partings:
        yield tag("p", texts.partings(found))
        if found.places:
            yield _table(*texts.places(found))
    yield _table(*texts.games_to_look_at(result))
    if result.control:
        yield from _control(ControlTexts(texts, result), texts)
    for one, other in pairs_of(result):
        yield tag("h3", texts.less(one, other))
        yield _effects(texts, effects_of(result, one, other))
        if rules := rule_effects(result, one, other):
            yield tag("p", texts.rules(result))
            yield _effects(texts, rules, *texts.times(result, rules))


def _control(control: ControlTexts, texts: StudyTexts) -> Iterator[Element]:
    """The boards, coloured by who holds what: of all games, then of those that end at each value of a measure."""
    yield tag("h3", texts.say.gettext("Who holds what"))
    yield tag("p", control.line)
    key = [
        tag("span", tag("i", style=f"background: {colour}"), f" {player} ")
        for player, colour in control.colours.items()
    ]
    yield tag("p", *key, class_="key")
    yield _boards(control.pictures(control.of_all_games), "boards")
    if texts.study.plan.measures:
        measure = texts.study.plan.measures[0]
        for value, controls in control.by_value.items():
            yield tag("h4", f"{measure} {value}")
            yield _boards(control.pictures(controls), "boards small")
    yield _table(*control.table)


def _boards(pictures: Iterable[tuple[str, str]], kind: str) -> Element:
    figures = [
        tag("figure", picture(svg), tag("figcaption", about)) for about, svg in pictures if svg
    ]
    return tag("div", *figures, class_=kind)


def _drawn(texts: StudyTexts, result: PolicyResult) -> Element:
    """The shares of all sides with their intervals, one below the other."""
    gettext, rows = texts.say.gettext, []
    for side in texts.study.sides:
        for estimate in result.estimates[side.name]:
            if estimate.kind == "share":
                bar = _interval(estimate, 0, 1, estimate.mean)
                figure = texts.words.figure(estimate.figure)
                rows.append((figure, side.name, bar, texts.words.estimate(estimate)))
    rows.sort(key=lambda row: row[0])
    head = gettext("share"), gettext("side"), gettext("0 to 100 %"), gettext("estimate")
    return _table(head, rows)


def _effects(
    texts: StudyTexts,
    effects: Sequence[Effect],
    more: Sequence[str] = (),
    cells: Sequence[Sequence[str]] = (),
) -> Element:
    """A row for each effect, with its interval about no difference; those that are clear are bold.

    There may be more columns.
    """
    rows, clear = list[tuple[str | Element, ...]](), list[bool]()
    for effect, others in zip(effects, cells or [()] * len(effects), strict=True):
        figure, difference, p, pairing = texts.words.effect_cells(effect)
        like = [each for each in effects if each.kind == effect.kind]
        most = max(
            (abs(end) for each in like for end in (each.low, each.high) if isfinite(end)), default=1
        )
        bar = _interval(effect, -(most or 1), most or 1, effect.difference)
        rows.append((figure, bar, difference, p, pairing, *others))
        clear.append(effect.is_clear)
    head, *heads = texts.effect_head
    return _table((head, texts.say.gettext("less | more"), *heads, *more), rows, bold=clear)


def _table(
    head: Sequence[str],
    rows: Iterable[Sequence[str | Element]],
    bold: Sequence[bool] = (),
) -> Element:
    body = tag("tbody")
    for number, row in enumerate(rows):
        is_bold = bool(bold) and bold[number]
        attributes = {"class_": "clear"} if is_bold else {}
        body.append(tag("tr", *(tag("td", cell) for cell in row), **attributes))
    return tag("table", tag("thead", tag("tr", *(tag("th", each) for each in head))), body)


def _interval(found: Estimate | Effect, low: float, high: float, mean: float) -> Element:
    """A line from the lower to the upper end of an interval, with a mark at the mean, and one at 0 between them."""

    def at(value: float) -> float:
        inside = min(max(value, low), high)
        return _EDGE + (_WIDTH - 2 * _EDGE) * (inside - low) / (high - low)

    middle = _HEIGHT / 2
    bar = tag("svg", viewBox=f"0 0 {_WIDTH} {_HEIGHT}", width=f"{_WIDTH}", height=f"{_HEIGHT}")
    bar.set("role", "img")
    bar.set("aria-label", found.figure)
    axis = {"stroke": "#c9bda5", "stroke_width": "1"}
    bar.append(_line(at(low), middle, at(high), middle, **axis))
    bar.append(_line(at(0.0), 1, at(0.0), _HEIGHT - 1, **axis))
    strong = {"stroke": "#15366b", "stroke_width": "3"}
    bar.append(_line(at(found.low), middle, at(found.high), middle, **strong))
    bar.append(tag("circle", cx=f"{at(mean):.1f}", cy=f"{middle:g}", r="4", fill="#a3231f"))
    return bar


def _line(x1: float, y1: float, x2: float, y2: float, **drawn: str) -> Element:
    return tag("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", **drawn)
