"""What differences are worth: how a player's share of wins changes with each of them, as kept in a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from math import inf

from attrs import frozen

from hots_rules._home import worths_text
from hots_rules._text import plain_text
from hots_rules.compare.agreements import digest_of
from hots_rules.compare.sides import RulesetLike, Side
from hots_rules.diagnostics import DEFAULT_LIMITS
from hots_rules.study.attribution.result import Attribution
from hots_rules.study.figure_words import StudyWords

COLUMNS = [
    *("base", "other", "group", "differences", "figure", "scenario", "policy", "games", "seed"),
    *("change", "low", "high", "digest", "fault"),
]
_BETWEEN = "; "


class MeasuredEffect:
    """A difference of two shares with its interval, as people read it."""

    __slots__ = ()

    value: float
    low: float
    high: float

    @property
    def points(self) -> str:
        """Its value with the interval."""
        return StudyWords.of("en").numbers("share", self.value, self.low, self.high, sign="+")

    @property
    def is_significant(self) -> bool:
        """Whether its interval leaves 0 out."""
        return not self.low <= 0 <= self.high


@frozen
class EffectSize(MeasuredEffect):
    """By how much a figure is larger with the differences of a group than without them.

    >>> import hots_rules as hr
    >>> effect = hr.study.EffectSize("rule a", ("rule a",), "Fox wins", "short", "random", 4000, "7", 0.02, 0.01, 0.03)
    >>> effect.points
    '+2.0 points (+1.0 to +3.0)'

    Attributes:
        group: the name of the group.
        differences: the ids of its differences, which were taken back, or added, together.
        figure: what changes, such as "Fox wins".
        scenario: the scenario that was played.
        policy: what guided the moves.
        games: the number of games with and of games without them, with equal seeds.
        seed: their seed.
        value: by how much the figure is larger in the newer ruleset because of them.
        low: the lower end of its interval; those of all groups of two rulesets hold together.
        high: the upper end.
    """

    group: str
    differences: tuple[str, ...]
    figure: str
    scenario: str
    policy: str
    games: int
    seed: str
    value: float
    low: float
    high: float


def update_effects(
    text: str, attribution: Attribution, base: RulesetLike, other: RulesetLike
) -> str:
    """A CSV file of effect sizes, with what each group of an attribution changes alone in place of older rows.

    A group that cannot be played alone has its fault instead of numbers.

    Args:
        text: the file so far; empty for a new one.
        attribution: what was measured.
        base: the ruleset that differences were added to.
        other: the ruleset that they were taken from.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> plan = hr.study.AttributionPlan(scenario="braveheart", player=rules.players[0], games=1, orders=0)
    >>> found = hr.study.attribute(rules, rules, plan)
    >>> hr.study.update_effects("", found, rules, rules)[:16]
    'base,other,group'
    """
    pair = [attribution.old, attribution.new]
    older_rows = (
        row
        for row in csv.reader(io.StringIO(plain_text(text)))
        if row[:2] not in (pair, COLUMNS[:2])
    )
    # Files of older versions have no column for faults.
    rows = [row + [""] * (len(COLUMNS) - len(row)) for row in older_rows]
    digest = _digest(base, other)
    facts = [
        *(attribution.figure, attribution.scenario, attribution.policy),
        *(str(attribution.games), attribution.seed),
    ]
    for effect in attribution.alone:
        numbers = [f"{value:.6f}" for value in (effect.value, effect.low, effect.high)]
        group = [effect.name, _BETWEEN.join(effect.differences)]
        rows.append([*pair, *group, *facts, *numbers, digest, ""])
    for unplayable in attribution.unplayable:
        group = [unplayable.name, _BETWEEN.join(unplayable.differences)]
        rows.append([*pair, *group, *facts, "", "", "", digest, unplayable.fault])
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
    return file.getvalue()


def effects_of(
    old: RulesetLike, new: RulesetLike, text: str | None = None
) -> Mapping[str, EffectSize]:
    """What the differences from one ruleset to another one are worth, by the ids of the differences.

    A difference has the effect of the smallest group that it is in. Rows about rulesets that play differently now are
    left out.

    >>> import hots_rules as hr
    >>> found = hr.study.effects_of("hots-3.x", "hots-4.0")
    >>> found["phase must_retreat"].games >= 1000
    True

    Args:
        old: the first ruleset, a name or a path or the ruleset.
        new: the second one.
        text: the CSV file; the one that the library keeps without it.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    by_difference: dict[str, EffectSize] = {}
    rows = (row for row in _rows_about(old, new, text) if not row.get("fault"))
    for effect in _read(rows, _name(old)):
        for difference in effect.differences:
            smallest = by_difference.get(difference)
            if smallest is None or len(effect.differences) < len(smallest.differences):
                by_difference[difference] = effect
    return by_difference


def faults_of_unmeasured(
    old: RulesetLike, new: RulesetLike, text: str | None = None
) -> Mapping[str, str]:
    """Why differences from one ruleset to another one are not measured, by their ids: the rules fail with them alone.

    It is the fault of the smallest group that such a difference is in.

    >>> import hots_rules as hr
    >>> hr.study.faults_of_unmeasured("hots-3.x", "hots-4.0")
    {}

    Args:
        old: the first ruleset, a name or a path or the ruleset.
        new: the second one.
        text: the CSV file; the one that the library keeps without it.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    measured, faults = effects_of(old, new, text), dict[str, tuple[float, str]]()
    for row in _rows_about(old, new, text):
        differences = row["differences"].split(_BETWEEN)
        if row.get("fault"):
            for difference in set(differences) - set(measured):
                faults[difference] = min(
                    faults.get(difference, (inf, "")), (len(differences), row["fault"])
                )
    return {difference: fault for difference, (_, fault) in faults.items()}


def _rows_about(old: RulesetLike, new: RulesetLike, text: str | None) -> list[Mapping[str, str]]:
    """The rows about two rulesets that still play as they did."""
    rows = csv.DictReader(io.StringIO(worths_text() if text is None else plain_text(text)))
    names = {_name(old), _name(new)}
    listed = [row for row in rows if {row["base"], row["other"]} == names]
    digest = _digest(old, new) if listed else ""
    return [row for row in listed if row["digest"] == digest]


def _name(ruleset: RulesetLike) -> str:
    return Side.of(ruleset, DEFAULT_LIMITS).name


def _read(rows: Iterable[Mapping[str, str]], old: str) -> Iterable[EffectSize]:
    """The effect sizes of rows; those measured by removing differences from the newer ruleset are negated."""
    for row in rows:
        value, low, high = (float(row[name]) for name in ("change", "low", "high"))
        if row["base"] != old:
            value, low, high = 0.0 - value, 0.0 - high, 0.0 - low
        yield EffectSize(
            row["group"],
            tuple(row["differences"].split(_BETWEEN)),
            row["figure"],
            row["scenario"],
            row["policy"],
            int(row["games"]),
            row["seed"],
            value,
            low,
            high,
        )


def _digest(*rulesets: RulesetLike) -> str:
    """A digest of how two rulesets play, in any order, and of their policies."""
    sides = [Side.of(ruleset, DEFAULT_LIMITS) for ruleset in rulesets]
    policies = sorted(
        repr((side.name, key, comparable.meaning))
        for side in sides
        for key, (_, comparable) in side.declarations.items()
        if key[0] == "policy"
    )
    text = "\n".join((digest_of(*sides), *policies))
    return blake2b(text.encode(), digest_size=12).hexdigest()
