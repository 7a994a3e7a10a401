"""A rulebook with some declarations of another one in the place of its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.set_sizes import StaticValuesOf
from hots_rules.rules.editions.dependencies import ChangeDependencies
from hots_rules.rules.load import load_rulebook, run_checks
from hots_rules.rules.resolve.ruleset import resolve_ruleset
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, Key, Rulebook, words_in
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.rules.typed.tast import TypedRuleset

MAX_TRIED = 60
"""The most declarations of which each is tried without; with more, the rulesets are hardly related."""


@frozen
class Taken:
    """What a blend takes from the new rulebook.

    Attributes:
        keys: the declarations.
        languages: the languages of which it takes the labels.
        reorders: whether the rules that handle one event stand in the order of the new rulebook.
    """

    keys: frozenset[Key]
    languages: frozenset[str] = frozenset()
    reorders: bool = False


@frozen(slots=False)
class Blend:
    """Two rulebooks, and the keys of the declarations that differ between them.

    A blend takes some declarations from the new rulebook, and all others from the old one. A declaration that it takes
    and that the new rulebook lacks is left out. For `static_values` see `load_rulebook`.
    """

    old: Rulebook
    new: Rulebook
    keys: tuple[Key, ...]
    static_values: StaticValuesOf | None = None

    @classmethod
    def of(
        cls,
        old: Rulebook,
        new: Rulebook,
        keys: Iterable[Key],
        static_values: StaticValuesOf | None = None,
    ) -> Blend:
        """The blends of two rulebooks; files of one name and two texts are told apart."""
        own = old.source.texts
        if any(own.get(name, text) != text for name, text in new.source.texts.items()):
            new = load_rulebook(_renamed(new.source), static_values=static_values)
        return cls(old, new, tuple(keys), static_values)

    @cached_property
    def dependencies(self) -> ChangeDependencies:
        """Which declarations depend on which, as far as their names show."""
        return ChangeDependencies(self.old.entries, self.new.entries, self.keys)

    def closed(self, keys: Iterable[Key]) -> frozenset[Key]:
        """The smallest set of keys that holds these and that a blend can take without faults.

        Raises:
            RulesetError: the blend has faults whatever it takes with them.
        """
        asked = frozenset(keys)
        return self._smallest(asked, self._without_faults(asked))

    def _without_faults(self, asked: frozenset[Key]) -> frozenset[Key]:
        """These keys with what they depend on by name, and with what removes the faults that are left.

        Raises:
            RulesetError: faults are left whatever is added.
        """
        taken = self.dependencies.closed(asked)
        while faults := self._faults(taken):
            added = self._keys_behind(faults, taken)
            if not added:
                raise RulesetError(faults, {**self.new.source.texts, **self.old.source.texts})
            taken = self.dependencies.closed(taken | added)
        return taken

    def _smallest(self, asked: frozenset[Key], taken: frozenset[Key]) -> frozenset[Key]:
        """The keys that are asked for, with those of `taken` that cannot be left out; tried until none can."""
        added = sorted(taken - asked)
        if len(added) > MAX_TRIED:
            return taken
        smaller = taken
        for key in added:
            if not self._faults(smaller - {key}):
                smaller -= {key}
        return taken if smaller == taken else self._smallest(asked, smaller)

    # -------------------------------------------------------------- blends
    def rulebook(self, name: str, taken: Taken) -> Rulebook:
        """The checked rulebook of a blend.

        Raises:
            RulesetError: with every fault.
        """
        symbols, rulebook = self._blended(name, taken)
        if symbols.faults:
            raise RulesetError(symbols.faults, rulebook.source.texts)
        return rulebook

    def _faults(self, keys: frozenset[Key]) -> list[Fault]:
        return list(self._blended("blend", Taken(keys))[0].faults)

    def _blended(self, name: str, taken: Taken) -> tuple[SymbolTable, Rulebook]:
        source = self._source(name)
        labels = self._labels(taken)
        symbols = SymbolTable(self._entries(taken))
        typed = resolve_ruleset(symbols, name, source.layers[-1].title, labels)
        sections = {**self.new.sections, **self.old.sections}
        context = _context(symbols, typed, taken, sections)
        run_checks(evolve(context, static_values=self.static_values))
        removed = (entry for entry in self.new.repealed if (entry.kind, entry.name) in taken.keys)
        still_repealed = (
            entry for entry in self.old.repealed if (entry.kind, entry.name) not in taken.keys
        )
        notes = {**self.new.notes, **self.old.notes}
        return symbols, Rulebook(
            source, "", symbols.entries, (*still_repealed, *removed), sections, labels, typed, notes
        )

    def _source(self, name: str) -> Source:
        """The texts of both rulebooks, under a layer without texts that has the name of the blend."""
        layers = self.old.source.layers
        others = (layer for layer in self.new.source.layers if layer not in layers)
        return Source((*others, *layers, Layer(name, layers[-1].title, self.old.name, {}, "")))

    # -------------------------------------------------------------- what is taken
    def _entries(self, taken: Taken) -> dict[Key, Entry]:
        """The declarations of a blend, in the order of the rulebook that gives the order."""
        first, second = (
            (self.new.entries, self.old.entries)
            if taken.reorders
            else (self.old.entries, self.new.entries)
        )
        sides = (
            (key, (self.new if key in taken.keys else self.old).entries.get(key))
            for key in _merged(first, second)
        )
        return {key: entry for key, entry in sides if entry is not None}

    def _labels(self, taken: Taken) -> dict[str, dict[str, str]]:
        """The labels of the old rulebook; what is taken comes with its own."""
        entries = (self.new.entries.get(key) for key in taken.keys)
        words = {word for entry in entries if entry is not None for word in words_in(entry.node)}
        labels = {}
        for language in {**self.old.labels, **self.new.labels}:
            own, theirs = (book.labels.get(language, {}) for book in (self.old, self.new))
            default = theirs if language in taken.languages else own
            from_new = {
                key: theirs
                for key in {**own, **theirs}
                if _owners(key) & taken.keys or (key not in own and _plain_text(key) in words)
            }
            sides = ((key, from_new.get(key, default)) for key in {**own, **theirs})
            labels[language] = {key: side[key] for key, side in sides if key in side}
        return labels

    def _keys_behind(self, faults: Iterable[Fault], taken: frozenset[Key]) -> frozenset[Key]:
        """What else has to be taken, by the places of faults: what is at fault, else what that mentions."""
        entries, rest = self._entries(Taken(taken)), set(self.keys) - taken
        places = [span for fault in faults for span in (fault.place, *_related(fault))]
        at_fault = {
            key for key, entry in entries.items() if any(_is_at(entry, place) for place in places)
        }
        if untaken := at_fault & rest:
            return frozenset(untaken)
        words = {word for key in at_fault for word in words_in(entries[key].node)}
        return frozenset(
            key for key in rest if key[1] in words or any(name == key[1] for _, name in at_fault)
        )


def _plain_text(label: str) -> str:
    """The text, or the word, that a label translates if it belongs to no declaration."""
    return label.removeprefix("text ")


def _owners(label: str) -> set[Key]:
    """The keys of the declarations that a label may belong to: `rule rain`, `Block.Fox`, `action move summary`."""
    kind, _, name = label.removesuffix(" summary").partition(" ")
    if name:
        return {(kind, name), *([("stage", name)] if kind == "phase" else [])}
    owner, _, word = label.partition(".")
    return {(kind, owner) for kind in ("reading", "type", "table")} if word else set()


def _merged(first: Iterable[Key], second: Iterable[Key]) -> list[Key]:
    """All keys in the order of the first side; a key that only the second has follows the same key as there."""
    followers: dict[Key | None, list[Key]] = {}
    in_first, last_shared = set(first), None
    for key in second:
        if key in in_first:
            last_shared = key
        else:
            followers.setdefault(last_shared, []).append(key)
    merged = followers.get(None, [])
    for key in first:
        merged += [key, *followers.get(key, [])]
    return merged


def _context(
    symbols: SymbolTable, typed: TypedRuleset, taken: Taken, editions: Iterable[str]
) -> CheckContext:
    """The context of the checks of a blend: what it takes counts as its own, and has to be used.

    Citations are not checked again: the two rulebooks have been.
    """
    own = {
        key: evolve(entry, edition=typed.name) if key in taken.keys else entry
        for key, entry in symbols.entries.items()
    }
    unlisted: dict[str, dict[str, str]] = {name: {} for name in (*editions, typed.name)}
    return CheckContext(evolve(symbols, entries=own), typed, typed.name, unlisted, {}, ())


def _related(fault: Fault) -> list[Span]:
    return [related.span for related in fault.related]


def _is_at(entry: Entry, place: Span) -> bool:
    """Whether a place is in a declaration, or in a change of a part of it."""
    spans: list[Span] = [entry.node.span]
    layer: Entry | None = entry
    while layer is not None:
        spans += [line.span for line in layer.lines]
        layer = layer.previous
    return any(
        place.file == span.file and span.line <= place.line <= span.end_line for span in spans
    )


def _renamed(source: Source) -> Source:
    """The same texts in files of other names: each begins with the name of its ruleset."""
    layers = (
        evolve(
            layer,
            files={f"{layer.name}/{name}": text for name, text in layer.files.items()},
            sections_file=f"{layer.name}/{layer.sections_file}",
        )
        for layer in source.layers
    )
    return Source(tuple(layers))
