"""The parts of a syntax tree, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import fields

from hots_rules.syntax import tree


def children(part: object) -> tuple[object, ...]:
    """What a node or a tuple consists of directly; anything else has no parts."""
    if isinstance(part, tuple):
        return part
    if isinstance(part, tree.Node):
        return tuple(getattr(part, f.name) for f in fields(type(part)) if f.name != "span")
    return ()


def walk(part: object) -> Iterator[tree.Node | tree.Word]:
    """All nodes and words of a part of the tree, the outer before the inner; the part itself is the first."""
    pending = [part]
    while pending:
        next_part = pending.pop()
        if isinstance(next_part, tree.Node | tree.Word):
            yield next_part
        pending += reversed(children(next_part))
