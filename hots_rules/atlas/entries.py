"""The atlas: everything that differs between rulesets, entry by entry, to search and to print."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.atlas.changes_table import ChangeTable, change_table
from hots_rules.compare.difference import Diff, Difference, differences_by_id
from hots_rules.compare.differences import diff
from hots_rules.compare.rulebook_changes import names_in, users_of_helpers
from hots_rules.compare.sides import RulesetLike, compiled_of
from hots_rules.diagnostics import BadArgument, check_kind
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import contents_of, is_within
from hots_rules.explain.word_search import matches, words_of
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules import known_sources
from hots_rules.rules.editions.sections import Sections, read_sections
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.kinds import HELPERS, Key
from hots_rules.rules.sources.source import Source

_CHOICES = ("option", "reading")
_SECTION = re.compile(r"§?\s*([0-9]+(?:\.[0-9]+)*)")
_NOT_IN_A_FILE_NAME = re.compile(r"[^a-z0-9_-]+")


@frozen(slots=False)
class AtlasEntry:
    """A declaration that differs between rulesets, as each of them has it.

    >>> import hots_rules as hr
    >>> entry = hr.atlas.atlas("hots-3.x", "hots-4.0").entries[0]
    >>> len(entry.sides), len(entry.steps)
    (2, 1)

    Attributes:
        id: its kind and name, which name the difference in every pair of rulesets.
        sections: the sections of the newest rulebook that it belongs to, in its order.
        sides: the declaration in each ruleset; None where it is missing.
        steps: how each ruleset but the first differs from the one before it; None if it does not.
        headings: the headings of its sections and of their chapters, in every ruleset.
        choices: the ids of the options and readings that touch it.
        below: the id of the entry that uses it and that it is listed below; empty if it stands alone.
    """

    id: str
    sections: tuple[str, ...]
    sides: tuple[Declaration | None, ...]
    steps: tuple[Difference | None, ...]
    headings: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    below: str = ""

    @property
    def kind(self) -> str:
        """What it is: "rule", "action", "table" and so on."""
        return self.id.partition(" ")[0]

    @property
    def name(self) -> str:
        """The name of the declaration."""
        return self.id.partition(" ")[2]

    @property
    def section(self) -> str:
        """The first of its sections; empty if it has none."""
        return next(iter(self.sections), "")

    @property
    def plays(self) -> bool:
        """Whether it can change play."""
        return any(step is not None and step.plays for step in self.steps)

    @property
    def page(self) -> str:
        """The file name of its page."""
        return f"{_NOT_IN_A_FILE_NAME.sub('-', self.id.lower())}.html"

    @property
    def sentence(self) -> str:
        """Its sentence in the last ruleset that has one; else the comment above it in the last one; else empty."""
        sides = [side for side in reversed(self.sides) if side is not None]
        texts = (
            *(side.summary for side in sides),
            *(side.comment for side in sides[:1]),
        )
        return next(filter(None, texts), "")

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which it is found: of its name, sentences, headings and changed parts."""
        sides = [side for side in self.sides if side is not None]
        changes = [change for step in self.steps if step is not None for change in step.changes]
        sources = (side.source for side in sides if self.kind in _CHOICES)
        texts = (side.summary or side.comment for side in sides)
        where = (change.where for change in changes)
        return words_of(" ".join((self.id, *texts, *self.headings, *where, *sources)))

    def since(self, at: int) -> int:
        """The number of the first ruleset from which on it plays the same as in the ruleset number `at`."""
        changed = (
            n for n, step in enumerate(self.steps[:at], 1) if step is not None and step.plays
        )
        return max(changed, default=0)

    def is_about(self, query: str) -> bool:
        """Whether it cites a section, or has all words that matter of a text."""
        if section := _SECTION.fullmatch(query.strip()):
            return any(is_within(number, section[1]) for number in self.sections)
        return matches(query, self.words)

    def is_named_by(self, query: str) -> bool:
        """Whether its name and its sentences alone have all words that matter of a text."""
        sentences = (side.summary for side in self.sides if side is not None)
        return matches(query, words_of(" ".join((self.name, *sentences))))


@frozen(repr=False, slots=False)
class Atlas:
    """Everything that differs between rulesets, in the order of the book: the result of `atlas`.

    >>> import hots_rules as hr
    >>> hr.atlas.atlas("hots-3.x", "hots-4.0")
    <Atlas of hots-3.x, hots-4.0: 46 entries, 13 of play>

    Attributes:
        rulesets: the names of the rulesets.
        titles: their titles.
        sections: the headings of the newest rulebook by the number of the section.
        choices: the sentence of each option and reading, by its id.
        entries: the entries; one that is listed below another follows it.
        changes: the changes of the rulebook that they carry.
    """

    rulesets: tuple[str, ...]
    titles: tuple[str, ...]
    sections: Mapping[str, str]
    choices: Mapping[str, str]
    entries: tuple[AtlasEntry, ...]
    changes: ChangeTable

    def __repr__(self) -> str:
        playing = sum(entry.plays for entry in self.entries)
        names = ", ".join(self.rulesets)
        return f"<Atlas of {names}: {len(self.entries)} entries, {playing} of play>"

    @cached_property
    def by_id(self) -> Mapping[str, AtlasEntry]:
        """The entries by their ids."""
        return {entry.id: entry for entry in self.entries}

    def about(self, query: str) -> tuple[AtlasEntry, ...]:
        """The entries that a text is about: a section, or words of a name, a sentence or a heading.

        Case, accents, endings such as the plural, and words such as `the` do not matter. Those whose name or sentence
        has the words come before those that are found by a heading or a changed part.

        >>> import hots_rules as hr
        >>> [entry.id for entry in hr.atlas.atlas("hots-3.x", "hots-4.0").about("Raids")][:1]
        ['phase border_raid']
        """
        about = [entry for entry in self.entries if entry.is_about(query)]
        return tuple(sorted(about, key=lambda entry: not entry.is_named_by(query)))


def atlas(*rulesets: RulesetLike) -> Atlas:
    """Everything that differs between rulesets, each compared with the one before it.

    Nothing is compiled.

    >>> import hots_rules as hr
    >>> hr.atlas.atlas("hots-4.0", "hots-4.0").entries
    ()

    Args:
        rulesets: two or more rulesets, names or paths; as a rule the oldest first.

    Raises:
        BadArgument: there are less than two rulesets.
        RulesetError: there is no such ruleset, or it has faults.
    """
    if len(rulesets) < 2:
        raise BadArgument("rulesets", f"a list of {len(rulesets)}", "two or more names or paths")
    editions = tuple(map(_Edition.of, rulesets))
    diffs = [diff(old, new) for old, new in pairwise(rulesets)]
    newest_first = _newest_first(editions)
    headings = {
        number: text for edition in reversed(newest_first) for number, text in edition.book.items()
    }
    sections = {number: headings[number] for edition in newest_first for number in edition.book}
    numbers = {number: at for at, number in enumerate(sections)}

    def place_in_book(entry: AtlasEntry) -> tuple[object, ...]:
        """By section; those without one, and helpers of the same section, come last."""
        at = numbers.get(entry.section, len(numbers))
        return not entry.section, at, entry.kind in HELPERS, entry.id

    entries = sorted(_entries(editions, diffs, sections), key=place_in_book)
    return Atlas(
        tuple(edition.source.name for edition in editions),
        tuple(edition.source.layers[-1].title for edition in editions),
        sections,
        {
            " ".join(key): declaration.summary
            for edition in editions
            for key, declaration in edition.declarations.items()
            if key[0] in _CHOICES
        },
        tuple(_with_helpers(entries)),
        change_table(*rulesets),
    )


def editions_of(ruleset: AnyRuleset) -> tuple[RulesetLike, ...]:
    """All known editions of the game of a ruleset, the oldest first; house rules of its own come last.

    An edition lists its sections, a house rule does not.

    >>> import hots_rules as hr
    >>> hr.atlas.editions_of(hr.load("hots-4.0"))
    ('hots-player-aid', 'hots-2.3', 'hots-3.x', 'hots-4.0')
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    own = ruleset.source.layers
    printed = [layer for layer in own if layer.sections] or list(own)
    sources = known_sources()
    chains = [
        source.layers for source in sources.values() if [*source.layers[: len(printed)]] == printed
    ]
    longest = max([printed, *map(list, chains)], key=len)
    older = [layer.name for layer in longest if layer.name in sources or layer.name == ruleset.name]
    return tuple(reversed(older)) if ruleset.name in older else (*reversed(older), ruleset)


@frozen(slots=False)
class _Edition:
    """One of the rulesets: its declarations, and the lists of sections of all rulebooks that it extends."""

    source: Source
    declarations: Mapping[Key, Declaration]
    section_lists: Sections

    @classmethod
    def of(cls, ruleset: RulesetLike) -> _Edition:
        compiled = compiled_of(ruleset)
        declared = contents_of(compiled).declarations
        return cls(
            compiled.source,
            {(declaration.kind, declaration.name): declaration for declaration in declared},
            read_sections(compiled.source, FaultCollector()),
        )

    @cached_property
    def book(self) -> Mapping[str, str]:
        """The headings of the newest rulebook by section number."""
        return self.section_lists.headings(self.source.layers[0].name)

    @cached_property
    def names_in(self) -> Mapping[Key, frozenset[str]]:
        """The names in each declaration."""
        return {key: names_in(declaration.source) for key, declaration in self.declarations.items()}

    def sections_of(self, key: Key, weights: Mapping[str, int]) -> set[str]:
        """The sections of the newest rulebook that a declaration belongs to.

        If several sections correspond to one that it cites in an older book, the one with the largest weight is taken.
        """
        cited = self.declarations[key].cited if key in self.declarations else ()
        origins = [
            self.section_lists.origins(citation.edition, citation.section) for citation in cited
        ]
        return {
            max(corresponding, key=weights.__getitem__)
            for corresponding in origins
            if corresponding
        }


def _newest_first(editions: tuple[_Edition, ...]) -> list[_Edition]:
    """An older edition extends a newer one, so it has more layers."""
    return sorted(editions, key=lambda edition: len(edition.source.layers))


def _entries(
    editions: tuple[_Edition, ...], diffs: list[Diff], sections: Mapping[str, str]
) -> Iterator[AtlasEntry]:
    newest_first = _newest_first(editions)
    newest = newest_first[0].declarations.values()
    weights = Counter(number for declaration in newest for number in declaration.sections)
    choices = sorted(
        {key for edition in editions for key in edition.declarations if key[0] in _CHOICES}
    )
    for name, steps in differences_by_id(diffs).items():
        key = next((step.kind, step.name) for step in steps if step is not None)
        sides = tuple(edition.declarations.get(key) for edition in editions)
        cited_by_edition = (edition.sections_of(key, weights) for edition in newest_first)
        cited = next(filter(None, cited_by_edition), set[str]())
        yield AtlasEntry(
            name,
            tuple(number for number in sections if number in cited),
            sides,
            tuple(steps),
            tuple(_headings(sides, cited, sections)),
            tuple(" ".join(choice) for choice in choices if _touches(choice, key, editions)),
        )


def _headings(
    sides: tuple[Declaration | None, ...], cited: set[str], sections: Mapping[str, str]
) -> Iterator[str]:
    """The headings of the sections of a declaration, and of their chapters."""
    chapters = {f"{number.partition('.')[0]}.0" for number in cited}
    own = (part.heading for side in sides if side is not None for part in side.cited)
    new = (text for number, text in sections.items() if number in cited | chapters)
    return filter(None, dict.fromkeys((*new, *own)))


def _touches(choice: Key, key: Key, editions: tuple[_Edition, ...]) -> bool:
    """Whether one of the two names the other: an option or a reading, and a declaration."""
    names = [
        (edition.names_in.get(key, ()), edition.names_in.get(choice, ())) for edition in editions
    ]
    return choice != key and any(
        choice[1] in own or key[1] in of_choice for own, of_choice in names
    )


def _with_helpers(entries: list[AtlasEntry]) -> Iterator[AtlasEntry]:
    """The entries, each followed by the helpers that are listed below it.

    A helper that can change play is listed below the first entry that uses it, directly or through other helpers;
    entries that cite one of its sections come before others.
    """
    helpers = [entry for entry in entries if entry.kind in HELPERS and entry.plays]
    others = [entry for entry in entries if entry.kind not in HELPERS and entry.plays]
    sources = {
        entry.id: [side.source for side in entry.sides if side is not None]
        for entry in (*helpers, *others)
    }
    below: dict[str, list[AtlasEntry]] = {}
    for helper, users in users_of_helpers(others, helpers, sources):
        near = [entry for entry in users if set(entry.sections) & set(helper.sections)]
        if users:
            user = (near or users)[0]
            below.setdefault(user.id, []).append(evolve(helper, below=user.id))
    placed = {helper.id for those in below.values() for helper in those}
    for entry in entries:
        if entry.id not in placed:
            yield entry
            yield from below.get(entry.id, ())
