"""Each number and each condition under the sections of a statement is changed: then the statement is not told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve

from hots_rules.rules.play_digest import played_tokens
from hots_rules.rules.rulebook import Key, Rulebook
from hots_rules.syntax import tree
from hots_rules.syntax.walk import named_parts, walk
from hots_rules.talk.reading.editions import CitedSections
from hots_rules.talk.reading.grounds import Footing
from tests.listing import assert_none
from tests.talk.confirmed import confirmed, statements
from tests.talk.test_people import loaded

OPPOSITE = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "in": "not in",
    "not in": "in",
}


# ------------------------------------------------------------------ changes
def changes(node: tree.Node) -> Iterator[Any]:
    """A declaration with one number or one condition changed, for each of them."""
    for part in walk(node):
        for new in _changed(part) if isinstance(part, tree.Node) else ():
            yield _with_part(node, part, new)


def _changed(part: tree.Node) -> Iterator[tree.Node]:
    match part:
        case tree.Number() if part.value.text.isdecimal():
            yield evolve(part, value=_next(part.value))
        case tree.Cell() if any(word.text.isdecimal() for word in part.words):
            yield evolve(part, words=tuple(_next(word) for word in part.words))
        case tree.Compare():
            operator = OPPOSITE[" ".join(part.operator.text.split())]
            yield evolve(part, operator=evolve(part.operator, text=operator))
        case tree.And() | tree.Or():
            for number in range(len(part.parts)):
                yield evolve(part, parts=part.parts[:number] + part.parts[number + 1 :])
        case tree.Not():
            yield part.body
        case tree.Forbid() | tree.Allow() | tree.Permit() | tree.Exempt() | tree.Handler():
            yield from () if part.when is None else (evolve(part, when=None),)


def _next(word: tree.Word) -> tree.Word:
    return evolve(word, text=str(int(word.text) + 1)) if word.text.isdecimal() else word


def _with_part(node: Any, old: tree.Node, new: tree.Node) -> Any:
    """A tree with a node in the place of another."""
    if node is old:
        return new
    if isinstance(node, tuple):
        return tuple(_with_part(part, old, new) for part in node)
    if not isinstance(node, tree.Node):
        return node
    return evolve(node, **{name: _with_part(part, old, new) for name, part in named_parts(node)})


# ------------------------------------------------------------------ statements
@cache
def footing() -> Footing:
    return _footing(loaded("4.0").rulebook)


def _footing(book: Rulebook) -> Footing:
    return Footing(book, CitedSections(book.source))


@cache
def stated_under() -> Mapping[Key, frozenset[str]]:
    """The statements about the newest rulebook that have a declaration under their sections."""
    under: dict[Key, set[str]] = {}
    for statement in statements():
        for key in () if statement.edition else footing().under(statement):
            under.setdefault(key, set()).add(statement.name)
    return {key: frozenset(names) for key, names in under.items()}


def changed_declarations() -> Mapping[Key, tuple[Any, ...]]:
    """The declarations under the sections of statements that have something to change, with all changes."""
    entries = loaded("4.0").rulebook.entries
    found = {key: tuple(changes(entries[key].node)) for key in stated_under()}
    return {key: changed for key, changed in found.items() if changed}


def still_told(changed: Mapping[Key, Any]) -> Iterable[str]:
    """The statements that would be told though declarations under their sections are changed."""
    book = loaded("4.0").rulebook
    entries = book.entries | {
        key: evolve(book.entries[key], node=node) for key, node in changed.items()
    }
    names = {name for key in changed for name in stated_under()[key]}
    rest = [statement for statement in statements() if statement.name in names]
    by_name = _footing(evolve(book, entries=entries)).grounds(rest).by_name
    return [name for name in names if by_name[name].digest in confirmed()[name]]


def test_no_statement_is_told_where_a_number_or_condition_of_its_rules_is_changed() -> None:
    everywhere = changed_declarations()
    assert len(everywhere) > 150
    some = Random(7).sample(sorted(everywhere), 20)

    assert_none(still_told({key: Random(7).choice(everywhere[key]) for key in some}))


@pytest.mark.thorough
def test_each_number_and_condition_is_a_part_of_what_a_statement_rests_on() -> None:
    entries = loaded("4.0").rulebook.entries

    assert_none(
        f"{key[1]}, change {number}"
        for key, changed in changed_declarations().items()
        for number, node in enumerate(changed)
        if played_tokens(node) == played_tokens(entries[key].node)
    )


@pytest.mark.nightly
def test_each_statement_falls_silent_for_each_change() -> None:
    for key, changed in changed_declarations().items():
        for node in changed:
            assert_none(f"{name} after a change of {key[1]}" for name in still_told({key: node}))
