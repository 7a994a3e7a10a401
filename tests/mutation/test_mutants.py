"""Mutants of a text: where they are, and that each changes one place."""

from __future__ import annotations

import pytest

from hots_rules.syntax import parse
from tests.folders import HOME
from tests.mutation.mutants import mutants

TEXT = """\
# Not `=` in a comment.
define foe(s: Side) = if s = England then Scotland else England
define near = {a in Area where a in next(here) and size[a] >= 2}
rule no-peeking §1 "Nobody looks, or does he = 2?"
  only if strict
  forbid peek(b) when b not in seen or some held & {b}
    because "{b} = {n}" with n = 1 + 2
phase year §1 "A year."
  while count(left) > 0 up to 5
    add Fox to seen
    turn(foe(first))
label en
  Fox = "1 or 2"
"""


def changed(text: str) -> set[str]:
    return {mutant.describe(text).partition(": ")[2] for mutant in mutants(text, "x.rules")}


def test_each_kind_of_change_is_found() -> None:
    assert changed(TEXT) == {
        "`s = England` → `not (s = England)`",
        "`=` → `!=`",
        "`and` → `or`",
        "`a in next(here) and size[a] >= 2` → `true`",
        "`next(here)` → `here`",
        "`in` → `not in`",
        "`>=` → `>`",
        "`2` → `3`",
        "`2` → `1`",
        "`strict` → `not (strict)`",
        "`b not in seen or some held & {b}` → `true`",
        "`b not in seen or some held & {b}` → `false`",
        "`not in` → `in`",
        "`or` → `and`",
        "`some` → `no`",
        "`&` → `|`",
        "`count(left) > 0` → `not (count(left) > 0)`",
        "`count(left)` → `left`",
        "`>` → `>=`",
        "`0` → `1`",
        "`5` → `6`",
        "`5` → `4`",
        "`add` → `remove`",
        "`add Fox to seen` → `let nothing = 0`",
        "`foe(first)` → `first`",
        "`turn(foe(first))` → `let nothing = 0`",
    }


def test_a_named_bound_has_no_other_number() -> None:
    loop = 'phase year §1 "A year."\n  while strict up to rounds\n    turn(first)\n'

    assert not any("`rounds`" in change for change in changed(loop))


def test_comments_texts_and_labels_stay() -> None:
    lines = {mutant.line for mutant in mutants(TEXT, "x.rules")}

    assert lines == {2, 3, 5, 6, 9, 10, 11}


@pytest.mark.thorough
@pytest.mark.parametrize("file", ["hots/4.0/movement.rules", "lords/claims.rules"])
def test_a_mutant_of_a_shipped_file_differs_in_one_place(file: str) -> None:
    text = (HOME / "rulesets" / file).read_text(encoding="utf-8")
    tree, _ = parse(text, file)
    found = mutants(text, file)

    assert len(found) > 50
    for mutant in found[:: len(found) // 20]:
        other = mutant.apply(text)
        assert other[: mutant.start] == text[: mutant.start]
        assert other.endswith(text[mutant.end :])
        changed_tree, faults = parse(other, file)
        assert faults or changed_tree != tree
