"""How the words of a ruleset are coloured where nothing is parsed: one table for editors and for the documentation.

The patterns mean the same to Python and to the engine of TextMate grammars. The first that fits decides. Keywords that
are not reserved may be names: the patterns tell them apart by what stands before and behind them.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from hots_rules.syntax.grammar import keywords, reserved_words

_DECLARED = "|".join(
    [
        *("action", "define", "event", "invariant", "option", "phase", "policy", "promise"),
        *(
            "question",
            "reading",
            "rule",
            "scenario",
            "secret",
            "stage",
            "table",
            "type",
            "variable",
        ),
    ]
)
_BLANK = r"[ \t]+"
_JUNCTION = r"(?:in|is|as|not|and|or|then|else)(?![\w-])"
# What follows a name that is used as a value: an operator, an index, the end of an argument or of the line.
_AS_NAME = rf"(?=[ \t]*(?:$|[\[(),.\]}}:=!<>*&|]|[+-]=|-[ \t]|\b{_JUNCTION}))"
_LAST = r"\b(?:default|permit|state)(?=[ \t]*(?:$|#|§))"  # keywords that may end a line
TEXT = r'"[^"\n]*(?:\n[ \t]+(?=[^\s"])[^"\n]*)*"|"[^"\n]*'
"""A quoted text, which may go on in the next lines; or one that has no end."""


@frozen
class Colour:
    """A pattern, and the kinds of its groups; of the whole, if it has no group.

    The kinds are "comment", "declaration", "keyword", "constant", "ruleset", "declared", "called", "name", "text",
    "section", "number", "operator", "bracket" and "blank".
    """

    pattern: str
    kinds: tuple[str, ...]


@cache
def colours() -> tuple[Colour, ...]:
    """The patterns, in the order in which they are tried.

    >>> colours()[0].kinds
    ('comment',)
    """
    words = {word for word in keywords().values() if word.isalpha()}
    reserved = "|".join(sorted(reserved_words()))
    contextual = "|".join(sorted(words - reserved_words()))
    table = (
        (r"#[^\n]*", "comment"),
        (rf"\b(ruleset|extends)({_BLANK})([a-z][\w.-]*)", "declaration", "blank", "ruleset"),
        (r"\bscenario(?=[ \t]*!?=)", "keyword"),
        (
            rf"\b({_DECLARED})({_BLANK})(?!{_JUNCTION})([A-Za-z0-9]\w*(?:-\w+)*)",
            *("declaration", "blank", "declared"),
        ),
        (TEXT, "text"),
        (r"(?:[a-z][a-z0-9.-]*)?§[0-9]+(?:\.[0-9]+)*", "section"),
        (r"\bd[0-9]+\b", "number"),
        (r"\b(?:true|false)\b", "constant"),
        (r"[a-z0-9]+(?:-[a-z0-9]+)+", "name"),
        (rf"(?<=[\w\]]\.)(?:{contextual})\b", "name"),
        (_LAST, "keyword"),
        (r"(?<=[\w\])?}][ \t])internal(?=[ \t]*(?:$|#))", "keyword"),
        (r"(?<=\badd )(?:row|column|alternative)\b", "keyword"),
        (r"\b(?:reach|distance)(?=[ \t]+\w+[ \t]+from\b)", "keyword"),
        (r"\bafter(?=[ \t]+\w+[ \t]*(?:[(:]|by\b))", "keyword"),
        (r"\bfirst[ \t]+of\b|\bno[ \t]+limit\b|\bset[ \t]+of\b", "keyword"),
        (r"(?<=\w[ \t])summary(?=[ \t]*=)", "keyword"),
        (rf"\b(?:{reserved})\b", "keyword"),
        (rf"(?:(?<=[-=<>+*][ \t])|(?<=\b(?:for|add|let) )|(?<=\bas ))(?:{contextual})\b", "name"),
        (r"\bwhere(?=[ \t]+\()", "keyword"),
        (rf"\b(?:{contextual})\b{_AS_NAME}", "name"),
        (rf"\b(?:{contextual})\b", "keyword"),
        (r"[0-9]+", "number"),
        (r"[A-Za-z_]\w*(?=\()", "called"),
        (r"[A-Za-z_]\w*", "name"),
        (r":=|\+=|-=|!=|<=|>=|\.\.|[=<>+\-*|&?]", "operator"),
        (r"[()\[\]{},:.]", "bracket"),
    )
    return tuple(Colour(pattern, tuple(kinds)) for pattern, *kinds in table)
