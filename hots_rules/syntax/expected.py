"""What could have stood in a place, in the words of a person who writes rules."""

from __future__ import annotations

import re
import unicodedata

from attrs import field, frozen

from hots_rules.syntax.grammar import keywords

_WORDS = {
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the text",
    "NAME": "a name",
    "KEBAB": "a name",
    "EDITION": "a name like `my-game-1.0`",
    "INT": "a number",
    "STRING": "a text in double quotes",
    "CITE": "a citation like `§5.7`",
    "COMPARE": "a comparison",
    "TRUTH": "`true` or `false`",
    "DICE": "dice like `d6`",
    "KIND": "a kind of declaration, such as `rule`",
}


def _terminals(text: str) -> frozenset[str]:
    return frozenset(text.split())


@frozen
class Group:
    """Terminals that together amount to one thing: its name, those that tell it, all that belong to it."""

    name: str
    telling: frozenset[str] = field(converter=_terminals)
    members: frozenset[str] = field(converter=_terminals)


_GROUPS = (
    Group(
        "a declaration, such as `rule` or `define`",
        "RULE PHASE TABLE",
        """RULESET AMEND REPEAL REWORD PLAYERS CLOCK MAP TYPE TABLE STATE SECRET DEFINE EVENT ACTION
        RULE PHASE STAGE SCENARIO POSITIONS OPTION READING INVARIANT POLICY QUESTION
        LABEL _NL""",
    ),
    Group(
        "a part of a rule, such as `forbid` or `on`",
        "FORBID EXEMPT",
        "ONLY EXCEPTION FORBID PERMIT EXEMPT ON BEFORE INSTEAD AFTER",
    ),
    Group(
        "a statement",
        "LET CHOOSE",
        """NAME ADD REMOVE CLEAR LET IF ELIF ELSE FOR WHILE CHOOSE ROLL DRAW SHUFFLE WIN LEAVE
        RETURN""",
    ),
    Group(
        "an expression",
        "NAME INT LBRACE",
        "NAME INT TRUTH LPAR LBRACE NOTHING IF NOT SOME NO ALL SUM MOST LEAST",
    ),
    Group("a type", "NAME INT SET", "NAME INT SET LPAR"),
    Group("a cell", "NAME INT NO", "NAME INT NO NOTHING"),
    Group("a name", "NAME KEBAB", "NAME KEBAB"),
)
_OPERATORS = _terminals("COMPARE PLUS STAR NOTHING VBAR AMPERSAND AND OR DIV MOD AS IS")
# What may always come too, and is said only where nothing else could.
_OPTIONAL = _terminals("_DEDENT $END DOT LPAR LSQB QMARK VBAR")
_MOST = 5


def declaration_words() -> frozenset[str]:
    """The words that begin a declaration."""
    return frozenset(keywords().get(name, "") for name in _GROUPS[0].members)


def say_expected(accepted: set[str], before: str) -> str:
    """E.g. "a name or `(`"; a long choice is said by what it amounts to."""
    words, said = set(accepted), list[str]()
    for group in _GROUPS:
        if group.telling <= words:
            said.append(group.name)
            words -= group.members
    if re.search(r"§[0-9.]+$", before) and words - {"CITE", "_NL"}:
        words -= {"CITE"}
    if len(words & _OPERATORS) > 2:
        said.append("an operator")
    needed = words - _OPERATORS - _OPTIONAL
    said += sorted({_word(word) for word in needed or (words if not said else ()) if word != "_NL"})
    if "_NL" in words:
        said.append(_WORDS["_NL"])
    if len(said) > _MOST:
        said = [*said[: _MOST - 1], "something of that kind"]
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _word(terminal: str) -> str:
    return _WORDS.get(terminal) or f"`{keywords().get(terminal, terminal.lower())}`"


def say_got(word: str) -> str:
    """What was found, e.g. "`Shore`" or "the end of the line"."""
    if not word:
        return "the end of the line"
    if len(word) == 1 and unicodedata.category(word)[0] in "CZ":
        return f"the character U+{ord(word):04X}"
    return f"`{word}`" if len(word) <= 40 else f"`{word[:37]}…`"
