"""The changes of a rulebook that are about a theme, in the words of the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from hots_rules.atlas.changes_table import ChangeTable
from hots_rules.compare.rulebook_changes import RulebookChange
from hots_rules.diagnostics import close_matches, edit_distance
from hots_rules.explain.declared.declarations import is_within
from hots_rules.explain.word_search import matches, words_of
from hots_rules.talk.lookup.find import find
from hots_rules.talk.retrieval.passages import (
    OFF_TOPIC,
    SETTING_WEIGHT,
    QueryTerm,
    Retrieval,
    retrieval_of,
)
from hots_rules.talk.retrieval.terms import BAR, units_in

MAX_NEAREST = 3
"""Themes that are offered instead of one that no change is about, if some are spelled like it."""
MAX_HEADINGS = 8
"""Headings that are offered otherwise."""
ENOUGH = 0.6
"""How much of what a theme tells is in the words of a change that is about it."""
_SECTION = re.compile(r"§?\s*(\d+(?:\.\d+)*)")


@frozen
class ChangesAbout:
    """The changes about a theme, or the themes that come nearest.

    >>> import hots_rules as hr
    >>> hr.talk.changes_about(hr.atlas.change_table("hots-3.x", "hots-4.0"), "kings").names
    ('edward-in-1306', 'balliol-date')

    Attributes:
        names: the names of the changes: the best first for a theme in words, else in the order of the book.
        nearest: themes of some changes, if none is about the one that was asked for.
    """

    names: tuple[str, ...]
    nearest: tuple[str, ...] = ()


def changes_about(changes: ChangeTable, theme: str) -> ChangesAbout:
    """The changes of a table about a theme: a section, or words such as `retreats`, as at the prompt.

    A word stands for all words that the game knows for it, in each language; one that is misspelled is read as the
    nearest one.

    >>> import hots_rules as hr
    >>> hr.talk.changes_about(hr.atlas.change_table("hots-2.3", "hots-4.0"), "xyzzy").nearest[:2]
    ('Combat Rating', 'Move Rating')

    Args:
        changes: the table.
        theme: the words.
    """
    headings = changes.differences.headings
    if section := _SECTION.fullmatch(theme.strip()):
        about = [change for change in changes.changes if is_within(change.section, section[1])]
    else:
        about = list(_about(changes, theme))
    if about:
        return ChangesAbout(tuple(change.name for change in about))
    near_first = sorted(changes.changes, key=_nearness(changes, theme))
    listed = dict.fromkeys(
        filter(None, (headings.get(change.section, "") for change in near_first))
    )
    words = dict.fromkeys(word for heading in listed for word in heading.split())
    near = close_matches(theme, [*listed, *words], MAX_NEAREST)
    return ChangesAbout((), tuple(near) or tuple(listed)[:MAX_HEADINGS])


def _about(changes: ChangeTable, theme: str) -> Iterator[RulebookChange]:
    """The changes with most of what some words tell, the best first, by the ruleset that knows most of the words."""
    searches = [retrieval_of(ruleset) for ruleset in changes.rulesets]
    if not searches:
        return
    search = max(searches, key=lambda one: len(one.passages))
    tokens = search.reader.lexicon.read(" ".join(_spelled(search, theme)), corrects=False)
    if any(OFF_TOPIC in token.concepts for token in tokens):
        return
    terms = [term for term in search.query_terms(tokens) if term.exact or term.alike]
    telling = [term for term in terms if term.weight >= SETTING_WEIGHT] or terms
    whole = sum(term.weight for term in telling)
    ranked: list[tuple[float, RulebookChange]] = []
    for change in changes.changes if whole else ():
        texts = tuple(_texts(changes, change))
        met = _weight(search, telling, texts)
        if met >= ENOUGH * whole or matches(theme, words_of(" ".join(texts))):
            ranked.append((met + _weight(search, telling, (change.title,)), change))
    yield from (change for _, change in sorted(ranked, key=lambda pair: -pair[0]))


def _spelled(search: Retrieval, theme: str) -> Iterator[str]:
    """The words of a theme; one with a wrong letter as it is known."""
    for word in search.reader.lexicon.words(theme):
        spelled = search.spelled(word)
        yield spelled if edit_distance(word, spelled, 1) == 1 else word


def _nearness(changes: ChangeTable, theme: str) -> Callable[[RulebookChange], int]:
    """A key that sorts changes of chapters that have the words of a theme first."""
    hits = [hit for ruleset in changes.rulesets for hit in find(ruleset, theme).hits]
    chapters = dict.fromkeys(
        section.partition(".")[0] for hit in hits for section in hit.sections[:1]
    )
    places = {chapter: at for at, chapter in enumerate(chapters)}
    return lambda change: places.get(change.section.partition(".")[0], len(places))


def _weight(search: Retrieval, telling: Iterable[QueryTerm], texts: Iterable[str]) -> float:
    """How much of some terms is in some texts; the kind of what they name alone does not count."""
    terms = frozenset(_tokens(search, texts))
    return sum(term.weight for term in telling if not (term.exact | term.alike).isdisjoint(terms))


def _texts(changes: ChangeTable, change: RulebookChange) -> Iterator[str]:
    """The title, the sentences and the headings of a change."""
    headings = changes.differences.headings
    yield change.title
    yield from (line for cell in change.cells for line in cell.lines)
    yield change.play
    yield from (headings.get(number, "") for number in _with_chapter(change.section))


def _with_chapter(section: str) -> tuple[str, str]:
    return section, f"{section.partition('.')[0]}.0"


def _tokens(search: Retrieval, texts: Iterable[str]) -> Iterator[str]:
    """What some texts tell."""
    for text in texts:
        for unit in units_in(search.reader.lexicon, text, search.languages):
            yield from unit.split(BAR)
