"""Move choosers for studies played in Python: paired random play, or a bot; and games played again by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import define, field

from hots_rules.analysis.players.bots import Bot
from hots_rules.analysis.policies.bot_policies import bot_policy
from hots_rules.analysis.policies.named_policy import RANDOM, policy_of
from hots_rules.analysis.simulating.playouts import play_paired
from hots_rules.compile.codes import Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import EngineError
from hots_rules.native.batch import Ended
from hots_rules.native.cached_code import MAX_DECISIONS
from hots_rules.native.runtime.pairing import PairedChooser, hash_reader
from hots_rules.play.game import BaseGame
from hots_rules.study.sides import StudySide


@define
class RecordingChooser(PairedChooser):
    """A paired chooser that records the codes of what it chose.

    Attributes:
        codes: the codes.
    """

    codes: list[int] = field(factory=list, init=False)

    def choose(self, slots: Slots, legal: Sequence[int]) -> int:
        """The place of the chosen action among the legal ones."""
        at = PairedChooser.choose(self, slots, legal)
        self.codes.append(legal[at])
        return at


@define
class BotChooser(RecordingChooser):
    """A chooser that asks bots for some players, and plays at random for the others.

    Where several players may choose, the first of them does.

    Attributes:
        game: the game so far, which the bots see.
        bots: the bots by their players.
    """

    game: BaseGame
    bots: Mapping[str, Bot]

    def choose(self, slots: Slots, legal: Sequence[int]) -> int:
        """The place of the chosen action among the legal ones.

        Raises:
            EngineError: a bot chooses an action that is not legal.
        """
        at = RecordingChooser.choose(self, slots, legal)
        self.game = self.game.play_code(legal[at])
        return at

    def best(self, legal: Sequence[int], ranks: Sequence[int]) -> int:
        """The place of the chosen action among the legal ones: what the first player to move chooses.

        `PairedChooser` calls it with the ranks that its seed gives the actions; players without a bot take the highest.
        """
        player_of = {action.code: action.player for action in self.game.actions}
        movers = [player_of[code] for code in legal]
        player = next(candidate for candidate in self.game.to_move if candidate in movers)
        own_places = [at for at, mover in enumerate(movers) if mover == player]
        if player not in self.bots:
            return max(own_places, key=lambda at: ranks[at])
        chosen = self.bots[player].choose(self.game, player)
        if chosen.code not in (legal[at] for at in own_places):
            raise EngineError(f"the bot of {player} chose `{chosen.text}`, which is not legal")
        return legal.index(chosen.code)


def guided_machine(side: StudySide, policy: str, *, traced: bool = False) -> Machine:
    """A side's machine; its legal actions are filtered by a policy."""
    ruleset, settings = side.ruleset, side.settings
    bots = bot_policy(ruleset, policy)
    lines = policy if bots is None else bots.others
    if lines == RANDOM:
        return ruleset.machine(settings, traced=traced)
    return ruleset.compiled.guided_machine(settings, policy_of(ruleset, lines), traced=traced)


@define
class GameChoosers:
    """Makes the choosers of the games of a side with a policy.

    Attributes:
        side: the side.
        policy: the policy.
        scenario: the scenario.
        machine: what plays the games; see `guided_machine`.
    """

    side: StudySide
    policy: str
    scenario: str
    machine: Machine
    _action_hash: Callable[[int], int] = field(init=False)

    @_action_hash.default
    def _hash_reader(self) -> Callable[[int], int]:
        return hash_reader(self.machine)

    def chooser(self, seed: str) -> RecordingChooser:
        """The chooser of the game with a seed.

        Raises:
            UnknownName: there is no such policy.
        """
        bots = bot_policy(self.side.ruleset, self.policy)
        if bots is None:
            return RecordingChooser(self.machine, seed, self._action_hash)
        return BotChooser(self.machine, seed, self._action_hash, self.start(seed), bots.bots(seed))

    def start(self, seed: str) -> BaseGame:
        """The game with a seed at its first decision."""
        side = self.side
        return side.ruleset.start(
            self.scenario, seed=seed, options=side.options, readings=side.readings
        )

    def ended(self, seed: str) -> Ended:
        """The end of the game with a seed.

        Raises:
            EngineError: the ruleset violates one of its bounds, or a bot chooses what is not legal.
        """
        return play_paired(self.machine.begin(self.scenario), self.chooser(seed))


def played_again(side: StudySide, scenario: str, policy: str, seed: str) -> BaseGame:
    """The game of a side with a seed, at its end; its record replays.

    >>> import hots_rules as hr
    >>> from hots_rules.study.choosers import played_again
    >>> side = hr.study.StudySide("as printed", hr.load("breakthrough-1.0"))
    >>> played_again(side, "two-ranks", "random", "7/0").is_over
    True
    """
    choosers = GameChoosers(side, policy, scenario, guided_machine(side, policy))
    chooser, game = choosers.chooser(seed), choosers.start(seed)
    chooser.play(choosers.machine.begin(scenario), MAX_DECISIONS)
    for code in chooser.codes:
        game = game.play_code(code)
    return game
