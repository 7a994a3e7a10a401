"""Values of definitions that stay when a ruleset is edited: those that read neither the state nor a setting."""

from __future__ import annotations

from functools import cache

from hots_rules.rules.graph import reachable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.visitor import walk


def take_static_values(old: tast.TypedRuleset, new: tast.TypedRuleset) -> None:
    """Give a ruleset the known values of the definitions that are the same in an earlier form of it.

    So is all that they read: the definitions that they call, directly or not, and their tables.
    """
    read = {name: _read_by(definition) for name, definition in new.definitions.items()}
    calls = {name: called for name, (called, _) in read.items()}

    @cache
    def is_same(name: str) -> bool:
        before, now = old.definitions.get(name), new.definitions[name]
        return (
            before is not None
            and before.params == now.params
            and before.body == now.body
            and all(old.tables.get(table) == new.tables[table] for table in read[name][1])
        )

    known = {name for name, _ in old.static_values}.intersection(calls)
    kept = {name for name in known if all(map(is_same, reachable(calls, (name,))))}
    values = old.static_values.items()
    new.static_values.update((key, value) for key, value in values if key[0] in kept)


def _read_by(definition: tast.Definition) -> tuple[set[str], set[str]]:
    """The definitions and the tables that a definition reads itself."""
    calls, tables = set[str](), set[str]()
    for part in walk(definition.body):
        if isinstance(part, tast.DefinitionCall):
            calls.add(part.define)
        elif isinstance(part, tast.ColumnLookup):
            tables.add(part.table)
    return calls, tables
