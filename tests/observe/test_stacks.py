"""Stacks: which hidden pieces look alike, which change concerns one, and which numbers they keep."""

from __future__ import annotations

from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import HIDDEN_VALUE
from hots_rules.observe.stacks import ObservableFeatures, StackTracker
from hots_rules.rules.typed import value_types as types
from tests.observe.tokens import SECRET, begun
from tests.playing import played_out


def features_of(game: hr.Game, viewer: int) -> ObservableFeatures:
    return tracker_of(game, viewer).features[0]


def other_code(variable: Variable, old: int, chance: Random) -> int:
    """Another value of a variable; of a set, one member more or less."""
    if isinstance(variable.type, types.SetType):
        return old ^ 1 << chance.choice(codes_of(variable.type.member))
    return chance.choice([code for code in codes_of(variable.type) if code != old])


def test_a_change_concerns_a_piece_if_it_changes_its_features() -> None:
    chance, seen = Random(4), {True: 0, False: 0}
    for game in played_out(begun("tokens-1.0", seed=4), chance, 60):
        features = features_of(game, 0)
        visibility = features.observer.visibility(game.state.slots)
        before = features.read(game.state.slots, visibility)
        for variable in game.state.schema.variables.values():
            if variable.name in features.observer.secret_variables:
                continue
            offset = chance.randrange(variable.count)
            slot, slots = variable.base + offset, list(game.state.slots)
            old, slots[slot] = slots[slot], other_code(variable, slots[slot], chance)
            after = features.read(slots, visibility)
            for piece, own in before.items():
                is_other = own[1:] != after[piece][1:]
                told = features.concerns(piece, variable.name, slot, old, slots[slot])
                assert told == is_other, (variable.name, offset)
                seen[told] += 1
    assert min(seen.values()) > 50


@pytest.mark.parametrize("name", SECRET)
def test_the_features_of_a_piece_are_all_that_is_seen_of_it(name: str) -> None:
    for number, game in enumerate(played_out(begun(name, seed=6), Random(6), 50)):
        if number % 10:
            continue
        for viewer in range(2):
            features = features_of(game, viewer)
            observer, slots = features.observer, game.state.slots
            visibility = observer.visibility(slots)
            read = features.read(slots, visibility)
            assert {*read} == {*bits(visibility.pieces[0])}
            owners = observer.secret_types[0].owners(slots, len(observer.schema.players), -1)
            for piece, (owned, values, places) in read.items():
                assert owned == tuple(mask >> piece & 1 for mask in owners)
                assert values == values_of(features, piece, game, viewer)
                assert len(places) == times_named(features, piece, game, viewer)


def values_of(features: ObservableFeatures, piece: int, game: hr.Game, viewer: int) -> tuple:
    """The values of the cells that have a piece as a key, variable by variable."""
    observer, slots, found = features.observer, game.state.slots, []
    visibility = observer.visibility(slots)
    for variable in observer.schema.variables.values():
        for offset, keys in enumerate(variable.key_codes):
            pairs = zip(keys, variable.keys, strict=True)
            if (features.type_number, piece) in [piece_named(observer, *pair) for pair in pairs]:
                code = slots[variable.base + offset]
                is_unknown = visibility.hides(variable, offset) or (
                    visibility.hidden_piece(code, variable.type) is not None
                )
                found.append(HIDDEN_VALUE if is_unknown else code)
    return tuple(found)


def piece_named(observer, code: int, type_: types.Type) -> object:
    return observer.pieces_in(type_)[code] if isinstance(type_, types.WordType) else None


def times_named(features: ObservableFeatures, piece: int, game: hr.Game, viewer: int) -> int:
    """How many visible cells name a piece in their values."""
    observer = features.observer
    visibility = observer.visibility(game.state.slots)
    return sum(
        (features.type_number, piece)
        in names_in(observer, game.state.slots[variable.base + offset], variable.type)
        for variable in observer.schema.variables.values()
        for offset in range(variable.count)
        if not visibility.hides(variable, offset)
    )


def names_in(observer, code: int, type_: types.Type) -> list[object]:
    """The pieces that a value names."""
    if isinstance(type_, types.SetType):
        return [name for member in bits(code) for name in names_in(observer, member, type_.member)]
    if isinstance(type_, types.PairType):
        left, right = types.pair_parts(type_, code)
        return [*names_in(observer, left, type_.left), *names_in(observer, right, type_.right)]
    return [piece_named(observer, code, type_)]


# ------------------------------------------------------------------ numbers
def tracked(*moments: dict[int, str]) -> list[dict[int, int]]:
    """The numbers of the stacks at some moments, from the features of the pieces."""
    tracker, numbers = StackTracker({}, {}), []
    for moment in moments:
        tracker = tracker.advanced({piece: ((ord(look),),) for piece, look in moment.items()})
        numbers.append(dict(tracker.numbers))
    return numbers


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [
        ("aab", "aab", [1, 1, 2]),
        ("aab", "ccb", [1, 1, 2]),  # all of a stack moved: it is still the same
        ("aab", "acb", [1, 3, 2]),  # one left it
        ("aab", "aaa", [3, 3, 3]),  # one joined it, so that nobody knows which is which
        ("aab", "bba", [1, 1, 2]),
        ("aabb", "acbb", [1, 3, 2, 2]),
        ("aabb", "cdcd", [3, 4, 3, 4]),
        ("ab", "ba", [1, 2]),
    ],
)
def test_a_stack_keeps_its_number_while_it_stays_together(before, after, numbers) -> None:
    _, now = tracked(dict(enumerate(before)), dict(enumerate(after)))
    assert [now[piece] for piece in range(len(after))] == numbers


def test_pieces_that_come_and_go_get_numbers_that_were_not_given_before() -> None:
    shown, hidden, again = tracked({0: "a", 1: "b"}, {1: "b"}, {0: "a", 1: "b", 2: "a"})
    assert (shown, hidden, again) == ({0: 1, 1: 2}, {1: 2}, {0: 3, 1: 2, 2: 3})
