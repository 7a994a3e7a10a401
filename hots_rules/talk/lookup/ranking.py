"""The order of what a search finds: by its words in the pages, and by what it means to the statements of the ruleset.

Both have an order of their own, and a section that stands high in both comes first. The numbers were chosen on the
searches in `tests/talk`: with them more lead to the right section than with either order alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from hots_rules.explain.declared.declarations import find_declarations
from hots_rules.explain.talk_file import Asked
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.lookup.pages import Page
from hots_rules.talk.reading.reader import Reader, reader_of
from hots_rules.talk.reading.statements import Found, statements_of

OFFSET = 5
"""The first of an order counts 1/5, the second 1/6, and so on, so that a place further up matters most near the top."""
OF_SOME_WORDS = 0.5
"""What a page counts that has not all words of a search."""
OF_A_VALUE = 0.3
"""What the page of a value counts, such as a piece: who searches looks for a rule about it."""
SURE = 1.6
"""What a statement counts that would also answer the words as a question."""
MIN_SHARE = 0.4
"""The share of a search that a statement must have."""
MAX_STATEMENTS = 30
_ENDS = (".", "!", "?")


@frozen
class Told:
    """A statement that a search finds: its name, its sections and its sentence."""

    name: str
    sections: tuple[str, ...]
    text: str


@frozen
class _Weighed:
    """Something found, and what it counts by itself."""

    what: int | Told
    section: str
    weight: float


def by_words(
    pages: Sequence[Page], with_all: Sequence[int], with_some: Sequence[int]
) -> Iterator[_Weighed]:
    """The pages of a search by words, each with what it counts; those with all words come first."""
    for place, number in enumerate(dict.fromkeys((*with_all, *with_some))):
        page = pages[number]
        is_value = page.kind != "section" and not page.sentences
        weight = OF_A_VALUE if is_value else 1.0
        if place >= len(with_all):
            weight *= OF_SOME_WORDS
        yield _Weighed(number, next(iter(page.sections), ""), weight / (OFFSET + place))


def by_meaning(ruleset: AnyRuleset, pages: Sequence[Page], asked: str) -> Iterator[_Weighed]:
    """The statements for the words of a search, each with what it counts, as pages where they are rules of the book."""
    reader = reader_of(ruleset)
    found = statements_of(ruleset).find(reader.pieces(asked), ruleset.language)
    numbers = {(page.kind == "section", page.name): n for n, page in enumerate(pages)}
    near = [statement for statement in found if statement.share >= MIN_SHARE][:MAX_STATEMENTS]
    for place, statement in enumerate(near):
        weight = statement.share * (SURE if statement.is_sure else 1.0) / (OFFSET + place)
        for what, section in _shown(ruleset, reader, statement, numbers):
            yield _Weighed(what, section, weight)


def _shown(
    ruleset: AnyRuleset, reader: Reader, found: Found, numbers: Mapping[tuple[bool, str], int]
) -> Iterator[tuple[int | Told, str]]:
    """What is shown for a statement: its sentence, or the pages of the rules and sections that it stands for."""
    asked = found.asked
    sections = (
        tuple(citation.section for citation in reader.sections.of(asked)) if asked.sections else ()
    )
    text = _sentence(asked, ruleset.language)
    if text and sections:
        yield Told(asked.name, sections, text), sections[0]
        return
    for name in asked.rules:
        if (False, name) in numbers:
            yield numbers[False, name], _section_of(ruleset, name)
    for section in sections:
        if (True, section) in numbers:
            yield numbers[True, section], section


def _section_of(ruleset: AnyRuleset, name: str) -> str:
    cited = (declaration.sections for declaration in find_declarations(ruleset, name))
    return next((sections[0] for sections in cited if sections), "")


def _sentence(asked: Asked, language: str) -> str:
    """The sentence of a statement that is true at any moment of a game; empty if it has none."""
    sentence = asked.text.get(language) or asked.text.get("en", "")
    if (
        not sentence
        or asked.when
        or asked.each
        or asked.query
        or "<" in sentence
        or "{" in sentence
    ):
        return ""
    return sentence[0].upper() + sentence[1:] + ("" if sentence.endswith(_ENDS) else ".")


def ranked(found: Iterable[_Weighed], *others: Iterable[_Weighed]) -> list[int | Told]:
    """What several orders hold, the best first; a section counts as much as the best of each order together."""
    orders = [[*found], *map(list, others)]
    best: dict[str, float] = {}
    for order in orders:
        highest: dict[str, float] = {}
        for weighed in order:
            highest[weighed.section] = max(weighed.weight, highest.get(weighed.section, 0))
        for section, weight in highest.items():
            best[section] = best.get(section, 0) + weight

    def place(weighed: _Weighed) -> tuple[float, float]:
        return -(best[weighed.section] if weighed.section else weighed.weight), -weighed.weight

    listed = sorted((weighed for order in orders for weighed in order), key=place)
    return list(dict.fromkeys(weighed.what for weighed in listed))
