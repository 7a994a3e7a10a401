"""The digest of all declarations of a ruleset as they are written, to which versions up to 0.2 pinned records."""

from __future__ import annotations

from hashlib import blake2b

from attrs import define, field

from hots_rules.rules.play_digest import framed
from hots_rules.rules.sources.source import Source
from hots_rules.syntax import parse, tree
from hots_rules.syntax.walk import named_parts

DECLARED_MARK = "000002"
"""The last digits of these digests."""
# A table may repeat the names of its columns over the rows.
_LAYOUT = frozenset({"span", "head"})


def declared_digest(source: Source) -> str:
    """The digest of all declarations of some texts that versions up to 0.2 wrote.

    It does not depend on comments, layout, or the folder of the files. A malformed text counts as written.
    """
    digest = blake2b(digest_size=13)
    for layer in source.layers:
        digest.update(framed([layer.name, layer.sections]))
        for name, text in sorted(layer.files.items()):
            file, faults = parse(text, name)
            digest.update(framed([name, text] if faults else [name]))
            if not faults:
                words = _Words()
                words.add(file)
                digest.update(framed(words.found))
    return digest.hexdigest() + DECLARED_MARK


@define
class _Words:
    """The classes and words of trees in order, with brackets around the parts of each node."""

    found: list[str] = field(factory=list)

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
        self.found.append(type(node).__name__)
        for name, value in named_parts(node):
            if name not in _LAYOUT and value is not None and value != ():
                self.found.append(name)
                self.add(value)
        self.found.append(".")
