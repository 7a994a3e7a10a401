"""The rounds of a study: one game of each side with the same number, by the same policy."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from attrs import define, field

from hots_rules.analysis.policies.bot_policies import bot_policy
from hots_rules.analysis.policies.policy import StateExpression
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.compile.codes import Slots, winners_text
from hots_rules.compile.machine import Machine
from hots_rules.native.batch import Ended
from hots_rules.native.runtime.pairing import POINT_MASK, parting
from hots_rules.study.choosers import GameChoosers, guided_machine
from hots_rules.study.plan import StudyPlan
from hots_rules.study.sides import StudySide
from hots_rules.study.tallies import GameDivergence, PlayedGame, Round, pairs


@define
class RoundPlayer:
    """Plays rounds of a study.

    Attributes:
        sides: what is compared.
        plan: the plan of the study.
        backend: "auto", "python", "wasm" or "llvm".
        workers: the number of threads.
        played_by: the name of the back end that played last.
    """

    sides: Sequence[StudySide]
    plan: StudyPlan
    backend: str = "auto"
    workers: int = 1
    played_by: str = field(default="python", init=False)

    def play(self, policy: str, first: int, games: int) -> Generator[Round]:
        """The rounds from number `first` on, in order; `games` is how many.

        Raises:
            EngineError: a ruleset violates one of its bounds, or asks somebody who has no legal action.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        numbers = range(first, first + games)
        games_by_side = [self._games(side, policy, numbers) for side in self.sides]
        side_pairs = pairs(len(self.sides))
        for same_game in zip(*games_by_side, strict=True):
            divergences = tuple(_divergence(same_game[a], same_game[b]) for a, b in side_pairs)
            yield Round(tuple(played for played, _ in same_game), divergences)

    def _games(
        self, side: StudySide, policy: str, numbers: range
    ) -> Iterator[tuple[PlayedGame, Ended]]:
        measures = [side.measure(text) for text in self.plan.measures]
        seeds = (f"{self.plan.seed}/{number}" for number in numbers)
        if bot_policy(side.ruleset, policy) is not None:
            self.played_by = "python"
            machine = guided_machine(side, policy)
            choosers = GameChoosers(side, policy, self.plan.scenario, machine)
            ends: Iterator[Ended] = map(choosers.ended, seeds)
        else:
            batch = Batch.of(
                side.ruleset,
                side.options,
                side.readings,
                backend=self.backend,
                workers=self.workers,
                games=len(numbers),
                is_paired=True,
                policy=policy,
            )
            self.played_by, machine = batch.backend, batch.machine
            ends = batch.play_scenario(self.plan.scenario, seeds, keeps_slots=bool(measures))
        for end in ends:
            yield _played(end, side, machine, measures), end


def _played(
    end: Ended, side: StudySide, machine: Machine, measures: Sequence[StateExpression]
) -> PlayedGame:
    """What a study keeps of a game."""
    outcome, reason = "unfinished", ""
    if end.is_over:
        outcome = winners_text(machine.facts.winners(end.outcome))
        reason = machine.facts.origins[end.reason].rule if end.outcome else "no outcome"
    return PlayedGame(outcome, reason, end.decisions, measured(measures, end.slots))


def measured(measures: Sequence[StateExpression], slots: Slots | None) -> tuple[int, ...]:
    """The values of some measures in a final state, which has to be there if there are any."""
    values = []
    for measure in measures:
        assert slots is not None
        measure.evaluator.budget.spent = 0
        values.append(measure.code(slots))
    return tuple(values)


def _divergence(
    first_game: tuple[PlayedGame, Ended], second_game: tuple[PlayedGame, Ended]
) -> GameDivergence | None:
    """Where two games diverge; None if they are equal in all legal actions and choices, and in what is kept of them."""
    (first, first_end), (second, second_end) = first_game, second_game
    if first == second and first_end.digest == second_end.digest:
        return None
    trail = memoryview(first_end.trail).cast("Q")
    at = parting(trail, memoryview(second_end.trail).cast("Q"))
    if at is None or at >= len(trail):
        return GameDivergence(len(trail), -1)
    return GameDivergence(at, trail[at] & POINT_MASK)
