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
    """The headings of the last ruleset that lists sections, by number, as far as they are known in a language.

    They are its own if that is its language, else those that the game declares for it, else those of the sections of
    the rulebook below to which its own correspond.

    Raises:
        RulesetError: the file is not of this form.
    """
    declared = _declared(source)
    if not declared.languages:
        return {}
    layers = [*read_sections(source, FaultCollector()).layers.items()]
    headings: dict[str, str] = {}
    for (_, below), (edition, rows) in pairwise([("", {}), *layers]):
        given = declared.translated.get(language, {}).get(edition, {})
        if declared.languages.get(edition) == language:
            headings = {number: row.heading for number, row in rows.items()}
        else:
            headings = dict(_corresponding(rows, below, headings)) | dict(given)
    return headings


def _corresponding(
    rows: Mapping[str, Section], below: Mapping[str, Section], headings: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The headings of the sections below that correspond: of several the one with the same number, else the first."""
    for number, row in rows.items():
        was = (number,) if row.was is None else row.was
        chosen = number if number in was and number in below else next(iter(was), "")
        if chosen in headings:
            yield number, headings[chosen]


def _declared(source: Source) -> _HeadingsFile:
    try:
        return _read(source.headings)
    except ValueError as error:
        headline = f"the headings of `{source.name}` cannot be read: {error}"
        raise RulesetError([Fault("malformed-text", headline, Span.nowhere())]) from None


@cache
def _read(text: str) -> _HeadingsFile:
    read = read_toml(text)
    tables = {"languages": read.pop("languages", {}), "translated": read}
    check_entries(tables, _HeadingsFile)
    return _HeadingsFile(**tables)
