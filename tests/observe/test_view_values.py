"""The values of a view: those of the state where nothing is hidden, and by stacks where something is."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import SPECTATOR, Observer, viewer_of
from hots_rules.observe.view_data import UNKNOWN
from tests.playing import SAMPLES, played_out

SECRET = ("hots-4.0", "hots-2.3", "lords-of-scotland", "dominoes-1.0", "beacons-1.0")


def names_secrets(observer: Observer, name: str) -> bool:
    variable = observer.schema.variables[name]
    types = (*variable.keys, variable.type)
    return name in observer.secret_variables or any(map(observer.may_be_hidden, types))


@pytest.mark.parametrize("name", (*SECRET, *SAMPLES))
def test_what_is_never_hidden_stands_in_a_view_as_in_the_state(name: str) -> None:
    rules = hr.load(name)
    for number, game in enumerate(
        played_out(rules.start(rules.scenarios[0], seed=2), Random(2), 40)
    ):
        if number % 8:
            continue
        observer = tracker_of(game, SPECTATOR).observer
        state, seen = game.state.as_dict(), game.view(None).state
        declared = game.state.schema.variables
        assert {*seen} == {each for each in declared if not declared[each].is_internal}
        for variable in seen:
            if not names_secrets(observer, variable):
                assert plain(seen[variable]) == plain(state[variable])


def plain(value: Any) -> Any:
    """Plain data with members of sets in one order."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(plain, value), key=repr)
    return value


@pytest.mark.parametrize("name", SECRET)
def test_hidden_pieces_stand_in_a_view_by_their_stacks(name: str) -> None:
    """Visible pieces are keys by name, hidden ones by stack, once; a value of a stack is that of each of its pieces."""
    rules, compared = hr.load(name), 0
    for number, game in enumerate(
        played_out(rules.start(rules.scenarios[0], seed=2), Random(2), 60)
    ):
        if number % 12:
            continue
        for player in (*rules.players[:2], None):
            view = game.view(player)
            counts = Counter({stack.name: stack.count for stack in view.stacks})
            observer = tracker_of(game, viewer_of(game, player)).observer
            visibility = observer.visibility(game.state.slots)
            hidden = sum(mask.bit_count() for mask in visibility.pieces)
            assert sum(counts.values()) == hidden
            for type_number, secret in enumerate(observer.secret_types):
                for variable in game.state.schema.variables.values():
                    if variable.keys != (secret.type,) or variable.is_internal:
                        continue
                    state = game.state.as_dict()[variable.name]
                    seen = view.state[variable.name]
                    mask = visibility.pieces[type_number]
                    visible = {
                        word
                        for word, code in zip(state, range(variable.count), strict=True)
                        if not mask >> code & 1
                    }
                    assert {word for word in seen if "#" not in word} == visible
                    stacks = [word for word in seen if "#" in word]
                    assert sum(counts[word] for word in stacks) == mask.bit_count()
                    assert stacks == sorted(stacks, key=lambda word: int(word.partition("#")[2]))
                    if variable.name not in observer.secret_variables:
                        own = Counter(
                            plain_text(state[word]) for word in state if word not in visible
                        )
                        told = Counter[str]()
                        for word in stacks:
                            told[plain_text(seen[word])] += counts[word]
                        if not observer.may_be_hidden(variable.type):
                            assert told == own
                            compared += bool(own)
                    else:
                        assert all(seen[word] in (UNKNOWN, state[word]) for word in visible)
    assert compared


def plain_text(value: object) -> str:
    return repr(plain(value))
