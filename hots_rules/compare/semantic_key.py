"""What a declaration says in play, whatever its words and its sections."""

from __future__ import annotations

from typing import Any

from attrs import fields

from hots_rules.rules.rulebook import Entry, Rulebook
from hots_rules.syntax import tree

_PLACES = frozenset({"span", "cites"})
# What is for readers alone: where it stands, what it cites, how it is said.
_FOR_READERS = _PLACES | {"summary", "because"}


def meaning(node: object) -> Any:
    """A declaration without what is for readers alone; two that are equal play the same."""
    return _without(_FOR_READERS, node)


def wording(node: object) -> Any:
    """A declaration with its words, but without its place and its sections."""
    return _without(_PLACES, node)


def _without(left_out: frozenset[str], node: object) -> Any:
    if isinstance(node, tuple):
        return tuple(_without(left_out, part) for part in node)
    if isinstance(node, tree.Cell):
        return frozenset(word.text for word in node.words if word.text != "-")
    if not isinstance(node, tree.Node):
        return str(node) if isinstance(node, tree.Word) else node
    kept = (f.name for f in fields(type(node)) if f.name not in left_out)
    return type(node).__name__, *(_without(left_out, getattr(node, name)) for name in kept)


def cell_texts(table: tree.Table) -> dict[str, dict[str, str]]:
    """Row → column → what the cell says; the cells that a row leaves out are nothing."""
    columns = [column.name.text for column in table.columns]
    found = {}
    for row in table.rows:
        said = ["+".join(word.text for word in cell.words) or "-" for cell in row.cells]
        said += ["-"] * (len(columns) - len(said))
        found[row.name.text] = dict(zip(columns, said, strict=False))
    return found


def choices(rulebook: Rulebook, entry: Entry) -> dict[str, str]:
    """What can be chosen of an option or a reading, and the default."""
    node = entry.node
    if isinstance(node, tree.Reading):
        default = next((a.name.text for a in node.alternatives if a.default is not None), "")
        return {
            "alternatives": ", ".join(a.name.text for a in node.alternatives),
            "default": default,
        }
    if isinstance(node, tree.Option):
        return {
            "values": _written(rulebook, node.type),
            "default": _written(rulebook, node.default),
        }
    return {}


def _written(rulebook: Rulebook, node: tree.Node) -> str:
    """A part of a line, as it is written."""
    span = node.span
    line = rulebook.source.texts[span.file].split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1]


def orders(rulebook: Rulebook) -> dict[str, tuple[str, ...]]:
    """Event → the rules that answer it, in the order in which they do."""
    return {
        name: tuple(f"{handler.timing} {handler.origin.rule}" for handler in event.handlers)
        for name, event in rulebook.typed.events.items()
    }
