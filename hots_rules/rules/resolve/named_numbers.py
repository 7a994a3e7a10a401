"""Named numbers: definitions whose value is the same in every state, for types and initial values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, mul, sub
from types import MappingProxyType

from hots_rules.rules.rulebook import Entry, Key
from hots_rules.syntax import tree

MAX_LEVELS = 60
MAX_VALUE = 10**18  # larger than every number of a ruleset
_ARITHMETIC: Mapping[type[tree.Node], Callable[[int, int], int]] = MappingProxyType(
    {tree.Plus: add, tree.Minus: sub, tree.Times: mul}
)


def number_of(
    node: tree.Expr,
    entries: Mapping[Key, Entry],
    levels: int = 0,
    numbers: dict[str, int | None] | None = None,
) -> int | None:
    """The value of an expression of numbers and named numbers; None if it is another expression, or too large.

    `numbers` has the values of the names that were met, each of which is computed once.
    """
    if levels > MAX_LEVELS:
        return None  # a definition that needs itself is reported where it is resolved
    numbers = {} if numbers is None else numbers
    match node:
        case tree.Number():
            return int(node.value.text)
        case tree.Reference():
            return named_number(node.name.text, entries, levels, numbers)
        case tree.Negative():
            value = number_of(node.body, entries, levels + 1, numbers)
            return None if value is None else -value
        case tree.Plus() | tree.Minus() | tree.Times():
            left = number_of(node.left, entries, levels + 1, numbers)
            right = number_of(node.right, entries, levels + 1, numbers)
            if left is None or right is None:
                return None
            value = _ARITHMETIC[type(node)](left, right)
            return value if abs(value) <= MAX_VALUE else None
    return None


def named_number(
    name: str,
    entries: Mapping[Key, Entry],
    levels: int = 0,
    numbers: dict[str, int | None] | None = None,
) -> int | None:
    """The value of a definition that is a number; None if there is none of that name."""
    numbers = {} if numbers is None else numbers
    if name not in numbers:
        numbers[name] = None
        entry = entries.get(("define", name))
        if entry is not None and isinstance(entry.node, tree.Define) and not entry.node.params:
            numbers[name] = number_of(entry.node.body, entries, levels + 1, numbers)
    return numbers[name]
