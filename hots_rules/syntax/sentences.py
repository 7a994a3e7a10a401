"""The expressions in the braces of sentences: `"{foe(actor)} stands in {to}"`."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token, Tree

from hots_rules.diagnostics.braces import braces
from hots_rules.syntax.grammar import grammar
from hots_rules.syntax.indentation import UnclosedBracketError


def add_expressions(parsed: Tree[Token], text: str) -> None:
    """Adds to each sentence in a parse tree of a text the parse trees of the expressions in its braces.

    All are parsed at once, in the text with everything else blank, so that their places are right.

    Raises:
        UnexpectedInput: braces do not hold an expression.
        LayoutError: a bracket is never closed.
    """
    sentences = sorted(
        parsed.find_data("sentence"), key=lambda sentence: _token(sentence).start_pos or 0
    )
    places = [list(_places(_token(sentence))) for sentence in sentences]
    blank = ["\n" if sign == "\n" else " " for sign in text]
    for start, stop in (place for group in places for place in group):
        blank[start:stop] = text[start:stop]
    # The outer brace takes the place of the empty first line, and keeps line ends from counting.
    expressions = iter(grammar().parse("{" + "".join(blank) + "}", start="placeholders").children)
    for sentence, group in zip(sentences, places, strict=True):
        sentence.children += [next(expressions) for _ in group]


def _token(sentence: Tree[Token]) -> Token:
    token = sentence.children[0]
    assert isinstance(token, Token)
    return token


def _places(token: Token) -> Iterator[tuple[int, int]]:
    """Where the braces of a text begin and end."""
    first = token.start_pos or 0
    closed = list(braces(token))
    last = closed[-1][1] + 1 if closed else 0
    if (at := token.find("{", last)) >= 0:
        line = (token.line or 1) + token.count("\n", 0, at)
        column = at - token.rfind("\n", 0, at) if "\n" in token[:at] else (token.column or 1) + at
        raise UnclosedBracketError(Token("LBRACE", "{", line=line, column=column))
    yield from ((first + start, first + stop + 1) for start, stop in closed)
