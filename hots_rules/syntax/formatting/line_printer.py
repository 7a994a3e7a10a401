"""One line of a ruleset as a document: where it may break, and which of its parts are then indented.

Outside brackets a line is broken before `and`, `or`, `|`, `&`, `when`, `because` and `§`, after a comma and
between the words of a text; inside brackets anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypeGuard

from attrs import define, field
from lark import Token, Tree

from hots_rules.syntax.build import join_lines
from hots_rules.syntax.comments import Comment
from hots_rules.syntax.formatting.document import Break, Choice, Document, Group, Nest, Remark, fill

Part: TypeAlias = "Tree[Token] | Token"

INDENT = 2
_CHAINS = frozenset({"or", "and", "union_of", "intersection", "union_type"})
_OPERATIONS = frozenset({"compare", "is_a", "plus", "minus", "times", "div", "mod", "cast"})
_QUANTIFIERS = frozenset(
    {
        "some_in",
        "all_in",
        "none_in",
        "sum_in",
        "max_in",
        "min_in",
        "reach_in",
        "distance_in",
        "let_in",
        "after_in",
    }
)
_PREFIXED = frozenset({"not", "some", "none_of"})
# Expressions that break only inside brackets.
_OPEN = _OPERATIONS | _QUANTIFIERS | _PREFIXED | {"conditional"}
_LEAVES = frozenset(
    {"number", "truth", "reference", "qualified", "apply", "index", "pair", "set", "comprehension"}
)
_EXPRESSIONS = (_CHAINS - {"union_type"}) | _OPEN | _LEAVES | {"atom", "negative"}
# Where not every expression may stand without brackets.
_NARROW = _QUANTIFIERS | {"roll"}
_BRACKETS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
_LISTS = frozenset({"exprs", "names", "params", "columns", "types", "targets", "givens", "lets"})
_TIGHT_AFTER = frozenset({"LPAR", "LSQB", "LBRACE", "DOT", "DOTS"})
_TIGHT_BEFORE = frozenset(
    ["RPAR", "RSQB", "RBRACE", "COMMA", "COLON", "QMARK", "DOT", "DOTS", "LSQB"]
)
_CALLED = frozenset({"NAME", "MAX", "MIN"})
# A single blank between words, not inside braces.
WORD_BREAK = re.compile(r'(?<=[^\s"]) (?=[^\s"])(?![^{}]*\})')


def tokens_of(part: Part) -> Iterator[Token]:
    """The words and signs of a part, in order."""
    if isinstance(part, Token):
        yield part
        return
    for child in part.children:
        if child is not None:
            yield from tokens_of(child)


def is_tree(part: Part, names: frozenset[str]) -> TypeGuard[Tree[Token]]:
    """Whether a part is a tree of one of these nonterminals."""
    return isinstance(part, Tree) and part.data in names


@define
class LinePrinter:
    """Documents of lines; a comment among the words goes before the word that follows it."""

    comments: list[Comment]
    _is_first: bool = field(default=True, init=False)

    def line(self, kind: str, parts: Sequence[Part]) -> Document:
        """A line of some kind from its parts."""
        self._is_first = True
        reasons = [part for part in parts if is_tree(part, frozenset({"because"}))]
        head = Group(self._joined([part for part in parts if part not in reasons], kind))
        because: list[Document] = []
        for reason in reasons:
            because += [Break(hard=True), Group(self._part(reason))]
        return [head, *because]

    def value(self, expression: Part) -> Document:
        """An expression that has its lines alone."""
        self._is_first = True
        return self._outside(self._bare(expression))

    # -------------------------------------------------------------- words
    def _token(self, token: Token) -> Document:
        """A word or a sign, after the comments before it."""
        remarks: list[Document] = []
        while not self._is_first and self.comments and _is_before(self.comments[0], token):
            comment = self.comments.pop(0)
            remarks.append(Remark(comment.text, not comment.own_line))
        self._is_first = False
        if token.type == "STRING":
            return [*remarks, *fill(WORD_BREAK.split(join_lines(token)))]
        return [*remarks, re.sub(r"[ \t]+", " ", token)]

    def _joined(self, parts: Sequence[Part], kind: str = "") -> list[Document]:
        """Parts beside one another, with the blanks and the breaks between them."""
        joined: list[Document] = []
        previous: Token | None = None
        hangs = False  # whether what follows `when` is indented under it
        rest = [part for part in parts if part is not None and any(tokens_of(part))]
        while rest:
            part = rest.pop(0)
            first = next(tokens_of(part))
            gap = _gap(previous, first, kind) if previous is not None else ""
            if first.type == "WHEN":
                hangs = isinstance(gap, Break)
            if first.type == "CITE" and not rest and kind in {"define", "type_alias"}:
                gap = Break("  ")
            if isinstance(part, Token) and part.type in _BRACKETS:
                end = next(i for i, p in enumerate(rest) if _closes(p, part))
                document = self._enclosed(part, rest[:end], rest[end])
                part, rest = rest[end], rest[end + 1 :]
            elif is_tree(part, _EXPRESSIONS | {"union_type"}):
                is_kept = kind in _NARROW or (kind == "elif" and _has_then(part))
                document = self._outside(part if is_kept else self._bare(part))
                if previous is not None and previous.type == "WHEN" and hangs:
                    document = Nest(INDENT, document)
            else:
                document = self._part(part)
            *_, previous = tokens_of(part)
            breaks_alone = isinstance(gap, Break) and first.type != "WHEN"
            joined.append(Group([gap, document]) if breaks_alone else [gap, document])
        return joined

    def _part(self, part: Part) -> Document:
        """A part of a line that is no expression, or one that is a word or has its own brackets."""
        if isinstance(part, Token):
            return self._token(part)
        if part.data in {"cell", "negative"}:
            return [self._part(child) for child in part.children]
        return self._joined(part.children, str(part.data))

    # -------------------------------------------------------------- expressions outside brackets
    def _outside(self, part: Part) -> Document:
        """An expression that stands outside brackets; brackets are put around it if it can break only inside them."""
        if is_tree(part, _CHAINS):
            return Group(self._chain(part))
        if is_tree(part, _OPEN):
            inner = [Break(""), self._inside(part)]
            return Group([Choice("("), Nest(INDENT, inner), Break(""), Choice(")")])
        return self._part(part)

    def _chain(self, node: Tree[Token]) -> list[Document]:
        """Operands with their operators, which may begin new lines."""
        documents: list[Document] = []
        for child in node.children:
            if isinstance(child, Token) and child.type in {"AND", "OR", "VBAR", "AMPERSAND"}:
                documents += [Break(), self._token(child), " "]
            else:
                operand = self._outside(child)
                documents.append(Nest(INDENT, operand) if is_tree(child, _CHAINS) else operand)
        return documents

    def _bare(self, part: Part) -> Part:
        """An expression without brackets around all of it, unless they hold a comment."""
        while is_tree(part, frozenset({"atom"})):
            first, *_, last = tokens_of(part)
            start, end = first.start_pos or 0, last.start_pos or 0
            if any(start < comment.start < end for comment in self.comments):
                break
            part = part.children[1]
        return part

    # -------------------------------------------------------------- inside brackets
    def _enclosed(self, opening: Token, parts: Sequence[Part], closing: Part) -> Document:
        """Brackets with what they hold, separated by commas."""
        start = self._token(opening)
        if len(parts) == 1 and is_tree(parts[0], _LISTS):
            parts = parts[0].children
        items: list[Document] = [[]]
        previous: Token | None = None
        for part in parts:
            first = next(tokens_of(part))
            gap = _gap(previous, first, "") if previous is not None else ""
            if previous is not None and previous.type == "COMMA":
                gap = Break()
            items += [gap, self._inside(part)]
            *_, previous = tokens_of(part)
        return [
            start,
            Group([Nest(INDENT, [Break(""), items]), Break("")]),
            self._part(closing),
        ]

    def _inside(self, part: Part) -> Document:
        """A part inside brackets, where it may break between any words."""
        if isinstance(part, Token):
            return self._token(part)
        children = part.children
        if part.data in _CHAINS | _OPERATIONS:
            words: list[Document] = [self._inside(children[0])]
            for operator, operand in zip(children[1::2], children[2::2], strict=True):
                words += [Break(), self._inside(operator), " ", self._inside(operand)]
            return Group(Nest(INDENT, words))
        if part.data in _PREFIXED:
            return [self._inside(children[0]), " ", self._inside(children[1])]
        if part.data in _QUANTIFIERS:
            head = self._joined(children[:-1], str(part.data))
            return Group(Nest(INDENT, [head, Break(), self._inside(children[-1])]))
        if part.data == "conditional":
            return Group(self._conditional(part))
        return self._part(part)

    def _conditional(self, node: Tree[Token]) -> list[Document]:
        """`if … then … elif … then … else …`; one after `else` goes on with it."""
        parts = node.children
        if_, condition, then, value = (self._inside(part) for part in parts[:4])
        words: list[Document] = [
            Group([if_, " ", condition, Nest(INDENT, [Break(), then, " ", value])]),
            Break(),
        ]
        if len(parts) == 5:
            assert isinstance(parts[4], Tree)
            return [*words, *self._conditional(parts[4])]
        words += [self._inside(parts[4]), " "]
        if is_tree(parts[5], frozenset({"conditional"})):
            return [*words, *self._conditional(parts[5])]
        return [*words, self._inside(parts[5])]


def is_expression(part: Part) -> bool:
    """Whether a part is an expression."""
    return is_tree(part, _EXPRESSIONS)


def _is_before(comment: Comment, token: Token) -> bool:
    return comment.start < (token.start_pos or 0)


def _has_then(part: Part) -> bool:
    """Whether an expression has a `then`; a statement has it only inside brackets after `elif`."""
    return any(token.type == "THEN" for token in tokens_of(part))


def _closes(part: Part, opening: Token) -> bool:
    return isinstance(part, Token) and part.type == _BRACKETS[opening.type]


def _gap(left: Token, right: Token, kind: str) -> str | Break:
    """What stands between two words: nothing, a blank, or a place where the line may break."""
    if right.type == "COLON" and kind in {"variable", "option"}:
        return " "
    if left.type in _TIGHT_AFTER or right.type in _TIGHT_BEFORE:
        return ""
    if right.type == "LPAR" and left.type in _CALLED:
        return ""
    if left.type == "COMMA" or right.type == "WHERE":
        return Break()
    if right.type == "WHEN":
        return " " if left.type == "PERMIT" else Break()
    if right.type == "CITE" and right.startswith("§"):
        return Break()
    return " "
