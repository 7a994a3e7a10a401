"""The grammar of the language, ready to parse."""

from __future__ import annotations

import re
from functools import cache

from lark import Lark
from lark.lexer import PatternStr

from hots_rules._home import grammar_text
from hots_rules.syntax.indentation import IndentationLexer


@cache
def grammar(*, keep_all_tokens: bool = False) -> Lark:
    """The parser of the language; built at the first call, then shared.

    With `keep_all_tokens` its parse trees have every word and sign of the text.
    """
    return Lark(
        grammar_text(),
        parser="lalr",
        postlex=IndentationLexer(),
        start=["file", "placeholders"],
        propagate_positions=True,
        maybe_placeholders=True,
        keep_all_tokens=keep_all_tokens,
    )


@cache
def keywords() -> dict[str, str]:
    """The keywords and signs of the language, by the name of their terminal."""
    return {
        terminal.name: terminal.pattern.value
        for terminal in grammar().terminals
        if isinstance(terminal.pattern, PatternStr)
    }


@cache
def reserved_words() -> frozenset[str]:
    """The words that cannot be names: those that the terminal `NAME` excludes."""
    pattern = next(terminal.pattern for terminal in grammar().terminals if terminal.name == "NAME")
    return frozenset(re.findall(r"[a-z]+", pattern.value.partition(")")[0]))
