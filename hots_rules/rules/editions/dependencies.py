"""Which differences of two rulebooks depend on which others: those that cannot be taken over without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from attrs import fields, frozen

from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Entry, Key, words_in
from hots_rules.syntax import tree
from hots_rules.syntax.walk import walk

# Kinds of which a declaration is a fault if nothing else uses it.
_HELPERS = frozenset(
    {"define", "event", "action", "variable", "type", "table", "option", "reading"}
)
# Kinds of which a declaration is a fault if play never reaches it.
_REACHED = frozenset({"phase", "stage"})


@frozen(slots=False)
class ChangeDependencies:
    """The declarations that differ between two rulebooks, and which of them need which."""

    old: Mapping[Key, Entry]
    new: Mapping[Key, Entry]
    keys: tuple[Key, ...]

    def closed(self, keys: Iterable[Key]) -> frozenset[Key]:
        """Some declarations, and all that they depend on."""
        return frozenset(reachable(self.needs, keys))

    @cached_property
    def needs(self) -> Mapping[Key, frozenset[Key]]:
        """For each key, the other keys of which the new side has to be taken over as well."""
        needs = {key: set[Key]() for key in self.keys}
        for key in self.keys:
            needs[key].update(self._added_names(key), self._signatures(key))
            for user in self._users_of_removed(key):
                needs[key].add(user)
        for key in self.keys:
            needs[key].update(self._only_user(key))
        return {key: frozenset(needed - {key}) for key, needed in needs.items()}

    def _added_names(self, key: Key) -> Iterator[Key]:
        """The differences that declare a name that the new side uses and the old ruleset lacks."""
        for word in self._words[1].get(key, frozenset()) - self._known[0]:
            yield from self._providers[1].get(word, ())

    def _users_of_removed(self, key: Key) -> Iterator[Key]:
        """The differences whose old side uses a name that the new ruleset no longer has."""
        removed = self._provided(self.old.get(key)) - self._known[1]
        for user in self.keys if removed else ():
            if removed & self._words[0].get(user, frozenset()):
                yield user

    def _signatures(self, key: Key) -> Iterator[Key]:
        """The differences that use a declaration whose parameters or types differ."""
        old, new = self.old.get(key), self.new.get(key)
        if old is None or new is None or _signature(old) == _signature(new):
            return
        for user in self.keys:
            uses = (words.get(user, frozenset()) for words in self._words)
            if all(key[1] in words for words in uses):
                yield user

    def _only_user(self, key: Key) -> Iterator[Key]:
        """The first difference that uses an added declaration which nothing else uses: without it, that is a fault."""
        entry = self.new.get(key)
        if entry is None or key in self.old or entry.kind not in _HELPERS | _REACHED:
            return
        users = [k for k in self.new if k != key and key[1] in self._new_words(k)]
        if users and all(user in self._differing for user in users):
            yield users[0]

    # -------------------------------------------------------------- names
    @cached_property
    def _differing(self) -> frozenset[Key]:
        return frozenset(self.keys)

    @cached_property
    def _words(self) -> tuple[Mapping[Key, frozenset[str]], Mapping[Key, frozenset[str]]]:
        """The names that each differing declaration uses: on the old side, and on the new one."""
        old, new = (
            {key: _used_words(side[key]) for key in self.keys if key in side}
            for side in (self.old, self.new)
        )
        return old, new

    def _new_words(self, key: Key) -> frozenset[str]:
        return self._words[1].get(key) or _used_words(self.new[key])

    @cached_property
    def _known(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names that the old ruleset declares, and those that the new one does."""
        old, new = (
            frozenset(name for entry in side.values() for name in _provided_words(entry))
            for side in (self.old, self.new)
        )
        return old, new

    @cached_property
    def _providers(self) -> tuple[Mapping[str, list[Key]], Mapping[str, list[Key]]]:
        """For each name, the differences that declare it: on the old side, and on the new one."""
        return self._providers_on(self.old), self._providers_on(self.new)

    def _providers_on(self, side: Mapping[Key, Entry]) -> dict[str, list[Key]]:
        providers: dict[str, list[Key]] = {}
        for key in self.keys:
            for name in self._provided(side.get(key)):
                providers.setdefault(name, []).append(key)
        return providers

    @staticmethod
    def _provided(entry: Entry | None) -> frozenset[str]:
        return frozenset() if entry is None else _provided_words(entry)


def _provided_words(entry: Entry) -> frozenset[str]:
    """The names that a declaration declares: its own, and those of its rows, columns, words and alternatives."""
    node, names = entry.node, [entry.name] if entry.kind != "secret" else []
    match node:
        case tree.Table():
            names += [row.name.text for row in node.rows]
            names += [column.name.text for column in node.columns]
        case tree.TypeAlias():
            names += [part.text for part in walk(node.type) if isinstance(part, tree.Word)]
        case tree.Reading():
            names += [part.name.text for part in node.alternatives]
    return frozenset(names)


def _used_words(entry: Entry) -> frozenset[str]:
    """The names that a declaration uses; not its own, nor those that it binds itself."""
    own = {entry.name} if entry.kind != "secret" else set[str]()
    return frozenset(words_in(entry.node)) - own


def _signature(entry: Entry) -> object:
    """What a user of a declaration has to agree with: its parameters, keys, columns and types."""
    node = entry.node
    names = {"params", "keys", "type", "columns"} & {f.name for f in fields(type(node))}
    return tuple(tuple(words_in(getattr(node, name))) for name in sorted(names))
