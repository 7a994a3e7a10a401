"""A study as a report in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hots_rules.compare.attributions import Attribution, Share
    from hots_rules.compare.studies import Effect, Estimate, Partings, PolicyResult, Study

MOST_PLACES = 12
MOST_RULES = 15
MOST_NAMED = 4
LEVEL_TEXT = "95 %"
SIDE_HEAD = ("side", "ruleset", "options and readings", "digest")
EFFECT_HEAD = ("figure", "difference", "p", "pairing")
METHODS = (
    "An interval holds its mean with a probability of {level} at all numbers of games at once, so it may be watched"
    " (Waudby-Smith and Ramdas 2024 for shares; Waudby-Smith and others 2024 for other means)."
    " p is corrected for all {effects} effects of the study by Holm's procedure."
    " Pairing tells how many times as many games without pairs would be needed for the same standard error."
)


def markdown(study: Study) -> str:
    """The report: what was played, and for each policy the estimates and the effects."""
    return "\n".join(_lines(study))


def _lines(study: Study) -> Iterator[str]:
    yield f"# {title(study)}"
    yield ""
    yield played_line(study)
    yield ""
    yield from table(SIDE_HEAD, side_rows(study))
    for result in study.results:
        yield ""
        yield from _policy(study, result)
    if len(study.results) > 1 and len(study.sides) > 1:
        yield ""
        yield "## Policies side by side"
        yield ""
        yield from table(*policies_table(study))
    yield ""
    yield "## Method"
    yield ""
    yield methods(study)
    yield ""
    yield f"The study file, with the digest `{study.plan.digest}`:"
    yield ""
    yield "```toml"
    yield study.plan.toml().rstrip()
    yield "```"
    yield ""


def attribution_markdown(found: Attribution) -> str:
    """What each group of differences is worth, the largest first."""
    rows = [
        (_numbers("share", share.value, share.low, share.high, sign="+"), share.name, _with(share))
        for share in found.shares
    ]
    lines = [
        f"# {found.old} to {found.new}: {found.figure} in {found.scenario}",
        "",
        f"The change is {100 * found.total:+.1f} points in {_count(found.games)} of each ruleset, seed {found.seed}."
        f" {_counted(found.orders, 'order')} of the groups, {_counted(found.rulesets, 'ruleset')} played.",
        "",
        *table(("worth", "group", "with"), rows),
        "",
        f"A worth is a Shapley value: the mean effect of a group that is added after those before it in an order."
        f" Its interval of {LEVEL_TEXT} is about the games alone.",
        "",
    ]
    return "\n".join(lines)


def _with(share: Share) -> str:
    """The differences of a group besides the one that names it."""
    others = [each for each in share.differences if each != share.name]
    return ", ".join(others) if len(others) <= MOST_NAMED else _counted(len(others), "difference")


def title(study: Study) -> str:
    """The title of the report."""
    return f"{' against '.join(side.name for side in study.sides)}: {study.plan.scenario}"


def played_line(study: Study) -> str:
    """How much was played, in a sentence or two."""
    games = f"{_count(study.games)} of each side"
    stopped = any(result.games < study.plan.games for result in study.results)
    early = f" It ended before the {study.plan.games:,} games that were planned." if stopped else ""
    seconds = f"{study.seconds:,.0f} seconds by {study.backend}"
    return f"{games}, seed {study.plan.seed}, {seconds}, hots_rules {study.version}.{early}"


def side_rows(study: Study) -> Iterator[tuple[str, ...]]:
    """A row for each side; see `SIDE_HEAD`."""
    for side in study.sides:
        yield side.name, side.ruleset, settings_line(side.settings), side.digest[:16]


def methods(study: Study) -> str:
    """How the intervals and p-values were made."""
    effects = sum(len(result.effects) + len(result.rules.effects) for result in study.results)
    return METHODS.format(level=LEVEL_TEXT, effects=effects)


def _policy(study: Study, result: PolicyResult) -> Iterator[str]:
    yield f"## Policy {result.policy}"
    yield ""
    yield from table(*estimates_table(study, result))
    for measure in study.plan.measures:
        if rows := value_rows(result, measure):
            yield ""
            yield from table((measure, *result.by_value), rows)
    for partings in result.partings:
        yield ""
        yield from _partings(partings)
    yield ""
    yield from table(*games_table(result))
    for one, other in pairs_of(result):
        yield ""
        yield f"### {other} less {one}"
        yield ""
        found = (each for each in result.effects if (each.one, each.other) == (one, other))
        yield from table(EFFECT_HEAD, map(effect_cells, found))
        if rules := rule_effects(result, one, other):
            yield ""
            yield rules_line(result)
            yield ""
            heads, cells = times_columns(result, rules)
            counted = zip(rules, cells, strict=True)
            yield from table(
                (*EFFECT_HEAD, *heads), [(*effect_cells(each), *more) for each, more in counted]
            )


def estimates_table(study: Study, result: PolicyResult) -> Table:
    """The estimates of all sides, a row for each figure."""
    sides = [side.name for side in study.sides]
    figures = [estimate.figure for estimate in result.estimates[sides[0]]]
    rows = [
        (figure, *(estimate_text(result.estimate(side, figure)) for side in sides))
        for figure in figures
    ]
    return (f"{_count(result.games)} of each side", *sides), rows


def value_rows(result: PolicyResult, measure: str) -> list[tuple[str, ...]]:
    """For each value of a measure at the end, the share of games on each side, and who won them."""
    sides = [found[measure] for found in result.by_value.values()]
    values = sorted({value for side in sides for value in side})
    return [
        (f"{value}", *(_wins_cell(side.get(value, {}), result.games) for side in sides))
        for value in values
        if all(sides)
    ]


def _wins_cell(outcomes: dict[str, int], games: int) -> str:
    """The share of all games that end so, and the part of each outcome in it."""
    if not outcomes:
        return "–"
    parts = (f"{name} {100 * count / games:.1f}" for name, count in sorted(outcomes.items()))
    return f"{100 * sum(outcomes.values()) / games:.1f} % ({', '.join(parts)})"


def games_table(result: PolicyResult) -> Table:
    """The games to look at; `hots study --records DIR` writes their records."""
    rows = [(each.kind, each.side, f"{each.number}") for each in result.games_to_look_at]
    return ("game to look at", "side", "number"), rows


def pairs_of(result: PolicyResult) -> list[tuple[str, str]]:
    """The pairs of sides that are compared."""
    return [(partings.one, partings.other) for partings in result.partings]


def rule_effects(result: PolicyResult, one: str, other: str) -> list[Effect]:
    """The largest differences in how often rules come up; those without any are left out."""
    found = (each for each in result.rules.effects if (each.one, each.other) == (one, other))
    kept = sorted(
        (each for each in found if each.difference), key=lambda each: -abs(each.difference)
    )
    return kept[:MOST_RULES]


def rules_line(result: PolicyResult) -> str:
    """What the table of rules is about."""
    return f"In {_count(result.rules.games)} of each side, these come up in more or in fewer:"


def times_columns(
    result: PolicyResult, effects: Sequence[Effect]
) -> tuple[tuple[str, str], list[tuple[str, ...]]]:
    """How often rules come up in a game on average, on both sides of effects: two heads, and two cells for each."""
    sides = effects[0].one, effects[0].other
    cells = [
        tuple(f"{result.rules.mean_times(side, each.figure):.2f}" for side in sides)
        for each in effects
    ]
    return (f"times in a game, {sides[0]}", f"times in a game, {sides[1]}"), cells


def places_table(found: Partings) -> Table:
    """In which phases games part, those of most games first."""
    total = sum(found.places.values())
    rows = [
        (place, f"{count:,}", f"{100 * count / total:.1f} %")
        for place, count in list(found.places.items())[:MOST_PLACES]
    ]
    return ("first decision that differs", "pairs", "share"), rows


def _partings(found: Partings) -> Iterator[str]:
    """How many games part, when, and in which phases."""
    yield partings_line(found)
    if not found.places:
        return
    yield ""
    yield from table(*places_table(found))


def partings_line(found: Partings) -> str:
    """How many games part, and when."""
    share = (
        f"Pairs of {found.one} and {found.other} that part anywhere: {estimate_text(found.share)}."
    )
    return f"{share} Decisions before: {estimate_text(found.decision)}." if found.places else share


def policies_table(study: Study) -> Table:
    """Whether what is found with a policy holds for all."""
    policies = [result.policy for result in study.results]
    keys = dict.fromkeys(
        (each.figure, each.one, each.other) for result in study.results for each in result.effects
    )
    rows = [
        (
            f"{figure}: {other} less {one}",
            *_across(study, figure, one, other),
            _verdict(study, figure, one, other),
        )
        for figure, one, other in keys
    ]
    return ("effect", *policies, "holds for all"), rows


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
Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""The head of a table, and its rows."""


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
    return _counted(games, "game")


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
