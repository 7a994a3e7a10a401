"""Terminals of the grammar in the words of a person who writes rules."""

from __future__ import annotations

_WORDS = {
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
    "$END": "the end of the text", "NAME": "a name", "KEBAB": "a name", "INT": "a number",
    "STRING": "a text in double quotes", "CITE": "a citation like `§5.7`", "RULESET": "a ruleset like `hots-4.0`",
    "COMPARE": "a comparison", "TRUTH": "`true` or `false`", "DICE": "dice like `d6`", "KIND": "a kind of declaration",
    "DEFAULT": "`default`", "NOTHING": "`-`", "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`",
    "LBRACE": "`{`", "RBRACE": "`}`", "COLON": "`:`", "COMMA": "`,`", "DOT": "`.`", "VBAR": "`|`", "PLUS": "`+`",
    "MINUS": "`-`", "STAR": "`*`", "QMARK": "`?`", "EQUAL": "`=`", "AMPERSAND": "`&`", "__ANON_0": "`..`",
}  # fmt: skip
_SIGNS = {":=": "`:=`", "+=": "`+=`", "-=": "`-=`", "..": "`..`"}
_EXPRESSION = frozenset({"NAME", "INT", "TRUTH", "LPAR", "LBRACE", "NOTHING"})
_OPERATORS = frozenset(
    {"COMPARE", "PLUS", "STAR", "VBAR", "AMPERSAND", "AND", "OR", "DIV", "MOD", "AS", "IS", "LSQB"}
)


def describe(terminal: str, text: str) -> str:
    """What was found, e.g. "`Fife`" or "the end of the line"."""
    if terminal in {"_NL", "_INDENT", "_DEDENT", "$END"}:
        return _WORDS[terminal]
    return f"`{text.strip()}`"


def _word(terminal: str) -> str:
    return _WORDS.get(terminal, f"`{terminal.lower()}`")


def say_expected(expected: set[str], got: str) -> str:
    """`expected a name or `(`, got `=``; a long choice is said by what it amounts to."""
    words = set(expected)
    said: list[str] = []
    if _EXPRESSION <= words:
        said.append("an expression")
        words -= _EXPRESSION | {"IF", "NOT", "SOME", "NO", "ALL", "SUM", "MOST", "LEAST"}
    elif len(words & _OPERATORS) > 3:
        said.append("an operator")
        words -= _OPERATORS | {"NOTHING"}
    if len(words) > 14 and {"RULE", "PHASE"} <= words:
        said, words = ["a declaration such as `rule`, `define` or `phase`"], set()
    elif len(words) > 14 and {"CHOOSE", "LET"} <= words:
        said, words = ["a statement such as `if`, `choose` or `x := …`"], set()
    said += sorted({_word(w) for w in words})
    if not said:
        return f"expected another word here, got {got}"
    joined = said[0] if len(said) == 1 else ", ".join(said[:-1]) + " or " + said[-1]
    return f"expected {joined}, got {got}"
