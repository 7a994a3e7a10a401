"""Which phases, events and actions lead to which: the hierarchy of calls."""

from __future__ import annotations

from attrs import frozen

from hots_rules.diagnostics import Span
from hots_rules.editing.symbols.names import Name, definitions, name_at, places, resolved
from hots_rules.editing.symbols.occurrences import occurrences
from hots_rules.editing.symbols.outline import Symbol, symbols
from hots_rules.editing.workspace import Workspace

CALLED = frozenset({"phase", "stage", "event", "action", "define"})
CALLING = CALLED | {"rule", "scenario"}


@frozen
class CallItem:
    """A declaration that calls others or is called.

    Attributes:
        name: what it is.
        file: its file.
        symbol: its declaration.
        sites: where it calls, or is called.
    """

    name: Name
    file: str
    symbol: Symbol
    sites: tuple[Span, ...] = ()


def call_item(space: Workspace, path: str, line: int, column: int) -> CallItem | None:
    """The phase, event, action, definition, rule or scenario that is named at a place."""
    name_and_span = name_at(space, path, line, column)
    if name_and_span is None or name_and_span[0].kind not in CALLING:
        return None
    return _item(space, path, name_and_span[0])


def callers(space: Workspace, path: str, name: Name) -> list[CallItem]:
    """The declarations that call one, each with the places."""
    by_symbol: dict[tuple[str, Span], tuple[Symbol, list[Span]]] = {}
    for place in places(space, path, name):
        symbol = _symbol_around(space, place.span)
        if symbol is not None and not place.is_declaration and symbol.kind in CALLING:
            _, sites = by_symbol.setdefault((place.span.file, symbol.span), (symbol, []))
            sites.append(place.span)
    return [
        CallItem(Name(symbol.kind, symbol.name), file, symbol, tuple(sites))
        for (file, _), (symbol, sites) in by_symbol.items()
    ]


def called(space: Workspace, path: str, name: Name) -> list[CallItem]:
    """The declarations that one calls, each with the places."""
    sites: dict[Name, list[Span]] = {}
    for place in definitions(space, path, name)[:1]:
        file = place.span.file
        piece, chain = space.piece_at(file, place.span.line), space.chain_for(file)
        for occurrence in occurrences(piece) if piece else ():
            meant = resolved(occurrence, piece, file, chain) if piece else None
            if meant is not None and meant.kind in CALLED and not occurrence.is_declaration:
                sites.setdefault(meant, []).append(occurrence.span)
    items = ((_item(space, path, meant), spans) for meant, spans in sites.items())
    return [
        CallItem(item.name, item.file, item.symbol, tuple(spans))
        for item, spans in items
        if item is not None
    ]


def _item(space: Workspace, path: str, name: Name) -> CallItem | None:
    for place in definitions(space, path, name):
        symbol = _symbol_around(space, place.span)
        if symbol is not None:
            return CallItem(name, place.span.file, symbol)
    return None


def _symbol_around(space: Workspace, span: Span) -> Symbol | None:
    for symbol in symbols(space, span.file):
        if symbol.span.line <= span.line <= symbol.span.end_line:
            return symbol
    return None
