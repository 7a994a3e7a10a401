"""Figures of a study in words: numbers with their intervals, and the names of what they measure, in a language."""

from __future__ import annotations

from math import isfinite
from typing import Protocol

from attrs import frozen

from hots_rules._translate import Translator, translator

LEVEL_TEXT = "95 %"
NONE = "–"


class FigureLike(Protocol):
    """An estimate or an effect: a figure with its interval."""

    @property
    def figure(self) -> str:
        """What it measures."""

    @property
    def kind(self) -> str:
        """A "share" or a "mean"."""

    @property
    def low(self) -> float:
        """The lower end of its interval."""

    @property
    def high(self) -> float:
        """The upper end."""


class EstimateLike(FigureLike, Protocol):
    """See `FigureEstimate`."""

    @property
    def mean(self) -> float:
        """The estimate."""


class EffectLike(FigureLike, Protocol):
    """See `Effect`."""

    @property
    def difference(self) -> float:
        """By how much the figure is larger."""

    @property
    def corrected(self) -> float:
        """The corrected p."""

    @property
    def reduction(self) -> float | None:
        """What pairing is worth."""


@frozen
class StudyWords:
    """Cells of the tables of a study in a language. Names of rules and players, and measures, stay as they are.

    >>> from hots_rules.study.estimates import FigureEstimate
    >>> from hots_rules.study.figure_words import StudyWords
    >>> StudyWords.of("en").estimate(FigureEstimate("Fox wins", "share", 0.5, 0.41, 0.59))
    '50.0 % (41.0 to 59.0)'

    Attributes:
        say: the sentences of the language.
    """

    say: Translator

    @classmethod
    def of(cls, language: str) -> StudyWords:
        """The words of a language."""
        return cls(translator(language))

    def figure(self, figure: str) -> str:
        """What a figure measures."""
        gettext = self.say.gettext
        match figure.split(" "):
            case ["decisions"]:
                return gettext("decisions")
            case ["unfinished"]:
                return gettext("unfinished")
            case ["nobody", "wins"]:
                return gettext("nobody wins")
            case [*player, "wins"] if player:
                return gettext("{player} wins", player=" ".join(player))
            case ["ends", "by", *rule] if rule:
                return gettext("ends by {rule}", rule=" ".join(rule))
        return figure

    def estimate(self, estimate: EstimateLike) -> str:
        """A mean with its interval."""
        return self.numbers(estimate.kind, estimate.mean, estimate.low, estimate.high)

    def effect(self, effect: EffectLike) -> str:
        """A difference with its interval, with signs."""
        return self.numbers(effect.kind, effect.difference, effect.low, effect.high, sign="+")

    def effect_cells(self, effect: EffectLike) -> tuple[str, str, str, str]:
        """The row of an effect: what differs, by how much, p, and what pairing is worth."""
        least = self.say.gettext("below {number}", number="0.001")
        p = least if effect.corrected < 0.001 else f"{effect.corrected:.3f}"
        reduction = NONE if effect.reduction is None else f"{effect.reduction:.2f}"
        return self.figure(effect.figure), self.effect(effect), p, reduction

    def numbers(self, kind: str, mean: float, low: float, high: float, sign: str = "") -> str:
        """A number with its interval; a share in per cent, or in points where it has a sign.

        A number without an interval is not shown.
        """
        if not isfinite(high - low):
            return NONE
        scale = 100 if kind == "share" else 1
        first, *ends = (f"{scale * value:{sign}.1f}" for value in (mean, low, high))
        number = {"number": first, "low": ends[0], "high": ends[1]}
        if kind != "share":
            return self.say.gettext("{number} ({low} to {high})", **number)
        if sign:
            return self.say.gettext("{number} points ({low} to {high})", **number)
        return self.say.gettext("{number} % ({low} to {high})", **number)

    def games(self, number: int) -> str:
        """So many games."""
        return self.say.ngettext("{shown} game", "{shown} games", number, shown=f"{number:,}")
