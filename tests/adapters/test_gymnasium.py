"""Scenarios for Gymnasium: its own checks, masks, other players by policy, and what happens after the end."""

from __future__ import annotations

import pytest

import hots_rules as hr
from tests.needs import needs

np = needs("numpy")
library = needs("gymnasium")

from gymnasium.utils.env_checker import check_env

from hots_rules.adapters import gymnasium
from hots_rules.adapters.refusals import NotAvailable

CONNECT_FOUR = ("connect-four-1.0", "empty-board")


def chosen(info: dict[str, np.ndarray], generator: np.random.Generator) -> np.ndarray:
    """A legal action for each game; 0 where it has ended."""
    ranks = generator.random(info["action_mask"].shape) * info["action_mask"]
    return ranks.argmax(axis=1)


# ---------------------------------------------------------------- the checks of Gymnasium
@pytest.mark.parametrize(
    ("ruleset", "scenario", "player"),
    [
        (*CONNECT_FOUR, "Red"),
        (*CONNECT_FOUR, "Yellow"),
        ("goofspiel-1.0", "full-hands", "Ben"),
        pytest.param(
            "lords-of-scotland", "5-players", "P3", marks=pytest.mark.thorough, id="lords"
        ),
        pytest.param("hots-4.0", "braveheart", "Scotland", marks=pytest.mark.thorough, id="hots"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_checks_of_gymnasium_pass(ruleset: str, scenario: str, player: str) -> None:
    given = {"ruleset": ruleset, "scenario": scenario, "player": player, "illegal": "lose"}
    check_env(library.make(gymnasium.NAME, **given).unwrapped)


def test_wrappers_of_vector_environments_take_them() -> None:
    given = dict(zip(("ruleset", "scenario", "player"), (*CONNECT_FOUR, "Red"), strict=True))
    envs = library.wrappers.vector.RecordEpisodeStatistics(
        library.make_vec(gymnasium.NAME, num_envs=2, **given)
    )
    generator = np.random.default_rng(1)
    _, info = envs.reset(seed=2)
    lengths: list[int] = []
    while len(lengths) < 5:
        _, _, over, _, info = envs.step(chosen(info, generator))
        lengths += info["episode"]["l"][over].tolist() if over.any() else []
    assert all(4 <= length <= 21 for length in lengths)


# ---------------------------------------------------------------- many games
def test_masks_rewards_and_ends_of_many_games() -> None:
    envs = gymnasium.vector_env(*CONNECT_FOUR, "Yellow", num_envs=6)
    generator = np.random.default_rng(1)
    observations, info = envs.reset(seed=4)
    ended, before, games, won = np.zeros(6, bool), info, 0, 0.0
    for _ in range(120):
        observations, rewards, over, truncated, info = envs.step(chosen(before, generator))
        is_open = info["action_mask"].any(axis=1)

        assert observations in envs.observation_space
        assert (observations.any(axis=1)).all()
        assert (is_open == ~over).all()
        assert not truncated.any()
        assert not rewards[~over].any()
        assert not rewards[ended].any()
        assert not over[ended].any()
        ended, before = over, info
        games, won = games + int(over.sum()), won + float(rewards.sum())
    assert games > 20
    assert -games < won < games
    assert envs.metadata["autoreset_mode"] == library.vector.AutoresetMode.NEXT_STEP


def test_the_same_seed_gives_the_same_games() -> None:
    seen = []
    for envs in (
        gymnasium.vector_env(*CONNECT_FOUR, "Red", num_envs=3, backend=backend)
        for backend in ("python", "auto")
    ):
        generator = np.random.default_rng(2)
        observations, info = envs.reset(seed=9)
        rows = [observations.tolist()]
        for _ in range(30):
            observations, rewards, *_, info = envs.step(chosen(info, generator))
            rows.append([observations.tolist(), rewards.tolist()])
        seen.append(rows)
    assert seen[0] == seen[1]


def test_a_policy_plays_the_others_and_sees_what_they_see() -> None:
    turns: list[np.ndarray] = []

    def lowest(step: hr.formats.BatchStep, waits: np.ndarray) -> np.ndarray:
        turns.append(step.observations[waits][:, [1, 2, 3, 4]])
        choices = np.full(len(waits), -1)
        choices[waits] = [step.legal(game).min() for game in np.flatnonzero(waits)]
        return choices

    envs = gymnasium.vector_env(*CONNECT_FOUR, "Yellow", num_envs=2, others=lowest)
    observations, info = envs.reset(seed=1)
    # Red, who began in the first file, was to choose and saw so; then it is Yellow's turn.
    assert turns[0].tolist() == [[255, 0, 255, 0]] * 2
    assert observations[:, [1, 2, 3, 4]].tolist() == [[0, 255, 0, 255]] * 2
    assert info["action_mask"].sum(axis=1).tolist() == [7, 7]


def test_the_last_observation_is_the_view_of_the_player() -> None:
    envs = gymnasium.vector_env(*CONNECT_FOUR, "Yellow", num_envs=1)
    generator = np.random.default_rng(1)
    observations, info = envs.reset(seed=4)
    over = np.array([False])
    while not over.any():
        observations, _, over, _, info = envs.step(chosen(info, generator))
    game = envs.batch.game(0)
    encoding = hr.formats.ViewEncoding.of(game)
    expected = [0] * encoding.size
    for index, number in encoding.cells(game.view("Yellow")):
        expected[index] = round(255 * number)

    assert observations[0].tolist() == expected


# ---------------------------------------------------------------- what is refused
def test_an_action_that_is_not_legal_is_refused_or_loses() -> None:
    envs = gymnasium.vector_env(*CONNECT_FOUR, "Red", num_envs=2)
    _, info = envs.reset(seed=1)
    illegal = info["action_mask"].argmin(axis=1)
    with pytest.raises(hr.IllegalAction):
        envs.step(illegal)
    losing = gymnasium.vector_env(*CONNECT_FOUR, "Red", num_envs=2, illegal="lose")
    _, info = losing.reset(seed=1)
    actions = info["action_mask"].argmax(axis=1)
    actions[1] = illegal[1]
    _, rewards, over, _, info = losing.step(actions)

    assert rewards.tolist() == [0.0, -1.0]
    assert over.tolist() == [False, True]
    assert info["action_mask"].any(axis=1).tolist() == [True, False]
    _, rewards, over, _, info = losing.step(info["action_mask"].argmax(axis=1))
    assert (rewards.any(), over.any()) == (False, False)
    assert info["action_mask"][1].sum() == 7


def test_a_game_is_begun_before_it_is_played_and_after_its_end() -> None:
    one = gymnasium.env(*CONNECT_FOUR, "Red", illegal="lose")
    with pytest.raises(NotAvailable):
        one.step(0)
    _, info = one.reset(seed=1)
    _, reward, over, _, _ = one.step(int(info["action_mask"].argmin()))
    assert (reward, over) == (-1.0, True)
    with pytest.raises(NotAvailable):
        one.step(0)


@pytest.mark.parametrize("how", [{"illegal": "ignore"}, {"num_envs": 0}, {"backend": "c"}])
def test_an_environment_refuses_what_cannot_be(how: dict[str, object]) -> None:
    with pytest.raises(hr.ArgumentError):
        gymnasium.vector_env(*CONNECT_FOUR, "Red", **{"num_envs": 2, **how})
    envs = gymnasium.vector_env(*CONNECT_FOUR, "Red", num_envs=2)
    with pytest.raises(hr.BadArgument):
        envs.reset(seed=-1)
    envs.reset(seed=0)
    for actions in ([0], [-1, 0], [0, 42]):
        with pytest.raises(hr.BadArgument):
            envs.step(np.array(actions))
