"""The lines of a witness's position that its verdict is about, and the others, which only make it whole."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from hots_rules.state.position import without_history
from hots_rules.witness.witnesses import Witness

MIN_OTHERS = 4
"""With fewer other lines than this, all lines count as essential."""
_WORD = re.compile(r"[^\W_]+")
_BEGIN = "begin at "


@frozen
class PositionFacts:
    """The lines of a position in two parts, each in the order of the position.

    Attributes:
        essential: what the answers depend on: facts of the game as a whole; pieces and other things that the action,
            the way to it or the answers name; pieces in an area that the action names. Earlier positions kept
            for `repeated` do not count as such.
        others: the rest.

    >>> import hots_rules as hr
    >>> hr.witness.PositionFacts(("turn 3",), ("A: place North",)).essential
    ('turn 3',)
    """

    essential: tuple[str, ...]
    others: tuple[str, ...]


def position_facts(witness: Witness, answers: Iterable[str] = ()) -> PositionFacts:
    """Which lines of the position of a witness its answers depend on.

    >>> import hots_rules as hr
    >>> position = "year 1301\\nA: place North\\n" + "".join(f"{name}: place South\\n" for name in "BCDE")
    >>> found = hr.witness.Witness("legal", "a", "b", position, "Red: move A North-West")
    >>> facts = hr.witness.position_facts(found)
    >>> facts.essential, len(facts.others)
    (('year 1301', 'A: place North'), 4)

    Args:
        witness: the witness.
        answers: the lines in which both rulesets answer, with the values of their conditions.
    """
    action = _words([witness.action])
    verdicts = [line for lines in witness.verdicts for line in lines]
    named = action | _words([*witness.play, *witness.chance, *verdicts, *answers])
    lines = [line.strip() for line in witness.position.splitlines() if line.strip()]
    present = {line.strip() for line in without_history(witness.position)[0].splitlines()}
    essential = [line for line in lines if line in present and _is_essential(line, named, action)]
    if len(lines) - len(essential) < MIN_OTHERS:
        return PositionFacts(tuple(lines), ())
    return PositionFacts(tuple(essential), tuple(line for line in lines if line not in essential))


def _is_essential(line: str, named: frozenset[str], action: frozenset[str]) -> bool:
    thing, colon, entries = line.partition(": ")
    if not colon:
        return not line.startswith(_BEGIN)
    if _words([thing]) <= named:
        return True
    return any(
        name == "place" and _words([area]) <= action
        for name, _, area in (entry.partition(" ") for entry in entries.split(", "))
    )


def _words(texts: Iterable[str]) -> frozenset[str]:
    """The words of some texts, so that names are the same with spaces and with underscores."""
    return frozenset(word for text in texts for word in _WORD.findall(text))
