"""What an observer sees change in a play: the same as when all that he sees before and after it is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import POINT, bits
from hots_rules.compile.facts import Variable
from hots_rules.observe.changes import ObservedChanges, Sight
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import HIDDEN_VALUE, SPECTATOR, Observer
from hots_rules.rules.typed import value_types as types
from tests.observe.tokens import SECRET, begun
from tests.playing import played_out


def look(code: int, type_: types.Type, sight: Sight) -> Hashable:
    """A value without the names of hidden pieces."""
    if isinstance(type_, types.WordType):
        piece = sight.visibility.hidden_piece(code, type_)
        return code if piece is None else HIDDEN_VALUE
    if isinstance(type_, types.SetType) and sight.visibility.observer.may_be_hidden(type_):
        return frozenset(Counter(look(each, type_.member, sight) for each in bits(code)).items())
    if isinstance(type_, types.PairType):
        left, right = types.pair_parts(type_, code)
        return look(left, type_.left, sight), look(right, type_.right, sight)
    return code


def guarded(observer: Observer) -> list[Variable]:
    """The variables that are hidden, or have hidden pieces in their keys or values."""
    return [
        variable
        for variable in observer.schema.variables.values()
        if variable.name in observer.secret_variables
        or any(observer.may_be_hidden(type_) for type_ in (*variable.keys, variable.type))
    ]


def looks(sight: Sight) -> Counter[Hashable]:
    """How often each look is seen among all cells of such variables."""
    seen: Counter[Hashable] = Counter()
    for variable in guarded(sight.visibility.observer):
        for offset, codes in enumerate(variable.key_codes):
            if not sight.visibility.hides(variable, offset):
                keys = tuple(
                    HIDDEN_VALUE
                    if isinstance(type_, types.WordType)
                    and sight.visibility.hidden_piece(code, type_) is not None
                    else code
                    for code, type_ in zip(codes, variable.keys, strict=True)
                )
                value = look(sight.slots[variable.base + offset], variable.type, sight)
                seen[variable.base, keys, value] += 1
    return seen


def plain(before: Sight, after: Sight) -> tuple[tuple[int, int], ...]:
    """The point of play and the cells that everybody sees, where they have changed."""
    observer = before.visibility.observer
    hidden = {variable.name for variable in guarded(observer)}
    slots = {POINT}
    for variable in observer.schema.variables.values():
        if variable.name not in hidden:
            slots.update(range(variable.base, variable.base + variable.count))
    return tuple(
        (slot, after.slots[slot])
        for slot in sorted(slots)
        if before.slots[slot] != after.slots[slot]
    )


def assert_compared(game: hr.Game, later: hr.Game, viewer: int) -> Hashable:
    """Assert that a change is the difference of all that is seen; gives what is seen less and more of."""
    changes = ObservedChanges(tracker_of(game, viewer).observer)
    before = changes.sight(game.state.slots)
    after, change = changes.after(before, later.state.slots)
    whole = changes.sight(later.state.slots)
    assert (after.slots, after.visibility) == (whole.slots, whole.visibility)
    was, now = looks(before), looks(whole)
    more, less = frozenset((now - was).items()), frozenset((was - now).items())
    assert change == (plain(before, whole), more, less)
    return more, less


@pytest.mark.parametrize("name", (*SECRET, "goofspiel-1.0"))
def test_a_change_is_what_is_seen_after_less_what_was_seen_before(name: str) -> None:
    game, seen = begun(name, seed=5), set()
    for later in played_out(game, Random(5), 60):
        for viewer in (*range(len(game.ruleset.players)), SPECTATOR):
            seen.add(assert_compared(game, later, viewer))
            seen.add(assert_compared(later, game, viewer))
        game = later
    assert len(seen) > 10


def test_a_play_without_secrets_changes_all_slots_that_differ() -> None:
    game = hr.load("connect-four-1.0").start("empty-board", seed=1)
    later = game.play(game.actions[0])
    changes = ObservedChanges(tracker_of(game, 0).observer)
    before = changes.sight(game.state.slots)
    after, change = changes.after(before, later.state.slots)

    pairs = enumerate(zip(game.state.slots, later.state.slots, strict=True))
    assert after == changes.sight(later.state.slots)
    assert change == tuple((slot, new) for slot, (old, new) in pairs if old != new)
