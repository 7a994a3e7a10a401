"""What statements rest on: the declarations under the sections that they cite, and all that these use.

A statement is told where these declarations play as when somebody read it against them: numbers, conditions, cells of
tables, defaults of options and readings. Where an edition or a house rule has one of them otherwise it is not, and
the sentences of the rules are quoted instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from hashlib import blake2b
from itertools import chain

from attrs import frozen

from hots_rules.explain.declared.declarations import is_within
from hots_rules.explain.talk_file import Intent
from hots_rules.explain.word_search import IDLE_WORDS, words_of
from hots_rules.rules.graph import reachable
from hots_rules.rules.play_digest import KINDS_FOR_READERS, framed, played_tokens
from hots_rules.rules.rulebook import Entry, Key, Rulebook
from hots_rules.syntax import tree
from hots_rules.talk.reading.editions import CitedSections, Ground, Grounds

MAX_QUOTED = 2
"""How many rules are quoted in the place of a statement."""
_QUOTED = frozenset({"rule", "action", "phase", "stage"})
_SETTINGS = frozenset({"option", "reading"})
_COLUMN = "column"
_USED = _SETTINGS | {"define", _COLUMN}


@frozen(slots=False)
class Footing:
    """The declarations of a rulebook, and which others each of them uses."""

    book: Rulebook
    sections: CitedSections

    def grounds(self, statements: Iterable[Intent]) -> Grounds:
        """What the statements rest on."""
        by_name = {statement.name: self._ground(statement) for statement in statements}
        return Grounds(by_name, frozenset(name for _, name in self._outdated))

    def _ground(self, statement: Intent) -> Ground:
        under = self.under(statement)
        keys = sorted(reachable(self._uses, under))
        digest = blake2b(digest_size=4)
        for key in keys:
            digest.update(framed([*key]) + self._played[key])
        settings = tuple(name for kind, name in keys if kind in _SETTINGS)
        return Ground(digest.hexdigest(), settings, tuple(self._quoted(statement, under)))

    def _quoted(self, statement: Intent, under: Iterable[Key]) -> Iterable[str]:
        """The rules to quote in the place of a statement: those of house rules, and those with most of its words."""
        texts = (statement.name, statement.text.get("en", ""), *statement.examples)
        words = words_of(" ".join(texts)) - IDLE_WORDS

        def rank(key: Key) -> tuple[bool, float]:
            said = words_of(f"{key[1]} {self._entries[key].summary}") - IDLE_WORDS
            return self._entries[key].is_unlisted, len(words & said) / (1 + len(said)) ** 0.5

        quotable = [key for key in under if key[0] in _QUOTED and key not in self._outdated]
        closest = sorted(quotable, key=rank, reverse=True)[:MAX_QUOTED]
        return dict.fromkeys([*statement.rules, *(name for _, name in closest)])

    def under(self, statement: Intent) -> list[Key]:
        """The declarations under the sections of a statement, those that it names, and house rules about them."""
        cited = (
            self._citing(citation.edition, citation.section)
            for citation in self.sections.of(statement)
        )
        named = (key for key in self._entries if key[1] in statement.rules)
        under = dict.fromkeys(chain(*cited, named))
        touched = {name for key in under for name in self._about(key)}
        more = (key for key in self._unlisted if not touched.isdisjoint(self._about(key)))
        return [*dict.fromkeys([*under, *more])]

    def _citing(self, edition: str, section: str) -> Sequence[Key]:
        if (edition, section) not in self._known:
            self._known[edition, section] = [
                key
                for key, declared in self._entries.items()
                if any(
                    citation.edition == edition and is_within(citation.section, section)
                    for citation in declared.cited
                )
            ]
        return self._known[edition, section]

    @cached_property
    def _known(self) -> dict[tuple[str, str], Sequence[Key]]:
        """By edition and section the declarations that cite it, once they have been found."""
        return {}

    @cached_property
    def _unlisted(self) -> Sequence[Key]:
        """The declarations of house rules, which have no list of sections."""
        return [key for key, declared in self._entries.items() if declared.is_unlisted]

    @cached_property
    def _outdated(self) -> Set[Key]:
        """The declarations of which a later house rule changes something that they use."""
        changed = {key: self._layers[self._entries[key].edition] for key in self._unlisted}
        return {
            key
            for key, declared in self._entries.items()
            if changed
            and any(
                changed.get(used, 0) > self._layers[declared.edition]
                for used in reachable(self._uses, [key])
            )
        }

    @cached_property
    def _layers(self) -> Mapping[str, int]:
        """The number of the layer of each edition, the newest rulebook first."""
        return {layer.name: number for number, layer in enumerate(self.book.source.layers)}

    def _about(self, key: Key) -> Iterator[tuple[str, str]]:
        """The actions and events that a declaration declares, restricts or answers."""
        node = self._entries[key].node
        if isinstance(node, tree.Action | tree.Event):
            yield type(node).__name__, node.name.text
        for part in node.parts if isinstance(node, tree.Rule) else ():
            match part:
                case tree.Forbid() | tree.Allow() | tree.Exempt():
                    yield from (("Action", action.name.text) for action in part.actions)
                case tree.Handler():
                    yield from (("Event", event.name.text) for event in part.events)

    @cached_property
    def _entries(self) -> Mapping[Key, Entry]:
        return {k: e for k, e in self.book.entries.items() if k[0] not in KINDS_FOR_READERS}

    @cached_property
    def _words(self) -> Mapping[Key, list[str]]:
        """What the declarations and the columns of tables say about play."""
        words = {key: played_tokens(declared.node) for key, declared in self._entries.items()}
        tables = (
            declared.node
            for declared in self._entries.values()
            if isinstance(declared.node, tree.Table)
        )
        for table in tables:
            for row in table.rows:
                for column, cell in zip(table.columns, row.cells, strict=False):
                    cells = words.setdefault((_COLUMN, column.name.text), [])
                    cells += [row.name.text, *sorted(word.text for word in cell.words)]
        return words

    @cached_property
    def _played(self) -> Mapping[Key, bytes]:
        return {
            key: framed([self._entries[key].settled if key in self._entries else "", *words])
            for key, words in self._words.items()
        }

    @cached_property
    def _uses(self) -> Mapping[Key, list[Key]]:
        """By declaration the definitions, settings and columns that it uses."""
        named: dict[str, list[Key]] = {}
        for key in self._words:
            if key[0] in _USED:
                named.setdefault(key[1], []).append(key)
        for key, declared in self._entries.items():
            for part in (
                declared.node.alternatives if isinstance(declared.node, tree.Reading) else ()
            ):
                for definition in part.definitions:
                    named.setdefault(definition.name.text, []).append(key)
        return {
            key: [
                used
                for word in dict.fromkeys(words)
                if word[:1] == "'"
                for used in named.get(word[1:], ())
                if used != key
            ]
            for key, words in self._words.items()
        }
