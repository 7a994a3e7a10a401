"""Indentation as tokens, and what can be wrong with it before any grammar is asked."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

_OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})


class LayoutError(Exception):
    """Tokens that stand wrongly; `token` is the one to blame."""

    def __init__(self, token: Token) -> None:
        self.token = token
        super().__init__(token)


class UnevenIndentError(LayoutError):
    """A line that begins in no column of the blocks around it."""


class UnclosedBracketError(LayoutError):
    """A bracket that nothing closes."""


class GluedWordsError(LayoutError):
    """A word that goes on after a keyword without a space."""


class Blocks(PostLex):
    """Adds `_INDENT` and `_DEDENT`. Keeps nothing between texts, so threads can share the parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with those of the blocks; inside brackets lines do not count.

        Raises:
            LayoutError: the tokens stand wrongly.
        """
        levels, opened = [""], list[Token]()
        last: Token | None = None
        for token in stream:
            if last is not None and _is_glued(last, token):
                raise GluedWordsError(last)
            last = token
            if token.type in _OPENING:
                opened.append(token)
            elif token.type in _CLOSING and opened:
                opened.pop()
            if token.type != "_NL":
                yield token
            elif not opened:
                yield token
                yield from _steps(token, levels)
        if opened:
            raise UnclosedBracketError(opened[-1])
        yield from (Token("_DEDENT", "") for _ in levels[1:])


def _steps(token: Token, levels: list[str]) -> Iterator[Token]:
    """The blocks that end or begin with a new line; tabs and spaces are never taken for each other."""
    indent = token.rsplit("\n", 1)[1]
    if indent in levels:
        while levels[-1] != indent:
            levels.pop()
            yield Token.new_borrow_pos("_DEDENT", str(token), token)
    elif indent.startswith(levels[-1]):
        levels.append(indent)
        yield Token.new_borrow_pos("_INDENT", str(token), token)
    else:
        raise UnevenIndentError(token)


def _is_glued(one: Token, other: Token) -> bool:
    """Whether two words stand without a space between them; `3d6` may."""
    return one.end_pos == other.start_pos and one[-1:].isalpha() and other[:1].isalnum()
