"""Spellings of earlier versions of the language, and the present ones."""

from __future__ import annotations

import re

from attrs import frozen

from hots_rules.syntax.comments import blank_texts
from hots_rules.syntax.remedies import Remedy


@frozen
class OldSpelling:
    """A word of an earlier version and the one for it now.

    `before` is what follows it where it has this meaning. The `remedy` of the fault has a place for
    the word at which the parser stops.
    """

    old: str
    new: str
    before: str
    remedy: str

    @property
    def fix(self) -> Remedy:
        """The remedy for a fault at the word after it, and the change that applies the remedy."""
        return Remedy(self.remedy, f"{self.new} {{word}}", before=rf"\b{self.old}\s*", is_safe=True)

    @property
    def pattern(self) -> re.Pattern[str]:
        """The word where it has its old meaning."""
        return re.compile(rf"\b{self.old}\b(?={self.before})")


_QUANTIFIED = r"\s+[A-Za-z_]\w*\s+in\b"
OLD_SPELLINGS = (
    OldSpelling("most", "max", _QUANTIFIED, "write `max {word} in …`"),
    OldSpelling("least", "min", _QUANTIFIED, "write `min {word} in …`"),
)


def upgrade(text: str) -> str:
    """A text with the spellings of today."""
    for spelling in OLD_SPELLINGS:
        # Texts and comments keep their words.
        matches = list(spelling.pattern.finditer(blank_texts(text)))
        for match in reversed(matches):
            text = text[: match.start()] + spelling.new + text[match.end() :]
    return text
