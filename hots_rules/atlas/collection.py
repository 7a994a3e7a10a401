"""What is known of the differences of an atlas besides their texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen

from hots_rules.analysis.simulating.frequency import Frequencies
from hots_rules.compare.ask import EditionAnswer
from hots_rules.study.attribution.effect_sizes import EffectSize
from hots_rules.witness.witnesses import Witness

StepKey: TypeAlias = tuple[int, str]
"""The number of a step from one ruleset to the next, and the id of a difference in it."""


@frozen
class Exhibit:
    """A witness of a difference as a page shows it.

    >>> import hots_rules as hr
    >>> witness = hr.witness.Witness("legal", "a", "b", "year 1301\\n", "Red: wait")
    >>> answers = hr.compare.EditionAnswer("a", "legal", ()), hr.compare.EditionAnswer("b", "illegal", ())
    >>> hr.atlas.Exhibit(witness, answers).svg
    ''

    Attributes:
        witness: the witness.
        answers: what the two rulesets answer.
        svg: the position as the text of an SVG file; empty if there is none, or it is too large.
    """

    witness: Witness
    answers: tuple[EditionAnswer, EditionAnswer]
    svg: str = ""


@frozen
class Collection:
    """What is known of the differences of an atlas besides their texts.

    >>> import hots_rules as hr
    >>> hr.atlas.Collection().exhibits
    {}

    Attributes:
        exhibits: the witness of a difference, by the number of the step and its id.
        missing: why a difference has none, likewise.
        frequencies: how often declarations come up, by the name of the ruleset.
        effects: what a difference is worth, by the number of the step and its id; a difference without is not measured.
        unmeasured: why it cannot be measured, likewise: how the rules fail with it alone.
    """

    exhibits: Mapping[StepKey, Exhibit] = field(factory=dict)
    missing: Mapping[StepKey, str] = field(factory=dict)
    frequencies: Mapping[str, Frequencies] = field(factory=dict)
    effects: Mapping[StepKey, EffectSize] = field(factory=dict)
    unmeasured: Mapping[StepKey, str] = field(factory=dict)
