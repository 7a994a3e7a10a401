"""What the checks of a whole ruleset have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from attrs import frozen

from hots_rules.diagnostics import RelatedPlace, Span
from hots_rules.rules.checks.set_sizes import StaticValuesOf
from hots_rules.rules.editions.labels import EditionLabel
from hots_rules.rules.graph import MAX_SHOWN, describe_cycle
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, name_span, words_in
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import call_graph, procedures


@frozen(slots=False)
class CheckContext:
    """The declarations of a ruleset, named and typed; faults are recorded in `symbols`.

    `static_values` makes the evaluator of sets that read no state, for checks that depend on their size.
    """

    symbols: SymbolTable
    typed: tast.TypedRuleset
    edition: str
    sections: Mapping[str, Mapping[str, str]]
    labels: Mapping[str, Mapping[str, EditionLabel]]
    repealed: tuple[Entry, ...]
    static_values: StaticValuesOf | None = None

    @cached_property
    def procedures(self) -> Mapping[str, tast.Body]:
        """The statements of every phase, scenario, action and event."""
        return procedures(self.typed)

    @cached_property
    def graph(self) -> Mapping[str, set[str]]:
        """The procedures that each procedure calls."""
        return call_graph(self.procedures)

    @cached_property
    def sentences(self) -> Mapping[str, frozenset[str]]:
        """What a translation of each text after `because` may have in braces."""
        names: dict[str, frozenset[str]] = {}
        for action in self.typed.actions.values():
            for clause in action.clauses:
                if (because := clause.because) is not None:
                    placeholders = frozenset(name for name, _ in because.values)
                    names[because.text] = names.get(because.text, placeholders) & placeholders
        return names

    @cached_property
    def _mentions(self) -> Mapping[str, int]:
        """How often each name is written, its declaration included."""
        return Counter(
            word for entry in self.symbols.entries.values() for word in words_in(entry.node)
        )

    def can_be_removed(self, entry: Entry) -> bool:
        """Whether an unused declaration can be removed: nothing names it, and no label translates it."""
        if entry.previous is not None or entry.lines or self._mentions[entry.name] > 1:
            return False
        return self._labelled.isdisjoint(words_in(entry.node))

    @cached_property
    def _labelled(self) -> frozenset[str]:
        """The names in the keys of all labels."""
        return frozenset(
            word
            for labels in self.labels.values()
            for label in labels.values()
            for word in words_in(label.key)
        )

    def may_be_used(self, name: str) -> bool:
        """Whether a name may be in use, hidden by other faults: it occurs elsewhere, or is near to a misspelt one."""
        if not self.symbols.faults:
            return False
        return self._mentions[name] > 1 or self.symbols.faults.suggests(name)

    def span_of(self, kind: str, name: str) -> Span:
        """The place of the name of a declaration."""
        return name_span(self.symbols.entries[kind, name].node)

    def span_of_procedure(self, key: str) -> Span:
        """The place of the name of a procedure, such as `event hit`."""
        kind, _, name = key.partition(" ")
        entries = self.symbols.entries
        return name_span((entries.get((kind, name)) or entries["stage", name]).node)

    def fault_of_cycle(self, cycle: Sequence[str], headline: str, remedy: str) -> None:
        """Report procedures that lead to each other; `headline` has `{}` for the first, which the cycle ends with."""
        spans = [self.span_of_procedure(key) for key in cycle[:-1]]
        names = [key.partition(" ")[2] for key in cycle]
        self.symbols.fault(
            "recursive-definition",
            f"{headline.format(names[0])}: {describe_cycle(names)}",
            spans[0],
            [RelatedPlace(span, "through this one") for span in spans[1:MAX_SHOWN]],
            remedy,
        )

    def span_of_origin(self, origin: tast.Origin) -> Span:
        """The place of the name of the rule or the action that a clause comes from."""
        return self.span_of(origin.kind, origin.rule)
