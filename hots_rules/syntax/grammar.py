"""The grammar of the language, ready to parse."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef

from hots_rules._cache import key_of, read_plain, write_plain
from hots_rules._home import grammar_text
from hots_rules.syntax.indentation import IndentationLexer


@cache
def grammar(*, keep_all_tokens: bool = False) -> Lark:
    """The parser of the language; built at the first call, then shared.

    With `keep_all_tokens` its parse trees have every word and sign of the text. Its tables are kept in the user's
    cache folder: to build them takes longer than to parse a rulebook.
    """
    text = grammar_text()
    key = key_of("parser tables", lark.__version__, text, str(keep_all_tokens))
    tables = read_plain(key)
    if tables is not None:
        tables["data"]["options"]["postlex"] = IndentationLexer()
        return Lark.load(tables)
    parser = Lark(
        text,
        parser="lalr",
        postlex=IndentationLexer(),
        start=["file", "placeholders"],
        propagate_positions=True,
        maybe_placeholders=True,
        keep_all_tokens=keep_all_tokens,
    )
    write_plain(key, _tables(parser))
    return parser


def _tables(parser: Lark) -> dict[str, Any]:
    """The tables of a parser as `Lark.load` takes them, without the object that reads indentation."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    return {"data": data, "memo": memo}


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
