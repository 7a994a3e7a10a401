"""Random games in which every invariant of a ruleset is checked after each decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from attrs import define, evolve, frozen

from hots_rules.diagnostics import MAX_GAMES, EngineError, check_kind, check_seed, check_whole
from hots_rules.native.cached_code import MAX_DECISIONS
from hots_rules.play.action import NO_ACTION
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.state.invariants import broken_invariants, failure_text


@frozen
class InvariantViolation:
    """The moment at which a game broke an invariant, or could not go on.

    >>> import hots_rules as hr
    >>> print(hr.analysis.InvariantViolation("short", "0/3", 17, "Blue: end", "few-cards", "At most ten cards."))
    short, seed 0/3, after 17 decisions, the last `Blue: end`: `few-cards` does not hold
      At most ten cards.

    Attributes:
        scenario: the scenario of the game.
        seed: its seed.
        decisions: the number of decisions before the moment.
        action: the last of them; empty at the start.
        invariant: the name of the invariant; empty if a rule failed.
        text: the sentence of the invariant with its sections and for whom it fails; or the error.
        position: the state after the last decision, as text.
    """

    scenario: str
    seed: str
    decisions: int
    action: str
    invariant: str
    text: str
    position: str = ""

    def __str__(self) -> str:
        after = f"after {self.decisions} decisions, the last `{self.action}`"
        moment = after if self.action else "at the start"
        what = f"`{self.invariant}` does not hold" if self.invariant else "play cannot go on"
        return f"{self.scenario}, seed {self.seed}, {moment}: {what}\n  {self.text}"


def check_play(
    ruleset: AnyRuleset,
    *,
    games: int = 100,
    seed: int | str = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
) -> tuple[InvariantViolation, ...]:
    """The first breach of each of some random games, which play the scenarios in turn.

    >>> import hots_rules as hr
    >>> hr.analysis.check_play(hr.load("hots-4.0"), games=1)
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
    check_whole("games", games, most=MAX_GAMES)
    check_seed(seed)
    breaches: list[InvariantViolation] = []
    for done, (scenario, own_seed) in enumerate(checked_games(ruleset, games, seed), 1):
        if (breach := _RandomGame(ruleset, scenario, own_seed).play(options, readings)) is not None:
            breaches.append(breach)
        on_progress(done)
    return tuple(breaches)


def checked_games(ruleset: AnyRuleset, games: int, seed: int | str) -> Iterator[tuple[str, str]]:
    """The scenario and the seed of each game that a check plays."""
    for number in range(games):
        yield ruleset.scenarios[number % len(ruleset.scenarios)], f"{seed}/{number}"


@define
class _RandomGame:
    ruleset: AnyRuleset
    scenario: str
    seed: str
    _last: BaseGame | None = None

    def play(self, options: Choices | None, readings: Choices | None) -> InvariantViolation | None:
        """Play to the end of the game or to its first breach."""
        start = self.ruleset.start
        try:
            game = start(self.scenario, seed=self.seed, options=options, readings=readings)
            while True:
                self._last = game
                for broken in broken_invariants(game.machine, game.slots):
                    at_fault = partial(game.ruleset.compiled.at_fault, game.settings)
                    text = failure_text(broken, game.slots, at_fault)
                    return self._breach(broken.origin.rule, text)
                if game.is_over or len(game.moves) >= MAX_DECISIONS:
                    return None
                game = game.after(random_code(game))
        except EngineError as error:
            return self._breach("", str(evolve(error, position="")))

    def _breach(self, invariant: str, text: str) -> InvariantViolation:
        game = self._last
        action = game.notation.action(game.moves[-1]).text if game and game.moves else ""
        number, position = (len(game.moves), game.position) if game else (0, "")
        return InvariantViolation(
            self.scenario, self.seed, number, action, invariant, text, position
        )


def random_code(game: BaseGame) -> int:
    """The code of a random legal action: the same one for the same seed and number of decisions.

    Raises:
        EngineError: nobody has a legal action.
    """
    if not game.legal_codes:
        raise EngineError(NO_ACTION.format(phase=game.phase))
    return Random(f"{game.seed}/{len(game.moves)}").choice(game.legal_codes)
