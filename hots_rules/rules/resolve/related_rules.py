"""Which rules must be resolved together, so that none is blamed for what another one says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Entry, Key
from hots_rules.syntax import tree


def with_related_rules(entries: Mapping[Key, Entry], wanted: frozenset[Key]) -> frozenset[Key]:
    """Some declarations, with the rules about the same events and actions, and all rules that these name."""
    rules = {
        entry.name: entry.node for entry in entries.values() if isinstance(entry.node, tree.Rule)
    }
    own = [rules[name] for kind, name in wanted if kind == "rule" and name in rules]
    subjects = {subject for node in own for subject in _subjects(node)}
    about = {name for name, node in rules.items() if not subjects.isdisjoint(_subjects(node))}
    named = {name: tuple(_named(node)) for name, node in rules.items()}
    return wanted | {("rule", name) for name in about | reachable(named, about)}


def _subjects(node: tree.Rule) -> Iterator[tuple[type, str]]:
    """The events and the actions that a rule is about."""
    for part in node.parts:
        for target in (*getattr(part, "events", ()), *getattr(part, "actions", ())):
            yield tree.Handler if isinstance(part, tree.Handler) else tree.Forbid, target.name.text


def _named(node: tree.Rule) -> Iterator[str]:
    """The rules that a rule makes an exception to or exempts from."""
    for part in node.parts:
        if isinstance(part, tree.ExceptionTo):
            yield from (word.text for word in part.rules)
        elif isinstance(part, tree.Exempt):
            yield part.rule.text
