"""Labels: their keys, and which of them are outdated by a later edition."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from hots_rules.rules.rulebook import Entry, Key
from hots_rules.syntax import tree

# The first words of a label's key, by what the label gives: a sentence, or a text with parameters.
SENTENCES = frozenset({"rule", "option", "reading", "scenario"})
TEMPLATES = frozenset({"action", "event", "phase", "stage"})
SUMMARIZED = TEMPLATES - {"event"}
LABELLED = SENTENCES | TEMPLATES | {"question", "type", "variable", "define", "column"}


@frozen
class Label:
    """A label: its key and text as written, and the edition that gives it."""

    key: tree.LabelKey | tree.TextKey
    text: str
    edition: str


def label_key(key: tree.LabelKey | tree.TextKey) -> str:
    """The key by which a label is looked up: `North`, `Field.North`, `action move summary`."""
    if isinstance(key, tree.TextKey):
        return f"text {key.text}"
    written = written_key(key)
    if written.startswith("stage "):
        return f"phase {written.removeprefix('stage ')}"
    return written


def written_key(key: tree.LabelKey | tree.TextKey) -> str:
    """The key as the ruleset writes it."""
    if isinstance(key, tree.TextKey):
        return f'text "{key.text}"'
    sign = "" if key.is_value else " "
    return sign.join(word.text for word in (key.first, key.second, key.third) if word is not None)


def is_outdated(label: Label, entries: Mapping[Key, Entry], order: Mapping[str, int]) -> bool:
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


def _declaration(key: tree.LabelKey, entries: Mapping[Key, Entry]) -> Entry | None:
    """The declaration of the sentence that a label translates; None where it is no sentence."""
    kind = key.first.text
    if key.is_value:
        return entries.get(("reading", kind))
    if key.second is None or not (kind in SENTENCES or key.third is not None):
        return None
    kinds = ("phase", "stage") if kind in {"phase", "stage"} else (kind,)
    name = key.second.text
    return next((entries[k, name] for k in kinds if (k, name) in entries), None)


def _sentence(entry: Entry, key: tree.LabelKey) -> str:
    """The sentence of a declaration, or of an alternative of a reading."""
    if not key.is_value or not isinstance(entry.node, tree.Reading) or key.third is None:
        return entry.summary
    sentences = {option.name.text: option.summary.text for option in entry.node.alternatives}
    return sentences.get(key.third.text, "")
