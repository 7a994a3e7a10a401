"""Games of PettingZoo: an AEC environment whose agents are the players, one turn after the other.

Luck is the environment's own, from the seed of `reset`. Observations are views; what others choose in secret does
not show in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hots_rules.adapters.page import Moment
from hots_rules.adapters.peer import peer
from hots_rules.adapters.table import table
from hots_rules.game import Game

if TYPE_CHECKING:
    import gymnasium
    import numpy as np
    import pettingzoo
else:
    pettingzoo = peer("pettingzoo", "pettingzoo")
    gymnasium = peer("gymnasium", "pettingzoo")
    np = peer("numpy", "pettingzoo")

spaces, seeding = gymnasium.spaces, gymnasium.utils.seeding


def env(
    ruleset: str,
    scenario: str,
    *,
    players: int = 0,
    options: Mapping[str, Any] | None = None,
    readings: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
) -> AecEnv:
    """A scenario as an environment; `reset` begins a game.

    `players` is how many play, the first of the ruleset, for scenarios that not all of them play; 0 is all.
    With `render_mode="ansi"`, `render` gives the view of the agent who is to choose.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownOption: no such scenario, option, reading, value or number of players.
    """
    return AecEnv(ruleset, scenario, players, options or {}, readings or {}, render_mode)


class AecEnv(pettingzoo.AECEnv, gymnasium.utils.EzPickle):
    """One game after another of a scenario. An action is a number that `action_mask` allows."""

    metadata = {"name": "hots_rules", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str,
        scenario: str,
        players: int,
        options: Mapping[str, Any],
        readings: Mapping[str, Any],
        render_mode: str | None,
    ) -> None:
        gymnasium.utils.EzPickle.__init__(
            self, ruleset, scenario, players, options, readings, render_mode
        )
        super().__init__()
        self._table = table(ruleset, scenario, players, options, readings)
        self.render_mode = render_mode
        self.possible_agents = list(self._table.players)
        self.agents: list[str] = []
        many = self._table.numbering.size
        self.action_spaces = {agent: spaces.Discrete(many) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (self._table.encoding.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (many,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._chance: Any = None
        self._moment: Moment | None = None

    def observation_space(self, agent: str) -> Any:
        """What an agent may observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of all actions that an agent can ever have."""
        return self.action_spaces[agent]

    @property
    def _now(self) -> Moment:
        if self._moment is None:
            raise RuntimeError("expected `reset` first")
        return self._moment

    @property
    def played(self) -> Game:
        """The game with everything in it: not for agents."""
        return self._now.game

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a game; the same seed begins the same, and without one the next."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        begun = self._table.start(int(self._chance.integers(1 << 62)), "auto")
        self._moment = Moment(begun)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._pass_on()

    def _pass_on(self) -> None:
        """The next to choose becomes the selected agent; at the end each has a value."""
        if not self.played.is_over:
            self.agent_selection = self.agents[self._table.seat(self.played)]
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, self._table.values(self.played), strict=True))
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """The selected agent chooses.

        Raises:
            IllegalAction: the rules do not allow the action now.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        space = self.action_spaces[agent]
        if action is None or not space.contains(action):
            raise ValueError(f"expected an action from 0 to {space.n - 1}, got {action!r}")
        self._cumulative_rewards[agent] = 0.0
        seat = self.possible_agents.index(agent)
        self._moment = self._now.after(self._table.numbering.code(int(action), seat))
        self._pass_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may choose; nothing while another is selected."""
        row: Any = np.zeros(self._table.encoding.size, np.float32)
        for at, number in self._table.encoding.ones(self._now.view(agent)):
            row[at] = number
        mask: Any = np.zeros(self._table.numbering.size, np.int8)
        if agent == self.agent_selection and not self.played.is_over:
            mask[self._table.numbering.legal(self.played, agent)] = 1
        return {"observation": row, "action_mask": mask}

    def render(self) -> str | None:
        """The view of the selected agent in words, if that was asked for."""
        return str(self._now.view(self.agent_selection)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
