"""A study as one HTML page without a server, with the intervals drawn, that prints well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from hots_rules.compare.markup import document, html, tag
from hots_rules.compare.study_texts import (
    EFFECT_HEAD,
    SIDE_HEAD,
    effect_cells,
    estimate_text,
    estimates_table,
    games_table,
    methods,
    pairs_of,
    partings_line,
    places_table,
    played_line,
    policies_table,
    rule_effects,
    rules_line,
    side_rows,
    times_columns,
    title,
    value_rows,
)

if TYPE_CHECKING:
    from hots_rules.compare.studies import Effect, Estimate, PolicyResult, Study

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
pre { background: #f1e8d4; padding: 0.8em; white-space: pre-wrap; }
@media print { body { background: none; max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; } h2:first-of-type { break-before: auto; } table { break-inside: avoid; } }
"""


def page(study: Study) -> str:
    """The report as a page that stands alone."""
    name = title(study)
    body = tag("main", tag("h1", name), tag("p", played_line(study)))
    body.append(_table(SIDE_HEAD, side_rows(study)))
    for result in study.results:
        body.extend(_policy(study, result))
    if len(study.results) > 1 and len(study.sides) > 1:
        body.append(tag("h2", "Policies side by side"))
        body.append(_table(*policies_table(study)))
    body.extend([tag("h2", "Method"), tag("p", methods(study))])
    body.append(tag("p", f"The study file, with the digest {study.plan.digest}:"))
    body.append(tag("pre", study.plan.toml()))
    return document(name, html(body), style=_STYLE)


def _policy(study: Study, result: PolicyResult) -> Iterator[Element]:
    yield tag("h2", f"Policy {result.policy}")
    head, rows = estimates_table(study, result)
    yield _table(head, rows)
    for measure in study.plan.measures:
        if values := value_rows(result, measure):
            yield _table((measure, *result.by_value), values)
    yield from _drawn(study, result)
    for found in result.partings:
        yield tag("p", partings_line(found))
        if found.places:
            yield _table(*places_table(found))
    yield _table(*games_table(result))
    for one, other in pairs_of(result):
        yield tag("h3", f"{other} less {one}")
        effects = [each for each in result.effects if (each.one, each.other) == (one, other)]
        yield _effects(effects)
        if rules := rule_effects(result, one, other):
            yield tag("p", rules_line(result))
            yield _effects(rules, *times_columns(result, rules))


def _drawn(study: Study, result: PolicyResult) -> Iterator[Element]:
    """The shares of all sides with their intervals, one below the other."""
    rows = []
    for side in study.sides:
        for estimate in result.estimates[side.name]:
            if estimate.kind == "share":
                bar = _interval(estimate, 0, 1, estimate.mean)
                rows.append((estimate.figure, side.name, bar, estimate_text(estimate)))
    rows.sort(key=lambda row: row[0])
    yield _table(("share", "side", "0 to 100 %", "estimate"), rows)


def _effects(
    effects: Sequence[Effect], more: Sequence[str] = (), cells: Sequence[Sequence[str]] = ()
) -> Element:
    """A row for each effect, with its interval about no difference; those that are clear are bold.

    There may be more columns.
    """
    rows, clear = list[tuple[str | Element, ...]](), list[bool]()
    for effect, others in zip(effects, cells or [()] * len(effects), strict=True):
        figure, difference, p, pairing = effect_cells(effect)
        like = [each for each in effects if each.kind == effect.kind]
        most = max(
            (abs(end) for each in like for end in (each.low, each.high) if isfinite(end)), default=1
        )
        bar = _interval(effect, -(most or 1), most or 1, effect.difference)
        rows.append((figure, bar, difference, p, pairing, *others))
        clear.append(effect.is_clear)
    figure, *heads = EFFECT_HEAD
    return _table((figure, "less | more", *heads, *more), rows, bold=clear)


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
