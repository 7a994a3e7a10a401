"""The sentences of an answer that turn on what was found. What a game is about comes from its labels."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules._words import Words


def fact(words: Words, what: str, value: str) -> str:
    """What is found, or said, of something."""
    return words.phrase("{what}: {value}", what=what, value=value)


def relation(words: Words, op: str, holds: bool, other: str) -> str:
    """How a value stands to the other side of a comparison; empty if that says nothing more."""
    match op, holds:
        case ("eq", True) | ("ne", False):
            return ""
        case ("eq", False) | ("ne", True):
            return words.phrase("not {other}", other=other)
        case ("lt", True) | ("ge", False):
            return words.phrase("below {other}", other=other)
        case ("lt", False):
            return words.phrase("not below {other}", other=other)
        case ("gt", True) | ("le", False):
            return words.phrase("above {other}", other=other)
        case ("gt", False):
            return words.phrase("not above {other}", other=other)
        case ("le", True):
            return words.phrase("at most {other}", other=other)
    return words.phrase("at least {other}", other=other)


def wanted(words: Words, op: str, holds: bool, other: str) -> str:
    """How it would have to stand for the comparison to turn."""
    match op, holds:
        case ("eq", False) | ("ne", True):
            return other
        case ("eq", True) | ("ne", False):
            return words.phrase("other than {other}", other=other)
        case ("lt", True) | ("ge", False):
            return words.phrase("at least {other}", other=other)
        case ("lt", False) | ("ge", True):
            return words.phrase("below {other}", other=other)
        case ("gt", True) | ("le", False):
            return words.phrase("at most {other}", other=other)
    return words.phrase("above {other}", other=other)


def among(words: Words, holds: bool, it: str, what: str) -> str:
    """Whether a value is in a set."""
    if holds:
        return words.phrase("{it} is among {what}", it=it, what=what)
    return words.phrase("{it} is not among {what}", it=it, what=what)


def combined(words: Words, op: str, one: str, other: str) -> str:
    """What a set is called that is made of two."""
    if op == "without":
        return words.phrase("{one} without {other}", one=one, other=other)
    if op == "union":
        return words.phrase("{one} or {other}", one=one, other=other)
    return words.phrase("what is both in {one} and in {other}", one=one, other=other)


def standing(words: Words, kind: str, stands: bool, rule: str) -> str:
    """What a clause means for an action; its rule alone where it is no clause."""
    match kind, stands:
        case "permit", False:
            return words.phrase("permitted by {rule}", rule=rule)
        case "permit", True:
            return words.phrase("no permit holds: {rule}", rule=rule)
        case "forbid", False:
            return words.phrase("not in the way: {rule}", rule=rule)
        case "forbid", True:
            return words.phrase("in the way: {rule}", rule=rule)
        case "exempt", False:
            return words.phrase("but {rule} exempts it", rule=rule)
        case "exempt", True:
            return words.phrase("no exemption by {rule}", rule=rule)
    return rule


def needed(words: Words, needs: str) -> str:
    """How many of the parts of a ground would have to change: one, or all."""
    if needs == "one":
        return words.phrase("one of these would do")
    return words.phrase("all of these would have to change")


def would_be_legal(words: Words, ways: Sequence[str]) -> str:
    """What would have to be so for an action to be legal: one of some ways."""
    change = ways[0]
    for other in ways[1:]:
        change = words.phrase("{one}; or {other}", one=change, other=other)
    return words.phrase("It would be legal in this case: {change}.", change=change)
