"""Words that several pages of an atlas share."""

from __future__ import annotations

from hots_rules.atlas.entries import Atlas, AtlasEntry
from hots_rules.compare.difference import Difference
from hots_rules.diagnostics import shortened
from hots_rules.study.attribution.effect_sizes import EffectSize

FRONT, DECLARATIONS, WORDING = "index.html", "declarations.html", "wording.html"
NONE = "–"
NOT_MEASURED = "not measured"
MAX_LETTERS = 200  # of a text in a cell
_WHY = {
    "invariant": "an invariant is for tests",
    "promise": "a promise is for tests",
    "label": "words for players",
    "wording": "only the sentence differs",
    "citation": "the same in another section",
}


def title_of(entry: AtlasEntry) -> str:
    """The name of a declaration as a title."""
    words = entry.name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def pair_of(atlas: Atlas, number: int) -> str:
    """The two rulesets of a step."""
    return " → ".join(atlas.rulesets[number : number + 2])


def effect_text(effect: EffectSize | None) -> str:
    """What a difference is worth, in short."""
    if effect is None:
        return NOT_MEASURED
    return f"{effect.figure} {effect.points}"


def in_short(text: str) -> str:
    """A text in a line of a cell."""
    return shortened(" ".join(text.split()), MAX_LETTERS)


def reason_of(step: Difference) -> str:
    """Why play is the same."""
    return "; ".join(step.reasons).rstrip(".") or _WHY.get(step.kind) or _WHY[step.change]
