"""What is hidden from a player: alike for all games that he cannot tell apart, and renamed as the words of a state."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.observe.hidden_information import HiddenInformation
from hots_rules.observe.information_state import information_state
from hots_rules.observe.last_value import LastValue
from hots_rules.observe.permute import Permuter
from hots_rules.observe.world_steps import WorldSteps, world_steps_of
from hots_rules.rules.typed import value_types as types
from hots_rules.state.state import State
from tests.observe.tokens import SECRET, SHIPPED, TOKENS, begun
from tests.playing import last_of, played_out, ruleset_of

NAMES = pytest.mark.parametrize("name", (*SECRET, "goofspiel-1.0"))


def moments(name: str, step: int = 11) -> Iterator[hr.Game]:
    """Some moments of a random game."""
    for number, moment in enumerate(played_out(begun(name, seed=7), Random(7), 80)):
        if number % step == 0 and not moment.is_over:
            yield moment


@pytest.mark.parametrize("name", [*SHIPPED, "goofspiel-1.0"])
def test_games_that_look_the_same_are_the_same_without_what_is_hidden(name: str) -> None:
    differing = 0
    for game in moments(name, step=7 if name == "goofspiel-1.0" else 23):
        for viewer, player in enumerate(game.ruleset.players[:2]):
            own = HiddenInformation(game, viewer)
            for world in game.worlds(player, 2, seed=3):
                other = HiddenInformation(world, viewer)
                differing += world.state != game.state
                assert other.erased == own.erased
                assert other.pieces == own.pieces
                assert places(other) == places(own)
    assert differing


def places(hidden: HiddenInformation) -> list[tuple[int, int, list[bool]]]:
    """The places of hidden pieces, without what is there, with the local names that name them."""
    slots, permuter = hidden.game.state.slots, hidden.permuter
    return [
        (
            place.type_number,
            place.stack,
            permuter.locals_naming(slots, place.type_number, place.piece),
        )
        for place in hidden.hidden_slots
    ]


@NAMES
def test_the_places_of_a_stack_are_in_the_order_of_the_local_names(name: str) -> None:
    for game in moments(name, step=1 if name == "tokens-1.0" else 5):
        for viewer in range(2):
            found = places(HiddenInformation(game, viewer))
            assert found == sorted(found)


@NAMES
def test_hidden_cells_are_blank(name: str) -> None:
    """Those of pieces are blank at all places, so that it plays no part which piece is where."""
    for game in moments(name):
        for viewer in range(2):
            hidden = HiddenInformation(game, viewer)
            for variable, mask in hidden.visibility.cells.items():
                declared = game.state.schema.variables[variable]
                if mask == (1 << declared.count) - 1:
                    blank = types.blank_code(declared.type)
                    cells = hidden.erased[declared.base : declared.base + declared.count]
                    assert cells == [blank] * declared.count


# ------------------------------------------------------------------ renaming
def renamed_words(value: Any, words: dict[str, str]) -> Any:
    """Plain data with some words replaced by others, in keys as well; sets are in any order."""
    if isinstance(value, dict):
        pairs = ((renamed_words(key, words), renamed_words(v, words)) for key, v in value.items())
        return dict(pairs)
    if isinstance(value, list | tuple):
        return sorted((renamed_words(member, words) for member in value), key=repr)
    return words.get(value, value) if isinstance(value, str) else value


def words_of(game: hr.Game, type_: types.WordType) -> list[str]:
    return [str(game.state.schema.to_python(code, type_)) for code in range(len(type_.values))]


def unmistakable(game: hr.Game, type_: types.WordType) -> list[int]:
    """The pieces of a type whose words mean nothing else."""
    held = {
        getattr(each, "member", each)
        for variable in game.state.schema.variables.values()
        for each in (*variable.keys, variable.type)
    }
    others = {
        word
        for other in held
        if isinstance(other, types.WordType) and not {*type_.values} & {*other.values}
        for word in words_of(game, other)
    }
    return [number for number, word in enumerate(words_of(game, type_)) if word not in others]


@NAMES
def test_a_state_with_pieces_renamed_says_the_same_of_the_others(name: str) -> None:
    chance, changed = Random(1), 0
    for game in moments(name):
        hidden = HiddenInformation(game, 0)
        schema = game.state.schema
        for type_number, secret in enumerate(hidden.observer.secret_types):
            texts = words_of(game, secret.piece_type)
            known = unmistakable(game, secret.piece_type)
            renaming = dict(zip(known, chance.sample(known, len(known)), strict=True))
            maps = hidden.no_renaming()
            maps[type_number] = renaming
            permuter = Permuter(hidden.observer)
            slots = permuter.permuted(game.state.slots, maps)

            words = {texts[old]: texts[new] for old, new in renaming.items()}
            told = State(tuple(slots), schema).as_dict()
            assert renamed_words(told, {}) == renamed_words(game.state.as_dict(), words)
            changed += slots != list(game.state.slots)
            maps[type_number] = {new: old for old, new in renaming.items()}
            assert permuter.permuted(slots, maps) == list(game.state.slots)
    assert changed or not hidden.observer.secret_types


@NAMES
def test_a_local_name_names_the_piece_that_it_holds(name: str) -> None:
    for game in moments(name, step=3):
        hidden = HiddenInformation(game, 0)
        for type_number, secret in enumerate(hidden.observer.secret_types):
            for piece, word in enumerate(secret.piece_type.values):
                named = hidden.permuter.locals_naming(game.state.slots, type_number, piece)
                held = [
                    word in texts_of(game.state.slots[slot], type_)
                    for slot, type_ in hidden.permuter.frame(game.state.slots)
                ]
                assert named == held


def test_of_two_pieces_a_local_name_names_one() -> None:
    lines = [
        line for line in TOKENS.splitlines() if line[:4] not in {f"  t{n}" for n in range(3, 8)}
    ]
    game, named = ruleset_of("\n".join(lines)).start("s", seed=7), 0
    for moment in played_out(game, Random(7), 60):
        hidden = HiddenInformation(moment, 0)
        found = [hidden.permuter.locals_naming(moment.state.slots, 0, piece) for piece in range(2)]
        frame = [*hidden.permuter.frame(moment.state.slots)]
        assert [sum(pair) for pair in zip(*found, strict=True)] == [1] * len(frame)
        named += len(frame)
    assert named


def texts_of(code: int, type_: types.Type) -> set[object]:
    """The words in the value of a local name; of one that has no value yet, none."""
    if isinstance(type_, types.SetType):
        members = (number for number in range(code.bit_length()) if code >> number & 1)
        return {word for number in members for word in texts_of(number, type_.member)}
    if isinstance(type_, types.PairType):
        left, right = types.pair_parts(type_, code)
        return texts_of(left, type_.left) | texts_of(right, type_.right)
    if isinstance(type_, types.WordType) and 0 <= code < len(type_.values):
        return {type_.values[code]}
    return set()


# ------------------------------------------------------------------ steps, and a last value
def test_a_search_has_the_steps_that_it_is_allowed() -> None:
    game = last_of(hr.load("dominoes-1.0").start("full-bag", seed=1), Random(1), 3)
    steps = WorldSteps(world_steps_of(game).machine, 10)

    before = steps.machine.spent
    with steps.bounded():
        steps.spend(4)
        steps.spend()
        steps.spend(6)
    assert steps.machine.spent == before + 10
    with pytest.raises(hr.LimitExceeded, match="world_steps"), steps.bounded():
        steps.spend(11)
    with pytest.raises(hr.LimitExceeded), steps.bounded():
        steps.machine.is_spent(11)  # a condition that ended early is found at the end


def test_the_steps_of_conditions_are_counted_for_worlds() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1)
    own = game.ruleset.compiled.counting_machine(game.settings, for_conditions=True)

    assert world_steps_of(game) == WorldSteps(own, game.ruleset.limits.world_steps)
    other = game.ruleset.compiled.counting_machine(game.settings, for_conditions=False)
    assert other.per_member != own.per_member


def test_a_last_value_is_that_of_its_key_alone() -> None:
    last = LastValue[tuple[int, ...], str]()
    assert last.get((2,)) is None
    last.put((2,), "two")
    assert [last.get((number,)) for number in (1, 2, 3)] == [None, "two", None]
    last.put((3,), "three")
    assert [last.get((number,)) for number in (1, 2, 3)] == [None, None, "three"]


def test_an_information_state_shows_nothing_of_the_hidden_state() -> None:
    game = last_of(begun("tokens-1.0", seed=1), Random(1), 3)
    shown = repr(information_state(game, 0))

    assert shown == f"InformationState(moves=3, plays=3, undo_limit={game.view('A').undo_limit})"
