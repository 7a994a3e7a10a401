"""Odds as a chart, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from hots_rules.analysis.odds import Odds

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def chart(odds: Mapping[str, Odds], question: str) -> Figure:
    """A bar chart of the distributions of a question, with one colour for each of the odds.

    Sampled odds have error bars of their 95 % intervals. The figure belongs to no window; `savefig`
    writes it to a file.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> odds = game.odds(game.actions[0])
    >>> hr.analysis.chart({"after": odds}, "year").axes[0].get_title()
    'year'

    Args:
        odds: the odds by the names of their bars.
        question: an expression over the state.

    Raises:
        ImportError: matplotlib is not installed.
        RulesetError: the question is no expression of the ruleset's language.
    """
    from matplotlib.figure import Figure

    distributions = {name: each.of(question) for name, each in odds.items()}
    values = list(dict.fromkeys(value for column in distributions.values() for value in column))
    values.sort(key=lambda value: (isinstance(value, str), value if value is not None else ""))
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / max(len(odds), 1)
    for number, (name, each) in enumerate(odds.items()):
        probabilities = [distributions[name].get(value, Fraction()) for value in values]
        heights = [100 * float(probability) for probability in probabilities]
        bounds = [each.interval(probability) for probability in probabilities]
        below = [height - 100 * low for height, (low, _) in zip(heights, bounds, strict=True)]
        above = [100 * high - height for height, (_, high) in zip(heights, bounds, strict=True)]
        errors = None if each.exact else [below, above]
        offset = (number - (len(odds) - 1) / 2) * width
        positions = [position + offset for position in range(len(values))]
        label = name if each.exact else f"{name}, sampled"
        axes.bar(positions, heights, width, yerr=errors, label=label)
    axes.set_xticks(range(len(values)), [str(value) for value in values])
    axes.set_ylabel("%")
    axes.set_title(question)
    axes.legend()
    return figure
