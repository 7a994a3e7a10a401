"""The digest of what the texts of a ruleset declare, without their comments and layout."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from attrs import define, field, fields

from hots_rules._text import composed
from hots_rules.rules.sources.source import CONTENT_MARK, Source
from hots_rules.syntax import parse, tree

# A table may repeat the names of its columns over the rows.
_LAYOUT = frozenset({"span", "head"})


def content_hash(source: Source, files: Mapping[str, tree.File] | None = None) -> str:
    """A digest of all declarations, in hexadecimal; `files` are the trees, if they were parsed already.

    It does not depend on comments, layout, or where the files are. A malformed text counts as written.
    """
    return ContentDigest().of(source, files or {})


@define
class ContentDigest:
    """Gives the digests of the versions of a ruleset; a declaration that is still the same is not read again."""

    _known: dict[int, tuple[tree.Item, bytes]] = field(factory=dict, init=False, repr=False)

    def of(self, source: Source, files: Mapping[str, tree.File]) -> str:
        """The digest of one version: see `content_hash`."""
        known, self._known = self._known, {}
        digest = blake2b(digest_size=13)
        for layer in source.layers:
            digest.update(_framed([layer.name, composed(layer.sections)]))
            for name, text in sorted(layer.files.items()):
                file, faults = (files[name], ()) if name in files else parse(text, name)
                digest.update(_framed([name, text] if faults else [name]))
                if not faults:
                    digest.update(self._file(file, known))
        return digest.hexdigest() + CONTENT_MARK

    def _file(self, file: tree.File, known: Mapping[int, tuple[tree.Item, bytes]]) -> bytes:
        """The parts of a file as those of any node, those of its declarations one after the other."""
        if not file.items:
            return _framed(["File", "."])
        data = [_framed(["File", "items", "("])]
        for item in file.items:
            # By its id, with the declaration to keep it alive: hashing a long one costs more.
            entry = known.get(id(item)) or (item, _parts_of(item))
            self._known[id(item)] = entry
            data.append(entry[1])
        return b"".join([*data, _framed([")", "."])])


def _parts_of(item: tree.Item) -> bytes:
    words = _Words()
    words.add(item)
    return _framed(words.found)


def _framed(parts: list[str]) -> bytes:
    """Texts as bytes, each behind its length."""
    encoded = map(str.encode, parts)
    return b"".join([len(data).to_bytes(8, "big") + data for data in encoded])


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
