"""From lark's parse tree to ours: dumbly, without judging."""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import fields
from lark import Token, Tree

from hots_rules.diagnostics import Span
from hots_rules.syntax import tree

# Nonterminals without a class: a tuple of what they list.
_PLAIN = frozenset({"cites", "exprs", "names", "types", "params", "columns", "audiences", "givens"})
# Last fields that take all the children left.
_LISTED = frozenset(
    {
        "items",
        "rest",
        "parts",
        "rows",
        "cells",
        "variables",
        "entries",
        "places",
        "members",
        "alternatives",
        "statements",
        "words",
        "rules",
        "links",
    }
)


@cache
def class_of(rule: str) -> type[Any]:
    """The tree class of a nonterminal: `set_type` is `SetType`."""
    named = "".join(part.capitalize() for part in rule.split("_"))
    found: type[Any] = getattr(tree, named)
    return found


@cache
def _names_of(rule: str) -> tuple[str, ...]:
    return tuple(f.name for f in fields(class_of(rule)) if f.name != "span")


def span_of(file: str, meta: Any, offset: int) -> Span:
    """Where a token or a parse tree stands, `offset` lines further down; nowhere if it is empty."""
    if getattr(meta, "empty", False) or meta.line is None:
        return Span.nowhere()
    return Span(file, meta.line + offset, meta.column, meta.end_line + offset, meta.end_column)


def build(parsed: Tree[Token], file: str, offset: int) -> tree.File:
    """The tree of a file; children first, without recursion."""
    built: dict[int, Any] = {}

    def child_of(child: Any) -> Any:
        if isinstance(child, Token):
            text = child[1:-1] if child.type == "STRING" else str(child)
            return tree.Word(text, span_of(file, child, offset))
        return None if child is None else built[id(child)]

    for sub in parsed.iter_subtrees():
        children = [child_of(child) for child in sub.children]
        built[id(sub)] = _node(str(sub.data), children, span_of(file, sub.meta, offset))
    found: tree.File = built[id(parsed)]
    return found


def _node(rule: str, children: list[Any], span: Span) -> Any:
    if rule in _PLAIN:
        return tuple(child for child in children if child is not None)
    if rule == "name":
        return children[0]
    cls, names = class_of(rule), _names_of(rule)
    if names and names[-1] in _LISTED:
        head = len(names) - 1
        tail = tuple(child for child in children[head:] if child is not None)
        return cls(*children[:head], tail, span=span)
    return cls(*children, span=span)
