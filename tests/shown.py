"""Which case shows which difference of two printings, so that no change of play goes without one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from casebook import HAMMER, Case, cases

import hots_rules as hr
from hots_rules.rules.book import words_in

PAIRS = tuple(pairwise(HAMMER))  # the newer printing, then the one that extends it
# What play meets only through something else that names it.
_HELPERS = frozenset(
    {"define", "variable", "type", "table", "event", "option", "reading", "secret"}
)
_SAID = ("set", "play", "expect")

Pair = tuple[str, str]
Key = tuple[str, str]


@cache
def loaded(name: str) -> hr.Ruleset:
    """An edition."""
    return hr.load(name)


@cache
def difference(pair: Pair) -> hr.Diff:
    """What the older printing of two has otherwise."""
    return hr.diff(loaded(pair[0]), loaded(pair[1]))


@cache
def _cases() -> tuple[Case, ...]:
    return tuple(cases())


def tells_apart(case: Case, pair: Pair) -> bool:
    """Whether a case demands something else of two editions, or is played under one of them alone."""
    played = [edition in case.editions for edition in pair]
    if not all(played):
        return any(played)
    return any(case.said(part, pair[0]) != case.said(part, pair[1]) for part in _SAID)


@cache
def direct(pair: Pair) -> dict[Key, tuple[Case, ...]]:
    """Declaration → the cases that name it in `shows`, and tell the two editions apart."""
    found: dict[Key, list[Case]] = {}
    for case in _cases():
        if tells_apart(case, pair):
            for shown in case.listed("shows"):
                kind, _, name = shown.partition(" ")
                found.setdefault((kind, name), []).append(case)
    return {key: tuple(those) for key, those in found.items()}


@cache
def shown_by(pair: Pair) -> dict[Key, tuple[Case, ...]]:
    """Each difference of play that a case shows, with those cases.

    A helper, such as a definition or a variable, is shown with a difference that names it.
    """
    changed = {(one.kind, one.name): one for one in difference(pair).differences if one.plays}
    found = {key: those for key, those in direct(pair).items() if key in changed}
    pending = list(found)
    while pending:
        key = pending.pop()
        words = set(_words(pair, key))
        for other in changed:
            if other not in found and other[0] in _HELPERS and other[1] in words:
                found[other] = found[key]
                pending.append(other)
    return found


def _words(pair: Pair, key: Key) -> Iterator[str]:
    """The names in a declaration, on both sides."""
    for name in pair:
        entry = loaded(name).book.entries.get(key)
        if entry is not None:
            yield from words_in(entry.node)


def unshown() -> list[str]:
    """The differences of play that no case shows, a line each."""
    return [
        f"{pair[0]} {pair[1]} {one.kind} {one.name}"
        for pair in PAIRS
        for one in difference(pair).differences
        if one.plays and (one.kind, one.name) not in shown_by(pair)
    ]
