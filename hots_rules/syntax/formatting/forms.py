"""Declarations with a line form and a block form: the one that the formatter chooses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen
from lark import Token, Tree

from hots_rules.syntax.comments import Comment
from hots_rules.syntax.formatting.document import lay_out
from hots_rules.syntax.formatting.line_printer import INDENT, LinePrinter, Part, is_tree, tokens_of

WIDTH = 100
LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})
_END_LINE, _BEGIN, _END = Token("_NL", "\n"), Token("_INDENT", ""), Token("_DEDENT", "")


@frozen
class PlacedPart:
    """A part of a line, the nonterminal that it belongs to, and the block of lines around that."""

    kind: str
    block: int
    part: Part


def parts_of(
    node: Tree[Token], comments: Sequence[Comment], block: int = 0, room: int = WIDTH
) -> Iterator[PlacedPart]:
    """The parts of all lines of a tree, with the ends of lines and blocks between them."""
    if node.data == "amend":
        room -= len("amend ")
    for part in _chosen_form(node, comments, room):
        if isinstance(part, Tree) and any(token.type == "_NL" for token in tokens_of(part)):
            yield from parts_of(part, comments, id(node), room)
        else:
            yield PlacedPart(str(node.data), block, part)


def _chosen_form(node: Tree[Token], comments: Sequence[Comment], room: int) -> list[Part]:
    """The parts of a node, in the form that fits; a comment inside keeps the form as it is."""
    parts = [child for child in node.children if child is not None]
    if node.data not in {"define", "secret", "table"}:
        return parts
    head = [part for part in parts if not is_tree(part, frozenset({"head", "row"}))]
    words = [t for part in head for t in tokens_of(part) if t.type not in LAYOUT]
    for comment in comments:
        if (words[0].start_pos or 0) < comment.start < (words[-1].start_pos or 0):
            return parts
    if node.data == "define":
        return _define(head, room)
    return _secret(head, room) if node.data == "secret" else _table(parts, room)


def _fits(kind: str, parts: Sequence[Part], room: int) -> bool:
    return len(lay_out(LinePrinter([]).line(kind, parts), room)) == 1


def _define(parts: list[Part], room: int) -> list[Part]:
    """`define x = … §5` or, if that is too long, the value on lines of its own."""
    if is_tree(parts[-1], frozenset({"first_of"})):
        return parts
    words = [part for part in parts if not (isinstance(part, Token) and part.type in LAYOUT)]
    cites, rest = _split(words, "cites")
    *head, value = rest
    if _fits("define", [*rest, *cites], room):
        return [*rest, *cites, _END_LINE]
    return [*head[:-1], *cites, head[-1], _END_LINE, _BEGIN, value, _END_LINE, _END]


def _secret(parts: list[Part], room: int) -> list[Part]:
    """`secret x known to s`, or a line for each of several audiences."""
    cites, rest = _split(parts, "cites")
    listed, rest = _split(rest, "audiences")
    rest = [part for part in rest if not (isinstance(part, Token) and part.type in LAYOUT)]
    head = [part for part in rest if not (isinstance(part, Token) and part.type == "KNOWN")]
    audiences = [a for part in listed for a in part.children if is_tree(a, frozenset({"audience"}))]
    keyword = Token("KNOWN", "known")
    if len(audiences) == 1 and _fits("secret", [*head, keyword, *audiences, *cites], room):
        return [*head, keyword, *audiences, *cites, _END_LINE]
    lines = [part for audience in audiences for part in (keyword, audience, _END_LINE)]
    return [*head, *cites, _END_LINE, _BEGIN, *lines, _END]


def _table(parts: list[Part], room: int) -> list[Part]:
    """The columns in brackets on the first line or, if that is too long, on lines of their own."""
    first = next(i for i, part in enumerate(parts) if is_tree(part, frozenset({"head", "row"})))
    listed, _ = _split(parts[:first], "columns")
    columns = [c for part in listed for c in part.children if is_tree(c, frozenset({"column"}))]
    head = [part for part in parts[:2] if isinstance(part, Token)] + _split(parts, "cites")[0]
    bracketed = [*head, Token("LPAR", "("), *_with_commas(columns), Token("RPAR", ")")]
    if not columns or _fits("table", bracketed, room):
        return [*bracketed, _END_LINE, _BEGIN, *parts[first:]]
    lines: list[list[Part]] = [[columns[0]]]
    for column in columns[1:]:
        if _fits("table", _with_commas([*lines[-1], column]), room - INDENT):
            lines[-1].append(column)
        else:
            lines.append([column])
    in_lines = [part for line in lines for part in (*_with_commas(line), _END_LINE)]
    return [*head, _END_LINE, _BEGIN, *in_lines, *parts[first:]]


def _split(parts: Sequence[Part], name: str) -> tuple[list[Tree[Token]], list[Part]]:
    """The trees of a nonterminal, and the other parts."""
    trees = [part for part in parts if is_tree(part, frozenset({name}))]
    return trees, [part for part in parts if part not in trees]


def _with_commas(parts: Sequence[Part]) -> list[Part]:
    comma = Token("COMMA", ",")
    return [word for part in parts for word in (part, comma)][:-1]
