"""Random games in which promises are tried, and legal actions are compared with those in states that look alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from random import Random

from attrs import define, field, frozen

from hots_rules.analysis.simulating.play_check import checked_games, random_code
from hots_rules.compile.codes import POINT, DecisionPoint, Slots, bits
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError, LimitExceeded, NoConsistentWorld, check_kind
from hots_rules.native.cached_code import MAX_DECISIONS
from hots_rules.observe.determinization import DeterminizationSampler
from hots_rules.observe.hidden_information import EVALUATION_FAULTS, HiddenInformation
from hots_rules.observe.piece_assignment import PieceAssignment
from hots_rules.observe.world_steps import world_steps_of
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.rules.typed.tast import PromiseDef
from hots_rules.testing.secrets.unproven import actions_that_tell

WORLDS = 3  # with which the actions of one player at one moment are compared


@frozen
class ToldSecret:
    """The moment of a game at which a promise did not hold, or the legal actions told a player a secret.

    >>> import hots_rules as hr
    >>> told = hr.testing.ToldSecret("short", "0/3", 17, "Blue: end", "own-cards", "Only own cards are asked for.")
    >>> print(told)
    short, seed 0/3, after 17 decisions, the last `Blue: end`: the promise `own-cards` does not hold
      Only own cards are asked for.

    Attributes:
        scenario: the scenario of the game.
        seed: its seed.
        decisions: the number of decisions before the moment.
        action: the last of them; empty at the start.
        promise: the name of the promise; empty if legal actions tell a secret.
        text: the sentence of the promise with its sections; or what differs for whom.
        position: the state after the last decision, as text.
    """

    scenario: str
    seed: str
    decisions: int
    action: str
    promise: str
    text: str
    position: str = ""

    def __str__(self) -> str:
        after = f"after {self.decisions} decisions, the last `{self.action}`"
        moment = after if self.action else "at the start"
        promise = f"the promise `{self.promise}` does not hold"
        what = promise if self.promise else "legal actions tell a secret"
        return f"{self.scenario}, seed {self.seed}, {moment}: {what}\n  {self.text}"


def try_secrets(
    ruleset: AnyRuleset,
    *,
    games: int = 10,
    seed: int | str = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
) -> tuple[ToldSecret, ...]:
    """The first moment of each of some random games at which a promise does not hold, or legal actions tell a secret.

    Promises are tried at each decision. Who is asked, and for what, is compared with states that the player cannot
    tell from the true one, at the first, second, fourth, eighth … decision of each kind. The games are those that
    `check_play` plays.

    >>> import hots_rules as hr
    >>> hr.testing.try_secrets(hr.load("goofspiel-1.0"), games=1)
    ()

    Args:
        ruleset: the ruleset.
        games: the number of games.
        seed: the seed; game number i has the seed `seed/i`.
        options: options by name; the others have their defaults.
        readings: readings by name; the others have their defaults.
        on_progress: called with the number of games played.

    Raises:
        ArgumentError: no such option, reading or value.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    breaches, told_by_rules = list[ToldSecret](), actions_that_tell(ruleset.rulebook.typed)
    tried = checked_games(ruleset, games if ruleset.rulebook.typed.secrets else 0, seed)
    for done, (scenario, own_seed) in enumerate(tried, 1):
        with suppress(EngineError):  # `check_play` reports it
            game = ruleset.start(scenario, seed=own_seed, options=options, readings=readings)
            if (breach := _Trial(game, own_seed, told_by_rules).breach()) is not None:
                breaches.append(breach)
        on_progress(done)
    return tuple(breaches)


class _LookingAlike(DeterminizationSampler[BaseGame]):
    """Samples states that a player cannot tell from that of a game, whatever may be done in them."""

    def _asks_the_same(self, slots: Slots) -> bool:
        return True

    def _can_continue(self, slots: Slots, chance: Random, seed: str) -> bool:
        return True


@define
class _Trial:
    """One random game."""

    game: BaseGame
    seed: str
    _told_by_rules: Set[str]
    _decisions: dict[int, int] = field(factory=dict, init=False)

    def breach(self) -> ToldSecret | None:
        """The first breach of the game."""
        while not self.game.is_over and len(self.game.moves) < MAX_DECISIONS:
            for breach in self._breaches():
                return breach
            self.game = self.game.after(random_code(self.game))
        return None

    def _breaches(self) -> Iterator[ToldSecret]:
        game = self.game
        if not isinstance(game.point, DecisionPoint):
            return
        slots = game.slots
        count = self._decisions[slots[POINT]] = self._decisions.get(slots[POINT], 0) + 1
        for viewer in bits(game.machine.players(slots)):
            for promise in self._promises():
                if not self._keeps(promise, viewer, slots):
                    origin = promise.origin
                    sections = "".join(f" §{section}" for section in origin.sections)
                    yield self._breach(promise.name, f"{origin.summary}{sections}")
            if not count & (count - 1):
                yield from self._told(viewer)

    # -------------------------------------------------------------- promises
    def _promises(self) -> Iterator[PromiseDef]:
        """The promises for the actions among which is chosen."""
        listed = self.game.point_facts.actions
        for promise in self.game.ruleset.rulebook.typed.promises.values():
            if not {*promise.actions}.isdisjoint(listed):
                yield promise

    def _keeps(self, promise: PromiseDef, viewer: int, slots: Slots | tuple[int, ...]) -> bool:
        game = self.game
        names: Mapping[str, int] = {"actor": viewer}
        typed = game.ruleset.rulebook.typed
        reader = game.state.schema.reader(slots)
        evaluator = Evaluator(typed, dict(game.settings), reader, {})
        return bool(evaluator.value_or_none(promise.condition, names))

    # -------------------------------------------------------------- games that look alike
    def _told(self, viewer: int) -> Iterator[ToldSecret]:
        machine, player = self.game.machine, self.game.ruleset.players[viewer]
        own = self._own(viewer, self.game.slots)
        for slots in self._alike(viewer):
            try:
                asked = machine.players(slots) >> viewer & 1
                others = self._own(viewer, slots) if asked else set()
            except EVALUATION_FAULTS:
                continue
            if own != others:
                code = min(own ^ others)
                text = self.game.notation.text(code)
                is_legal, would_be = (
                    ("is", "would not be") if code in own else ("is not", "would be")
                )
                yield self._breach(
                    "",
                    f"`{text}` {is_legal} legal here, and {would_be} in a state that looks the same to {player}",
                )
                return

    def _own(self, viewer: int, slots: Slots | tuple[int, ...]) -> set[int]:
        machine = self.game.machine
        legal = (code for code in machine.legal(list(slots)) if machine.player_of(code) == viewer)
        notation = self.game.notation
        return {code for code in legal if notation.action(code).name not in self._told_by_rules}

    def _alike(self, viewer: int) -> Iterator[Slots]:
        """States that a player cannot tell from that of the game, and in which the promises hold."""
        game, chance = self.game, Random(f"alike/{self.seed}/{len(self.game.moves)}/{viewer}")
        try:
            with world_steps_of(game).bounded():
                pieces = PieceAssignment(HiddenInformation(game, viewer))
                sampler = _LookingAlike(game, pieces)
                for number in range(WORLDS):
                    slots = list(sampler.world(chance, f"{number}").slots)
                    if all(self._keeps(promise, viewer, slots) for promise in self._promises()):
                        yield slots
        except (NoConsistentWorld, LimitExceeded):
            return

    def _breach(self, promise: str, text: str) -> ToldSecret:
        game = self.game
        action = game.notation.action(game.moves[-1]).text if game.moves else ""
        number = len(game.moves)
        return ToldSecret(game.scenario, self.seed, number, action, promise, text, game.position)
