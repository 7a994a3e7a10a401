"""The headings of a rulebook in another language than its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from attrs import frozen

from hots_rules._toml import check_entries, read_toml
from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.editions.sections import Section, read_sections
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.sources.source import Source

Headings = Mapping[str, Mapping[str, str]]
"""By edition, the headings of its sections by their numbers."""


@frozen
class _HeadingsFile:
    """The file `headings.toml` of a game: the language of each rulebook, and headings by language."""

    languages: Mapping[str, str]
    translated: Mapping[str, Headings]


def headings_in(source: Source, language: str) -> dict[str, str]:
    """The headings of the last layer that lists sections, by number, as far as they are known in a language.

    They are its own headings if its rulebook is in that language. Else each is the one that the game declares for it,
    or that of the corresponding section of the rulebook below.

    Raises:
        RulesetError: the file is not of this form.
    """
    declared = _declared(source)
    if not declared.languages:
        return {}
    layers = [*read_sections(source, FaultCollector()).layers.items()]
    headings: dict[str, str] = {}
    for (_, below), (edition, rows) in pairwise([("", {}), *layers]):
        translated = declared.translated.get(language, {}).get(edition, {})
        if declared.languages.get(edition) == language:
            headings = {number: row.heading for number, row in rows.items()}
        else:
            headings = dict(_corresponding(rows, below, headings)) | dict(translated)
    return headings


def _corresponding(
    rows: Mapping[str, Section], below: Mapping[str, Section], headings: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """By number, the headings of the corresponding sections below.

    Of several that correspond, the one with the same number is taken, else the first.
    """
    for number, row in rows.items():
        was = row.numbers_below
        number_below = number if number in was and number in below else next(iter(was), "")
        if number_below in headings:
            yield number, headings[number_below]


def _declared(source: Source) -> _HeadingsFile:
    """The file of headings of a game.

    Raises:
        RulesetError: the file is not of this form.
    """
    try:
        return _read(source.headings)
    except ValueError as error:
        headline = f"the headings of `{source.name}` cannot be read: {error}"
        raise RulesetError([Fault("malformed-text", headline, Span.nowhere())]) from None


@cache
def _read(text: str) -> _HeadingsFile:
    translated = read_toml(text)
    tables = {"languages": translated.pop("languages", {}), "translated": translated}
    check_entries(tables, _HeadingsFile)
    return _HeadingsFile(**tables)
