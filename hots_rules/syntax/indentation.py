"""Indentation as tokens, and errors of layout that are found before parsing."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

_OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})


class LayoutError(Exception):
    """An error of layout, at `token`."""

    def __init__(self, token: Token) -> None:
        self.token = token
        super().__init__(token)


class UnevenIndentError(LayoutError):
    """A line whose indentation matches no block around it."""


class UnclosedBracketError(LayoutError):
    """A bracket that is never closed."""


class GluedWordsError(LayoutError):
    """A keyword and a word without a space between them."""


class IndentationLexer(PostLex):
    """Adds the tokens `_INDENT` and `_DEDENT`; it has no state, so threads can share a parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens, with `_INDENT` and `_DEDENT` added; inside brackets, line ends are dropped.

        Raises:
            LayoutError: the indentation, a bracket or a keyword is malformed.
        """
        indents, opened = [""], list[Token]()
        previous: Token | None = None
        for token in stream:
            if previous is not None and _is_glued(previous, token):
                raise GluedWordsError(previous)
            if token.type == "_NL" and previous is not None and previous.type == "COMMA":
                continue  # a line goes on after a comma
            previous = token
            if token.type in _OPENING:
                opened.append(token)
            elif token.type in _CLOSING and opened:
                opened.pop()
            if token.type != "_NL":
                yield token
            elif not opened:
                yield token
                yield from _block_tokens(token, indents)
        if opened:
            raise UnclosedBracketError(opened[-1])
        if previous is not None:
            yield from (Token.new_borrow_pos("_DEDENT", "", previous) for _ in indents[1:])


def _block_tokens(token: Token, indents: list[str]) -> Iterator[Token]:
    """The `_DEDENT` or `_INDENT` tokens of a new line; a tab never equals spaces."""
    indent = token.rsplit("\n", 1)[1]
    if indent in indents:
        while indents[-1] != indent:
            indents.pop()
            yield Token.new_borrow_pos("_DEDENT", str(token), token)
    elif indent.startswith(indents[-1]):
        indents.append(indent)
        yield Token.new_borrow_pos("_INDENT", str(token), token)
    else:
        raise UnevenIndentError(token)


def _is_glued(left: Token, right: Token) -> bool:
    """Whether two words have no space between them; `3d6` needs none."""
    return left.end_pos == right.start_pos and left[-1:].isalpha() and right[:1].isalnum()
