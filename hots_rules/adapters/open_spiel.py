"""OpenSpiel: importing this module registers the game `hots_rules`.

`pyspiel.load_game("hots_rules", {"ruleset": …, "scenario": …})` then loads a scenario. Every die and draw is a chance
node with exact probabilities. Players who choose in secret at the same time do so one after the other. Information
state strings hold everything that a player chose and observed; observations are views. With `recall`, information
state tensors hold what a player saw and chose at that number of decisions, the last ones.

The example needs the extra `openspiel`:

    >>> from hots_rules.adapters import open_spiel
    >>> state = open_spiel.game("hots-4.0", "braveheart").new_initial_state()
    >>> state.is_chance_node()
    True
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any

import hots_rules as hr
from hots_rules.adapters.optional import import_library
from hots_rules.adapters.refusals import NotAvailable
from hots_rules.adapters.seats import Choices, HistoryNode, SeatedScenario, seat_scenario
from hots_rules.adapters.spiel_observer import NO_TENSOR, Observer, information_shape
from hots_rules.diagnostics import check_whole

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = import_library("pyspiel", "openspiel")

Parameters = Mapping[str, Any]

NAME = "hots_rules"
DEFAULTS = {"ruleset": "", "scenario": "", "players": 0, "options": "", "readings": "", "recall": 0}
MAX_PLAYERS = 10
MAX_GAME_LENGTH = 200_000

_NO_SEATS = {
    hr.formats.CHANCE: int(pyspiel.PlayerId.CHANCE),
    hr.formats.NOBODY: int(pyspiel.PlayerId.TERMINAL),
}


def _game_type(utility: pyspiel.GameType.Utility, *, has_recall: bool = False) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Games of rulebooks",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=has_recall,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        default_loadable=False,
        parameter_specification=DEFAULTS,
    )


_TYPE = _game_type(pyspiel.GameType.Utility.ZERO_SUM)


def game(
    ruleset: str,
    scenario: str,
    *,
    players: int = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    recall: int = 0,
) -> SpielGame:
    """A scenario as a game of OpenSpiel.

    Args:
        ruleset: the name or path of the ruleset.
        scenario: the name of the scenario.
        players: how many of the ruleset's players take part, from the first; 0 for all.
        options: the chosen options.
        readings: the chosen readings.
        recall: how many decisions of a player an information state tensor has, with the present one; 0 for no tensor.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        ArgumentError: there is no such scenario, option, reading, value or number of players.
    """
    return SpielGame(
        {
            "ruleset": str(ruleset),
            "scenario": scenario,
            "players": players,
            "options": _format_choices(options or {}),
            "readings": _format_choices(readings or {}),
            "recall": recall,
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
        self.recall: int = values["recall"]
        check_whole("recall", self.recall)
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
        has_teams = initial_game.machine.facts.has_teams
        info = pyspiel.GameInfo(
            num_distinct_actions=self.seated.numbering.size,
            max_chance_outcomes=hr.formats.chance_outcome_bound(initial_game),
            num_players=count,
            min_utility=-max(count - 1.0, 1.0) if has_teams else -1.0 / max(count - 1, 1),
            max_utility=1.0,
            utility_sum=None if has_teams else 0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        utilities = pyspiel.GameType.Utility
        # All may win, and then nobody loses what they win.
        utility = utilities.GENERAL_SUM if has_teams else utilities.ZERO_SUM
        super().__init__(_game_type(utility, has_recall=self.recall > 0), info, values)

    def new_initial_state(self) -> SpielState:
        """The beginning of the game, which may be a chance node."""
        return SpielState(self, self.initial_node)

    def information_state_tensor_shape(self) -> list[int]:
        """The decisions that are recalled, and the numbers of each.

        Raises:
            NotAvailable: no decisions are recalled; information states are texts then.
        """
        if not self.recall:
            raise NotAvailable(NO_TENSOR)
        return list(information_shape(self.seated, self.recall))

    def information_state_tensor_size(self) -> int:
        """How many numbers an information state has.

        Raises:
            NotAvailable: no decisions are recalled.
        """
        return prod(self.information_state_tensor_shape())

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Parameters | None = None,
    ) -> Observer:
        """An observer of states for a player, or for a spectator if no private information is requested."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.seated, kind, params, self.recall)


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
        """Every outcome with its probability.

        Raises:
            NotAvailable: chance does not decide now.
        """
        if self.node.moment.seat != hr.formats.CHANCE:
            raise NotAvailable("chance does not decide now; ask `is_chance_node` first")
        return self.node.moment.outcomes

    def information_state_tensor(self, *player: int) -> list[float]:
        """What a player sees now, and what it saw and chose at its last decisions; who chooses, if none is named.

        Raises:
            NotAvailable: no decisions are recalled.
        """
        if not self.get_game().recall:
            raise NotAvailable(NO_TENSOR)
        tensor: list[float] = super().information_state_tensor(*player)
        return tensor

    def _apply_action(self, action: int) -> None:
        try:
            self._node = self.node.after(self._code(self.node, action))
        except hr.IllegalAction as error:
            # OpenSpiel knows the action by its number alone.
            named = f"{action} ({error.text})" if self.current_player() >= 0 else str(action)
            raise hr.IllegalAction(named, error.reasons, error.language) from None

    def _code(self, node: HistoryNode, action: int) -> int:
        seat = node.moment.seat
        if seat == hr.formats.NOBODY:
            raise NotAvailable(f"the game is over; nobody can choose {action}")
        return self._outcome_code(action) if seat == hr.formats.CHANCE else self._seated.code(action, seat)  # fmt: skip

    def _outcome_code(self, outcome: int) -> int:
        bound = self.get_game().max_chance_outcomes()
        if not 0 <= outcome < bound:
            needed = f"a number from 0 to {bound - 1}, one of `chance_outcomes`"
            raise hr.BadArgument("outcome", outcome, needed)
        return -1 - outcome

    def _action_to_string(self, player: int, action: int) -> str:
        is_player = player != _NO_SEATS[hr.formats.CHANCE]
        code = (
            self._seated.code(action, self._seated.checked_seat(player))
            if is_player
            else self._outcome_code(action)
        )
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


pyspiel.register_game(_TYPE, SpielGame)
