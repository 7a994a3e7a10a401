"""Mutants of a `.rules` text: one small change each, at a place where play could notice it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import attrs

from hots_rules.diagnostics import Span
from hots_rules.syntax import parse, tree
from hots_rules.syntax.walk import children

# Declarations that play does not depend on.
IGNORED = (
    tree.Label
    | tree.Policy
    | tree.Question
    | tree.Invariant
    | tree.Because
    | tree.Secret
    | tree.Map
)
COMPARISONS = {
    "=": "!=",
    "!=": "=",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "in": "not in",
    "not in": "in",
}
# A node with operands, its operator, and what replaces it.
OPERATORS: tuple[tuple[type[tree.Node], str, str], ...] = (
    (tree.Or, "or", "and"),
    (tree.And, "and", "or"),
    (tree.UnionOf, "|", "&"),
    (tree.Intersection, "&", "|"),
    (tree.Plus, "+", "-"),
    (tree.Minus, "-", "+"),
    (tree.Increase, "+=", "-="),
    (tree.Decrease, "-=", "+="),
)
# A node that begins with a word, and what replaces the word.
FIRST_WORDS: tuple[tuple[type[tree.Node], str, str], ...] = (
    (tree.Not, "not", ""),
    (tree.Some, "some", "no"),
    (tree.NoneOf, "no", "some"),
    (tree.SomeIn, "some", "all"),
    (tree.AllIn, "all", "some"),
    (tree.NoneIn, "no", "some"),
    (tree.Add, "add", "remove"),
    (tree.Remove, "remove", "add"),
)
CONDITIONAL = (tree.Forbid, tree.Allow, tree.Permit, tree.Exempt, tree.Handler)


@attrs.frozen
class Mutant:
    """One change of a text.

    Attributes:
        file: the name of the file.
        line: the line of the change, from 1.
        start: the offset of the first character that is replaced.
        end: the offset after the last one.
        new: what replaces them.
    """

    file: str
    line: int
    start: int
    end: int
    new: str

    def apply(self, text: str) -> str:
        """The changed text."""
        return text[: self.start] + self.new + text[self.end :]

    def describe(self, text: str) -> str:
        """The place of the change and both spellings, which identify it."""
        old = " ".join(text[self.start : self.end].split())
        return f"{self.file}:{self.line}:{self.start}: `{old}` → `{self.new}`"


def mutants(text: str, file: str) -> list[Mutant]:
    """All mutants of a text, in the order of the text. Some of them are no valid ruleset."""
    parsed, faults = parse(text, file)
    assert not faults, faults
    places = _Places(text)
    changes = {
        (start, end, new)
        for node in _nodes(parsed)
        for start, end, new in _changes(node, places)
        if places.text[start:end] != new
    }
    return [
        Mutant(file, text.count("\n", 0, start) + 1, start, end, new)
        for start, end, new in sorted(changes)
    ]


class _Places:
    """The offsets of spans in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)

    def start(self, span: Span) -> int:
        return self._lines[span.line - 1] + span.column - 1

    def end(self, span: Span) -> int:
        return self._lines[span.end_line - 1] + span.end_column - 1

    def of(self, span: Span) -> str:
        return self.text[self.start(span) : self.end(span)]


def _nodes(node: tree.Node) -> Iterator[tree.Node]:
    if isinstance(node, IGNORED):
        return
    yield node
    for child in _children(node):
        yield from _nodes(child)


def _children(node: tree.Node) -> list[tree.Node]:
    return [
        child
        for value in children(node)
        for child in (value if isinstance(value, tuple) else (value,))
        if isinstance(child, tree.Node)
    ]


def _changes(node: tree.Node, places: _Places) -> Iterator[tuple[int, int, str]]:
    """The start, the end and the replacement of each change of a node itself."""
    for kind, old, new in OPERATORS:
        if isinstance(node, kind):
            yield from _between_operands(node, old, new, places)
    for kind, old, new in FIRST_WORDS:
        if isinstance(node, kind):
            start = places.start(node.span)
            if places.text.startswith(old, start):
                yield start, start + len(old), new
    match node:
        case tree.Compare():
            start, end = places.start(node.operator.span), places.end(node.operator.span)
            yield start, end, COMPARISONS[" ".join(node.operator.text.split())]
        case tree.Number():
            yield from _other_numbers(node.value, places)
        case tree.RangeType():
            yield from _other_numbers(node.high, places)
        case tree.Cell():
            yield from _other_cells(node, places)
        case tree.If() | tree.Elif() | tree.While() | tree.Conditional() | tree.Guard():
            yield _negated(node.condition, places)
        case tree.Comprehension(condition=tree.Node() as condition):
            yield (*_place(condition, places), "true")
        case tree.Apply(args=(tree.Reference() as only,)):
            yield (*_place(node, places), places.of(only.span))
        case tree.Block():
            yield from _without_statement(node, places)
    if isinstance(node, CONDITIONAL) and node.when is not None:
        yield (*_place(node.when, places), "true")
        yield (*_place(node.when, places), "false")


def _place(node: tree.Node, places: _Places) -> tuple[int, int]:
    return places.start(node.span), places.end(node.span)


def _negated(node: tree.Node, places: _Places) -> tuple[int, int, str]:
    return (*_place(node, places), f"not ({places.of(node.span)})")


def _between_operands(
    node: tree.Node, old: str, new: str, places: _Places
) -> Iterator[tuple[int, int, str]]:
    operands = _children(node)
    for left, right in pairwise(operands):
        start = places.text.find(old, places.end(left.span), places.start(right.span))
        if start >= 0:
            yield start, start + len(old), new


def _other_numbers(word: tree.Word, places: _Places) -> Iterator[tuple[int, int, str]]:
    start, end = places.start(word.span), places.end(word.span)
    if not word.text.isdigit():
        return  # a named number: its definition has mutants of its own
    for number in (int(word.text) + 1, int(word.text) - 1):
        if number >= 0:
            yield start, end, str(number)


def _other_cells(cell: tree.Cell, places: _Places) -> Iterator[tuple[int, int, str]]:
    for word in cell.words:
        start, end = places.start(word.span), places.end(word.span)
        if word.text.isdigit():
            yield from _other_numbers(word, places)
        elif word.text in {"yes", "no"}:
            yield start, end, "no" if word.text == "yes" else "yes"


def _without_statement(block: tree.Block, places: _Places) -> Iterator[tuple[int, int, str]]:
    """Each simple statement of a block, replaced by one that does nothing."""
    for statement in block.statements:
        start, end = _place(statement, places)
        if "\n" not in places.text[start:end].rstrip():
            yield start, start + len(places.text[start:end].rstrip()), "let nothing = 0"
