"""Which case shows which difference between two editions, so that every change of play has a case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import hots_rules as hr
from hots_rules.rules.kinds import HELPERS
from hots_rules.rules.rulebook import words_in
from tests.casebook import HAMMER, Case, cases

PAIRS = tuple(pairwise(HAMMER))  # the newer printing, then the one that extends it
# Kinds that take effect only through a declaration that names them.
_HELPERS = HELPERS | {"table", "option", "reading"}
_SETTINGS = frozenset({"option", "reading"})
_EFFECTS = frozenset({"rule", "define"})
# Kinds whose names a case uses unchanged; other names are also words of players.
_NAMED = frozenset({"rule", "phase", "stage", "variable", "option", "reading"})
_CHOSEN = ("options", "readings")
_SAID = ("set", "play", "expect")

Pair = tuple[str, str]
Key = tuple[str, str]


@cache
def loaded(name: str) -> hr.Ruleset:
    """An edition."""
    return hr.load(name)


@cache
def difference(pair: Pair) -> hr.compare.Diff:
    """How the older of two editions differs."""
    return hr.diff(loaded(pair[0]), loaded(pair[1]))


@cache
def _cases() -> tuple[Case, ...]:
    return tuple(cases())


def tells_apart(case: Case, pair: Pair) -> bool:
    """Whether a case expects different results of two editions, or covers only one of them."""
    played = [edition in case.editions for edition in pair]
    if not all(played):
        return any(played)
    return any(case.lines(part, pair[0]) != case.lines(part, pair[1]) for part in _SAID)


@cache
def direct(pair: Pair) -> dict[Key, tuple[Case, ...]]:
    """The cases that distinguish two editions, by the difference that they name.

    They name it in `shows`; or they choose that option or reading, set that variable, or expect that rule or phase.
    """
    found: dict[Key, list[Case]] = {}
    keys = [(one.kind, one.name) for one in difference(pair).differences if one.plays]
    for case in _cases():
        if tells_apart(case, pair):
            listed, words = case.items("shows"), _told(case, pair)
            for key in keys:
                if " ".join(key) in listed or (key[0] in _NAMED and key[1] in words):
                    found.setdefault(key, []).append(case)
    return {key: tuple(those) for key, those in found.items()}


def _told(case: Case, pair: Pair) -> set[str]:
    """The words in which a case differs between two editions, and the choices that it makes."""
    sides = [
        {
            word
            for part in _SAID
            if edition in case.editions
            for line in case.lines(part, edition)
            for word in re.findall(r"[\w-]+", line)
        }
        for edition in pair
    ]
    chosen = (choice.partition("=")[0] for key in _CHOSEN for choice in case.items(key))
    return (sides[0] ^ sides[1]) | set(chosen)


@cache
def shown_by(pair: Pair) -> dict[Key, tuple[Case, ...]]:
    """Each difference of play that a case shows, with those cases.

    A helper, such as a definition or a variable, is shown with a difference that names it; and an option or a
    reading takes effect in the rules and definitions that name it.
    """
    changed = {(one.kind, one.name) for one in difference(pair).differences if one.plays}
    found, words = dict(direct(pair)), {key: set(_words(pair, key)) for key in changed}
    pending = list(found)
    while pending:
        kind, name = key = pending.pop()
        for other in changed - found.keys():
            is_helper = other[0] in _HELPERS and other[1] in words[key]
            is_effect = kind in _SETTINGS and other[0] in _EFFECTS and name in words[other]
            if is_helper or is_effect:
                found[other] = found[key]
                pending.append(other)
    return found


def _words(pair: Pair, key: Key) -> Iterator[str]:
    """The names in a declaration, on both sides."""
    for name in pair:
        entry = loaded(name).rulebook.entries.get(key)
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
