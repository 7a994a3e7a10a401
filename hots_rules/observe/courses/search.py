"""Courses of play that look to a viewer as the game does: every choice and every outcome of chance from its beginning.

A course is found from a history alone. Where the viewer knows a move, it is the same. Where he does not, one is sought
after which he sees the same at every moment from then on: what he was offered, who was asked and when, and each value
that he may know. A plan says first where each hidden piece goes, as far as what is seen later decides it. Where the
course then contradicts what was seen, two values are exchanged in the moves that are not known, from some moment on,
or the last of these moves are chosen anew, and the course is played again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

from hots_rules.observe.courses.gaps import NO_AGREEMENT, Gap
from hots_rules.observe.courses.history import History, Packed
from hots_rules.observe.courses.moment_reader import MomentReader
from hots_rules.observe.courses.plans import Due, Plan, Wish, planned
from hots_rules.observe.courses.stages import NOTHING_KEPT, Kept
from hots_rules.observe.courses.steps import FoundCourse, OutOfPlays, Reached
from hots_rules.observe.courses.variations import VaryingSteps
from hots_rules.observe.courses.whereabouts import Pieces, Whereabouts, places_of, whereabouts_of
from hots_rules.observe.world_steps import WorldSteps

CHOSEN_ANEW = 0.3  # how often the last moves are chosen anew, not exchanged
STEPS_ANEW = 10  # of how many moves, at most, that the viewer does not know
PLANS = 4  # plans that are begun, at most, to find one
ALTERNATIVES = 4  # outcomes that are tried to tell whether a draw is known


class CourseSearch(VaryingSteps):
    """Finds courses that agree with a history, and others that look the same."""

    def __init__(self, reader: MomentReader, world_steps: WorldSteps, history: History) -> None:
        kept = history.derived.get(Kept)
        before = kept if isinstance(kept, Kept) else NOTHING_KEPT
        super().__init__(reader, world_steps, history, whereabouts_of(history, before.whereabouts))
        self.likely = whereabouts_of(history, before.likely)
        self.is_likely_possible = self.likely.has_room()
        self._plan: Plan | None = None
        self.model: FoundCourse | None = None
        """What the search keeps to where it can: the course from which it went back."""
        self.due: Due | None = None

    def first_change(self, kept: Kept) -> int:
        """The first moment of which more is known than when something was kept."""
        return min(
            self.whereabouts.first_change(kept.whereabouts), self.likely.first_change(kept.likely)
        )

    def keep_to(self, course: FoundCourse | None, due: Due | None) -> None:
        """Keep to a course where it can be, and after its end to the one before; to none, if there is no course.

        What is due says where the hidden pieces shall be at a later moment.
        """
        if course is None:
            self._plan = None
        elif self.model:
            moves = (*course.moves, *self.model.moves[len(course.moves) :])
            reached = (*course.reached, *self.model.reached[len(course.reached) :])
            course = FoundCourse(moves, reached)
        self.model, self.due = course, due

    # -------------------------------------------------------------- from moment to moment
    def begin(self, slots: Packed) -> FoundCourse | None:
        """A course without moves, if it begins as the history does."""
        reached = self._agreeing(0, slots, None)
        return None if reached is None else FoundCourse((), (reached,))

    def gone_on(self, course: FoundCourse, chance: Random, plays: int) -> FoundCourse | None:
        """The course with one more move, after which it agrees with the next moment; other moves may change as well."""
        self._left = plays
        try:
            return self._gone_on(course, chance)
        except OutOfPlays:
            return None

    def _gone_on(self, course: FoundCourse, chance: Random) -> FoundCourse:
        longer, gap = self._next(course, chance)
        while longer is None:
            for changed, is_guided in self._others(course, gap, chance):
                self._left -= 1
                if self._left < 0:
                    raise OutOfPlays
                if changed is None:
                    continue
                longer, other_gap = self._next(changed, chance)
                if longer is None and (other_gap.size, is_guided) > (gap.size, False):
                    continue
                course, gap = changed, other_gap
                break
        with suppress(OutOfPlays):
            self._pin_last_draw(longer, chance)
        return longer

    def _pin_last_draw(self, course: FoundCourse, chance: Random) -> None:
        """Pin the last move if it is a draw and none of a few other outcomes looks the same."""
        at, before = len(course.moves) - 1, course.reached[-2]
        if self.history.steps[at].move is not None or course.moves[at] >= 0:
            return
        others = [move for move in self._candidates(at, before) if move != course.moves[at]]
        others = chance.sample(others, min(len(others), ALTERNATIVES))
        if not any(self._stepped(at, before, move) for move in others):
            self.pinned.add(at)

    def _next(self, course: FoundCourse, chance: Random) -> tuple[FoundCourse | None, Gap]:
        """The course with the next move; without one that agrees, how far the best is from the next moment."""
        at, reached = len(course.moves), course.reached[-1]
        gap = Gap(NO_AGREEMENT, (), ())
        kept = self._next_of_model(course, chance)
        if kept is not None:
            return kept, gap
        candidates = self._candidates(at, reached)
        plan = self._plan_at(at, reached, chance) if len(candidates) > 1 else None
        liked = self.model.moves[at] if self.model and at < len(self.model.moves) else None
        for move in self._in_turn(at, reached, candidates, chance, plan, liked):
            after = self._told_and_seen(at, reached, move)
            if after is not None:
                return course.with_next(move, after), gap
            this_gap = self._gap_after_move(at, reached, move)
            if this_gap.size < gap.size or not (gap.values or gap.cells):
                gap = this_gap
        return None, gap

    def _next_of_model(self, course: FoundCourse, chance: Random) -> FoundCourse | None:
        """The course with the next move of the model, if it is the same up to there and the move agrees with a plan."""
        at, reached, model = len(course.moves), course.reached[-1], self.model
        if model is None or at >= len(model.moves) or model.reached[at] is not reached:
            return None
        after = model.reached[at + 1]
        plan = self._plan_at(at, reached, chance) or self.whereabouts
        return (
            None
            if plan.strangers(at + 1, after.stacks)
            else course.with_next(model.moves[at], after)
        )

    def _plan_at(self, at: int, reached: Reached, chance: Random) -> Whereabouts | None:
        """A plan that agrees with what was reached: the last one, if it does and nothing was learned since."""
        whereabouts, last = self.whereabouts, self._plan
        if last is None or last.whereabouts is not whereabouts or last.is_left(at, reached.stacks):
            wish, due = self._wish(last), self.due
            stacks, plan = reached.stacks, None
            if due is not None and at < due.moment:
                plan = planned(whereabouts, at, stacks, chance, wish, due)
            if plan is None:
                plans = (planned(whereabouts, at, stacks, chance, wish) for _ in range(PLANS))
                plan = next((plan for plan in plans if plan is not None), None)
            self._plan = last = Plan(whereabouts, at, reached.stacks, plan)
        return last.decided

    def _wish(self, last: Plan | None) -> Wish:
        """Where pieces shall be: as in the course that the search keeps to, and then as in the last plan."""
        model, decided = self.model, last.decided if last else None
        spans = self.whereabouts.spans

        def wish(at: int) -> Sequence[Pieces] | None:
            if model and spans[at].first < len(model.reached):
                return places_of(model.reached[spans[at].first].stacks)
            return decided.pieces[at] if decided else None

        return wish

    # -------------------------------------------------------------- what to exchange
    def _others(
        self, course: FoundCourse, gap: Gap, chance: Random
    ) -> Iterator[tuple[FoundCourse | None, bool]]:
        """Other courses, or None where one looks different: first those that would close a gap, then any; without end.

        With each it is told whether it is one of the first.
        """
        for changed in self._with_other_cells(course, gap):
            yield changed, True
        pairs = list(dict.fromkeys(gap.pairs))
        for moved, partner in chance.sample(pairs, len(pairs)):
            for exchange in self._places(course, moved, partner):
                yield self._with_exchange(course, exchange), True
        while True:
            if chance.random() < CHOSEN_ANEW:
                yield self._chosen_anew(course, chance), False
            else:
                yield self._with_exchange(course, self._proposal(course, gap.values, chance)), False

    def _chosen_anew(self, course: FoundCourse, chance: Random) -> FoundCourse | None:
        """The course with other moves from one of the last on that the viewer does not know; None if nothing leads on.

        Choices in secret, one after another, show together only what they were.
        """
        length = len(course.moves)
        free = self._free(length)[-STEPS_ANEW:]
        if not free:
            return None
        first = chance.choice(free)
        anew: FoundCourse | None = FoundCourse(course.moves[:first], course.reached[: first + 1])
        while anew is not None and len(anew.moves) < length:
            anew = self._next_at_random(anew, chance)
        return anew

    def _next_at_random(self, course: FoundCourse, chance: Random) -> FoundCourse | None:
        """The course with any move that agrees with the next moment; None if none of those that are tried does."""
        at, reached = len(course.moves), course.reached[-1]
        candidates = self._candidates(at, reached)
        for move in chance.sample(candidates, min(len(candidates), ALTERNATIVES)):
            after = self._told_and_seen(at, reached, move)
            if after is not None:
                return course.with_next(move, after)
        return None
