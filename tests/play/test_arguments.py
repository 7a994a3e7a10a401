"""Arguments of a wrong kind are refused with errors of the library, before anything is written or computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

import pytest

import hots_rules as hr
from tests.playing import TINY, ruleset_of

PATHS: dict[str, Callable[[hr.Game, Any], object]] = {
    "save": lambda game, path: game.save(path),
    "journal": lambda game, path: hr.Journal(path, game),
    "write": lambda game, path: game.record.write(path),
    "read": lambda game, path: hr.Record.read(path),
    "load": lambda game, path: hr.load(path),
    "diff": lambda game, path: hr.diff(path, game.ruleset),
}
SEEDS: dict[str, Callable[[hr.Game, Any], object]] = {
    "worlds": lambda game, seed: game.worlds("Red", 1, seed=seed),
    "odds": lambda game, seed: hr.analysis.player_odds(game, "Red", game.actions[0], seed=seed),
    "start": lambda game, seed: game.ruleset.start("short", seed=seed),
    "frequencies": lambda game, seed: hr.analysis.count_frequencies(
        game.ruleset, games=1, seed=seed
    ),
    "check_play": lambda game, seed: hr.analysis.check_play(game.ruleset, games=1, seed=seed),
}
COUNTS: dict[str, Callable[[hr.Game, Any], object]] = {
    "simulate": lambda game, games: hr.simulate(game.ruleset, "short", games=games),
    "frequencies": lambda game, games: hr.analysis.count_frequencies(game.ruleset, games=games),
    "check_play": lambda game, games: hr.analysis.check_play(game.ruleset, games=games),
    "up_to": lambda game, count: game.record.up_to(count),
    "samples": lambda game, count: hr.analysis.player_odds(
        game, "Red", game.actions[0], samples=count
    ),
}
PLAN = hr.study.StudyPlan(scenario="short", games=1)
MOST: dict[str, Callable[[hr.Game, int], object]] = {
    "simulate": lambda game, games: hr.simulate(game.ruleset, "short", games=games),
    "frequencies": lambda game, games: hr.analysis.count_frequencies(game.ruleset, games=games),
    "check_play": lambda game, games: hr.analysis.check_play(game.ruleset, games=games),
    "worlds": lambda game, n: game.worlds("Red", n),
}
VALUES: dict[str, Callable[[hr.Game, Any], object]] = {
    "journal": lambda _, value: hr.Journal("never", value),
    "record_game": lambda _, value: hr.records.record_game(value),
    "publish_seal": lambda _, value: hr.records.publish_seal(value),
    "with_explicit_chance": lambda _, value: hr.records.with_explicit_chance(value),
    "migrate": lambda game, value: hr.records.migrate(game.record, value),
    "player_odds": lambda game, value: hr.analysis.player_odds(value, "Red", game.actions[0]),
    "named_policies": lambda _, value: hr.analysis.named_policies(value),
    "simulate": lambda _, value: hr.simulate(value, "short", games=1),
    "check_play": lambda _, value: hr.analysis.check_play(value),
    "count_frequencies": lambda _, value: hr.analysis.count_frequencies(value, games=1),
    "make_bot": lambda _, value: hr.analysis.make_bot(value),
    "find_actions": lambda game, value: hr.explain.find_actions(game, value),
    "find_declarations": lambda game, value: hr.explain.find_declarations(game.ruleset, value),
    "declarations_about": lambda game, value: hr.explain.declarations_about(game.ruleset, value),
    "is_action": lambda game, value: hr.explain.is_action(game, value),
    "game": lambda _, value: hr.explain.is_action(value, "rest"),
    "limits": lambda _, value: hr.Record.read("never", limits=value),
    "load": lambda _, value: hr.load("hots-4.0", limits=value),
    "format_rules": lambda _, value: hr.format_rules(value),
    "ruleset_for": lambda _, value: hr.ruleset_for(value),
    "ask": lambda _, value: hr.ask(value, "turn"),
    "sides": lambda _, value: hr.study.study([value], PLAN),
    "plan": lambda game, value: hr.study.study([game.ruleset] * 2, value),
    "parse": lambda game, value: hr.Record.parse(str(game.record), limits=value),
    "verify": lambda game, value: hr.records.verify(game.record, game.ruleset, value),
    "seeds": lambda game, value: hr.records.verify_seeds(game.record, game.ruleset, value),
    "a seed": lambda game, value: hr.records.verify_seeds(game.record, game.ruleset, [value]),
    "has_content": lambda game, value: hr.records.has_content(game.ruleset, value),
    "combine_seeds": lambda _, value: hr.records.combine_seeds(value, {}),
    "settler": lambda game, value: hr.analysis.Settler(game.ruleset, value, "Red"),
    "chart": lambda _, value: hr.analysis.chart(value, "turn"),
    "charted odds": lambda _, value: hr.analysis.chart({"x": value}, "turn"),
    "after": lambda game, value: game.after(value),
    "reasons_against": lambda game, value: game.reasons_against(value),
    "outcome_actions": lambda game, value: game.outcome_actions(value),
    "machine": lambda game, value: game.ruleset.machine(value),
    "traced": lambda game, value: game.ruleset.machine(game.settings, traced=value),
    "schema_under": lambda game, value: game.ruleset.schema_under(value),
    "linked_rules": lambda game, value: game.ruleset.linked_rules(value),
}


PUBLIC = (
    *(hr.analysis, hr.compare, hr.draw, hr.explain, hr.formats, hr.records, hr.study),
    *(hr.talk, hr.testing, hr.witness),
)


def _functions_of(parameters: set[str]) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public functions, by their names, whose first parameter is one of these and has no default."""
    for module in PUBLIC:
        for name in module.__all__:
            call = getattr(module, name)
            if not isfunction(call):
                continue
            first = next(iter(signature(call).parameters.values()), None)
            if first is not None and first.name in parameters and first.default is first.empty:
                yield f"{module.__name__}.{name}", call


@pytest.fixture(scope="module")
def game() -> hr.Game:
    return ruleset_of(TINY).start("short", seed=1)


@pytest.mark.parametrize("path", [-1, None, b"x", 1.5, ["a"]], ids=repr)
@pytest.mark.parametrize("call", PATHS)
def test_what_is_no_path_is_refused(
    call: str, path: object, game: hr.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(hr.HotsError):
        PATHS[call](game, path)

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "seed", ["half \ud800", 10**5_000, 1.5, b"x", True], ids=lambda seed: str(type(seed))
)
@pytest.mark.parametrize("call", SEEDS)
def test_a_seed_that_cannot_be_written_is_refused(call: str, seed: object, game: hr.Game) -> None:
    with pytest.raises(hr.BadArgument, match="seed"):
        SEEDS[call](game, seed)


@pytest.mark.parametrize("count", [-1, None, 1.5, "1"])
@pytest.mark.parametrize("call", COUNTS)
def test_what_is_no_number_of_games_is_refused(call: str, count: object, game: hr.Game) -> None:
    with pytest.raises(hr.BadArgument):
        COUNTS[call](game, count)


@pytest.mark.parametrize("value", [-1, None, object()], ids=["-1", "None", "object"])
@pytest.mark.parametrize("call", VALUES)
def test_another_value_in_place_of_ours_is_refused(call: str, value: object, game: hr.Game) -> None:
    with pytest.raises(hr.BadArgument, match="help: give"):
        VALUES[call](game, value)


@pytest.mark.parametrize("call", MOST)
def test_a_number_that_would_never_be_reached_is_refused(call: str, game: hr.Game) -> None:
    with pytest.raises(hr.BadArgument, match=r"from \d to 100,000"):
        MOST[call](game, 10**30)


@pytest.mark.parametrize("value", [-1, None, object(), b"x"], ids=["-1", "None", "object", "bytes"])
def test_every_public_function_refuses_what_is_no_game_and_no_ruleset(value: object) -> None:
    functions = dict(_functions_of({"game", "ruleset", "old"}))

    assert len(functions) > 50
    for name, call in functions.items():
        others = list(signature(call).parameters.values())[1:]
        needed = {p.name: "x" for p in others if p.default is p.empty}
        with pytest.raises(hr.HotsError):
            answer = call(value, **needed)
            print(name, list(answer) if isinstance(answer, Iterator) else answer)


@pytest.mark.parametrize(
    "settings", [(("no_such", 0),), (("x",),), ((1, 2),), [], {}, (("half \ud800", 0),)], ids=repr
)
def test_settings_of_another_ruleset_are_refused(settings: Any, game: hr.Game) -> None:
    with pytest.raises(hr.BadArgument, match="settings"):
        game.ruleset.machine(settings)


def test_a_code_that_no_setting_has_is_refused() -> None:
    ruleset = hr.load("hots-4.0")
    (name, _), *others = ruleset.chosen({}, {})
    with pytest.raises(hr.BadArgument, match="settings"):
        ruleset.machine(((name, 10**6), *others))


def test_only_the_code_of_a_legal_kind_is_played(game: hr.Game) -> None:
    with pytest.raises(hr.BadArgument, match="code"):
        game.after(-1)
    with pytest.raises(hr.IllegalAction):
        game.outcome_actions(game.notation)


def test_a_name_that_is_too_long_for_a_file_has_no_witnesses() -> None:
    assert not hr.witness.kept_witnesses("x" * 5_000, "y").witnesses
