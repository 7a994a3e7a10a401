"""Odds as a chart; matplotlib, the extra `plot`, is imported when one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hots_rules.analysis.odds import Odds

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def chart(odds: Mapping[str, Odds], question: str) -> Figure:
    """The answers to a question as bars, one colour for each of several odds by their names.

    Sampled odds bear their 95 % intervals. The figure belongs to no window; `savefig` writes it.

    Raises:
        ImportError: matplotlib is not installed.
        RulesetError: the question is no expression of the ruleset's language.
    """
    from matplotlib.figure import Figure

    shares = {name: one.of(question) for name, one in odds.items()}
    answers = list(dict.fromkeys(answer for found in shares.values() for answer in found))
    answers.sort(key=lambda answer: (isinstance(answer, str), answer if answer is not None else ""))
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / max(len(odds), 1)
    for number, (name, one) in enumerate(odds.items()):
        heights = [shares[name].get(answer, Fraction()) for answer in answers]
        bounds = [one.interval(height) for height in heights] if not one.exact else []
        reach: Any = None
        if bounds:
            pairs = list(zip(heights, bounds, strict=True))
            reach = [
                [100 * (float(h) - b[0]) for h, b in pairs],
                [100 * (b[1] - float(h)) for h, b in pairs],
            ]
        places = [place + (number - (len(odds) - 1) / 2) * width for place in range(len(answers))]
        label = name if one.exact else f"{name}, sampled"
        axes.bar(places, [100 * float(h) for h in heights], width, yerr=reach, label=label)
    axes.set_xticks(range(len(answers)), [str(answer) for answer in answers])
    axes.set_ylabel("%")
    axes.set_title(question)
    axes.legend()
    return figure
