"""The digest of what the texts of a ruleset declare, without their comments and layout."""

from __future__ import annotations

from hashlib import blake2b

from attrs import define, field, fields

from hots_rules.rules.sources.source import CONTENT_MARK, Source
from hots_rules.syntax import parse, tree

# A table may repeat the names of its columns over the rows.
_LAYOUT = frozenset({"span", "head"})


def content_hash(source: Source, files: dict[str, tree.File] | None = None) -> str:
    """A digest of all declarations, in hexadecimal; `files` are the trees, if they were parsed already.

    It does not depend on comments, layout, or where the files are. A malformed text counts as written.
    """
    digest = blake2b(digest_size=13)
    for part in _parts(source, files or {}):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest() + CONTENT_MARK


def _parts(source: Source, files: dict[str, tree.File]) -> list[str]:
    words = _Words()
    for layer in source.layers:
        words.found += (layer.name, layer.sections)
        for name, text in sorted(layer.files.items()):
            words.found.append(name)
            file, faults = (files[name], ()) if name in files else parse(text, name)
            if faults:
                words.found.append(text)
            else:
                words.add(file)
    return words.found


@define
class _Words:
    """The classes and words of trees in order, with brackets around the parts of each node."""

    found: list[str] = field(factory=list)
    _fields: dict[type, tuple[str, ...]] = field(factory=dict)

    def add(self, node: object) -> None:
        if isinstance(node, tree.Word):
            self.found.append(f"'{node.text}")
        elif isinstance(node, tuple):
            self.found.append("(")
            for part in node:
                self.add(part)
            self.found.append(")")
        elif isinstance(node, tree.Node):
            self._add_fields(node)
        elif node is not None:
            self.found.append(str(node))

    def _add_fields(self, node: tree.Node) -> None:
        kind = type(node)
        if kind not in self._fields:
            self._fields[kind] = tuple(
                each.name for each in fields(kind) if each.name not in _LAYOUT
            )
        self.found.append(kind.__name__)
        for name in self._fields[kind]:
            value = getattr(node, name)
            if value is not None and value != ():
                self.found.append(name)
                self.add(value)
        self.found.append(".")
