"""Gymnasium: a scenario as a vector environment for one player; a policy plays the others.

Importing this module registers `hots_rules/Scenario-v0`, for `gymnasium.make` and `gymnasium.make_vec`.

Many games are played at once by machine code, where it is installed. Observations are views of the player as bytes;
the mask of legal actions is in `info`. A game ends with the reward 1 for a victory, and a part of -1 for a defeat.
The step after the end of a game begins another one (`AutoresetMode.NEXT_STEP`), and its action is ignored.

The example needs the extra `gymnasium`:

    >>> from hots_rules.adapters import gymnasium
    >>> envs = gymnasium.vector_env("connect-four-1.0", "empty-board", "Red", num_envs=3)
    >>> observations, info = envs.reset(seed=1)
    >>> observations.shape, info["action_mask"].sum(axis=1).tolist()
    ((3, 131), [7, 7, 7])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import hots_rules as hr
from hots_rules.adapters.optional import import_library
from hots_rules.adapters.refusals import NotAvailable
from hots_rules.adapters.seats import Choices

if TYPE_CHECKING:
    import gymnasium
    import numpy as np
else:
    gymnasium = import_library("gymnasium", "gymnasium")
    np = import_library("numpy", "gymnasium")

Backend = Literal["auto", "python", "wasm", "llvm"]
Illegal = Literal["refuse", "lose"]
Policy = Callable[[hr.formats.BatchStep, "np.ndarray"], "np.ndarray"]
"""Chooses for the other players: takes a step and a bool for each game, whether it waits for them; gives an array of
shape (games,) with the number of a legal action for each of these games."""
Info = dict[str, "np.ndarray"]
Reset = tuple["np.ndarray", Info]
Step = tuple["np.ndarray", "np.ndarray", "np.ndarray", "np.ndarray", Info]

NAME = "hots_rules/Scenario-v0"
spaces = gymnasium.spaces
_WAIT, _BEGIN = -1, -2


def vector_env(
    ruleset: str,
    scenario: str,
    player: str,
    *,
    num_envs: int,
    others: Policy | None = None,
    illegal: Illegal = "refuse",
    players: int = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    backend: Backend = "auto",
    workers: int = 1,
) -> ScenarioVectorEnv:
    """A scenario as a vector environment for one player.

    Args:
        ruleset: the name or path of the ruleset.
        scenario: the name of the scenario.
        player: whose actions are played.
        num_envs: how many games there are at once.
        others: the policy of the other players; without one each legal action is as likely.
        illegal: whether an action that is not legal is refused, or ends the game as a defeat.
        players: how many of the ruleset's players take part, from the first; 0 for all.
        options: the chosen options.
        readings: the chosen readings.
        backend: what plays; "auto" takes machine code where it is installed.
        workers: the number of threads.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        ArgumentError: there is no such scenario, option, reading, value, player or back end.
        MissingLibrary: the back end that is named is not installed.
    """
    if illegal not in ("refuse", "lose"):
        raise hr.BadArgument("illegal", illegal, allowed=("refuse", "lose"))
    batch = hr.formats.GameBatch.of(
        hr.load(ruleset),
        scenario,
        num_envs,
        options=options,
        readings=readings,
        players=players,
        backend=backend,
        workers=workers,
        viewer=player if others is None else None,
        last_viewer=player,
    )
    return ScenarioVectorEnv(batch, player, others, illegal)


def env(
    ruleset: str,
    scenario: str,
    player: str,
    *,
    others: Policy | None = None,
    illegal: Illegal = "refuse",
    players: int = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    backend: Backend = "auto",
) -> ScenarioEnv:
    """A scenario as an environment of one game, for what knows no vector environments; slower by far for many games.

    Args:
        ruleset: the name or path of the ruleset.
        scenario: the name of the scenario.
        player: whose actions are played.
        others: the policy of the other players; without one each legal action is as likely.
        illegal: whether an action that is not legal is refused, or ends the game as a defeat.
        players: how many of the ruleset's players take part, from the first; 0 for all.
        options: the chosen options.
        readings: the chosen readings.
        backend: what plays; "auto" takes machine code where it is installed.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        ArgumentError: there is no such scenario, option, reading, value, player or back end.
        MissingLibrary: the back end that is named is not installed.
    """
    return ScenarioEnv(
        vector_env(
            ruleset,
            scenario,
            player,
            num_envs=1,
            others=others,
            illegal=illegal,
            players=players,
            options=options,
            readings=readings,
            backend=backend,
        )
    )


class ScenarioVectorEnv(gymnasium.vector.VectorEnv):
    """Games of a scenario, in which one player acts and a policy plays the others.

    An observation is an array of shape (num_envs, size), uint8: the view of the player in parts of 255. The info of
    each step has `action_mask`, an array of shape (num_envs, actions), int8: 1 for each legal action, and nothing but
    0 where the game has ended. Arrays are copies.

    Attributes:
        batch: the games.
    """

    metadata = {  # noqa: RUF012
        "name": "hots_rules",
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        batch: hr.formats.GameBatch[hr.Game],
        player: str,
        others: Policy | None,
        illegal: Illegal,
    ) -> None:
        self.batch = batch
        self.num_envs = batch.games
        self.single_observation_space = spaces.Box(0, 255, (batch.size,), np.uint8)
        self.single_action_space = spaces.Discrete(batch.action_count)
        batch_space = gymnasium.vector.utils.batch_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seat = batch.players.index(player)
        self._others = others
        self._loses = illegal == "lose"
        self._ended: np.ndarray | None = None
        self._now: hr.formats.BatchStep | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> Reset:
        """Begin all games. The same seed begins the same games, with the same choices of the default policy.

        Raises:
            BadArgument: the seed is no whole number from 0 on.
        """
        if seed is not None and (not isinstance(seed, int) or seed < 0):
            raise hr.BadArgument("seed", seed, "a whole number from 0 on")
        super().reset(seed=seed)
        now = self.batch.reset(int(self.np_random.integers(1 << 62)) if seed is None else seed)
        now, *_ = self._with_others(now, np.ones(self.num_envs, np.bool_))
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._now = now
        return self._seen(now)

    @property
    def is_over(self) -> np.ndarray:
        """Of each game, whether it ended in the last step; of shape (num_envs,), bool.

        Raises:
            NotAvailable: the games have not begun.
        """
        if self._ended is None:
            raise NotAvailable("there is no game yet; call `reset` first")
        return self._ended

    def step(self, actions: np.ndarray) -> Step:
        """Play an action of the player in each game, and on to the next decision of the player.

        A game that ended in the last step begins anew instead, with the reward 0. One that ends before the player
        chooses for the first time is skipped.

        Raises:
            IllegalAction: an action is not legal, and such actions are refused; no game is changed then.
            BadArgument: the actions are not numbers of actions, as many as games.
            NotAvailable: the games have not begun.
        """
        begun = self.is_over
        choices = np.array(actions, np.int64)
        if choices.shape != (self.num_envs,) or choices.min() < 0:
            raise hr.BadArgument("actions", actions, "the number of an action for each game")
        lost = self._illegal(choices) & ~begun if self._loses else np.zeros_like(begun)
        choices[begun], choices[lost] = _BEGIN, _WAIT
        now, rewards, ended = self._with_others(self.batch.step(choices), begun)
        rewards[lost], ended = -1.0, ended | lost
        self._now, self._ended = now, ended
        observations, info = self._seen(now)
        info["action_mask"][lost] = 0
        return observations, rewards, ended, np.zeros_like(ended), info

    def _illegal(self, choices: np.ndarray) -> np.ndarray:
        """Whether the action of each game is not legal."""
        assert self._now is not None
        counts = np.diff(self._now.offsets)
        chosen = self._now.actions == np.repeat(choices, counts)
        games: np.ndarray = np.repeat(np.arange(self.num_envs), counts)
        is_illegal: np.ndarray = np.bincount(games[chosen], minlength=self.num_envs) == 0
        return is_illegal

    def _with_others(
        self, now: hr.formats.BatchStep, begun: np.ndarray
    ) -> tuple[hr.formats.BatchStep, np.ndarray, np.ndarray]:
        """The step after the choices of the others, with the rewards and ends since the player chose."""
        rewards: np.ndarray = now.rewards[:, self._seat].astype(np.float64)
        ended = now.ends.copy()
        while True:
            waits = (now.seats >= 0) & (now.seats != self._seat)
            again = begun & (now.seats < 0)
            if not (waits.any() or again.any()):
                rewards[begun], ended[begun] = 0.0, False
                return now, rewards, ended
            choices = np.full(self.num_envs, _WAIT)
            if waits.any():
                chosen = self._others(now, waits) if self._others else self._drawn(now)
                choices[waits] = np.asarray(chosen)[waits]
            choices[again] = _BEGIN
            now = self.batch.step(choices)
            rewards += now.rewards[:, self._seat]
            ended |= now.ends

    def _drawn(self, now: hr.formats.BatchStep) -> np.ndarray:
        return now.random_actions(self.np_random)

    def _seen(self, now: hr.formats.BatchStep) -> Reset:
        mask = self.batch.dense_mask().copy()
        return np.array(now.observations), {
            "action_mask": mask,
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }


class ScenarioEnv(gymnasium.Env):
    """One game of a scenario, in which one player acts and a policy plays the others; see `ScenarioVectorEnv`.

    An observation has the shape (size,), and `action_mask` in the info the shape (actions,).
    """

    metadata = {"name": "hots_rules", "render_modes": []}  # noqa: RUF012

    def __init__(self, envs: ScenarioVectorEnv) -> None:
        self._envs = envs
        self.observation_space = envs.single_observation_space
        self.action_space = envs.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> Reset:
        """Begin a game. The same seed begins the same game; without one, each game differs.

        Raises:
            BadArgument: the seed is no whole number from 0 on.
        """
        super().reset(seed=seed)
        observations, info = self._envs.reset(seed=seed, options=options)
        return observations[0], {"action_mask": info["action_mask"][0]}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, Info]:
        """Play an action of the player, and on to the next decision of the player, or to the end.

        Raises:
            IllegalAction: the action is not legal, and such actions are refused; the game is not changed then.
            NotAvailable: there is no game, or it is over.
        """
        if self._envs.is_over.any():
            raise NotAvailable("the game is over; call `reset` to start another")
        seen, rewards, over, truncated, info = self._envs.step(np.array([action]))
        info = {"action_mask": info["action_mask"][0]}
        return seen[0], float(rewards[0]), bool(over[0]), bool(truncated[0]), info


gymnasium.register(NAME, entry_point=env, vector_entry_point=vector_env)
