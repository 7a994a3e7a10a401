"""Labels: their keys, and which of them are outdated by a later edition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.editions.label_kinds import SENTENCES
from hots_rules.rules.rulebook import Entry, Key
from hots_rules.syntax import tree

LabelKey: TypeAlias = tree.ValueKey | tree.DeclarationKey | tree.TextKey


@frozen
class EditionLabel:
    """A label: its key, its text and the place of the text as written, and the edition that gives it."""

    key: LabelKey
    text: str
    edition: str
    span: Span


def label_key(key: LabelKey) -> str:
    """The key by which a label is looked up: `North`, `Field.North`, `action move summary`."""
    if isinstance(key, tree.TextKey):
        return f"text {key.text}"
    written = written_key(key)
    if written.startswith("stage "):
        return f"phase {written.removeprefix('stage ')}"
    return written


def written_key(key: LabelKey) -> str:
    """The key as the ruleset writes it."""
    match key:
        case tree.TextKey():
            return f'text "{key.text}"'
        case tree.ValueKey():
            return f"{key.type}.{key.name}" if key.type else key.name.text
        case tree.DeclarationKey():
            return f"{key.kind} {key.name}" + (" summary" if key.summary else "")


def is_outdated(
    label: EditionLabel, entries: Mapping[Key, Entry], order: Mapping[str, int]
) -> bool:
    """Whether a label translates a sentence that a later edition has changed.

    `order` numbers the editions, the newest rulebook first.
    """
    if isinstance(label.key, tree.TextKey):
        return False
    current = translated = _declaration(label.key, entries)
    while translated is not None and order[translated.edition] > order[label.edition]:
        translated = translated.previous
    if current is None or translated is None or current is translated:
        return False
    return _sentence(current, label.key) != _sentence(translated, label.key)


def _declaration(
    key: tree.ValueKey | tree.DeclarationKey, entries: Mapping[Key, Entry]
) -> Entry | None:
    """The declaration of the sentence that a label translates; None where it is no sentence."""
    if isinstance(key, tree.ValueKey):
        return entries.get(("reading", key.type.text)) if key.type else None
    kind, name = key.kind.text, key.name.text
    if kind not in SENTENCES and key.summary is None:
        return None
    kinds = ("phase", "stage") if kind in {"phase", "stage"} else (kind,)
    return next((entries[k, name] for k in kinds if (k, name) in entries), None)


def _sentence(entry: Entry, key: tree.ValueKey | tree.DeclarationKey) -> str:
    """The sentence of a declaration, or of an alternative of a reading."""
    if isinstance(key, tree.DeclarationKey) or not isinstance(entry.node, tree.Reading):
        return entry.summary
    sentences = {option.name.text: option.summary.text for option in entry.node.alternatives}
    return sentences.get(key.name.text, "")
