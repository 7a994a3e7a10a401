"""Keys by which declarations are compared: equal keys mean equal play, or equal wording."""

from __future__ import annotations

from attrs import fields

from hots_rules.rules.rulebook import Entry, Rulebook
from hots_rules.syntax import tree

_PLACES = frozenset({"span", "cites", "head"})
# The fields that cannot change play.
_FOR_READERS = _PLACES | {"summary", "because"}


def semantic_key(node: object) -> object:
    """A key of a declaration without text for readers; declarations with equal keys play the same."""
    return _key(node, _FOR_READERS)


def wording_key(node: object) -> object:
    """A key of a declaration with its text, without its place and its sections."""
    return _key(node, _PLACES)


def _key(node: object, excluded: frozenset[str]) -> object:
    if isinstance(node, tuple):
        return tuple(_key(part, excluded) for part in node)
    if isinstance(node, tree.Cell):
        return frozenset(word.text for word in node.words if word.text != "-")
    if not isinstance(node, tree.Node):
        return str(node) if isinstance(node, tree.Word) else node
    names = (f.name for f in fields(type(node)) if f.name not in excluded)
    return type(node).__name__, *(_key(getattr(node, name), excluded) for name in names)


def cell_texts(table: tree.Table) -> dict[str, dict[str, str]]:
    """Row → column → the text of the cell; omitted cells are `-`."""
    columns = [column.name.text for column in table.columns]
    texts = {}
    for row in table.rows:
        cells = ["+".join(word.text for word in cell.words) or "-" for cell in row.cells]
        cells += ["-"] * (len(columns) - len(cells))
        texts[row.name.text] = dict(zip(columns, cells, strict=False))
    return texts


def choices(rulebook: Rulebook, entry: Entry) -> dict[str, str]:
    """The values and the default of an option or a reading; empty for other declarations."""
    node = entry.node
    if entry.settled:
        return {"alternatives": entry.settled, "default": entry.settled}
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
    """The source text of a part of a line."""
    span = node.span
    line = rulebook.source.texts[span.file].split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1]


def handler_orders(rulebook: Rulebook) -> dict[str, tuple[str, ...]]:
    """Event → the rules that answer it, in order."""
    return {
        name: tuple(f"{handler.timing} {handler.origin.rule}" for handler in event.handlers)
        for name, event in rulebook.typed.events.items()
    }
