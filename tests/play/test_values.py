"""Values cannot be changed, can be copied and pickled, and refuse what is no number or no name."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import hots_rules as hr
from tests.playing import TINY, ruleset_of


@cache
def rules() -> hr.Ruleset:
    return ruleset_of(TINY)


@cache
def game() -> hr.Game:
    return rules().start("short", seed=1).play("Fox to North")


# ------------------------------------------------------------------ values stay as they are
MAPPINGS: dict[str, Callable[[], Any]] = {
    "the state of a view": lambda: game().view("Red").state,
    "a variable in a view": lambda: game().view("Red").state["at"],
    "the second level in a view": lambda: game().view("Red").state["gold"]["Red"],
    "a variable of a state": lambda: game().state["at"],
    "tables": lambda: rules().tables,
    "the rows of a table": lambda: rules().tables["Piece"].rows,
    "a row of a table": lambda: rules().tables["Piece"].rows["Fox"],
    "actions": lambda: rules().actions,
    "the parameters of an action": lambda: rules().actions["go"].params,
    "words": lambda: rules().words["Piece"],
    "options": lambda: rules().options,
    "settings": lambda: rules().settings,
    "the places of a map": lambda: rules().map.places,
    "the options of a record": lambda: game().record.options,
}
CHANGES: tuple[Callable[[Any], object], ...] = (
    lambda values: values.__setitem__("x", 1),
    lambda values: values.__delitem__("x"),
    lambda values: values.update(x=1),
    lambda values: values.setdefault("x", 1),
    lambda values: values.pop("x"),
    lambda values: values.popitem(),
    lambda values: values.clear(),
    lambda values: values.__ior__({"x": 1}),
)


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_mapping_refuses_changes(name: str) -> None:
    values = MAPPINGS[name]()
    before = dict(values)
    for change in CHANGES:
        with pytest.raises(TypeError, match="cannot be changed"):
            change(values)

    assert before == values
    assert dict(values) is not values


def test_a_set_in_a_view_or_a_state_refuses_changes() -> None:
    for values in (game().view("Red").state["tired"], game().state["tired"]):
        for change in (
            lambda listed: listed.append("Hen"),
            lambda listed: listed.__setitem__(0, "Hen"),
            lambda listed: listed.__iadd__(["Hen"]),
            lambda listed: listed.clear(),
            lambda listed: listed.sort(),
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                change(values)
        assert ["Fox"] == values


def test_a_view_is_plain_data_still() -> None:
    state = game().view("Red").state

    assert json.loads(json.dumps(state)) == state
    assert isinstance(state["at"], dict)


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_mapping_is_copied_and_pickled(name: str) -> None:
    values = MAPPINGS[name]()

    assert values == copy.copy(values) == copy.deepcopy(values)
    assert values == pickle.loads(pickle.dumps(values))


@pytest.mark.parametrize("find", [
    lambda: game().view("Red"),
    lambda: game().actions,
    lambda: rules().actions["go"],
    lambda: rules().tables["Piece"],
    lambda: rules().map,
    lambda: game().trace,
    lambda: game().record,
    lambda: hr.explain.render_board(game()),
    lambda: hr.load("goofspiel-1.0").map,
])  # fmt: skip
def test_a_value_is_copied_and_pickled(find: Callable[[], Any]) -> None:
    value = find()

    assert value == copy.copy(value) == copy.deepcopy(value)
    assert value == pickle.loads(pickle.dumps(value))


# ------------------------------------------------------------------ what is no number, or no name
NUMBERS = (-1, 1.5, True, "x", [], object())


@pytest.mark.parametrize("ask", [
    lambda number: game().view("Red", since=number),
    lambda number: game().observed_trace("Red", since=number),
    lambda number: game().worlds("Red", n=number),
    lambda number: game().first_actions(number),
    lambda number: game().packed_after(number),
    lambda number: list(game().replayed(number)),
    lambda number: game().odds(samples=number),
    lambda number: game().odds(states=number),
    lambda number: game().odds(memory=number),
])  # fmt: skip
@pytest.mark.parametrize("number", NUMBERS, ids=lambda value: type(value).__name__)
def test_what_is_no_number_is_refused(ask: Callable[[Any], object], number: object) -> None:
    with pytest.raises(hr.ArgumentError):
        ask(number)


@pytest.mark.parametrize("number", [-1, 1.5, True, "x", []], ids=lambda value: type(value).__name__)
def test_plays_to_take_back_are_a_number(number: Any) -> None:
    with pytest.raises(hr.ArgumentError):
        game().back(number)


@pytest.mark.parametrize("ask", [
    lambda name: game().view(name),
    lambda name: game().observed_trace(name),
    lambda name: game().worlds(name),
    lambda name: game().preview(game().actions[0], name),
    lambda name: game().undo_limit(name),
    lambda name: game().explain(name),
    lambda name: game().explain(player=name),
    lambda name: game().actions_for(name),
    lambda name: game().draw(name),
    lambda name: game().draw(targets=name),
    lambda name: game().with_position_changes(name),
    lambda name: rules().start(name),
    lambda name: rules().in_language(name),
    lambda name: rules().position(name),
    lambda name: rules().scenario_title(name),
    lambda name: hr.scenarios(name),
    lambda name: game().state[name],
    lambda name: game().ask("why", player=name),
    lambda name: game().why("Red: rest", player=name),
    lambda name: game().play("Blue: rest", player=name),
])  # fmt: skip
@pytest.mark.parametrize(
    "name", [-1, 1.5, True, "nobody", object(), ["Red"]], ids=lambda name: type(name).__name__
)
def test_what_is_no_name_is_refused(ask: Callable[[Any], object], name: object) -> None:
    with pytest.raises(hr.HotsError):
        ask(name)


def test_none_is_no_name() -> None:
    for ask in (game().actions_for, rules().start, rules().position, game().with_position_changes):
        with pytest.raises(hr.HotsError):
            ask(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [True, 1.5, [], None], ids=lambda value: type(value).__name__)
def test_a_seed_is_a_number_or_a_text(seed: Any) -> None:
    with pytest.raises(hr.ArgumentError):
        game().worlds("Red", 1, seed)
    with pytest.raises(hr.ArgumentError):
        game().odds(seed=seed)
    if seed is not None:
        with pytest.raises(hr.ArgumentError):
            rules().start("short", seed=seed)


@pytest.mark.parametrize(
    "seconds", [-1, True, "x", [], float("nan")], ids=lambda value: type(value).__name__
)
def test_seconds_are_a_number(seconds: Any) -> None:
    with pytest.raises(hr.ArgumentError):
        game().odds(seconds=seconds)


@pytest.mark.parametrize(
    "choices", [[], 0, "fast", [("fast", True)]], ids=lambda value: type(value).__name__
)
def test_options_are_names_with_values(choices: Any) -> None:
    with pytest.raises(hr.ArgumentError):
        rules().start("short", options=choices)
    with pytest.raises(hr.ArgumentError):
        rules().position("turn 2", readings=choices)


def test_scenarios_of_a_ruleset_are_found_by_the_error() -> None:
    with pytest.raises(hr.ArgumentError, match=r'`scenarios\(\)\["goofspiel-1.0"\]`'):
        hr.scenarios("goofspiel-1.0")
