"""A study as a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hots_rules.compare.studies import Effect, Estimate, Partings, PolicyResult, Study

MOST_PLACES = 12
METHODS = (
    "An interval holds its mean with a probability of {level:.0%} at all numbers of games at once, so it may be watched"
    " (Waudby-Smith and Ramdas 2024 for shares; Waudby-Smith and others 2024 for other means)."
    " p is corrected for all {effects} effects of the study by Holm's procedure."
    " Pairing tells how many times as many games without pairs would be needed for the same standard error."
)


def markdown(study: Study) -> str:
    """The report: what was played, and for each policy the estimates and the effects."""
    return "\n".join(_lines(study))


def _lines(study: Study) -> Iterator[str]:
    yield f"# {' against '.join(side.name for side in study.sides)}: {study.scenario}"
    yield ""
    yield f"{_count(study.games)} of each side, seed `{study.seed}`, hots_rules {study.version}."
    if any(result.games < study.planned for result in study.results):
        yield f"It was stopped before the {study.planned:,} games that were planned."
    yield ""
    rows = (
        (side.name, side.ruleset, settings_line(side.settings), f"`{side.digest[:16]}`")
        for side in study.sides
    )
    yield from table(("side", "ruleset", "options and readings", "digest"), rows)
    for result in study.results:
        yield ""
        yield from _policy(study, result)
    if len(study.results) > 1 and len(study.sides) > 1:
        yield ""
        yield from _side_by_side(study)
    yield ""
    yield methods(study)
    yield ""


def methods(study: Study) -> str:
    """How the intervals and p-values were made."""
    effects = sum(len(result.effects) for result in study.results)
    return METHODS.format(level=study.level, effects=effects)


def _policy(study: Study, result: PolicyResult) -> Iterator[str]:
    yield f"## Policy {result.policy}"
    yield ""
    sides = [side.name for side in study.sides]
    figures = [estimate.figure for estimate in result.estimates[sides[0]]]
    rows = (
        (figure, *(estimate_text(result.estimate(side, figure)) for side in sides))
        for figure in figures
    )
    yield from table((f"{_count(result.games)} of each side", *sides), rows)
    for partings in result.partings:
        yield ""
        yield from _partings(partings)
    for one, other in dict.fromkeys((effect.one, effect.other) for effect in result.effects):
        yield ""
        yield f"### {other} less {one}"
        yield ""
        found = (each for each in result.effects if (each.one, each.other) == (one, other))
        yield from table(("figure", "difference", "p", "pairing"), map(effect_cells, found))


def _partings(found: Partings) -> Iterator[str]:
    """How many games part, when, and in which phases."""
    yield f"Pairs of {found.one} and {found.other} that part anywhere: {estimate_text(found.share)}."
    if not found.places:
        return
    yield f"Decisions before, of these: {estimate_text(found.decision)}."
    yield ""
    total = sum(found.places.values())
    rows = (
        (place, f"{count:,}", f"{100 * count / total:.1f} %")
        for place, count in list(found.places.items())[:MOST_PLACES]
    )
    yield from table(("first decision that differs", "pairs", "share"), rows)


def _side_by_side(study: Study) -> Iterator[str]:
    """Whether the finding of a policy holds for all."""
    yield "## Policies side by side"
    yield ""
    policies = [result.policy for result in study.results]
    keys = dict.fromkeys(
        (each.figure, each.one, each.other) for result in study.results for each in result.effects
    )
    rows = (
        (
            f"{figure}: {other} less {one}",
            *_across(study, figure, one, other),
            _verdict(study, figure, one, other),
        )
        for figure, one, other in keys
    )
    yield from table(("effect", *policies, "holds for all"), rows)


def _found(study: Study, figure: str, one: str, other: str) -> list[Effect | None]:
    return [
        next(
            (
                each
                for each in result.effects
                if (each.figure, each.one, each.other) == (figure, one, other)
            ),
            None,
        )
        for result in study.results
    ]


def _across(study: Study, figure: str, one: str, other: str) -> Iterator[str]:
    for effect in _found(study, figure, one, other):
        yield "–" if effect is None else effect_text(effect)


def _verdict(study: Study, figure: str, one: str, other: str) -> str:
    effects = [each for each in _found(study, figure, one, other) if each is not None]
    clear = [each for each in effects if each.is_clear]
    if not clear:
        return "no effect found"
    if len({each.difference > 0 for each in clear}) > 1:
        return "no: other directions"
    return (
        "yes"
        if len(clear) == len(study.results)
        else f"found with {len(clear)} of {len(study.results)}"
    )


# -------------------------------------------------------------- cells
def settings_line(settings: dict[str, str]) -> str:
    """Options and readings in a line."""
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "as usual"


def estimate_text(estimate: Estimate) -> str:
    """A mean with its interval.

    >>> from hots_rules.compare.studies import Estimate
    >>> from hots_rules.compare.study_texts import estimate_text
    >>> estimate_text(Estimate("Fox wins", "share", 0.5, 0.41, 0.59))
    '50.0 % (41.0 to 59.0)'
    """
    return _numbers(estimate.kind, estimate.mean, estimate.low, estimate.high, sign="")


def effect_text(effect: Effect) -> str:
    """A difference with its interval, with signs."""
    return _numbers(effect.kind, effect.difference, effect.low, effect.high, sign="+")


def effect_cells(effect: Effect) -> tuple[str, ...]:
    """The row of an effect."""
    p = "below 0.001" if effect.corrected < 0.001 else f"{effect.corrected:.3f}"
    reduction = "–" if effect.reduction is None else f"{effect.reduction:.2f}"
    return effect.figure, effect_text(effect), p, reduction


def _numbers(kind: str, mean: float, low: float, high: float, sign: str) -> str:
    if kind == "share":
        texts = [f"{100 * value:{sign}.1f}" for value in (mean, low, high)]
        return f"{texts[0]} {'points' if sign else '%'} ({texts[1]} to {texts[2]})"
    texts = [f"{value:{sign}.1f}" for value in (mean, low, high)]
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield f"| {' | '.join(map(_cell, head))} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _count(games: int) -> str:
    return f"{games:,} game" if games == 1 else f"{games:,} games"
