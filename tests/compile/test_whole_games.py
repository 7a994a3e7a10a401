"""Compiled code against the plain meaning of the rules, on the states of real games.

`tests/compile/test_compile.py` does the same for expressions made by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.compile.codes import POINT, DecisionPoint, codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.game import load_source
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from tests.playing import Chosen, heeded, machine_of, played_out, some_choices
from tests.sizes import sample_size

pytestmark = pytest.mark.loads_anew


@cache
def shared_rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def choices() -> list[Any]:
    return some_choices(shared_rules())


# How many instances of one action, or of one definition, are asked at one moment.
MAX_CODES, FEW = sample_size(1000, 2500), sample_size(50, 100)


def evaluator_of(ruleset: hr.Ruleset, state: hr.State, settings: dict[str, int]) -> Evaluator:
    """The plain meaning of the rules at a state."""

    def load(variable: str, keys: tuple[int, ...]) -> int:
        found = shared_rules().schema.variables[variable]
        return state.slots[found.base + found.offsets[keys]]

    return Evaluator(ruleset.rulebook.typed, settings, load, {})


def moments(chosen: Chosen, many: int) -> Iterator[hr.Game]:
    """Some decisions of some games, most of them unlike the others."""
    chooser, met = Random(8), dict[str, int]()
    for scenario in ("braveheart", "the-bruce"):
        start = shared_rules().start(scenario, seed=8, **heeded(shared_rules(), scenario, chosen))
        for game in played_out(start, chooser):
            if not game.is_over and met.get(game.phase, 0) < many and chooser.random() < 0.3:
                met[game.phase] = met.get(game.phase, 0) + 1
                yield game


@pytest.fixture
def chosen(request: pytest.FixtureRequest) -> Chosen:
    """Some options and readings, by their number among `choices()`."""
    number: int = request.param
    return choices()[number]


# ------------------------------------------------------------------ legal actions
@pytest.mark.thorough
@pytest.mark.parametrize("chosen", [0, 1], ids=["first values", "second values"], indirect=True)
def test_the_legal_actions_are_those_that_the_clauses_allow(chosen: Chosen) -> None:
    chooser, asked = Random(3), 0
    for game in moments(chosen, 2):
        linked = shared_rules().linked_rules(game.settings)
        evaluator = evaluator_of(shared_rules(), game.state, dict(game.settings))
        legal = {action.code for action in game.actions}
        for form in game.notation.forms:
            if form.name not in game.point_facts.actions:
                assert not any(action.name == form.name for action in game.actions)
                continue
            action = linked.actions[form.name]
            names = [action.actor.name, *(param.name for param in action.params)]
            for player, args in _instances(game, form.params, chooser):
                asked += 1
                code = form.encode(player, args)
                local = dict(zip(names, (player, *args), strict=True))
                held = {
                    kind: any(evaluator.value(clause.when, local)
                              for clause in action.clauses if clause.kind == kind)
                    for kind in ("permit", "forbid")
                }  # fmt: skip
                allowed = held["permit"] and not held["forbid"]
                assert allowed == (code in legal), game.notation.exact(code)
    assert asked > 10_000


def _instances(
    game: hr.Game, params: tuple[tuple[str, types.Type], ...], chooser: Random
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Arguments of an action for those who are asked: all of them, or some by chance and the legal ones."""
    players = [shared_rules().players.index(player) for player in game.to_move]
    param_types = [type_ for _, type_ in params]
    if prod(map(types.size, param_types)) <= MAX_CODES:
        yield from product(players, product(*map(codes_of, param_types)))
        return
    for _ in range(MAX_CODES // 2):
        yield (
            chooser.choice(players),
            tuple(chooser.choice(codes_of(type_)) for type_ in param_types),
        )
    for action in game.actions:
        form = game.notation.form_of(action.code)
        if form.params == params:
            player, args = form.decode(action.code, len(shared_rules().players))
            yield player, args


def test_the_invariants_mean_what_they_say() -> None:
    for game in moments(choices()[0], 2):
        evaluator = evaluator_of(shared_rules(), game.state, dict(game.settings))
        found = dict(machine_of(game).invariants)
        for name, invariant in shared_rules().rulebook.typed.invariants.items():
            assert bool(evaluator.value(invariant.condition, {})) == bool(
                found[name](list(game.state.slots))
            )


# ------------------------------------------------------------------ definitions
# No player can choose among so many numbers; a definition that may be `no limit` has them.
TOO_MANY = 100_000


def probes() -> dict[str, tuple[tast.Definition, str]]:
    """For each definition an action that is legal for the arguments and values that it gives."""
    found = {}
    for name, definition in shared_rules().rulebook.typed.definitions.items():
        params = [(p.word, said) for p in definition.params if (said := _said(p.type))]
        if len(params) != len(definition.params):
            continue
        call = f"{name}({', '.join(f'p_{p}' for p, _ in params)})" if params else name
        asked = _asked(definition.body.type, call)
        if asked is None:
            continue
        value, condition = asked
        given = ", ".join([*(f"p_{p}: {said}" for p, said in params), *value])
        found[name] = (definition, f'({given}) §0.1 "Asks."\n  permit when {condition}\n' if given
                       else f' §0.1 "Asks."\n  permit when {condition}\n')  # fmt: skip
    return found


def _said(type_: types.Type) -> str | None:
    """A type as the ruleset would write it, None where a player could not choose among its values."""
    if isinstance(type_, types.WordType):
        bare = type_.name.rstrip("?")
        known = {
            *shared_rules().rulebook.typed.tables,
            *(n for k, n in shared_rules().rulebook.entries if k == "type"),
        }
        return type_.name if bare in known else None
    return str(type_) if isinstance(type_, types.IntType | types.BoolType) else None


def _asked(type_: types.Type, call: str) -> tuple[list[str], str] | None:
    if isinstance(type_, types.BoolType):
        return [], call
    if isinstance(type_, types.SetType):
        said = _said(type_.member)
        return ([f"value: {said}"], f"value in {call}") if said else None
    if isinstance(type_, types.IntType):
        if types.size(type_) > TOO_MANY:
            return None
        # A number that is chosen is not negative, so all are counted from the lowest.
        lowest = f"- {type_.low}" if type_.low >= 0 else f"+ {-type_.low}"
        return [f"value: 0..{type_.high - type_.low}"], f"value = {call} {lowest}"
    said = _said(type_)
    return ([f"value: {said}"], f"value = {call}") if said else None


@cache
def probing() -> tuple[hr.Ruleset, dict[str, tast.Definition]]:
    """hots-4.0 with a decision for each definition."""
    found = probes()
    actions = "".join(f"action probe_{name}{rest}" for name, (_, rest) in found.items())
    asked = "".join(f"  choose England: probe_{name}\n" for name in found)
    text = f"""ruleset probing-1.0 "Probing"
  extends hots-4.0
{actions}phase probe_all §0.1 "All of them."
{asked}scenario probe §8.1 "Probe"
  probe_all()
"""
    # No clause may ask for what the chooser does not know, so here everything is known.
    below = [
        evolve(
            layer,
            files={
                n: re.sub(r"(?m)^secret .*\n(?:[ \t].*\n)*", "", f) for n, f in layer.files.items()
            },
        )
        for layer in shared_rules().source.layers
    ]
    top = Layer("probing-1.0", "Probing", "hots-4.0", {"p.rules": text}, below[0].sections)
    return load_source(Source((*below, top))), {
        name: definition for name, (definition, _) in found.items()
    }


def test_nearly_every_definition_is_probed() -> None:
    assert len(probes()) > 0.85 * len(shared_rules().rulebook.typed.definitions)


@pytest.mark.thorough
def test_every_definition_has_its_plain_meaning() -> None:
    rules, definitions = probing()
    machine = rules.machine(rules.chosen({}, {}))
    points = {
        fact.actions[0].removeprefix("probe_"): number
        for number, fact in enumerate(machine.facts.points)
        if isinstance(machine.points[number], DecisionPoint) and fact.phase == "probe_all"
    }
    assert set(definitions) == set(points)
    chooser, asked = Random(6), 0
    for game in moments(choices()[0], 1):
        evaluator = evaluator_of(rules, game.state, dict(game.settings))
        slots = list(machine.initial)
        for name, variable in shared_rules().schema.variables.items():
            many, base = len(variable.key_codes), rules.schema.variables[name].base
            slots[base : base + many] = game.state.slots[variable.base : variable.base + many]
        rules.schema.reindex(slots)
        for name, definition in definitions.items():
            slots[POINT] = -1 - points[name]
            asked += _agree(rules, machine.legal, slots, evaluator, definition, chooser)
    assert asked > 10_000


def _agree(rules, legal, slots, evaluator, definition, chooser) -> int:  # type: ignore[no-untyped-def]
    """Asks a definition for some arguments in both ways; how many were asked."""
    notation = rules.notation
    form = next(f for f in notation.forms if f.name == f"probe_{definition.name}")
    names = [param.name for param in definition.params]
    param_types = [type_ for _, type_ in form.params]
    try:
        found = set(legal(slots))
    except hr.EngineError:
        found = None
    if prod(map(types.size, param_types)) <= FEW:
        instances = list(product(*map(codes_of, param_types)))
    else:
        instances = [
            tuple(chooser.choice(codes_of(type_)) for type_ in param_types) for _ in range(FEW)
        ]
    failed, values = 0, {}
    for args in instances:
        own = args[: len(names)]
        if own not in values:
            try:
                values[own] = evaluator.value(definition.body, dict(zip(names, own, strict=True)))
            except hr.EngineError:
                values[own] = None
        value = values[own]
        if value is None:
            failed += 1
            continue
        match definition.body.type:
            case types.BoolType():
                expected = bool(value)
            case types.SetType():
                expected = bool(value >> args[-1] & 1)
            case types.IntType(low, _):
                expected = value == args[-1] + low
            case _:
                expected = value == args[-1]
        if found is not None:
            assert expected == (form.encode(0, args) in found), (definition.name, args)
    # What has no value for some arguments is an engine error where it is compiled, too.
    assert failed or found is not None, definition.name
    return len(instances) - failed
