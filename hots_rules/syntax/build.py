"""From lark's parse tree to the syntax tree, without checking names or types."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias, cast

from attrs import fields
from lark import Token, Tree
from lark.tree import Meta

from hots_rules._text import composed
from hots_rules.diagnostics import Span
from hots_rules.syntax import tree

# What a nonterminal becomes.
Built: TypeAlias = "tree.Node | tree.Word | tuple[Built, ...] | None"

# Nonterminals without a class: each becomes the tuple of its children.
_PLAIN = frozenset(
    {
        "exprs",
        "names",
        "types",
        "params",
        "columns",
        "audiences",
        "givens",
        "lets",
        "targets",
        "scenarios",
    }
)
# Names of last fields that take all remaining children, as a tuple.
_LISTED = frozenset(
    [
        "items",
        "rest",
        "parts",
        "rows",
        "cells",
        "columns",
        "cases",
        "variables",
        "entries",
        "places",
        "members",
        "alternatives",
        "statements",
        "words",
        "values",
        "rules",
        "links",
        "definitions",
    ]
)


_BREAK = re.compile(r"[ \t]*\n[ \t]+")  # a line end in a text


def join_lines(text: str) -> str:
    """A text that runs over several lines, on one line."""
    return _BREAK.sub(" ", text)


class _Cites(tuple[tree.Word, ...]):
    """The citations of a declaration; a block form has them before its body."""


@cache
def class_of(rule: str) -> type[tree.Node]:
    """The tree class of a nonterminal: `set_type` is `SetType`."""
    name = "".join(part.capitalize() for part in rule.split("_"))
    return cast("type[tree.Node]", getattr(tree, name))


@cache
def _field_names(rule: str) -> tuple[str, ...]:
    return tuple(f.name for f in fields(class_of(rule)) if f.name != "span")


def span_of(file: str, meta: Meta | Token, offset: int) -> Span:
    """The span of a token or a parse tree, moved down by `offset` lines; of an empty tree, nowhere."""
    if getattr(meta, "empty", False) or (line := meta.line) is None:
        return Span.nowhere()
    end_line, end_column = (meta.end_line or 0) + offset, meta.end_column or 0
    return Span(file, line + offset, meta.column or 0, end_line, end_column)


def build(parsed: Tree[Token], file: str, offset: int) -> tree.File:
    """The syntax tree of a file, built bottom-up without recursion."""
    built: dict[int, Built] = {}

    def child_of(child: Tree[Token] | Token | None) -> Built:
        if isinstance(child, Token):
            is_text = child.type == "STRING"
            # The blanks in `not   in` do not count.
            text = composed(join_lines(child)[1:-1]) if is_text else " ".join(child.split())
            return tree.Word(text, span_of(file, child, offset))
        return None if child is None else built[id(child)]

    for sub in parsed.iter_subtrees():
        children = [child_of(child) for child in sub.children]
        built[id(sub)] = _node(str(sub.data), children, span_of(file, sub.meta, offset))
    return cast("tree.File", built[id(parsed)])


def _node(rule: str, children: list[Built], span: Span) -> Built:
    if rule in _PLAIN:
        return tuple(child for child in children if child is not None)
    if rule == "cites":
        return _Cites(cast("list[tree.Word]", children))
    if rule == "name":
        return children[0]
    make: Callable[..., tree.Node] = class_of(rule)
    names = _field_names(rule)
    if "cites" in names:
        _move_cites(children, names.index("cites"))
    if names and names[-1] in _LISTED:
        head = len(names) - 1
        tail = tuple(child for child in children[head:] if child is not None)
        return make(*children[:head], tail, span=span)
    return make(*children, span=span)


def _move_cites(children: list[Built], to: int) -> None:
    """Puts the citations where their field is."""
    at = next((i for i, child in enumerate(children) if isinstance(child, _Cites)), None)
    children.insert(to, tuple(cast("_Cites", children.pop(at))) if at is not None else ())
