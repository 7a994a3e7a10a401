"""Arguments of a wrong kind are refused with errors of the library, before anything is written or computed."""

from __future__ import annotations

from collections.abc import Callable
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
    "limits": lambda _, value: hr.Record.read("never", limits=value),
}


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
