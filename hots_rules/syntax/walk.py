"""The parts of a syntax tree, in the order of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, get_args

from attrs import evolve, fields

from hots_rules.diagnostics import Span
from hots_rules.syntax import tree


@cache
def parts_of(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of the parts of a class of nodes, and what gives the parts of a node."""
    names = tuple(attribute.name for attribute in fields(kind) if attribute.name != "span")
    if len(names) == 1:
        get = attrgetter(names[0])
        return names, lambda node: (get(node),)
    return names, attrgetter(*names) if names else lambda node: ()


def children(part: object) -> tuple[object, ...]:
    """What a node or a tuple consists of directly; anything else has no parts."""
    if isinstance(part, tuple):
        return part
    if isinstance(part, tree.Node):
        return _parts(part)
    return ()


def _parts(node: Any) -> tuple[object, ...]:
    kind: Any = type(node)
    return parts_of(kind)[1](node)


def named_parts(node: tree.Node) -> tuple[tuple[str, object], ...]:
    """What a node consists of directly, with the names of its fields."""
    names = (attribute.name for attribute in fields(type(node)) if attribute.name != "span")
    return tuple(zip(names, _parts(node), strict=True))


def walk(part: object) -> Iterator[tree.Node | tree.Word]:
    """All nodes and words of a part of the tree, the outer before the inner; the part itself is the first."""
    pending = [part]
    while pending:
        next_part = pending.pop()
        if isinstance(next_part, tree.Word):
            yield next_part
        elif isinstance(next_part, tree.Node):
            yield next_part
            pending += _parts(next_part)[::-1]
        elif isinstance(next_part, tuple):
            pending += next_part[::-1]


def written_span(node: tree.Node) -> Span:
    """The place of a node up to its last word or sign: that of a line or a block goes on to the next one."""
    inline = (tree.Word, *get_args(tree.Expr), *get_args(tree.Type))
    spans = [
        part.span
        for part in walk(node)
        if isinstance(part, inline) and not isinstance(part, tree.FirstOf) and part.span.file
    ]
    line, column = max(((span.end_line, span.end_column) for span in spans), default=(0, 0))
    return evolve(node.span, end_line=line, end_column=column) if spans else node.span
