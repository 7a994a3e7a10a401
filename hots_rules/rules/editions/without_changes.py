"""A ruleset without some changes of its newest layer, as if that layer had not made them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import evolve

from hots_rules.diagnostics import RulesetError, Span
from hots_rules.rules.resolve.ruleset import resolve_ruleset
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, Key, Repealed, Rulebook, name_span, words_in
from hots_rules.syntax import tree


def changes(rulebook: Rulebook) -> dict[Key, Entry]:
    """The declarations that the newest layer adds, amends or repeals; not those that it only rewords."""
    entries = (*rulebook.entries.values(), *rulebook.repealed)
    return {
        (entry.kind, entry.name): entry
        for entry in entries
        if entry.edition == rulebook.name and not entry.wording
    }


def without_change(rulebook: Rulebook, key: Key) -> Rulebook:
    """The rulebook without one change of its newest layer: the declaration is that of the layer below.

    Other changes that need this one are taken back with it, and so are the changes of declarations that used a repealed
    one. Names and types are checked, but not the ruleset as a whole: a declaration that is no longer used is no fault
    here.

    Raises:
        RulesetError: the ruleset has faults whichever changes are taken back with it.
    """
    changed = changes(rulebook)
    taken_back = {key, *_users_of_repealed(key, rulebook, changed)}
    while True:
        try:
            return _without(rulebook, taken_back)
        except RulesetError as error:
            connected = {*_connected(taken_back, changed)} - taken_back
            if not connected:
                raise
            # If some of them have faults, only these are taken back.
            places = [fault.place for fault in error.faults]
            faulty = {key for key in connected if _holds_any(changed[key], places)}
            taken_back |= faulty or connected


def _without(rulebook: Rulebook, taken_back: Collection[Key]) -> Rulebook:
    """The rulebook without some changes of its newest layer.

    Raises:
        RulesetError: it has faults.
    """
    entries = dict(rulebook.entries)
    repealed = {(entry.kind, entry.name): entry for entry in rulebook.repealed}
    for key in taken_back:
        current = repealed.pop(key) if key in repealed else entries.pop(key)
        earlier = _earlier(current, rulebook.name)
        if earlier is not None:
            (repealed if _is_repeal(earlier) else entries)[key] = earlier
    order = [*rulebook.entries, *(key for key in entries if key not in rulebook.entries)]
    entries = {key: entries[key] for key in order if key in entries}
    removed = {key: Repealed(entry, name_span(entry.node)) for key, entry in repealed.items()}
    symbols = SymbolTable(entries, repealed=removed)
    typed = resolve_ruleset(symbols, rulebook.name, rulebook.typed.title, rulebook.labels)
    if symbols.faults:
        raise RulesetError(symbols.faults, rulebook.source.texts)
    return evolve(rulebook, entries=entries, repealed=tuple(repealed.values()), typed=typed)


def _earlier(entry: Entry, edition: str) -> Entry | None:
    """The declaration before an edition changed it; None if the edition declares it."""
    earlier: Entry | None = entry
    while earlier is not None and earlier.edition == edition:
        earlier = earlier.previous
    return earlier


def _is_repeal(entry: Entry) -> bool:
    return any(isinstance(line, tree.Repeal) for line in entry.lines)


def _users_of_repealed(key: Key, rulebook: Rulebook, changed: dict[Key, Entry]) -> Iterator[Key]:
    """The changes of declarations that used another one before it was repealed."""
    kind, name = key
    if key in rulebook.entries or kind == "rule":
        return
    for user, entry in changed.items():
        earlier = _earlier(entry, rulebook.name)
        if earlier is not None and _plain(name) in map(_plain, words_in(earlier.node)):
            yield user


def _connected(taken_back: Collection[Key], changed: dict[Key, Entry]) -> Iterator[Key]:
    """The changes that use a declaration that is taken back, and those of what its earlier version uses."""
    names = {_plain(name) for _, name in taken_back}
    used = {
        _plain(word)
        for key in taken_back
        if (earlier := changed[key].previous) is not None
        for word in words_in(earlier.node)
    }
    for (kind, name), entry in changed.items():
        if _plain(name) in used or names & {*map(_plain, words_in(entry.node))}:
            yield kind, name


def _holds_any(entry: Entry, places: list[Span]) -> bool:
    """Whether one of some places is in the lines of a declaration."""
    span = entry.node.span
    return any(
        place.file == span.file and span.line <= place.line <= span.end_line for place in places
    )


def _plain(name: str) -> str:
    """The name as expressions write it: `the_king` for `the-king`."""
    return name.replace("-", "_")
