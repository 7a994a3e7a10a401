"""What the grammar expects at a place, in words that an author of rules knows."""

from __future__ import annotations

import re
import unicodedata

from attrs import field, frozen

from hots_rules.syntax.grammar import keywords

_NAMES = {
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the text",
    "NAME": "a name",
    "HYPHENATED": "a name",
    "COLUMN": "a column like `size: 0..3`",
    "_FIRST_OF": "`first of`",
    "LABELLED": "a kind of declaration, such as `rule`",
    "EDITION": "a name like `my-game-1.0`",
    "INT": "a number",
    "NEGATIVE_INT": "a number",
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
class ExpectedGroup:
    """Terminals that messages name together.

    Where all `sufficient` ones are accepted, `name` replaces all `members`.
    """

    name: str
    sufficient: frozenset[str] = field(converter=_terminals)
    members: frozenset[str] = field(converter=_terminals)


_GROUPS = (
    ExpectedGroup(
        "a declaration, such as `rule` or `define`",
        "RULE PHASE TABLE",
        """RULESET AMEND ADD REPEAL REWORD SETTLE PLAYERS CLOCK MAP BOARD TYPE TABLE STATE SECRET DEFINE EVENT
        ACTION RULE PHASE STAGE SCENARIO POSITIONS OPTION READING INVARIANT PROMISE POLICY QUESTION
        LABEL _NL""",
    ),
    ExpectedGroup(
        "a declaration, such as `rule` or `define`",
        "STEP CLAUSE ROW",
        "STEP CLAUSE ROW COLUMN_WORD ALTERNATIVE",
    ),
    ExpectedGroup("a kind of declaration, such as `rule`", "KIND PART", "KIND PART"),
    ExpectedGroup(
        "a part of a rule, such as `forbid` or `on`",
        "FORBID EXEMPT",
        "ONLY EXCEPTION FORBID PERMIT EXEMPT ON BEFORE INSTEAD AFTER",
    ),
    ExpectedGroup(
        "a statement",
        "LET CHOOSE",
        """NAME ADD REMOVE CLEAR LET IF ELIF ELSE FOR WHILE CHOOSE ROLL DRAW SHUFFLE WIN LEAVE
        RETURN STEP""",
    ),
    ExpectedGroup(
        "an expression",
        "NAME INT LBRACE",
        "NAME INT TRUTH LPAR LBRACE NOTHING IF NOT SOME NO ALL SUM LET MAX MIN _REACH _DISTANCE _AFTER SCENARIO",
    ),
    ExpectedGroup("a type", "NAME INT SET", "NAME INT NEGATIVE_INT SET LPAR"),
    ExpectedGroup("a cell", "NAME INT NO", "NAME INT NEGATIVE_INT NO NOTHING"),
)
_OPERATORS = _terminals("COMPARE PLUS STAR NOTHING VBAR AMPERSAND AND OR DIV MOD AS IS")
# Terminals that are nearly always accepted; they are named only if no other terminal is accepted.
_OPTIONAL = _terminals("_DEDENT $END DOT LPAR LSQB QMARK VBAR")
_MAX_SHOWN = 5


def declaration_words() -> frozenset[str]:
    """The words that begin a declaration."""
    return frozenset(keywords().get(name, "") for name in _GROUPS[0].members)


def describe_expected(accepted: set[str], before: str) -> str:
    """The terminals in words, e.g. "a name or `(`"; a group of them has one name."""
    terminals, names = set(accepted), list[str]()
    for group in _GROUPS:
        if group.sufficient <= terminals:
            names.append(group.name)
            terminals -= group.members
    if re.search(r"§[0-9.]+$", before) and terminals - {"CITE", "_NL"}:
        terminals -= {"CITE"}
    if len(terminals & _OPERATORS) > 2:
        names.append("an operator")
    needed = terminals - _OPERATORS - _OPTIONAL
    single = needed or (terminals if not names else set())
    names = list(dict.fromkeys(names))
    names += sorted({_name(terminal) for terminal in single if terminal != "_NL"})
    if "_NL" in terminals:
        names.append(_NAMES["_NL"])
    if len(names) > _MAX_SHOWN:
        names = [*names[: _MAX_SHOWN - 1], "something of that kind"]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _name(terminal: str) -> str:
    return _NAMES.get(terminal) or f"`{keywords().get(terminal, terminal.lower())}`"


def describe_got(word: str) -> str:
    """The word at a place, e.g. "`Shore`" or "the end of the line"."""
    if not word:
        return "the end of the line"
    if len(word) == 1 and unicodedata.category(word)[0] in "CZ":
        return f"the character U+{ord(word):04X}"
    return f"`{word}`" if len(word) <= 40 else f"`{word[:37]}…`"
