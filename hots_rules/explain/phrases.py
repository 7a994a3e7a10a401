"""The library's own sentences in explanations; the words of the game come from its labels."""

from collections.abc import Sequence

from hots_rules._translate import Translator
from hots_rules.rules.typed.operators import OPERATORS


def fact(translator: Translator, what: str, value: str) -> str:
    """A name with its value."""
    return translator.gettext("{what}: {value}", what=what, value=value)


def relation(translator: Translator, op: str, holds: bool, right: str) -> str:
    """How a value compares with the other side; empty if the value alone says it."""
    match op, holds:
        case ("eq", True) | ("ne", False):
            return ""
        case ("eq", False) | ("ne", True):
            return translator.gettext("not {other}", other=right)
        case ("lt", True) | ("ge", False):
            return translator.gettext("below {other}", other=right)
        case ("lt", False):
            return translator.gettext("not below {other}", other=right)
        case ("gt", True) | ("le", False):
            return translator.gettext("above {other}", other=right)
        case ("gt", False):
            return translator.gettext("not above {other}", other=right)
        case ("le", True):
            return translator.gettext("at most {other}", other=right)
    return translator.gettext("at least {other}", other=right)


def wanted(translator: Translator, op: str, holds: bool, right: str) -> str:
    """What the value would have to be for the comparison to have the opposite result."""
    match OPERATORS[op].negation if holds else op:
        case "eq":
            return right
        case "ne":
            return translator.gettext("other than {other}", other=right)
        case "ge":
            return translator.gettext("at least {other}", other=right)
        case "lt":
            return translator.gettext("below {other}", other=right)
        case "le":
            return translator.gettext("at most {other}", other=right)
    return translator.gettext("above {other}", other=right)


def among(translator: Translator, holds: bool, it: str, what: str) -> str:
    """That a value is in a set, or is not."""
    if holds:
        return translator.gettext("{it} is among {what}", it=it, what=what)
    return translator.gettext("{it} is not among {what}", it=it, what=what)


def combined(translator: Translator, op: str, left: str, right: str) -> str:
    """The name of a set that is made of two."""
    if op == "difference":
        return translator.gettext("{one} without {other}", one=left, other=right)
    if op == "union":
        return translator.gettext("{one} or {other}", one=left, other=right)
    return translator.gettext("what is both in {one} and in {other}", one=left, other=right)


def clause_status(translator: Translator, kind: str, stands: bool, rule: str) -> str:
    """What a clause means for an action; its rule alone if it is no clause."""
    match kind, stands:
        case "permit", False:
            return translator.gettext("permitted by {rule}", rule=rule)
        case "permit", True:
            return translator.gettext("not permitted by {rule}", rule=rule)
        case "forbid", False:
            return translator.gettext("not forbidden by {rule}", rule=rule)
        case "forbid", True:
            return translator.gettext("forbidden by {rule}", rule=rule)
        case "exempt", False:
            return translator.gettext("exempted by {rule}", rule=rule)
        case "exempt", True:
            return translator.gettext("not exempted by {rule}", rule=rule)
    return rule


def needed(translator: Translator, needs: str) -> str:
    """How many parts of an explanation would have to change: one, or all."""
    if needs == "one":
        return translator.gettext("changing one of these is enough")
    return translator.gettext("all of these must change")


def would_be_legal(translator: Translator, ways: Sequence[str]) -> str:
    """The changes that would make an action legal, as alternatives."""
    change = ways[0]
    for way in ways[1:]:
        change = translator.gettext("{one}; or {other}", one=change, other=way)
    return translator.gettext("It would be legal in this case: {change}.", change=change)
