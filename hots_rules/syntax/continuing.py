"""What may follow the beginning of a declaration."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lark import UnexpectedInput

from hots_rules.syntax.accepted import accepted_terminals
from hots_rules.syntax.grammar import grammar, keywords
from hots_rules.syntax.indentation import LayoutError

_BEFORE_NAMES: Mapping[str, str] = MappingProxyType(
    {"_REACH": "reach", "_DISTANCE": "distance", "_AFTER": "after"}
)
"""Words that are keywords before certain names alone."""
_UNREADABLE = "\x00"  # no terminal has this character: the parser stops at it


def terminals_after(beginning: str) -> frozenset[str] | None:
    """The names of the terminals that may follow the beginning of a declaration; None if it is malformed.

    >>> sorted(terminals_after("players "))
    ['NAME']
    """
    text = f"\n{beginning}{_UNREADABLE}"
    try:
        grammar().parse(text, start="file")
    except LayoutError:
        return None
    except UnexpectedInput as error:
        if error.pos_in_stream != len(text) - 1:
            return None
        return frozenset(accepted_terminals(error.interactive_parser.parser_state))
    return None


def words_of(terminals: frozenset[str]) -> list[str]:
    """The words of the language among some terminals.

    >>> words_of(frozenset({"NAME", "WHEN"}))
    ['when']
    """
    keyword_texts = (_BEFORE_NAMES.get(name) or keywords().get(name, "") for name in terminals)
    return sorted(word for word in keyword_texts if word.isalpha())
