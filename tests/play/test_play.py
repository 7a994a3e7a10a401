"""The front door: games that start, are asked, played, refused, copied and ended."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from types import FunctionType, MethodType, ModuleType
from typing import Any

import attrs
import pytest

import hots_rules as hr
from hots_rules.compile.machine import Machine
from hots_rules.play.notation import Notation
from hots_rules.state.schema import StateSchema
from tests.playing import TINY, last_of, played_out, ruleset_of


@cache
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def _small() -> hr.Game:
    return small().start("short", seed=1)


# ------------------------------------------------------------------ starting
def test_the_actions_for_a_name_have_it_as_an_argument() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=3)
    for action in ("England: play Move 3", "Scotland: play Move 2", "England: end moves"):
        game = game.play(action)
    for name in ("Wallace", "wallace", "Fife"):
        found = game.actions_for(name)
        assert found
        assert found == tuple(a for a in game.actions if name.title() in a.args.values())
    assert game.actions_for("York Knights") == ()
    assert game.in_language("fr").actions_for("wallace") == game.in_language("fr").actions_for(
        "Wallace"
    )
    assert game.actions_for("\ufeffWallace") == game.actions_for("Wallace")
    with pytest.raises(hr.UnknownName, match="did you mean `Wallace`"):
        game.actions_for("Walace")


def test_back_is_the_game_some_plays_ago() -> None:
    games = [hr.load("hots-4.0").start("braveheart", seed=3, chance="ask")]
    chooser = Random(3)
    for _ in range(60):
        games.append(games[-1].play(chooser.choice(games[-1].actions)))
    last = games[-1]
    for plays in (0, 1, 7, 60):
        earlier = games[-1 - plays]
        assert last.back(plays) == earlier
        assert last.back(plays).trace == earlier.trace
        assert last.back(plays).view("England") == earlier.view("England")
    for plays in (-1, 61, True, 1.0):
        with pytest.raises(hr.BadArgument):
            last.back(plays)  # type: ignore[arg-type]


def test_a_game_starts_with_those_who_are_asked() -> None:
    game = rules().start("braveheart", seed=1297)

    assert ("England", "Scotland") == game.to_move
    assert "play_cards" == game.phase
    assert not game.is_over
    assert game.outcome is None
    assert () == game.trace


def test_options_and_readings_are_part_of_a_game() -> None:
    game = rules().start("braveheart", options={"schiltroms": True, "english_bid": 2}, seed=0)

    assert {"schiltroms": True, "english_bid": 2, "scottish_bid": 0, "outbid": 0} == game.options
    assert set(rules().readings) == set(game.readings)
    assert game != rules().start("braveheart", seed=0)


def test_a_game_without_a_seed_has_one_that_nobody_can_guess() -> None:
    started = [small().start("short") for _ in range(8)] + [small().position("") for _ in range(8)]
    seeds = {game.seed for game in started}

    assert 16 == len(seeds)
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds | {hr.new_seed()})
    assert all(hr.replay(game.record, small()) == game for game in started)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"scenario": "bravehart"}, "braveheart"),
        ({"scenario": None}, "braveheart"),
        ({"options": {"schiltrom": True}}, "schiltroms"),
        ({"options": {"schiltroms": 1}}, "True"),
        ({"options": {"schiltroms": "yes"}}, "True"),
        ({"options": {"english_bid": 4}}, "3"),
        ({"options": {"english_bid": True}}, "3"),
        (
            {"options": {"english_bid": "1"}},
            "cannot be `'1'`\nhelp: choose one of `0`, `1`, `2`, `3`",
        ),
        ({"options": {"english_bid": [1]}}, "3"),
        ({"options": {"stranded_king": "pool"}}, "schiltroms"),
        ({"options": ["schiltroms"]}, "help: give names with their values"),
        ({"options": {None: 1}}, "schiltroms"),
        ({"readings": {"stranded_king": "dead"}}, "slain"),
        ({"readings": {"schiltroms": True}}, "stranded_king"),
        ({"readings": {"anything": True}}, "unknown reading `anything`"),
        ({"chance": "random"}, "auto"),
        ({"seed": "two\nlines"}, "help: give a number, or a line"),
        ({"seed": " 1"}, "a number"),
        ({"seed": ""}, "a number"),
        ({"seed": "\ud800"}, "a number"),
        ({"seed": "\u2028"}, "a number"),
        ({"seed": 1.5}, "a number"),
        ({"seed": 10**5000}, "a number"),
        ({"seed": "x" * 1_000_000}, "a number"),
    ],
    ids=lambda value: repr(value)[:40] if value != {"seed": 10**5000} else "seed of 5000 digits",
)
def test_what_is_chosen_must_be_known(wrong: dict[str, object], said: str) -> None:
    asked: dict[str, object] = {"scenario": "braveheart", **wrong}
    with pytest.raises(hr.ArgumentError) as error:
        rules().start(**asked)  # type: ignore[arg-type]

    listed = getattr(error.value, "known", ()) or getattr(error.value, "allowed", ())
    assert said in f"{error.value} {listed}"
    assert len(str(error.value)) < 2000


def test_the_ruleset_is_not_for_changing() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules().name = "mine"  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules().options["mine"] = rules().options["schiltroms"]  # type: ignore[index]
    with pytest.raises(TypeError):
        rules().settings["mine"] = rules().options["schiltroms"]  # type: ignore[index]


# ------------------------------------------------------------------ playing
def test_a_play_leaves_the_game_before_it_as_it_was() -> None:
    game = _small()
    state, actions = game.state, game.actions
    after = game.play("Fox to North")

    assert "North" == after.state["at", "Fox"]
    assert "Away" == game.state["at", "Fox"]
    assert (state, actions, ()) == (game.state, game.actions, game.moves)


@pytest.mark.parametrize(
    "text",
    [
        "Red: Fox to Far East",
        "fox to far east",
        "  RED :   fox  to  far   EAST ",
        "Red: Fox to Far_East",
        "Red: go(Fox, Far_East)",
        "go(fox, far east)",
    ],
)
def test_a_text_may_be_written_in_many_ways(text: str) -> None:
    assert "Far_East" == _small().play(text).state["at", "Fox"]


def test_a_secret_choice_is_made_in_any_order() -> None:
    game = rules().start("braveheart", seed=1297)
    english = next(a for a in game.actions if a.player == "England")
    scottish = next(a for a in game.actions if a.player == "Scotland")

    one, other = game.play(english), game.play(scottish)
    assert ("Scotland",) == one.to_move
    assert ("England",) == other.to_move
    assert one.play(scottish).state == other.play(english).state
    with pytest.raises(hr.IllegalAction):
        one.play(english)


def test_an_outcome_names_the_winner_the_rule_and_the_section() -> None:
    game = last_of(rules().start("the-bruce", seed=2), Random(2))

    assert game.outcome is not None
    assert game.outcome.winner in rules().players
    assert ("rule" and game.outcome.reason) in {name for _, name in rules().rulebook.entries}
    assert all(
        section in rules().rulebook.sections["hots-4.0"] for section in game.outcome.sections
    )
    assert () == game.to_move == game.actions
    assert "" == game.phase
    assert f"§{game.outcome.sections[0]}" in str(game.outcome)


def test_a_game_may_end_without_a_winner() -> None:
    game = _small()
    while not game.is_over:
        game = game.play("rest")

    assert game.outcome is not None
    assert game.outcome.winner is None
    assert "nobody wins: Turn by turn. (§1)" == str(game.outcome)


def test_a_trace_tells_what_happened_and_by_which_rule() -> None:
    game = _small().play("Fox to North")

    kinds = [(step.kind, step.name) for step in game.trace]
    assert ("action", "go") == kinds[0]
    assert {("event", "moved"), ("set", "at"), ("set", "tired")} <= set(kinds)
    assert all(step.edition == "tiny-1.0" and step.sections for step in game.trace)
    assert "Red: Fox to North (§2)" == str(game.trace[0])


# ------------------------------------------------------------------ refusing
def _reasons(game: hr.Game, text: str) -> set[tuple[str, str]]:
    return {(reason.kind, reason.rule) for reason in game.why_not(text)}


def test_a_reason_names_the_clause_that_forbids() -> None:
    game = _small().play("Fox to North").play("rest").play("rest").play("rest")

    assert {("forbid", "no-way-back")} == _reasons(game, "Red: Fox to North")
    assert ("at of Fox = North",) == game.why_not("Fox to North")[0].values
    assert not game.why_not("Red: Fox to South")


def test_a_reason_names_the_permit_that_does_not_hold() -> None:
    assert {("permit", "go")} == _reasons(_small(), "Red: Hen to North")
    assert {("permit", "throw")} == _reasons(_small(), "Red: throw for Fox")


def test_it_is_not_for_the_wrong_player_to_choose() -> None:
    assert {("moment", "day")} == _reasons(_small(), "Blue: rest")
    assert "it is for Red to choose now" == _small().why_not("Blue: rest")[0].summary


def test_it_is_not_the_moment() -> None:
    game = rules().start("braveheart", seed=1)

    assert [("moment", "play_cards")] == [*_reasons(game, "England: end moves")]
    assert "the legal choices now are: play card" == game.why_not("end moves")[0].summary


def test_nobody_chooses_when_the_game_is_over() -> None:
    game = last_of(rules().start("the-bruce", seed=2), Random(2))
    assert game.outcome is not None

    assert {("moment", game.outcome.reason)} == _reasons(game, "England: end moves")
    assert {("moment", game.outcome.reason)} == _reasons(game, "chance: roll 1")
    with pytest.raises(hr.UnreadableAction):
        game.play("nonsense")
    with pytest.raises(hr.IllegalAction):
        game.play_code(0)


def test_chance_is_not_asked_unless_it_is_its_turn() -> None:
    game = small().start("short", seed=1, chance="ask")

    assert {("moment", "day")} == _reasons(game, "chance: roll 1 2 3")
    asked = game.play("Fox to North").play("rest").play("throw for Fox")
    assert {("moment", "throw")} == _reasons(asked, "Red: rest")
    assert {("moment", "throw")} == _reasons(asked, "roll 1 2")
    assert {("moment", "throw")} == _reasons(asked, "roll 1 2 7")
    assert {("moment", "throw")} == _reasons(asked, "draw Fox")
    with pytest.raises(hr.UnreadableAction):
        asked.play("nonsense")


def test_a_listed_action_is_read_anew_at_another_moment() -> None:
    game = _small()
    action = next(a for a in game.actions if a.text == "Red: Fox to North")
    later = game.play(action).play("rest")

    assert "Red" in later.to_move
    with pytest.raises(hr.IllegalAction):
        later.play(action)
    assert later.play("rest").play("rest").why_not(action)


def test_an_action_of_another_ruleset_is_read_as_its_text() -> None:
    other = ruleset_of(
        TINY.replace("tiny-1.0", "other-1.0").replace("  Fox  3\n  Hen  1", "  Hen  1\n  Fox  3")
    )
    game, theirs = _small(), other.start("short", seed=1)
    for action in theirs.actions:
        if action.text in {mine.text for mine in game.actions}:
            assert game.play(action) == game.play(action.text)
        else:
            with pytest.raises(hr.HotsError):
                game.play(action)
    for action in rules().start("braveheart", seed=1).actions:
        with pytest.raises(hr.UnreadableAction):
            game.play(action)


def test_a_code_is_refused_with_the_reasons_of_its_action() -> None:
    game = _small()
    for code in range(small().schema.facts.action_codes):
        if code not in {action.code for action in game.actions}:
            with pytest.raises(hr.IllegalAction) as error:
                game.play_code(code)
            assert error.value.reasons == game.why_not(error.value.text).against


@pytest.mark.parametrize("code", [-1, 10**9, -(10**9), True, None, "1", 0.0])
def test_a_code_that_is_not_legal_is_refused(code: object) -> None:
    with pytest.raises(hr.IllegalAction):
        _small().play_code(code)  # type: ignore[arg-type]


@cache
def nonsense() -> Any:
    return [
        "",
        ":",
        "Red:",
        "Red: ",
        "Red: :",
        "fire",
        "Rouge: rest",
        "Red: Fox to Nowhere",
        "Red: Fox to North and back",
        "go(Fox)",
        "go(Fox, North, South)",
        "go(Fox, {North})",
        "go()",
        "go(",
        "fly(Fox)",
        "\x00",
        "\ud800",
        "Red: Fo\u0000x to North",
        "{" * 5000,
        "(" * 500 + "Fox",
        "Red: " * 500,
        "x" * 10_000_000,
        "Fox to " * 1_000_000,
        b"Red: rest",
        bytearray(b"rest"),
        None,
        0,
        7,
        3.5,
        [],
        ["rest"],
        {"text": "rest"},
        object(),
        b"x" * 10_000_000,
        ["rest"] * 1_000_000,
        hr.Ruleset,
    ]


@pytest.mark.parametrize(
    "said", nonsense(), ids=lambda said: repr(said).partition(" at 0x")[0][:30]
)
def test_nonsense_is_no_action(said: object) -> None:
    for game in (_small(), rules().start("braveheart", seed=1)):
        with pytest.raises(hr.UnreadableAction) as error:
            game.play(said)  # type: ignore[arg-type]
        with pytest.raises(hr.UnreadableAction):
            game.why_not(said)  # type: ignore[arg-type]

        assert len(str(error.value)) < 1000
        assert game == type(game)(
            **{a.name.lstrip("_"): getattr(game, a.name) for a in attrs.fields(hr.Game)}
        )


def test_a_near_miss_is_named() -> None:
    with pytest.raises(hr.UnreadableAction) as error:
        _small().play("Red: Fox to Suoth")

    assert "Red: Fox to South" == error.value.near


# ------------------------------------------------------------------ values
def test_games_states_and_actions_are_values() -> None:
    game = rules().start("braveheart", seed=1)
    one, other = game.play(game.actions[0]), game.play(game.actions[0].text)

    assert one == other
    assert one is not other
    assert hash(one) == hash(other)
    assert one.state == other.state
    assert hash(one.state) == hash(other.state)
    assert one.actions == other.actions
    assert {one: 1}[other] == 1
    assert one != game
    assert rules().start("braveheart", seed=1) != rules().start("braveheart", seed=2)
    assert len({*one.actions, *other.actions}) == len(one.actions)


def test_a_copy_of_a_value_is_the_value() -> None:
    game = _small()

    assert copy.copy(game) is copy.deepcopy(game) is game
    assert copy.copy(game.state) is copy.deepcopy(game.state) is game.state
    assert copy.deepcopy(small()) is small()
    assert attrs.evolve(game.state) == game.state


@pytest.mark.parametrize("loaded", [rules, small], ids=["hots-4.0", "tiny-1.0"])
def test_a_game_can_be_pickled_and_goes_on(loaded: Callable[[], hr.Ruleset]) -> None:
    ruleset = loaded()
    game = last_of(ruleset.start(ruleset.scenarios[0], seed=3), Random(3), 5)
    again = pickle.loads(pickle.dumps(game))

    assert again == game
    assert again.ruleset == game.ruleset
    assert again.actions == game.actions
    assert again.play(again.actions[-1]) == game.play(game.actions[-1])
    assert ruleset is rules() or again.trace == game.trace
    assert pickle.loads(pickle.dumps(game.state)) == game.state
    assert pickle.loads(pickle.dumps(game.actions)) == game.actions
    assert pickle.loads(pickle.dumps(game.outcome)) == game.outcome


def test_errors_can_be_pickled_with_what_they_carry() -> None:
    for text in ("Blue: rest", "nonsense"):
        with pytest.raises(hr.HotsError) as error:
            _small().play(text)
        again = pickle.loads(pickle.dumps(error.value))
        assert str(error.value) == str(again)
        assert error.value.__dict__ == again.__dict__


def test_values_say_what_they_are() -> None:
    game = _small().play("rest")

    assert repr(game).startswith("Game(ruleset=tiny-1.0, scenario='short', seed='1', chance='auto'")
    assert "moves=1" in repr(game)
    assert repr(game.state).startswith("<State of tiny-1.0, ")
    assert "Blue: rest" == str(game.actions[-1])
    assert "Ruleset(name='tiny-1.0'" in repr(small())
    assert max(len(repr(value)) for value in (game, game.state, game.actions[0], small())) < 400


SHARED = (hr.Ruleset, Machine, StateSchema, Notation, ModuleType, FunctionType, MethodType, type)


def deep_size(value: object) -> int:
    """The bytes of a value with all that hangs from it, but for what all games of a ruleset share."""
    seen: set[int] = set()
    found, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, SHARED):
            continue
        seen.add(id(one))
        found += sys.getsizeof(one)
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += one
        elif isinstance(one, Fraction):
            continue
        else:
            waiting += [
                getattr(one, name)
                for name in getattr(type(one), "__slots__", ())
                if hasattr(one, name)
            ]
            waiting += [one.__dict__] if hasattr(one, "__dict__") else []
    return found


@pytest.mark.parametrize("scenario", ["braveheart", "the-bruce", "campaign"])
def test_a_whole_game_is_smaller_than_a_mebibyte(scenario: str) -> None:
    longest = max(
        (last_of(rules().start(scenario, seed=s), Random(s)) for s in range(2)),
        key=lambda g: len(g.moves),
    )

    assert len(longest.moves) > 100
    assert deep_size(longest) < 1 << 20
    # However long: the longest campaign that was ever seen had 22,093 decisions.
    assert deep_size(longest) < 60_000 + 40 * len(longest.moves)


# ------------------------------------------------------------------ starting quickly
@pytest.mark.skipif(sys.platform == "emscripten", reason="a browser has no other processes")
def test_a_start_from_the_cache_waits_for_no_parser_and_no_compiler() -> None:
    code = """
import sys, hots_rules
game = hots_rules.load("hots-4.0").start("braveheart", seed=1)
game.play(game.actions[0])
heavy = ["lark", "cattrs", "json", "hots_rules.syntax", "hots_rules.rules.load",
         "hots_rules.rules.resolve.ruleset",
         "hots_rules.rules.typed.tast", "hots_rules.compile.make",
         "hots_rules.compile.codegen.emit", "hots_rules.explain"]
print([name for name in heavy if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == found.stdout.strip()


def test_everything_of_the_front_door_is_there() -> None:
    assert sorted(hr.__all__) == list(hr.__all__)
    assert [] == [name for name in hr.__all__ if getattr(hr, name, None) is None]
    with pytest.raises(AttributeError, match="no attribute `backdoor`"):
        _ = hr.backdoor  # type: ignore[attr-defined]


def test_the_games_of_a_seed_are_simulated_alike() -> None:
    one, other = (hr.simulate(rules(), "braveheart", games=3, seed=9) for _ in range(2))

    assert (one.wins, one.reasons, one.decisions) == (other.wins, other.reasons, other.decisions)
    assert 3 == one.finished == sum(one.wins.values()) == sum(one.reasons.values())


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    games = [
        [g.state for g in played_out(rules().start("braveheart", seed=s), Random(1), 40)]
        for s in (1, 1, 2)
    ]

    assert games[0] == games[1]
    assert games[0] != games[2]
