"""Games of OpenSpiel: `pyspiel.load_game("hots_rules", {"ruleset": …, "scenario": …})` once this is imported.

Every die and draw is a chance node with its exact outcomes. Who chooses in secret with others does so in a turn
of his own. Information states hold all that a player chose and saw; observations are views.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hots_rules.adapters.page import Moment
from hots_rules.adapters.peer import peer
from hots_rules.adapters.table import Table, table
from hots_rules.analysis.simulation import MAX_DECISIONS
from hots_rules.api import load
from hots_rules.game import Game
from hots_rules.rules.typed import value_types as types

if TYPE_CHECKING:
    import numpy as np
    import pyspiel
else:
    pyspiel = peer("pyspiel", "openspiel")
    np = peer("numpy", "openspiel")

NAME = "hots_rules"
DEFAULTS = {
    "ruleset": "",
    "scenario": "",
    "players": 0,
    "options": "",
    "readings": "",
}
MAX_PLAYERS = 10

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
    options: Mapping[str, Any] | None = None,
    readings: Mapping[str, Any] | None = None,
) -> SpielGame:
    """A scenario as a game of OpenSpiel.

    `players` is how many play, the first of the ruleset, for scenarios that not all of them play; 0 is all.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownOption: no such scenario, option, reading, value or number of players.
    """
    return SpielGame(
        {
            "ruleset": str(ruleset),
            "scenario": scenario,
            "players": players,
            "options": _written(options or {}),
            "readings": _written(readings or {}),
        }
    )


def _written(chosen: Mapping[str, Any]) -> str:
    """Choices as one word: parameters of a peer are flat."""
    return ";".join(f"{name}:{value}" for name, value in chosen.items())


def _read(text: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """Choices from a word; what the ruleset does not have stays a text, for the ruleset to refuse."""
    found: dict[str, Any] = {}
    for part in text.split(";") if text else ():
        name, _, word = part.partition(":")
        values = known[name].values if name in known else ()
        found[name] = next((value for value in values if str(value) == word), word)
    return found


class SpielGame(pyspiel.Game):
    """A scenario of a ruleset, with its choices."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        rules = load(given["ruleset"])
        self.table = table(
            given["ruleset"],
            given["scenario"],
            given["players"],
            _read(given["options"], rules.options),
            _read(given["readings"], rules.readings),
        )
        begun = self.table.start(0, "ask")
        self.beginning = Moment(begun)
        many = len(self.table.players)
        least = -1.0 / (many - 1) if many > 1 else 0.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.numbering.size,
            max_chance_outcomes=_most_outcomes(begun),
            num_players=many,
            min_utility=min(least, -1.0 if many == 1 else least),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> SpielState:
        """The beginning; where the ruleset begins with luck, a chance node."""
        return SpielState(self, self.beginning)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """What looks at states for a player, or for a spectator where nothing private is asked for."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.table, kind, params)


def _most_outcomes(begun: Game) -> int:
    """One more than the highest number of an outcome at any chance node."""
    most = 1
    for point in begun.machine.facts.points:
        if (type_ := point.type) is not None:
            high = type_.high if isinstance(type_, types.IntType) else types.size(type_) - 1
            most = max(most, high + 1)
    return most


class SpielState(pyspiel.State):
    """One moment of a game."""

    def __init__(self, game: SpielGame, moment: Moment) -> None:
        super().__init__(game)
        self._moment: Moment | None = moment

    @property
    def _table(self) -> Table:
        table: Table = self.get_game().table
        return table

    @property
    def moment(self) -> Moment:
        """The moment of the game. OpenSpiel saves a state as its history, which is then played once more."""
        if self._moment is None:
            moment: Moment = self.get_game().beginning
            for action in self.history():
                moment = moment.after(self._code(moment.game, action))
            self._moment = moment
        return self._moment

    @property
    def played(self) -> Game:
        """The game with everything in it: for chance and for tests, not for players."""
        return self.moment.game

    def current_player(self) -> int:
        """Who chooses next."""
        if self.played.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.played.to_move == ("chance",):
            return int(pyspiel.PlayerId.CHANCE)
        return self._table.seat(self.played)

    def _legal_actions(self, player: int) -> list[int]:
        return self._table.numbering.legal(self.played, self._table.players[player])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        return [
            (-1 - action.code, float(action.probability or 0)) for action in self.played.actions
        ]

    def _apply_action(self, action: int) -> None:
        self._moment = self.moment.after(self._code(self.played, action))

    def _code(self, game: Game, action: int) -> int:
        if game.to_move == ("chance",):
            return -1 - action
        return self._table.numbering.code(action, self._table.seat(game))

    def _action_to_string(self, player: int, action: int) -> str:
        asked = player >= 0
        code = self._table.numbering.code(action, player) if asked else -1 - action
        for known in self.played.actions:
            if known.code == code:
                return known.text
        return str(action) if code < 0 else self.played.notation.exact(code)

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.played.is_over

    def returns(self) -> list[float]:
        """What the end is worth to each player."""
        return self._table.values(self.played)

    def __str__(self) -> str:
        """The whole position, with everything in it."""
        return f"{len(self.played.moves)} plays, {self.played.phase}\n{self.played.position}"


class Observer:
    """What a player sees of a state, as a text and as a row of numbers.

    With perfect recall there is a text alone, of all that the player chose and saw. Without private information it
    is what a spectator sees.
    """

    def __init__(self, table: Table, kind: Any, params: Mapping[str, Any] | None = None) -> None:
        private = pyspiel.PrivateInfoType
        if params or not kind.public_info or kind.private_info == private.ALL_PLAYERS:
            raise ValueError(
                "expected an observation of what is public, with nothing private or what is the player's own"
            )
        self._table = table
        self._recalls = kind.perfect_recall
        self._is_open = kind.private_info == private.NONE
        self.tensor: Any = None if self._recalls else np.zeros(table.encoding.size, np.float32)
        self.dict = {} if self.tensor is None else {"view": self.tensor}

    def _viewer(self, player: int) -> str | None:
        return None if self._is_open else self._table.players[player]

    def set_from(self, state: SpielState, player: int) -> None:
        """Puts what a player sees into `tensor`."""
        if self.tensor is not None:
            self.tensor.fill(0)
            for at, number in self._table.encoding.ones(state.moment.view(self._viewer(player))):
                self.tensor[at] = number

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees as a text."""
        viewer = self._viewer(player)
        seen = str(state.moment.view(viewer)).partition("\n")[2]
        story = state.moment.story(viewer) if self._recalls else ""
        return f"{viewer or 'a spectator'}\n{story}{seen}"


pyspiel.register_game(_TYPE, SpielGame)
