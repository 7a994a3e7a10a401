"""A whole ruleset as its checks see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from hots_rules.rules.editions.merger import Labelled
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, words_in
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import graph_of, procedures


@frozen(slots=False)
class CheckContext:
    """What a check looks at."""

    names: SymbolTable
    typed: tast.TypedRuleset
    edition: str
    sections: Mapping[str, Mapping[str, str]]
    labels: Mapping[str, Mapping[str, Labelled]]
    repealed: tuple[Entry, ...]

    @cached_property
    def procedures(self) -> Mapping[str, tast.Body]:
        """The statements of everything that happens."""
        return procedures(self.typed)

    @cached_property
    def graph(self) -> Mapping[str, set[str]]:
        """What leads to what."""
        return graph_of(self.procedures)

    @cached_property
    def mentions(self) -> Mapping[str, int]:
        """How often each name is written, its declaration included."""
        return Counter(
            word for entry in self.names.entries.values() for word in words_in(entry.node)
        )

    def is_told(self, name: str) -> bool:
        """Whether a name is written again where another fault may hide its use."""
        return bool(self.names.faults) and self.mentions[name] > 1

    def entry(self, key: str) -> Entry:
        """The declaration of a procedure."""
        kind, _, name = key.partition(" ")
        entries = self.names.entries
        return entries.get((kind, name)) or entries["stage", name]
