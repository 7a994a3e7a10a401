"""The digest of what the texts of a ruleset declare, without their comments and layout."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from attrs import fields

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


def _parts(source: Source, files: dict[str, tree.File]) -> Iterator[str]:
    for layer in source.layers:
        yield layer.name
        yield layer.sections
        for name, text in sorted(layer.files.items()):
            yield name
            file, faults = (files[name], ()) if name in files else parse(text, name)
            yield from (text,) if faults else _words(file)


def _words(node: object) -> Iterator[str]:
    """The classes and words of a tree in order, with brackets around the parts of each node."""
    if isinstance(node, tree.Word):
        yield f"'{node.text}"
    elif isinstance(node, tuple):
        yield "("
        for part in node:
            yield from _words(part)
        yield ")"
    elif isinstance(node, tree.Node):
        yield type(node).__name__
        for field in fields(type(node)):
            value = getattr(node, field.name)
            if field.name not in _LAYOUT and value is not None and value != ():
                yield field.name
                yield from _words(value)
        yield "."
    elif node is not None:
        yield str(node)
