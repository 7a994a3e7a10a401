"""From lark's parse tree to ours: dumbly, without judging."""

from __future__ import annotations

from typing import Any

from attrs import fields
from lark import Token, Tree

from hots_rules.diagnostics import Span
from hots_rules.syntax import tree

_PLAIN = frozenset({"cites", "exprs", "names", "types", "params", "columns"})
_LISTED = frozenset({"items", "rest", "parts", "rows", "cells", "variables", "entries", "places", "members",
                     "alternatives", "statements", "words", "rules"})  # fmt: skip
_RENAMED = {"union": tree.Union_, "exception": tree.Exception_}


def _class_of(rule: str) -> type[Any]:
    named = "".join(part.capitalize() for part in rule.split("_"))
    return _RENAMED.get(rule) or getattr(tree, named)  # type: ignore[no-any-return]


def span_of(file: str, meta: Any) -> Span:
    """Where a token or a parse tree stands; nowhere if it is empty."""
    if getattr(meta, "empty", False) or getattr(meta, "line", None) is None:
        return Span.nowhere()
    return Span(
        file, meta.line, meta.column, meta.end_line or meta.line, meta.end_column or meta.column
    )


class Builder:
    """Builds the tree of one file and remembers how deep it nests."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.deepest = (0, Span.nowhere())

    def build(self, parsed: Tree[Token]) -> tree.File:
        """Children first, without recursion, so that no text can exhaust the stack."""
        built: dict[int, Any] = {}
        depth: dict[int, int] = {}
        for sub in parsed.iter_subtrees():
            depth[id(sub)] = 1 + max((depth.get(id(c), 0) for c in sub.children), default=0)
            built[id(sub)] = self._node(sub, [self._child(c, built) for c in sub.children])
            if depth[id(sub)] > self.deepest[0]:
                self.deepest = (depth[id(sub)], span_of(self.file, sub.meta))
        return built[id(parsed)]  # type: ignore[no-any-return]

    def _child(self, child: Any, built: dict[int, Any]) -> Any:
        if isinstance(child, Token):
            text = child[1:-1] if child.type == "STRING" else str(child)
            return tree.Word(text, span_of(self.file, child))
        return None if child is None else built[id(child)]

    def _node(self, sub: Tree[Token], children: list[Any]) -> Any:
        rule = str(sub.data)
        if rule in _PLAIN:
            return tuple(c for c in children if c is not None)
        if rule == "name":
            return children[0]
        cls = _class_of(rule)
        names = [f.name for f in fields(cls) if f.name != "span"]
        span = span_of(self.file, sub.meta)
        if names and names[-1] in _LISTED:
            head = len(names) - 1
            tail = tuple(c for c in children[head:] if c is not None)
            return cls(*children[:head], tail, span=span)
        return cls(*children, span=span)
