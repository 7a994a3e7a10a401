"""The outline of a file: its declarations, what can be folded, and the colours of its names."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import Span
from hots_rules.editing.symbols.names import resolved
from hots_rules.editing.symbols.occurrences import RULESET, SECTION, occurrences
from hots_rules.editing.workspace import Workspace
from hots_rules.rules.rulebook import key_of
from hots_rules.syntax import tree


@frozen
class Symbol:
    """A declaration of a file.

    Attributes:
        kind: "rule", "action", "table" and so on; "amend" and "repeal" for changes of parts.
        name: its name.
        detail: its sentence.
        span: all of it.
        name_span: its name.
        children: the variables of a state, and the rows of a table.
    """

    kind: str
    name: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()


def symbols(space: Workspace, path: str) -> list[Symbol]:
    """The declarations of a file that are not malformed."""
    return [
        symbol
        for piece in space.parsed(path).pieces
        for item in piece.items
        for symbol in _symbols_of(item)
    ]


def _symbols_of(item: tree.Item) -> Iterator[Symbol]:
    match item:
        case tree.Ruleset():
            yield Symbol("ruleset", item.name.text, item.title.text, item.span, item.name.span)
        case tree.Amend():
            for symbol in _symbols_of(item.declaration):
                yield Symbol(
                    symbol.kind,
                    symbol.name,
                    f"amended: {symbol.detail}",
                    item.span,
                    symbol.name_span,
                )
        case tree.AmendPart():
            name = f"{item.owner}.{item.name}"
            yield Symbol("amend", name, "", item.span, item.name.span)
        case tree.Repeal() | tree.Reword():
            word = type(item).__name__.lower()
            yield Symbol("amend", item.name.text, f"{word} {item.kind}", item.span, item.name.span)
        case tree.Settle():
            yield Symbol("amend", item.reading.text, "settle", item.span, item.reading.span)
        case tree.State():
            inner = tuple(symbol for variable in item.variables for symbol in _declared(variable))
            yield Symbol("state", "state", "", item.span, item.span, inner)
        case _:
            yield from _declared(item)


def _declared(node: tree.Declaration | tree.Variable) -> Iterator[Symbol]:
    kind, name = key_of(node)
    summary = getattr(node, "summary", None)
    rows = node.rows if isinstance(node, tree.Table) else ()
    inner = tuple(Symbol("value", row.name.text, "", row.span, row.name.span) for row in rows)
    text = summary.text if summary is not None else ""
    yield Symbol(kind, name.text, text, node.span, name.span, inner)


def folds(space: Workspace, path: str) -> list[tuple[int, int]]:
    """The first and the last line of each declaration of several lines."""
    ranges = []
    for piece in space.parsed(path).pieces:
        lines = piece.text.split("\n")
        while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
            lines.pop()
        if len(lines) > 1:
            ranges.append((piece.first, piece.first + len(lines) - 1))
    return ranges


def coloured(space: Workspace, path: str) -> list[tuple[Span, str, bool]]:
    """The names of a file with what they name, and whether they are declared there, in the order of the text."""
    chain = space.chain_for(path)
    coloured_spans = []
    for piece in space.parsed(path).pieces:
        for occurrence in occurrences(piece):
            if occurrence.kinds[0] in (SECTION, RULESET):
                continue
            name = resolved(occurrence, piece, path, chain)
            if name is not None and occurrence.span.line == occurrence.span.end_line:
                coloured_spans.append((occurrence.span, name.kind, occurrence.is_declaration))
    return coloured_spans
