"""OpenSpiel: importing this module registers the game `hots_rules`.

`pyspiel.load_game("hots_rules", {"ruleset": …, "scenario": …})` then loads a scenario. Every die and draw is a chance
node with exact probabilities. Players who choose in secret at the same time do so one after the other. Information
state strings hold everything that a player chose and observed; observations are views.

The example needs the extra `openspiel`:

    >>> from hots_rules.adapters import open_spiel
    >>> state = open_spiel.game("hots-4.0", "braveheart").new_initial_state()
    >>> state.is_chance_node()
    True
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import hots_rules as hr
from hots_rules.adapters.optional import import_library
from hots_rules.adapters.seats import (
    Choices,
    HistoryNode,
    SeatedScenario,
    seat_scenario,
)

if TYPE_CHECKING:
    import numpy as np
    import pyspiel
else:
    pyspiel = import_library("pyspiel", "openspiel")
    np = import_library("numpy", "openspiel")

Parameters = Mapping[str, Any]

NAME = "hots_rules"
DEFAULTS = {"ruleset": "", "scenario": "", "players": 0, "options": "", "readings": ""}
MAX_PLAYERS = 10
MAX_GAME_LENGTH = 200_000

_NO_SEATS = {
    hr.formats.CHANCE: int(pyspiel.PlayerId.CHANCE),
    hr.formats.NOBODY: int(pyspiel.PlayerId.TERMINAL),
}
_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Games of rulebooks",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    default_loadable=False,
    parameter_specification=DEFAULTS,
)


def game(
    ruleset: str,
    scenario: str,
    *,
    players: int = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> SpielGame:
    """A scenario as a game of OpenSpiel.

    Args:
        ruleset: the name or path of the ruleset.
        scenario: the name of the scenario.
        players: how many of the ruleset's players take part, from the first; 0 for all.
        options: the chosen options.
        readings: the chosen readings.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownOption: there is no such scenario, option, reading, value or number of players.
    """
    return SpielGame(
        {
            "ruleset": str(ruleset),
            "scenario": scenario,
            "players": players,
            "options": _format_choices(options or {}),
            "readings": _format_choices(readings or {}),
        }
    )


def _format_choices(choices: Choices) -> str:
    """Choices as one word: the parameters of OpenSpiel are scalars."""
    return ";".join(f"{name}:{value}" for name, value in choices.items())


def _parse_choices(
    text: str, settings: Mapping[str, hr.Setting]
) -> dict[str, str | int | bool | None]:
    """The choices in a word; an unknown value stays a text, for the ruleset to refuse."""
    choices: dict[str, str | int | bool | None] = {}
    for part in text.split(";") if text else ():
        name, _, word = part.partition(":")
        values = settings[name].values if name in settings else ()
        choices[name] = next((value for value in values if str(value) == word), word)
    return choices


class SpielGame(pyspiel.Game):
    """A scenario of a ruleset, with its options and readings."""

    def __init__(self, params: Parameters | None = None) -> None:
        values = {**DEFAULTS, **(params or {})}
        rules = hr.load(values["ruleset"])
        self.seated = seat_scenario(
            values["ruleset"],
            values["scenario"],
            values["players"],
            _parse_choices(values["options"], rules.options),
            _parse_choices(values["readings"], rules.readings),
        )
        initial_game = self.seated.start(0, "ask")
        self.initial_node = HistoryNode.of(initial_game)
        count = len(self.seated.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.seated.numbering.size,
            max_chance_outcomes=hr.formats.chance_outcome_bound(initial_game),
            num_players=count,
            min_utility=-1.0 / max(count - 1, 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_TYPE, info, values)

    def new_initial_state(self) -> SpielState:
        """The beginning of the game, which may be a chance node."""
        return SpielState(self, self.initial_node)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Parameters | None = None,
    ) -> Observer:
        """An observer of states for a player, or for a spectator if no private information is requested."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.seated, kind, params)


class SpielState(pyspiel.State):
    """One moment of a game."""

    def __init__(self, game: SpielGame, node: HistoryNode) -> None:
        super().__init__(game)
        self._node: HistoryNode | None = node

    @property
    def _seated(self) -> SeatedScenario:
        seated: SeatedScenario = self.get_game().seated
        return seated

    @property
    def node(self) -> HistoryNode:
        """The moment in its history. OpenSpiel saves a state as its actions, which are then replayed."""
        if self._node is None:
            node: HistoryNode = self.get_game().initial_node
            for action in self.history():
                node = node.after(self._code(node, action))
            self._node = node
        return self._node

    @property
    def played(self) -> hr.Game:
        """The game with all hidden information: for chance and for tests, not for players."""
        return self.node.game

    def current_player(self) -> int:
        """The player who chooses next, or chance, or nobody at the end."""
        seat = self.node.moment.seat
        return seat if seat >= 0 else _NO_SEATS[seat]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._seated.numbering.numbers(self.node.moment.codes_of(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        return self.node.moment.outcomes

    def _apply_action(self, action: int) -> None:
        self._node = self.node.after(self._code(self.node, action))

    def _code(self, node: HistoryNode, action: int) -> int:
        seat = node.moment.seat
        return (
            -1 - action if seat == hr.formats.CHANCE else self._seated.numbering.code(action, seat)
        )

    def _action_to_string(self, player: int, action: int) -> str:
        is_player = player >= 0
        code = self._seated.numbering.code(action, player) if is_player else -1 - action
        for legal in self.played.actions:
            if legal.code == code:
                return legal.text
        return self.played.notation.exact(code) if is_player else str(action)

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.node.moment.seat == hr.formats.NOBODY

    def returns(self) -> list[float]:
        """The result for each player."""
        return self._seated.returns(self.node.moment)

    def __str__(self) -> str:
        """The whole position, with all hidden information."""
        return f"{len(self.played.moves)} plays, {self.played.phase}\n{self.played.position}"


class Observer:
    """What a player sees of a state, as text and as a vector of numbers.

    With perfect recall there is only text: everything that the player chose and observed. Without private information
    it is what a spectator sees.
    """

    def __init__(
        self,
        seated: SeatedScenario,
        kind: pyspiel.IIGObservationType,
        params: Parameters | None = None,
    ) -> None:
        private = pyspiel.PrivateInfoType
        if params or not kind.public_info or kind.private_info == private.ALL_PLAYERS:
            raise ValueError(
                "an observer needs public information, with no private information or that of a single player"
            )
        self._seated = seated
        self._has_recall = kind.perfect_recall
        self._is_spectator = kind.private_info == private.NONE
        self.tensor: np.ndarray | None = (
            None if self._has_recall else np.zeros(seated.encoding.size, np.float32)
        )
        self.dict = {} if self.tensor is None else {"view": self.tensor}

    def _viewer(self, player: int) -> str | None:
        return None if self._is_spectator else self._seated.players[player]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees into `tensor`."""
        if self.tensor is not None:
            self.tensor.fill(0)
            view = state.node.view(self._viewer(player))
            for index, number in self._seated.encoding.cells(view):
                self.tensor[index] = number

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, as text."""
        viewer = self._viewer(player)
        view = str(state.node.view(viewer)).partition("\n")[2]
        recalled = state.node.information_state(viewer) if self._has_recall else ""
        return f"{viewer or 'a spectator'}\n{recalled}{view}"


pyspiel.register_game(_TYPE, SpielGame)
