"""Games for OpenSpiel and PettingZoo: the own tests of these libraries, action numbers, and observations."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from array import array
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.adapters.optional import MissingLibrary, import_library
from hots_rules.adapters.refusals import NotAvailable
from hots_rules.adapters.seats import HistoryNode, seat_scenario
from tests.needs import needs
from tests.playing import last_of, ruleset_of
from tests.teams import PARTNERS

# Each draws a card that the other does not see, then both say in secret whether they stay. Who stays alone
# wins; if both do, the higher card; between equals a die. If nobody stays, nobody wins.
DUEL = """\
ruleset duel-1.0 "Duel"

type Side = Red | Blue
players Side
type Card = Low | High
type Word = Stay | Fold
state §1
  hand[Side] : Card?
  said[Side] : Word?
secret hand[s] known to s §1
secret said[s] known to s, to all when said[Red] != none and said[Blue] != none §1

action say(w: Word) §1 "Stay or fold."
  permit when said[actor] = none
  said[actor] := w
rule alone §1 "Who stays alone wins."
  on judged
    if said[Red] = Stay and said[Blue] = Fold
      win Red
    if said[Blue] = Stay and said[Red] = Fold
      win Blue
rule nobody §1 "If nobody stays, nobody wins."
  on judged
    if said[Red] = Fold and said[Blue] = Fold
      win none
rule higher §1 "The higher card wins."
  on judged
    if hand[Red] = High and hand[Blue] = Low
      win Red
    if hand[Red] = Low and hand[Blue] = High
      win Blue
event judged() §1 "the words are heard"
phase duel §1 "Cards, words, and a die between equals."
  for s in Side
    draw c from Card for s
    hand[s] := c
  choose each s in Side: say
  judged()
  roll d6 as die
  if die > 2
    win Red
  win Blue
scenario meeting §1 "A meeting"
  duel()
"""


@pytest.fixture
def duel(tmp_path: Path) -> str:
    path = tmp_path / "duel.rules"
    path.write_text(DUEL, encoding="utf-8")
    return str(path)


@pytest.fixture
def partners(tmp_path: Path) -> str:
    """The path of a game of two pairs."""
    file = tmp_path / "partners.rules"
    file.write_text(PARTNERS, encoding="utf-8")
    return str(file)


GAMES = [
    pytest.param({"ruleset": "hots-4.0", "scenario": "braveheart"}, id="hots-4.0"),
    *(
        pytest.param(
            {"ruleset": name, "scenario": "braveheart"}, id=name, marks=pytest.mark.nightly
        )
        for name in ("hots-3.x", "hots-2.3", "hots-player-aid")
    ),
    pytest.param(
        {"ruleset": "lords-of-scotland", "scenario": "2-players", "players": 2}, id="lords-2"
    ),
    pytest.param(
        {"ruleset": "lords-of-scotland", "scenario": "4-players", "players": 4}, id="lords-4"
    ),
]


# ---------------------------------------------------------------- numbers of actions
@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland"])
def test_number_and_code_are_inverses(name: str) -> None:
    rules = hr.load(name)
    numbering, chooser = hr.formats.ActionNumbering(rules), Random(1)
    for number in [0, numbering.size - 1, *chooser.sample(range(numbering.size), 200)]:
        actions = set()
        for seat, player in enumerate(rules.players):
            action = rules.notation.action(numbering.code(number, seat))
            actions.add((action.name, action.args))

            assert (player, number) == (action.player, numbering.number(action.code))
        assert 1 == len(actions)


@pytest.mark.parametrize("parameters", GAMES)
def test_legal_numbers_are_those_of_the_legal_actions(parameters: dict[str, Any]) -> None:
    rules = hr.load(parameters["ruleset"])
    numbering = hr.formats.ActionNumbering(rules)
    game = last_of(rules.start(parameters["scenario"], seed=2), Random(2), 30)
    player = game.to_move[0]
    numbers = numbering.legal(game, player)

    assert sorted(set(numbers)) == numbers and 0 <= numbers[0] and numbers[-1] < numbering.size
    codes = {numbering.code(number, rules.players.index(player)) for number in numbers}
    assert {action.code for action in game.actions if action.player == player} == codes


# ---------------------------------------------------------------- rows of numbers
@pytest.mark.thorough
@pytest.mark.parametrize("parameters", GAMES)
def test_a_view_vector_is_the_same_in_consistent_worlds(parameters: dict[str, Any]) -> None:
    game = hr.load(parameters["ruleset"]).start(parameters["scenario"], seed=5)
    encoding = hr.formats.ViewEncoding.of(game)
    for _ in range(3):
        game = last_of(game, Random(5), 12)
        for player in (*game.to_move, None):
            ones = list(encoding.cells(game.view(player)))
            (world,) = game.worlds(player, 1, seed=3)

            assert ones == list(encoding.cells(world.view(player)))
            assert len(ones) == len({at for at, _ in ones})
            assert all(0 <= at < encoding.size and 0 <= number <= 1 for at, number in ones)


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(hr.rulesets()))
def test_a_vector_made_from_slots_is_that_of_the_view(name: str) -> None:
    """For every player, over a game whose outcomes of chance are drawn by the seed or chosen."""
    rules, chooser = hr.load(name), Random(name)
    scenario = chooser.choice(rules.scenarios)
    for chance in ("auto", "ask"):
        game = rules.start(scenario, seed=1, chance=chance)
        encoding, moment = hr.formats.ViewEncoding.of(game), hr.formats.ObservedMoment.of(game)
        for _ in range(60):
            if moment.moment.seat == hr.formats.NOBODY:
                break
            moment = moment.after(chooser.choice(moment.moment.codes))
            for number, player in enumerate(rules.players):
                view = encoding.cells(moment.moment.game.view(player))
                vector = _not_zero(zip(*moment.vector(number), strict=True))
                assert _not_zero(view) == vector, player
                whole = array("f", [vector.get(index, 0.0) for index in range(encoding.size)])
                assert whole == moment.dense_vector(number), player


@pytest.mark.thorough
def test_a_vector_does_not_depend_on_what_was_shown_before() -> None:
    """Neither on which vectors were asked for on the way, nor on the branches of the game that were tried."""
    rules, chooser = hr.load("hots-4.0"), Random(4)
    game = rules.start("braveheart", seed=4)
    asked = unasked = hr.formats.ObservedMoment.of(game)
    for step in range(120):
        codes = asked.moment.codes
        if step % 5 == 0:
            asked.after(chooser.choice(codes)).dense_vector(0)
        asked.dense_vector(step % 2)
        code = chooser.choice(codes)
        asked, unasked = asked.after(code), unasked.after(code)

    fresh = hr.formats.ObservedMoment.of(asked.moment.game)
    for player in (0, 1):
        assert asked.dense_vector(player) == unasked.dense_vector(player)
        assert asked.dense_vector(player) == fresh.dense_vector(player)
    asked.dense_vector(0)[0] = 7.0
    assert asked.dense_vector(0) == unasked.dense_vector(0)


def _not_zero(cells: Iterable[tuple[int, float]]) -> dict[int, float]:
    return {index: number for index, number in cells if number}


def test_a_view_vector_shows_known_values_only(duel: str) -> None:
    seated = seat_scenario(duel, "meeting", 0, {}, {})
    initial = seated.start(0, "ask")
    rows = {
        (red, blue): list(seated.encoding.cells(_dealt(initial, red, blue).view("Red")))
        for red in ("Low", "High")
        for blue in ("Low", "High")
    }

    assert rows["Low", "Low"] == rows["Low", "High"]
    assert rows["High", "Low"] == rows["High", "High"]
    assert rows["Low", "Low"] != rows["High", "Low"]


def _dealt(initial: hr.Game, red: str, blue: str) -> hr.Game:
    return initial.play(f"chance: draw {red}").play(f"chance: draw {blue}")


# ---------------------------------------------------------------- what a player remembers
def test_an_information_state_shows_observations_only(duel: str) -> None:
    seated = seat_scenario(duel, "meeting", 0, {}, {})
    initial = HistoryNode.of(seated.start(0, "ask"))

    def story(player: str, *texts: str) -> str:
        moment = initial
        for text in texts:
            code = moment.game.play(text).moves[-1]
            moment = moment.after(code)
        return moment.information_state(player)

    low, high = "chance: draw Low", "chance: draw High"
    assert story("Red", low, low) == story("Red", low, high) != story("Red", high, low)
    stays, folds = (
        story("Blue", low, low, "Red: say Stay"),
        story("Blue", low, low, "Red: say Fold"),
    )
    assert stays == folds
    assert "> Blue: say Stay" in story("Blue", low, low, "Red: say Stay", "Blue: say Stay")
    assert story("Blue", low, low, "Red: say Stay", "Blue: say Stay") != story(
        "Blue", low, low, "Red: say Fold", "Blue: say Stay"
    )


def test_an_information_state_does_not_depend_on_when_it_is_computed(duel: str) -> None:
    asked = late = HistoryNode.of(hr.load("lords-of-scotland").start("2-players", seed=1))
    chooser = Random(1)
    for _ in range(15):
        asked.information_state("P1")
        code = chooser.choice(asked.game.actions).code
        asked, late = asked.after(code), late.after(code)

    assert asked.information_state("P1") == late.information_state("P1")
    assert asked.view("P1") == late.view("P1") == late.game.view("P1")


# ---------------------------------------------------------------- tables
@pytest.mark.parametrize("players", [-1, 6, True, "2"])
def test_an_invalid_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(hr.BadArgument, match="`players` cannot be"):
        seat_scenario("lords-of-scotland", "2-players", players, {}, {})


def test_returns_are_one_for_the_winner_and_sum_to_zero() -> None:
    seated = seat_scenario("lords-of-scotland", "4-players", 4, {}, {})
    game = last_of(seated.start(1, "auto"), Random(1))
    values = seated.returns(hr.formats.PackedMoment.of(game))

    assert game.outcome is not None and game.outcome.winner is not None
    assert 1.0 == values[seated.players.index(game.outcome.winner)]
    assert sum(values) == pytest.approx(0)


@pytest.mark.parametrize(
    ("winners", "values"),
    [
        ("North, South", [1, -1, 1, -1]),
        ("East", [-1 / 3, 1, -1 / 3, -1 / 3]),
        ("North, East, South", [1, 1, 1, -3]),
        ("Seat", [1, 1, 1, 1]),
        ("none", [0, 0, 0, 0]),
    ],
)
def test_who_wins_together_has_one_each_and_the_others_lose_as_much(
    winners: str, values: list[float]
) -> None:
    text = PARTNERS.replace("choose s: take", f"choose s: take\n      win {winners}")
    seated = seat_scenario(ruleset_of(text), "table", 0, {}, {})
    game = seated.start(1, "auto").play("take 3")

    assert seated.returns(hr.formats.PackedMoment.of(game)) == pytest.approx(values)


# ---------------------------------------------------------------- peers
def test_a_missing_library_is_named_with_its_extra() -> None:
    with pytest.raises(MissingLibrary, match=r"pip install 'hots-rules\[openspiel\]'") as caught:
        import_library("pyspiel_that_is_nowhere", "openspiel")

    assert isinstance(caught.value, ImportError)
    assert str(caught.value) == str(pickle.loads(pickle.dumps(caught.value)))


@pytest.mark.parametrize("name", ["open_spiel", "pettingzoo"])
def test_an_adapter_without_its_library_is_refused(name: str) -> None:
    hide = "import sys; sys.modules.update(pyspiel=None, pettingzoo=None)"
    run = subprocess.run(
        [sys.executable, "-c", f"{hide}\nfrom hots_rules.adapters import {name}"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == run.returncode
    assert f"pip install 'hots-rules[{name.replace('_', '')}]'" in run.stderr


def test_the_core_needs_no_extra() -> None:
    code = """
import sys, hots_rules as hr
hr.RandomBot, hr.load("lords-of-scotland").start("2-players").view("P1")
assert not {"numpy", "pyspiel", "pettingzoo", "gymnasium"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# ---------------------------------------------------------------- OpenSpiel
@pytest.fixture
def spiel() -> Any:
    needs("pyspiel")
    from hots_rules.adapters import open_spiel

    return open_spiel


def test_open_spiel_plays_a_small_game_by_its_own_tests(spiel: Any, duel: str) -> None:
    import pyspiel

    pyspiel.random_sim_test(spiel.game(duel, "meeting"), num_sims=20, serialize=True, verbose=False)


@pytest.mark.thorough
@pytest.mark.parametrize("parameters", [game for game in GAMES if "lords-2" == game.id])
def test_open_spiel_plays_a_whole_game_by_its_own_tests(
    spiel: Any, parameters: dict[str, Any]
) -> None:
    import pyspiel

    pyspiel.random_sim_test(spiel.game(**parameters), num_sims=1, serialize=True, verbose=False)


@pytest.mark.nightly
@pytest.mark.parametrize("parameters", GAMES)
def test_open_spiel_plays_every_game_by_its_own_tests(
    spiel: Any, parameters: dict[str, Any]
) -> None:
    import pyspiel

    pyspiel.random_sim_test(spiel.game(**parameters), num_sims=1, serialize=True, verbose=False)


@pytest.mark.thorough
@pytest.mark.parametrize("parameters", GAMES)
def test_open_spiel_has_turns_chance_and_copies(spiel: Any, parameters: dict[str, Any]) -> None:
    import pyspiel

    game = spiel.game(**parameters)
    state, chooser = game.new_initial_state(), Random(4)
    for _ in range(60):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert 1 == pytest.approx(sum(chances))
            assert max(outcomes) < game.max_chance_outcomes()
            state.apply_action(chooser.choice(outcomes))
        else:
            legal = state.legal_actions()
            texts = [state.action_to_string(number) for number in legal]
            assert len(set(texts)) == len(legal)
            assert legal == [state.string_to_action(text) for text in texts]
            state.apply_action(chooser.choice(legal))
    copied = state.clone()
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]

    assert str(state) == str(copied) == str(again) == str(copy.deepcopy(state))
    for player in range(game.num_players()):
        seen = state.information_state_string(player)
        assert seen == copied.information_state_string(player) == again.information_state_string(player)  # fmt: skip
        assert game.observation_tensor_size() == len(state.observation_tensor(player))


def test_open_spiel_loads_the_game_by_its_name_and_choices(spiel: Any) -> None:
    import pyspiel

    game = spiel.game("hots-4.0", "braveheart", options={"schiltroms": True})
    same = pyspiel.load_game(str(game))

    assert str(same) == str(game)
    assert same.new_initial_state().played.options["schiltroms"] is True
    with pytest.raises(hr.BadArgument):
        spiel.game("hots-4.0", "braveheart", options={"schiltroms": "perhaps"})


def test_each_information_state_has_one_set_of_actions(spiel: Any, duel: str) -> None:
    """In every information state the same player has the same actions, whatever is hidden."""
    from open_spiel.python.algorithms import get_all_states

    states = get_all_states.get_all_states(
        spiel.game(duel, "meeting"),
        include_chance_states=False,
        to_string=lambda s: s.history_str(),
    )
    known: dict[str, set[Any]] = {}
    for state in states.values():
        if not state.is_terminal():
            player = state.current_player()
            held = (player, *state.legal_actions())
            known.setdefault(state.information_state_string(player), set()).add(held)

    # Each of two cards, for each of two players: what the first one said, the second does not know.
    assert 4 == len(known)
    assert {1} == {len(held) for held in known.values()}


def test_open_spiel_plays_a_game_of_pairs_by_its_own_tests(spiel: Any, partners: str) -> None:
    import pyspiel

    game = spiel.game(partners, "table")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-3, 1, None)
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM


def test_open_spiel_solves_the_small_game(spiel: Any, duel: str) -> None:
    """Staying with the high card is never worse, and counterfactual regrets find that."""
    from open_spiel.python.algorithms import cfr, exploitability

    game = spiel.game(duel, "meeting")
    solver = cfr.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()

    assert exploitability.exploitability(game, policy) < 0.05


def test_a_public_observer_is_a_spectator(spiel: Any, duel: str) -> None:
    import pyspiel

    kind = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    game = spiel.game(duel, "meeting")
    observer = game.make_py_observer(kind)
    seen = set()
    for red in (0, 1):
        state = game.new_initial_state()
        state.apply_action(red)
        state.apply_action(0)
        seen.add(observer.string_from(state, 0))

    assert 1 == len(seen)
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="an observer needs public information"):
        game.make_py_observer(everything)


def begun(spiel: Any) -> Any:
    """A state of a small game in which Ann chooses, and has no longer all that she had."""
    state = spiel.game("goofspiel-1.0", "full-hands").new_initial_state()
    while state.is_chance_node() or state.move_number() < 4:
        state.apply_action(state.legal_actions()[0])
    return state


def test_open_spiel_is_told_the_number_of_what_is_refused(spiel: Any) -> None:
    state = begun(spiel)
    bids = state.legal_actions()
    illegal = next(n for n in range(state.num_distinct_actions()) if n not in bids)
    for number in (-5, state.num_distinct_actions(), 99_999):
        for refused in (state.apply_action, state.child, state.action_to_string):
            with pytest.raises(hr.BadArgument, match=f"`action` cannot be `{number}`"):
                refused(number)
    with pytest.raises(hr.IllegalAction, match=rf"`{illegal} \(Ann: .*\)` is not a legal action"):
        state.apply_action(illegal)
    for player in (2, -4):
        with pytest.raises(hr.BadArgument, match=f"`player` cannot be `{player}`"):
            state.action_to_string(player, 0)


def test_open_spiel_is_told_the_number_of_an_outcome_that_cannot_be(spiel: Any) -> None:
    game = spiel.game("goofspiel-1.0", "full-hands")
    state = game.new_initial_state()
    possible = [outcome for outcome, _ in state.chance_outcomes()]
    impossible = {*range(game.max_chance_outcomes())} - {*possible}
    for number in (-3, game.max_chance_outcomes()):
        with pytest.raises(hr.BadArgument, match=f"`outcome` cannot be `{number}`"):
            state.apply_action(number)
        with pytest.raises(hr.BadArgument, match=f"`outcome` cannot be `{number}`"):
            state.action_to_string(-1, number)
    for number in impossible:
        with pytest.raises(hr.IllegalAction, match=f"`{number}` is not a legal action"):
            state.apply_action(number)


def test_nothing_is_chosen_after_the_end_in_open_spiel(spiel: Any) -> None:
    state, chooser = begun(spiel), Random(1)
    with pytest.raises(NotAvailable, match="chance does not decide now"):
        state.chance_outcomes()
    while not state.is_terminal():
        state.apply_action(chooser.choice(state.legal_actions()))
    with pytest.raises(NotAvailable, match="the game is over; nobody can choose 3"):
        state.apply_action(3)


def test_open_spiel_has_no_information_state_tensor(spiel: Any) -> None:
    import pyspiel

    state = begun(spiel)
    game = state.get_game()
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))

    assert not game.get_type().provides_information_state_tensor
    assert observer.tensor is None
    for refused in (
        lambda: state.information_state_tensor(0),
        game.information_state_tensor_shape,
        game.information_state_tensor_size,
        lambda: observer.set_from(state, 0),
    ):
        with pytest.raises(NotAvailable, match="there is no information-state tensor"):
            refused()
    for player in (2, -1):
        with pytest.raises(hr.BadArgument, match=f"`player` cannot be `{player}`"):
            observer.string_from(state, player)


def test_information_state_tensors_are_what_was_seen_and_chosen(spiel: Any) -> None:
    np = needs("numpy")
    game = spiel.game("goofspiel-1.0", "full-hands", recall=3)
    state, chooser = game.new_initial_state(), Random(3)
    size, past = game.observation_tensor_size(), {0: [], 1: []}
    rows, width = game.information_state_tensor_shape()
    bits = width - size
    assert (rows, rows * width) == (3, game.information_state_tensor_size())
    assert 1 << bits - 1 < game.num_distinct_actions() <= 1 << bits
    for _ in range(14):
        for player, known in past.items():
            expected = np.zeros((rows, width), np.float32)
            expected[0, :size] = state.observation_tensor(player)
            for row, (shown, number) in zip(expected[1:], reversed(known), strict=False):
                row[:size] = shown
                row[size:] = [number >> i & 1 for i in range(bits)]
            found = np.array(state.information_state_tensor(player), np.float32)
            assert (found == expected.ravel()).all()
        if state.is_chance_node():
            state.apply_action(chooser.choice(state.chance_outcomes())[0])
            continue
        player, number = state.current_player(), chooser.choice(state.legal_actions())
        past[player].append((state.observation_tensor(player), number))
        state.apply_action(number)
    assert min(map(len, past.values())) > 3


def test_open_spiel_recalls_by_its_own_tests(spiel: Any) -> None:
    import pyspiel

    game = spiel.game("goofspiel-1.0", "full-hands", recall=2)
    assert pyspiel.load_game(str(game)).get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    with pytest.raises(hr.BadArgument):
        spiel.game("goofspiel-1.0", "full-hands", recall=-1)


# ---------------------------------------------------------------- PettingZoo
@pytest.fixture
def zoo() -> Any:
    needs("pettingzoo")
    from hots_rules.adapters import pettingzoo

    return pettingzoo


# PettingZoo warns of a mask beside the observation, and of agents with names.
ALLOWED = (
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:We recommend agents to be named in the format:UserWarning",
)


@pytest.mark.filterwarnings("error", *ALLOWED)
@pytest.mark.parametrize("parameters", GAMES)
def test_pettingzoo_plays_by_its_own_tests(zoo: Any, parameters: dict[str, Any]) -> None:
    from pettingzoo.test import api_test

    api_test(zoo.env(**parameters, render_mode="ansi"), num_cycles=20)


@pytest.mark.filterwarnings("error", *ALLOWED)
def test_pettingzoo_plays_whole_games_by_its_own_tests(zoo: Any, duel: str) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(zoo.env(duel, "meeting", render_mode="ansi"), num_cycles=100)
    seed_test(lambda: zoo.env(duel, "meeting"), num_cycles=20)
    seed_test(lambda: zoo.env("lords-of-scotland", "2-players", players=2), num_cycles=10)


@pytest.mark.parametrize("parameters", GAMES)
def test_an_observation_is_the_view_with_the_legal_actions(
    zoo: Any, parameters: dict[str, Any]
) -> None:
    import numpy as np

    env, chooser = zoo.env(**parameters), Random(2)
    env.reset(seed=2)
    numbering = hr.formats.ActionNumbering(env.played.ruleset)
    encoding = hr.formats.ViewEncoding.of(env.played)
    for _ in range(40):
        agent = env.agent_selection
        observed, legal = env.observe(agent), numbering.legal(env.played, agent)
        vector = np.zeros(encoding.size, np.float32)
        for index, number in encoding.cells(env.played.view(agent)):
            vector[index] = number

        assert vector.tobytes() == observed["observation"].tobytes()
        assert legal == observed["action_mask"].nonzero()[0].tolist()
        assert observed["observation"].flags.writeable
        env.step(chooser.choice(legal))


def test_an_agent_sees_only_its_view(zoo: Any, duel: str) -> None:
    seen: dict[str, set[bytes]] = {}
    for said in (0, 1):
        env = zoo.env(duel, "meeting")
        env.reset(seed=3)
        env.step(said)
        (waiting,) = {env.agent_selection}
        for name, part in env.observe(waiting).items():
            seen.setdefault(name, set()).add(part.tobytes())

    assert {"observation": 1, "action_mask": 1} == {
        name: len(vectors) for name, vectors in seen.items()
    }
    assert 0 == env.observe("Red")["action_mask"].sum()


def test_an_illegal_action_of_an_agent_is_refused(zoo: Any) -> None:
    env = zoo.env("lords-of-scotland", "2-players", players=2)
    env.reset(seed=1)
    before = env.played
    wrong = next(n for n, may in enumerate(env.observe("P1")["action_mask"]) if not may)

    with pytest.raises(hr.IllegalAction):
        env.step(wrong)
    for number in (None, -1, 751, "1"):
        with pytest.raises(
            hr.BadArgument, match=f"`action` cannot be `{number}`\nhelp: give a number from 0"
        ):
            env.step(number)
    assert before == env.played


def standing(env: Any) -> tuple[Any, ...]:
    """Where an environment stands: what it is asked for between two steps."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    vectors = [(each["observation"].tobytes(), each["action_mask"].tobytes()) for each in seen]
    told = env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos
    return env.agents, env.agent_selection, copy.deepcopy(told), vectors


def walk(env: Any, chooser: Random, steps: int) -> list[tuple[Any, ...]]:
    """Where an environment stands after each of some random steps, which go on into other games."""
    stood = []
    for _ in range(steps):
        if not env.agents:
            env.reset()
        mask, over = env.action_mask(env.agent_selection), env.terminations[env.agent_selection]
        env.step(None if over else chooser.choice(mask.nonzero()[0].tolist()))
        stood.append(standing(env))
    return stood


COPIES = [
    pytest.param(copy.deepcopy, id="deepcopy"),
    pytest.param(lambda env: pickle.loads(pickle.dumps(env)), id="pickle"),
]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_an_environment_stands_where_it_stands(zoo: Any, duel: str, copied: Any) -> None:
    """Before the first game, in the middle of one, at each agent's last step, and after it."""
    env, chooser = zoo.env(duel, "meeting"), Random(5)
    untouched = copied(env)
    for each in (env, untouched):
        each.reset(seed=4)
    assert standing(env) == standing(untouched)
    for _ in range(12):
        other = copied(env)
        assert standing(env) == standing(other)
        seed = chooser.random()
        kept = standing(env)
        moved = walk(other, Random(seed), 9)
        assert kept == standing(env)
        assert moved == walk(copied(env), Random(seed), 9)
        walk(env, chooser, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("parameters", GAMES)
def test_a_copy_of_a_large_environment_goes_on_as_it_would(
    zoo: Any, parameters: dict[str, Any], copied: Any
) -> None:
    env = zoo.env(**parameters)
    env.reset(seed=6)
    walk(env, Random(6), 40)
    other = copied(env)

    assert standing(env) == standing(other)
    assert walk(env, Random(7), 30) == walk(other, Random(7), 30)


@pytest.mark.parametrize("seed", [-1, 1.5, "1297"])
def test_a_seed_that_is_no_number_is_refused(zoo: Any, duel: str, seed: object) -> None:
    with pytest.raises(hr.BadArgument, match="give a whole number from 0 on"):
        zoo.env(duel, "meeting").reset(seed=seed)


def test_what_needs_a_game_says_so_before_it_and_after_it(zoo: Any, duel: str) -> None:
    env = zoo.env(duel, "meeting", render_mode="ansi")
    for asked in (
        env.last,
        env.render,
        env.agent_iter,
        lambda: env.step(0),
        lambda: env.observe("Red"),
        lambda: env.action_mask("Red"),
        lambda: env.agent_selection,
        lambda: env.rewards,
        lambda: env.played,
    ):
        with pytest.raises(NotAvailable, match="no game yet; call `reset` first"):
            asked()
    env.reset(seed=1)
    while not all(env.terminations.values()):
        walk(env, Random(1), 1)
    with pytest.raises(hr.BadArgument, match="`action` cannot be `0`\nhelp: give None"):
        env.step(0)
    for _ in env.possible_agents:
        env.step(None)
    for asked in (env.last, lambda: env.step(None), lambda: env.step(0)):
        with pytest.raises(NotAvailable, match="over for all agents; call `reset`"):
            asked()


def test_what_an_environment_does_not_have_is_named(zoo: Any, duel: str) -> None:
    with pytest.raises(hr.BadArgument, match="`render_mode` cannot be `human`"):
        zoo.env(duel, "meeting", render_mode="human")
    env = zoo.env(duel, "meeting")
    env.reset(seed=1)
    for asked in (env.observe, env.action_mask, env.action_space, env.observation_space):
        with pytest.raises(hr.UnknownName, match="unknown agent `Green`"):
            asked("Green")


def test_each_winner_has_the_reward_at_the_end(zoo: Any, partners: str) -> None:
    env, chooser = zoo.env(partners, "table"), Random(3)
    for seed in range(5):
        env.reset(seed=seed)
        rewards = {}
        for agent in env.agent_iter():
            seen, rewards[agent], over, _, _ = env.last()
            env.step(None if over else chooser.choice(list(seen["action_mask"].nonzero()[0])))
        won = {agent for agent, value in rewards.items() if value > 0}
        assert won == set(env.played.outcome.winners)
        assert all(rewards[agent] == 1 for agent in won)


def test_the_winner_has_the_reward_at_the_end(zoo: Any) -> None:
    env, chooser = zoo.env("lords-of-scotland", "2-players", players=2), Random(1)
    env.reset(seed=1)
    rewards = {}
    for agent in env.agent_iter():
        seen, rewards[agent], over, _, _ = env.last()
        env.step(None if over else chooser.choice(list(seen["action_mask"].nonzero()[0])))
    winner = env.played.outcome.winner

    assert {winner: 1.0} == {agent: value for agent, value in rewards.items() if value > 0}
    assert 0 == sum(rewards.values())
