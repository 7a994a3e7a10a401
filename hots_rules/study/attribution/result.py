"""Which differences account for how much of a change in results: Shapley values over groups of differences."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import asdict, frozen

from hots_rules.analysis.simulating.confidence import Interval
from hots_rules.report.blocks import Block, Heading, Paragraph, Table
from hots_rules.report.whole import Report
from hots_rules.study.figure_words import LEVEL_TEXT, StudyWords

MAX_NAMED = 4


@frozen
class GroupEffect:
    """The effect of a group of differences: its Shapley value, or the effect if it is added alone.

    >>> import hots_rules as hr
    >>> effect = hr.study.GroupEffect("rule advance", ("rule advance",), 0.02, 0.01, 0.03)
    >>> effect.value
    0.02

    Attributes:
        name: the name of the group; "others" for all differences that are no group of their own here.
        differences: the ids of its differences.
        value: by how much it changes the figure.
        low: the lower end of its interval.
        high: the upper end.
    """

    name: str
    differences: tuple[str, ...]
    value: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """Where its value lies."""
        return Interval(self.low, self.high)


@frozen
class Unplayable:
    """A group of differences that cannot be added alone: the rules then lead to a position that they cannot play.

    >>> import hots_rules as hr
    >>> hr.study.Unplayable("rule advance", ("rule advance",), "expected a value of 0..8, got 9").name
    'rule advance'

    Attributes:
        name: the name of the group.
        differences: the ids of its differences.
        fault: what went wrong.
    """

    name: str
    differences: tuple[str, ...]
    fault: str


@frozen
class Attribution:
    """The change of a figure from one ruleset to another one, divided among their differences.

    >>> import hots_rules as hr
    >>> effect = hr.study.GroupEffect("rule advance", ("rule advance",), 0.02, 0.01, 0.03)
    >>> found = hr.study.Attribution("a", "b", "short", "White wins", "7", 100, 8, 5, (effect,))
    >>> found.total
    0.02

    Attributes:
        old: the name of the first ruleset.
        new: the name of the second one.
        scenario: the scenario.
        figure: what changes: the share of games that a player wins.
        seed: the seed; game number i has the seed `seed/i`.
        games: the number of games of each ruleset in between.
        orders: the number of sampled orders in which the groups were added.
        rulesets: the number of rulesets that were played, the first and the last included.
        shares: what each group is worth, the largest first.
        policy: what guides the moves.
        alone: what each group changes where it is added alone, in the order of the book; its intervals hold together
            with the probability of one.
        unplayable: the groups that cannot be added alone, in the order of the book.
    """

    old: str
    new: str
    scenario: str
    figure: str
    seed: str
    games: int
    orders: int
    rulesets: int
    shares: tuple[GroupEffect, ...]
    policy: str = "random"
    alone: tuple[GroupEffect, ...] = ()
    unplayable: tuple[Unplayable, ...] = ()

    @property
    def total(self) -> float:
        """The change as a whole, the sum of all shares."""
        return sum(effect.value for effect in self.shares)

    def report(self) -> Report:
        """What each group of differences is worth, the largest first; then what each changes alone."""
        title = f"{self.old} to {self.new}: {self.figure} in {self.scenario}"
        blocks = (*_shapley_values(self), *_effects_alone(self), *_unplayable_groups(self))
        return Report(title, (Heading(title, 1), *blocks))

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return asdict(self)


# ---------------------------------------------------------------- the report
def _shapley_values(attribution: Attribution) -> Iterator[Block]:
    if not attribution.orders:
        return
    yield Paragraph(
        f"The change is {100 * attribution.total:+.1f} points in {_counted(attribution.games, 'game')} of each ruleset,"
        f" seed {attribution.seed}. {_counted(attribution.orders, 'order')} of the groups,"
        f" {_counted(attribution.rulesets, 'ruleset')} played."
    )
    yield Table.of(("worth", "group", "with"), map(_effect_row, attribution.shares))
    yield Paragraph(
        f"A worth is a Shapley value: the mean effect of a group that is added after those before it in an order."
        f" Its interval of {LEVEL_TEXT} is about the games alone."
    )


def _effects_alone(attribution: Attribution) -> Iterator[Block]:
    if not attribution.alone:
        return
    games = _counted(attribution.games, "game")
    yield Paragraph(
        f"Each group added to {attribution.old} alone, in {games}, seed {attribution.seed},"
        f" policy {attribution.policy}:"
    )
    largest_first = sorted(attribution.alone, key=lambda effect: -abs(effect.value))
    yield Table.of(("effect", "group", "with"), map(_effect_row, largest_first))
    yield Paragraph(f"These intervals hold together with a probability of {LEVEL_TEXT}.")


def _unplayable_groups(attribution: Attribution) -> Iterator[Block]:
    if not attribution.unplayable:
        return
    yield Paragraph(
        f"These groups cannot be added to {attribution.old} alone:"
        " the rules then lead to a position that they cannot play."
    )
    yield Table.of(
        ("group", "fault"), ((group.name, group.fault) for group in attribution.unplayable)
    )


def _effect_row(effect: GroupEffect) -> tuple[str, str, str]:
    """What a group is worth, its name, and its differences besides the one that names it."""
    points = StudyWords.of("en").numbers("share", effect.value, effect.low, effect.high, sign="+")
    others = [name for name in effect.differences if name != effect.name]
    many = len(others) > MAX_NAMED
    return points, effect.name, _counted(len(others), "difference") if many else ", ".join(others)


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
