"""Values of one type that a reader may confuse: `J` and `j`, or the labels `Élan` and `elan`.

The ruleset can be played, since the exact spelling decides. But somebody who types in other letters may get the wrong
value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.diagnostics import Fault, fold_name, without_accents
from hots_rules.rules.rulebook import Entry, Key, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import TypedRuleset


def alike_values(typed: TypedRuleset, entries: Mapping[Key, Entry]) -> tuple[Fault, ...]:
    """A fault for each two values of a type whose names, or labels of one language, differ only in case or accents."""
    faults: dict[tuple[str, str], Fault] = {}
    for type_name, type_ in typed.types.items():
        entry = entries.get(("type", type_name)) or entries.get(("table", type_name))
        if not isinstance(type_, types.WordType) or entry is None:
            continue
        for first, second in _pairs(type_, typed.labels):
            headline = f"`{first}` and `{second}` of `{type_name}` differ only in case or accents"
            remedy = "rename one of them: people type names in any case, and without accents"
            fault = Fault("ambiguous-name", headline, name_span(entry.node), help=remedy)
            faults.setdefault((first, second), fault)
    return tuple(faults.values())


def _pairs(
    type_: types.WordType, labels: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, str]]:
    """The first two spellings of each word, in the names and in the labels of each language."""
    listed = [{value: value[1] for value in type_.values}]
    for declared in labels.values():
        written = {v: declared.get(".".join(v)) or declared.get(v[1]) for v in type_.values}
        listed.append({value: label for value, label in written.items() if label})
    for words in listed:
        spelled: dict[str, str] = {}
        for word in words.values():
            first = spelled.setdefault(without_accents(fold_name(word)), word)
            if first != word:
                yield first, word
