"""From the texts of a ruleset to its checked book."""

from __future__ import annotations

from hots_rules.diagnostics import RulesetError
from hots_rules.rules.book import Book, Layers
from hots_rules.rules.check import CHECKS, Checked
from hots_rules.rules.names import Names
from hots_rules.rules.resolve import resolve
from hots_rules.rules.sections import read_sections
from hots_rules.rules.sources import Source
from hots_rules.syntax import parse


def load_book(source: Source) -> Book:
    """The checked rulebook.

    Raises:
        RulesetError: with every fault that was found.
    """
    layers = Layers()
    for layer in source.layers:
        files = []
        for name, text in layer.files.items():
            file, faults = parse(text, name)
            layers.faults += faults
            files.append(file)
        layers.lay(layer.name, files)
    unreadable = bool(layers.faults)
    names = Names(layers.entries, layers.faults)
    labels = {
        language: {key: text for key, (text, _, _) in known.items()}
        for language, known in layers.labels.items()
    }
    if unreadable and any(fault.code in {"malformed-text", "too-large"} for fault in layers.faults):
        raise RulesetError(layers.faults, source.texts)
    typed = resolve(names, source.name, source.layers[-1].title, labels)
    sections = {layer.name: read_sections(layer.sections) for layer in source.layers}
    for check in CHECKS:
        check(Checked(names, typed, sections))
    if names.faults:
        raise RulesetError(names.faults, source.texts)
    return Book(source, layers.entries, tuple(layers.repealed), sections, labels, typed)
