"""Games with and without a difference in which every decision was the same: the evidence that it has no effect."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._home import agreements_text

if TYPE_CHECKING:
    from hots_rules.compare.sides import Side

ENOUGH = 100_000  # games that must agree before a difference is said to have no effect


@frozen
class Agreement:
    """Games with and without a difference that agree in every decision.

    >>> import hots_rules as hr
    >>> hr.compare.Agreement("hots-4.0", 100_000, 52_000_000, "0").is_enough
    True

    Attributes:
        ruleset: the ruleset that was played with and without it.
        games: how many games were played.
        decisions: how many decisions and outcomes of chance they have.
        seed: the seed of the games.
    """

    ruleset: str
    games: int
    decisions: int
    seed: str

    @property
    def summary(self) -> str:
        """What was seen, in a sentence."""
        return f"Play agreed in {self.games} games of {self.ruleset} with and without it."

    @property
    def is_enough(self) -> bool:
        """Whether they are enough to say that the difference has no effect."""
        return self.games >= ENOUGH


def kept_agreements(first: Side, second: Side) -> Mapping[str, Agreement]:
    """The agreements that the library keeps of the differences between two rulesets, by the id of the difference.

    An agreement is left out if one of its rulesets plays differently now, or if it has too few games.
    """
    listed = _rows_by_pair().get(frozenset((first.name, second.name)), ())
    if not listed:
        return {}
    digest = digest_of(first, second)
    return {
        name: agreement
        for name, row_digest, agreement in listed
        if row_digest == digest and agreement.is_enough
    }


@cache
def _rows_by_pair() -> Mapping[frozenset[str], tuple[tuple[str, str, Agreement], ...]]:
    """The rows of the list by the names of both rulesets."""
    by_pair: dict[frozenset[str], list[tuple[str, str, Agreement]]] = {}
    for row in csv.DictReader(io.StringIO(agreements_text())):
        counts = int(row["games"]), int(row["decisions"])
        agreement = Agreement(row["old"], *counts, row["seed"])
        pair = frozenset((row["old"], row["new"]))
        by_pair.setdefault(pair, []).append((row["difference"], row["digest"], agreement))
    return {pair: tuple(rows) for pair, rows in by_pair.items()}


def digest_of(*sides: Side) -> str:
    """A digest of how some rulesets play, in any order; it ignores wording, sections, policies and pictures."""
    texts = sorted(
        repr(
            [
                side.name,
                sorted(
                    (key, comparable.meaning, comparable.settled)
                    for key, (_, comparable) in side.declarations.items()
                    if key[0] not in {"policy", "promise", "map"}
                ),
                sorted(side.book.orders.items()),
            ]
        )
        for side in sides
    )
    return blake2b("\n".join(texts).encode(), digest_size=12).hexdigest()
