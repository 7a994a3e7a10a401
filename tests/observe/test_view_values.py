"""The values of a view: those of the state where nothing is hidden, and by stacks where something is."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from attrs import evolve

from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import SPECTATOR, Observer, viewer_of
from hots_rules.observe.view import PLAYS_KEPT, observed_trace
from hots_rules.observe.view_data import UNKNOWN
from tests.observe.tokens import SECRET, begun
from tests.playing import SAMPLES, last_of, played_out


def names_secrets(observer: Observer, name: str) -> bool:
    variable = observer.schema.variables[name]
    types = (*variable.keys, variable.type)
    return name in observer.secret_variables or any(map(observer.may_be_hidden, types))


@pytest.mark.parametrize("name", dict.fromkeys((*SECRET, *SAMPLES)))
def test_what_is_never_hidden_stands_in_a_view_as_in_the_state(name: str) -> None:
    for number, game in enumerate(played_out(begun(name, seed=2), Random(2), 40)):
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
    compared = 0
    for number, game in enumerate(played_out(begun(name, seed=2), Random(2), 60)):
        if number % 12:
            continue
        for player in (*game.ruleset.players[:2], None):
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


def test_cells_with_two_keys_stand_by_the_stacks_of_their_pieces() -> None:
    """A cell of a hidden piece stands once for each stack, among the others of its first key."""
    compared = 0
    for game in played_out(begun("tokens-1.0", seed=3), Random(3), 60):
        state = game.state.as_dict()["met"]
        for player in (*game.ruleset.players, None):
            view = game.view(player)
            counts = {stack.name: stack.count for stack in view.stacks}
            for side, cells in view.state["met"].items():
                told = Counter[int]()
                for word, number in cells.items():
                    told[number] += counts.get(word, 1)
                    assert "#" in word or number == state[side][word]
                assert told == Counter(state[side].values())
                compared += len(counts) > 2
            assert {*view.state["met"]} == {*state}
    assert compared > 100


def test_the_values_of_a_view_refuse_changes_wherever_they_come_from() -> None:
    view = begun("tokens-1.0", seed=3).view("A")
    again = evolve(view, state={**view.state, "met": {"A": {"t1": 3}}})

    assert evolve(view, language="fr").state is view.state
    for state in (view.state, again.state):
        with pytest.raises(TypeError):
            state["met"] = {}
        with pytest.raises(TypeError):
            state["met"]["A"]["t1"] = 2


def test_a_notebook_shows_what_is_known_and_then_the_own_actions() -> None:
    game = begun("tokens-1.0", seed=3)
    seen, watched = game.view("A")._repr_html_(), game.view(None)._repr_html_()

    assert "as A sees it" in seen
    assert seen.index("coins") < seen.index("earn")
    assert "earn" not in watched


def test_the_steps_of_the_last_plays_are_kept_for_whoever_follows() -> None:
    game = last_of(begun("tokens-1.0", seed=3), Random(3), 10)
    whole = game.view("A", since=0).log
    kept = game.derived[observed_trace, 0, "en"]

    assert {*kept} == {*range(10 - PLAYS_KEPT, 10)}
    assert whole[-len(kept[9]) :] == kept[9]
    assert game.view("A", since=9).log == kept[9]
