"""What the declarations of a rulebook are compared by, as plain values."""

from __future__ import annotations

from attrs import frozen


@frozen
class ComparablePart:
    """The meaning of a step, a clause or a value, and its text in a line; None for a step without statements."""

    meaning: str
    text: str | None


@frozen
class Comparable:
    """What one declaration is compared by.

    Declarations with equal `meaning` play the same; with equal `wording` they also read the same. A table has `cells`
    by row and column, an option or a reading has `choices`, and another declaration has `parts`, each of which an
    edition can change alone. `settled` is the alternative that an edition decides on, and `reasons` say why a reworded
    declaration plays as before.
    """

    meaning: str
    wording: str
    settled: str
    reasons: tuple[str, ...]
    cells: dict[str, dict[str, str]]
    choices: dict[str, str]
    parts: dict[str, ComparablePart]


@frozen
class ComparableBook:
    """What a rulebook is compared by: its declarations in their order, its labels, and the order of its rules.

    `orders` has, for each event, the rules that answer it; `layers` is the number of editions.
    """

    declarations: tuple[Comparable, ...]
    labels: dict[str, dict[str, str]]
    orders: dict[str, tuple[str, ...]]
    layers: int
