"""From the texts of a ruleset to its checked book."""

from __future__ import annotations

from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.declarations import CHECKS
from hots_rules.rules.editions.merger import EditionMerger
from hots_rules.rules.editions.sections import read_sections
from hots_rules.rules.resolve.resolver import resolve
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.sources.find import Source
from hots_rules.syntax import parse


def load_rulebook(source: Source) -> Rulebook:
    """The checked rulebook.

    Raises:
        RulesetError: with every fault that was found. What cannot be read hides what would be wrong with it.
    """
    layers = _laid(source)
    labels = layers.labels_in_force()
    sections = read_sections(source, layers.faults)
    layers.cite(sections)
    headings = {layer.name: sections.headings(layer.name) for layer in source.layers}
    repealed = tuple(found.entry for found in layers.repealed.values())
    head = layers.heads[-1] if layers.heads else Span.nowhere()
    names = SymbolTable(layers.entries, head, layers.repealed, layers.faults)
    try:
        typed = resolve(names, source.name, source.layers[-1].title, labels)
        checked = CheckContext(names, typed, source.name, headings, layers.labels, repealed)
        for check in CHECKS:
            check(checked)
    except RecursionError:
        names.fault(
            "too-large",
            "expected definitions that lead less deep into one another, got a chain too long to follow",
            head,
            help_="write some of them out",
        )
    if names.faults:
        raise RulesetError(names.faults, source.texts)
    notes = {layer.name: sections.notes(layer.name) for layer in source.layers}
    return Rulebook(source, layers.entries, repealed, headings, labels, typed, notes)


def _laid(source: Source) -> EditionMerger:
    """The layers of a ruleset over one another."""
    layers = EditionMerger()
    faults: list[Fault] = []
    for layer in source.layers:
        files = []
        for name, text in layer.files.items():
            file, found = parse(text, name)
            faults += found
            files.append(file)
        layers.apply(layer.name, files)
    if faults:
        raise RulesetError(faults, source.texts)
    return layers
