"""PettingZoo: a scenario as an AEC environment whose agents are the players.

Chance is decided by the environment, from the seed of `reset`. Observations are views; what others choose in secret
does not show in them.

The example needs the extra `pettingzoo`:

    >>> from hots_rules.adapters import pettingzoo
    >>> env = pettingzoo.env("hots-4.0", "braveheart")
    >>> env.reset(seed=1297)
    >>> bool(env.observe(env.agent_selection)["action_mask"].any())
    True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn

import hots_rules as hr
from hots_rules.adapters.optional import import_library
from hots_rules.adapters.refusals import NotAvailable
from hots_rules.adapters.seats import Choices, seat_scenario

if TYPE_CHECKING:
    import gymnasium
    import numpy as np
    import pettingzoo
else:
    pettingzoo = import_library("pettingzoo", "pettingzoo")
    gymnasium = import_library("gymnasium", "pettingzoo")
    np = import_library("numpy", "pettingzoo")

RENDER_MODES = ("ansi",)
_SINCE_RESET = frozenset(
    {"agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"}
)

spaces, seeding = gymnasium.spaces, gymnasium.utils.seeding


def env(
    ruleset: str,
    scenario: str,
    *,
    players: int = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    render_mode: str | None = None,
) -> AecEnv:
    """A scenario as an environment; `reset` starts a game.

    Args:
        ruleset: the name or path of the ruleset.
        scenario: the name of the scenario.
        players: how many of the ruleset's players take part, from the first; 0 for all.
        options: the chosen options.
        readings: the chosen readings.
        render_mode: `ansi` if `render` shall give the view of the selected agent.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        ArgumentError: there is no such scenario, option, reading, value, number of players or render mode.
    """
    return AecEnv(ruleset, scenario, players, options or {}, readings or {}, render_mode)


class AecEnv(pettingzoo.AECEnv):
    """An environment that plays one game of a scenario after another.

    An action is a number whose place in the `action_mask` of an observation is 1. A copy, deep or by pickle, stands
    where the environment stands, and goes on as it would.
    """

    metadata = {  # noqa: RUF012
        "name": "hots_rules",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str,
        scenario: str,
        players: int,
        options: Choices,
        readings: Choices,
        render_mode: str | None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise hr.BadArgument("render_mode", render_mode, allowed=RENDER_MODES)
        super().__init__()
        self._seated = seat_scenario(ruleset, scenario, players, options, readings)
        self.render_mode = render_mode
        self.possible_agents = list(self._seated.players)
        self.agents: list[str] = []
        count = self._seated.numbering.size
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (self._seated.encoding.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._chance: np.random.Generator | None = None
        self._moment: hr.formats.ObservedMoment[hr.Game] | None = None

    def observation_space(self, agent: str) -> gymnasium.Space:
        """The space of an agent's observations.

        Raises:
            UnknownName: there is no such agent.
        """
        self._seated.seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        """The space of an agent's actions, at any moment.

        Raises:
            UnknownName: there is no such agent.
        """
        self._seated.seat(agent)
        return self.action_spaces[agent]

    def __getattr__(self, name: str) -> NoReturn:
        if name in _SINCE_RESET:
            raise NotAvailable("there is no game yet; call `reset` first")
        raise AttributeError(f"`{type(self).__name__}` has no attribute `{name}`")

    @property
    def _current(self) -> hr.formats.ObservedMoment[hr.Game]:
        if self._moment is None:
            raise NotAvailable("there is no game yet; call `reset` first")
        return self._moment

    @property
    def played(self) -> hr.Game:
        """The game with all hidden information: not for agents."""
        return self._current.moment.game

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Start a game. The same seed starts the same game; without one, each game differs.

        Raises:
            BadArgument: the seed is no whole number from 0 on.
        """
        if seed is not None and (not isinstance(seed, int) or seed < 0):
            raise hr.BadArgument("seed", seed, "a whole number from 0 on")
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        game = self._seated.start(int(self._chance.integers(1 << 62)), "auto")
        self._moment = hr.formats.ObservedMoment.of(game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._select_agent()

    def _select_agent(self) -> None:
        """Select the agent who chooses next; at the end set the rewards."""
        seat = self._current.moment.seat
        if seat != hr.formats.NOBODY:
            self.agent_selection = self.agents[seat]
            return
        self.terminations = dict.fromkeys(self.agents, True)
        returns = self._seated.returns(self._current.moment)
        self.rewards = dict(zip(self.agents, returns, strict=True))
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent.

        Raises:
            IllegalAction: the rules do not allow the action now.
            NotAvailable: there is no game, or it is over for all agents.
            BadArgument: it is not a number of an action; after the end the only step of an agent is None.
        """
        agent = self._selected()
        if self.terminations[agent]:
            if action is not None:
                needed = "None, which takes an agent out after the end of the game, or call `reset`"
                raise hr.BadArgument("action", action, needed)
            self._was_dead_step(action)
            return
        space = self.action_spaces[agent]
        if action is None or not space.contains(action):
            needed = f"a number from 0 to {space.n - 1}"
            raise hr.BadArgument("action", action, needed)
        moment = self._current.after(self._seated.code(int(action), self._seated.seat(agent)))
        self._cumulative_rewards[agent] = 0.0
        self._moment = moment
        self._select_agent()
        self._accumulate_rewards()

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, object]]:
        """The observation of the selected agent, its rewards since its last step, and whether the game is over for it.

        Raises:
            NotAvailable: there is no game, or it is over for all agents.
        """
        self._selected()
        return super().last(observe)  # type: ignore[no-any-return]

    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
        """The selected agents, one after the other; each takes a step.

        Raises:
            NotAvailable: there is no game.
        """
        _ = self._current  # it raises, before the first agent is asked for
        return super().agent_iter(max_iter)  # type: ignore[no-any-return]

    def _selected(self) -> str:
        """The selected agent."""
        agent: str = self.agent_selection
        if not self.agents:
            raise NotAvailable("the game is over for all agents; call `reset` to start another")
        return agent

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The view of an agent as a vector, and a mask of its legal actions: all 0 unless it is selected.

        Raises:
            NotAvailable: there is no game.
            UnknownName: there is no such agent.
        """
        mask = self.action_mask(agent)
        vector = np.frombuffer(self._current.dense_vector(self._seated.seat(agent)), np.float32)
        return {"observation": vector, "action_mask": mask}

    def action_mask(self, agent: str) -> np.ndarray:
        """The mask of an agent's legal actions: 1 at their numbers, all 0 unless it is selected.

        Raises:
            NotAvailable: there is no game.
            UnknownName: there is no such agent.
        """
        moment, seat = self._current.moment, self._seated.seat(agent)
        mask: np.ndarray = np.zeros(self._seated.numbering.size, np.int8)
        if agent == self.agent_selection and moment.seat == seat:
            mask[self._seated.numbering.numbers(moment.codes_of(seat))] = 1
        return mask

    def render(self) -> str | None:
        """The view of the selected agent as text, with `render_mode="ansi"`."""
        if self.render_mode != "ansi":
            return None
        return str(self.played.view(self.agent_selection))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
