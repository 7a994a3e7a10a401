"""The sentences of an answer that turn on what was found. What a game is about comes from its labels."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules._translate import Translator
from hots_rules.rules.typed.operators import OPERATORS


def fact(words: Translator, what: str, value: str) -> str:
    """What is found, or said, of something."""
    return words.gettext("{what}: {value}", what=what, value=value)


def relation(words: Translator, op: str, holds: bool, other: str) -> str:
    """How a value stands to the other side of a comparison; empty if that says nothing more."""
    match op, holds:
        case ("eq", True) | ("ne", False):
            return ""
        case ("eq", False) | ("ne", True):
            return words.gettext("not {other}", other=other)
        case ("lt", True) | ("ge", False):
            return words.gettext("below {other}", other=other)
        case ("lt", False):
            return words.gettext("not below {other}", other=other)
        case ("gt", True) | ("le", False):
            return words.gettext("above {other}", other=other)
        case ("gt", False):
            return words.gettext("not above {other}", other=other)
        case ("le", True):
            return words.gettext("at most {other}", other=other)
    return words.gettext("at least {other}", other=other)


def wanted(words: Translator, op: str, holds: bool, other: str) -> str:
    """How it would have to stand for the comparison to turn."""
    match OPERATORS[op].negation if holds else op:
        case "eq":
            return other
        case "ne":
            return words.gettext("other than {other}", other=other)
        case "ge":
            return words.gettext("at least {other}", other=other)
        case "lt":
            return words.gettext("below {other}", other=other)
        case "le":
            return words.gettext("at most {other}", other=other)
    return words.gettext("above {other}", other=other)


def among(words: Translator, holds: bool, it: str, what: str) -> str:
    """Whether a value is in a set."""
    if holds:
        return words.gettext("{it} is among {what}", it=it, what=what)
    return words.gettext("{it} is not among {what}", it=it, what=what)


def combined(words: Translator, op: str, one: str, other: str) -> str:
    """What a set is called that is made of two."""
    if op == "difference":
        return words.gettext("{one} without {other}", one=one, other=other)
    if op == "union":
        return words.gettext("{one} or {other}", one=one, other=other)
    return words.gettext("what is both in {one} and in {other}", one=one, other=other)


def standing(words: Translator, kind: str, stands: bool, rule: str) -> str:
    """What a clause means for an action; its rule alone where it is no clause."""
    match kind, stands:
        case "permit", False:
            return words.gettext("permitted by {rule}", rule=rule)
        case "permit", True:
            return words.gettext("no permit holds: {rule}", rule=rule)
        case "forbid", False:
            return words.gettext("not in the way: {rule}", rule=rule)
        case "forbid", True:
            return words.gettext("in the way: {rule}", rule=rule)
        case "exempt", False:
            return words.gettext("but {rule} exempts it", rule=rule)
        case "exempt", True:
            return words.gettext("no exemption by {rule}", rule=rule)
    return rule


def needed(words: Translator, needs: str) -> str:
    """How many of the parts of a ground would have to change: one, or all."""
    if needs == "one":
        return words.gettext("one of these would do")
    return words.gettext("all of these would have to change")


def would_be_legal(words: Translator, ways: Sequence[str]) -> str:
    """What would have to be so for an action to be legal: one of some ways."""
    change = ways[0]
    for other in ways[1:]:
        change = words.gettext("{one}; or {other}", one=change, other=other)
    return words.gettext("It would be legal in this case: {change}.", change=change)
