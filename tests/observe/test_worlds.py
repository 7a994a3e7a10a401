"""Worlds: games that are consistent with everything that a player observed, and how play may have come to them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random

import pytest

import hots_rules as hr
from hots_rules.observe.courses.followed import history_of
from hots_rules.observe.courses.moment_reader import reader_of, single_steps
from hots_rules.observe.courses.search import CourseSearch
from hots_rules.observe.courses.steps import FoundCourse
from hots_rules.observe.courses.way import course_of
from hots_rules.observe.world_steps import world_steps_of
from tests.playing import last_of, played_out
from tests.sizes import sample_size


def dictated(game: hr.Game) -> Iterator[hr.Game]:
    """A game from its beginning, with the outcomes of its dice and draws as plays of their own."""
    begun = game.ruleset.start(game.scenario, seed="unused", chance="ask")
    yield begun
    slots = list(begun.state.slots)
    for move, _ in single_steps(game.machine, slots, game.moves, game.chance_seed):
        begun = begun.play_code(move)
        yield begun


def assert_replays(world: hr.Game, game: hr.Game, player: str | None) -> None:
    """Assert that a player who watches the course of a world sees, at each moment, what he saw of the game."""
    assert world.course is not None
    replayed = game.ruleset.start(game.scenario, seed="unused", chance="ask")
    assert world.course.beginning == replayed.state
    own = dictated(game)
    assert replayed.view(player) == next(own).view(player)
    for move, seen in zip((*world.course.moves, *world.moves), own, strict=True):
        replayed = replayed.play_code(move)
        assert replayed.view(player) == seen.view(player)
        assert replayed.observed_trace(player) == seen.observed_trace(player)
    assert replayed.state == world.state


def assert_agrees(world: hr.Game, game: hr.Game, player: str | None) -> None:
    assert (world.to_move, world.phase) == (game.to_move, game.phase)
    assert world.view(player) == game.view(player)
    assert {action.player for action in world.actions} == {action.player for action in game.actions}


def tiles_that_fit(world: hr.Game) -> int:
    return len({action.args["tile"] for action in world.actions})


def test_who_drew_until_a_tile_fitted_holds_one_that_fits() -> None:
    game = hr.load("dominoes-1.0").start("full-bag", seed=0)
    for _ in range(4):
        game = game.play(game.actions[0])
    assert ("Ann",) == game.to_move

    worlds = game.worlds("Ben", 20)

    assert [1] * 20 == [tiles_that_fit(world) for world in worlds]
    assert len({world.state for world in worlds}) > 10
    assert all(world.course is not None for world in worlds)


def test_a_game_that_is_over_has_worlds_with_its_outcome() -> None:
    rules = hr.load("dominoes-1.0")
    begun = rules.start("full-bag", seed=3, options={"drawing": False})
    game = last_of(begun, Random(3), 100)

    assert game.is_over
    assert {world.outcome for world in game.worlds(None, 20)} == {game.outcome}


def test_whoever_could_not_lay_a_tile_held_none_that_fitted() -> None:
    """Without drawing, a player is passed over; what he is passed over for he cannot have held."""
    rules = hr.load("dominoes-1.0")
    for number in range(sample_size(4, 20)):
        game = last_of(
            rules.start("full-bag", seed=number, options={"drawing": False}), Random(number), 9
        )
        if game.is_over:
            continue
        for player in rules.players:
            for world in game.worlds(player, 2):
                assert world.course is not None
                assert_agrees(world, game, player)


@pytest.mark.parametrize(
    "name", ["dominoes-1.0", "goofspiel-1.0", "backgammon-1.0", "breakthrough-1.0"]
)
def test_a_world_is_where_its_course_leads(name: str) -> None:
    rules = hr.load(name)
    game = last_of(rules.start(rules.scenarios[0], seed=3), Random(3), 8)

    for player in (*rules.players, None):
        (world,) = game.worlds(player, 1)
        assert_replays(world, game, player)


def test_a_world_between_two_draws_is_where_its_course_leads() -> None:
    rules = hr.load("dominoes-1.0")
    game = last_of(rules.start("full-bag", seed=3, chance="ask"), Random(3), 9)

    for player in (*rules.players, None):
        for world in game.worlds(player, 3):
            assert_replays(world, game, player)


@pytest.mark.thorough
@pytest.mark.parametrize("name", hr.rulesets())
def test_a_world_replays_as_the_player_saw_it(name: str) -> None:
    """At some moments of random games, for each player and a spectator."""
    rules, chance = hr.load(name), Random(name)
    proven = tried = 0
    for number in range(sample_size(2, 12)):
        game = rules.start(chance.choice(rules.scenarios), seed=f"{name}/{number}")
        for later in played_out(game, chance, 100):
            if chance.random() > 0.04 or later.is_over:
                continue
            player = chance.choice((*rules.players, None))
            for world in later.worlds(player, 2, seed=number):
                assert_agrees(world, later, player)
                tried += 1
                proven += world.course is not None
                if world.course is not None:
                    assert_replays(world, later, player)
    assert proven >= 0.95 * tried > 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "scenario", "plays"),
    [("hots-4.0", "braveheart", 200), ("lords-of-scotland", "3-players", 60)],
)
def test_worlds_late_in_a_long_game_have_courses(name: str, scenario: str, plays: int) -> None:
    rules = hr.load(name)
    game = last_of(rules.start(scenario, seed=name), Random(name), plays)
    for player in rules.players[:2]:
        for world in game.worlds(player, 2):
            assert_replays(world, game, player)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("number", "player"),
    [
        (0, "Scotland"),  # a winter that depends on many hidden pieces
        (4, "Scotland"),  # who may build, and so is asked, depends on a hidden strength
        (5, "England"),  # and so does what was seen to be played
    ],
)
def test_a_winter_that_depends_on_what_is_hidden_has_a_course(number: int, player: str) -> None:
    chance, rules = Random(f"worlds/hots-2.3/{number}"), hr.load("hots-2.3")
    begun = rules.start(chance.choice(rules.scenarios), seed=f"hots-2.3/{number}")
    game = last_of(begun, chance, 300)

    (world,) = game.worlds(player, 1)

    assert_replays(world, game, player)


def test_a_course_is_taken_up_where_it_agrees_with_what_was_seen_since() -> None:
    """Play by play, in a game of blocks: nearly all of a course stays, also where a block turns up."""
    rules, chance, played = hr.load("hots-4.0"), Random(5), 0
    game, viewer = rules.start("braveheart", seed=5), 0
    before: FoundCourse | None = None
    for _ in range(60):
        world_steps = world_steps_of(game)
        search = CourseSearch(reader_of(game, viewer), world_steps, history_of(game, viewer))
        with world_steps.bounded():
            course = course_of(search)
        assert course is not None
        if before is not None:
            pairs = zip(before.reached, course.reached, strict=False)
            played += len(course.reached) - sum(old is new for old, new in pairs)
        before = course
        game = game.play_code(chance.choice(game.legal_codes))

    assert before is not None
    assert played < 2 * len(before.moves)


def test_a_world_goes_on_and_keeps_how_it_came_about() -> None:
    game = hr.load("dominoes-1.0").start("full-bag", seed=1)
    (world,) = game.worlds("Ben", 1)

    later = world.play(world.actions[0])
    assert later.course is world.course
    assert pickle.loads(pickle.dumps(later)).course == world.course
    (again,) = later.worlds("Ben", 1)
    assert_agrees(again, later, "Ben")
    assert again.course is not None
    assert game.course is None
