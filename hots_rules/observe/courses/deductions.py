"""What follows from a step that no state of a course leads over: which piece was not where it was taken to be.

Two hidden pieces change places in the state. If the step can then be made, that is what was wrong; what all such
exchanges have in common must be so, and is known from then on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import combinations
from random import Random
from typing import NamedTuple

from hots_rules.compile.codes import bits
from hots_rules.observe.courses.gaps import NO_AGREEMENT, Gap, MeasuredSteps
from hots_rules.observe.courses.history import Stacks
from hots_rules.observe.courses.steps import FoundCourse, OutOfPlays, Reached
from hots_rules.observe.courses.whereabouts import Exclusion
from hots_rules.observe.courses.words import Word
from hots_rules.observe.permute import Permuter
from hots_rules.observe.stacks import StackTracker

PLAYS_TO_DEDUCE = 500  # moves that are played, at most, to find out what was wrong
PARTNERS = 3  # pieces with which one changes places, to find out whether it can be there
MOVES_TO_TRY = 12  # moves that are tried in a state in which two pieces have changed places


class Swap(NamedTuple):
    """Two hidden pieces that change places, by number, and the number of their secret type."""

    number: int
    piece: int
    partner: int


class Lesson(NamedTuple):
    """What follows from a moment from which nothing leads on.

    Attributes:
        exclusions: what cannot be.
        moment: the number of the moment.
        stacks: where the hidden pieces may be there instead.
    """

    exclusions: list[Exclusion]
    moment: int
    stacks: Stacks


class DeducingSteps(MeasuredSteps):
    """A base of `CourseSearch`: finds out what is wrong in a state from which no move leads on as it was seen."""

    def _with_other_cells(self, course: FoundCourse, gap: Gap) -> Iterator[FoundCourse]:
        """The courses in which one move is another, by which a cell comes nearer to a value that it may have had.

        The last moves are changed first.
        """
        now = course.reached[-1].slots
        since = {slot: self._hidden_since(course, slot) for slot in dict(gap.cells)}
        for at in reversed(self._free(len(course.moves))):
            changes = [(slot, value - now[slot]) for slot, value in gap.cells if since[slot] <= at]
            if not changes:
                continue
            after = course.reached[at + 1].slots
            for move in self._candidates(at, course.reached[at]):
                slots = self._played(course.reached[at], move)
                for slot, change in changes:
                    if slots is not None and (slots[slot] - after[slot]) * change > 0:
                        mended = self._with_move(course, at, move, slot, change)
                        if mended is not None:
                            yield mended

    def _with_move(
        self, course: FoundCourse, at: int, move: int, slot: int, change: int
    ) -> FoundCourse | None:
        """The course with another move by which a slot changes; None if none leads on.

        Where a later one does not lead on then, or undoes the change, and the viewer does not know it, it is another.
        """
        changed = FoundCourse(course.moves[:at], course.reached[: at + 1])
        for number in range(at, len(course.moves)):
            before, is_unknown = changed.reached[-1], self.history.steps[number].move is None
            tried = [move] if number == at else [course.moves[number]]
            if is_unknown and number > at:
                tried += self._candidates(number, before)
            for later in tried:
                after = self._told_and_seen(number, before, later)
                if after is None:
                    continue
                if not is_unknown or (after.slots[slot] - before.slots[slot]) * change >= 0:
                    changed = changed.with_next(later, after)
                    break
            else:
                return None
        return changed

    def _hidden_since(self, course: FoundCourse, slot: int) -> int:
        """The first step after the viewer last saw the value of a slot."""
        cell = self.reader.cell_at(slot)
        assert cell is not None
        for at in range(len(course.moves) - 1, -1, -1):
            if not self.reader.tracker.visibility(course.reached[at].slots).hides(*cell):
                return at
        return 0

    def deduced(self, course: FoundCourse, chance: Random) -> Lesson | None:
        """What follows from the last moment of a course from which nothing leads on; None if that is not clear.

        What is needed in one state from which a move leads on may be by chance; so it is compared with another one.
        """
        at, reached = len(course.moves), course.reached[-1]
        first = self._deduced(at, reached, chance)
        if first is None or len(first.exclusions) < 2:
            return first
        second = self._deduced(at, reached, chance)
        common = [each for each in first.exclusions if second and each in second.exclusions]
        return Lesson(common or first.exclusions, first.moment, first.stacks)

    def _deduced(self, at: int, reached: Reached, chance: Random) -> Lesson | None:
        exclusions = list[Exclusion]()
        mended: Reached | None = None
        self._left = PLAYS_TO_DEDUCE
        with suppress(OutOfPlays):
            mended = self._mended(at, reached, chance)
            if mended is not None:
                for number, (old, new) in enumerate(
                    zip(reached.stacks, mended.stacks, strict=True)
                ):
                    for piece, stack in sorted(old.numbers.items()):
                        if new.numbers[piece] != stack:
                            exclusions += self._excluded(at, mended, number, piece, stack, chance)
        return None if mended is None else Lesson(exclusions, at, mended.stacks)

    def _mended(self, at: int, reached: Reached, chance: Random) -> Reached | None:
        """A state from which a move leads on: pairs of pieces change places, each of which closes the gap further."""
        gap = self._gap_after(at, reached, chance)
        if gap.cells:  # no piece is in the wrong place, but one has a wrong value
            return None
        while gap.size:
            named = {frozenset(pair) for pair in gap.pairs}
            swaps = chance.sample(swaps := list(self._swaps(at, reached.stacks)), len(swaps))
            swaps.sort(key=lambda swap: frozenset(self._words_of(swap)) not in named)
            for swap in swaps:
                changed = self._after(at, reached, swap)
                if changed is None:
                    continue
                new_gap = self._gap_after(at, changed, chance)
                if new_gap.size < gap.size:
                    reached, gap = changed, new_gap
                    break
            else:
                return None
        return reached

    def _excluded(
        self, at: int, mended: Reached, number: int, piece: int, stack: int, chance: Random
    ) -> list[Exclusion]:
        """Where a piece cannot be, as far as tried: the stack in which it was, and perhaps all but one.

        Of a stack of one piece, the others that cannot be it.
        """
        numbers = mended.stacks[number].numbers
        excluded = list[Exclusion]()
        for other_stack in dict.fromkeys((stack, *sorted({*numbers.values()}))):
            if other_stack == numbers[piece]:
                continue
            partners = [there for there in sorted(numbers) if numbers[there] == other_stack]
            partners = chance.sample(partners, min(len(partners), PARTNERS))
            if any(
                self._may_change(at, mended, number, piece, partner, chance) for partner in partners
            ):
                break
            excluded.append(Exclusion(at, number, other_stack, 1 << piece))
        now_there = [there for there in numbers if numbers[there] == stack]
        if excluded and len(now_there) == 1:
            excluded += [
                Exclusion(at, number, stack, 1 << candidate)
                for candidate in bits(self.whereabouts.at(at)[number][stack])
                if candidate not in (piece, *now_there)
                and not self._may_change(at, mended, number, candidate, now_there[0], chance)
            ]
        return excluded

    def _may_change(
        self, at: int, mended: Reached, number: int, piece: int, partner: int, chance: Random
    ) -> bool:
        """Whether a move still leads on if two pieces change places."""
        changed = self._after(at, mended, Swap(number, piece, partner))
        return changed is not None and not self._gap_after(at, changed, chance).size

    def _words_of(self, swap: Swap) -> tuple[Word, Word]:
        words = self.reader.tracker.observer.secret_types[swap.number].piece_type.values
        return words[swap.piece], words[swap.partner]

    def _swaps(self, at: int, stacks: Stacks) -> Iterator[Swap]:
        """The pairs of hidden pieces one of which, at least, may be where the other one is."""
        for number, (tracker, pieces) in enumerate(
            zip(stacks, self.whereabouts.at(at), strict=True)
        ):
            for (piece, stack), (partner, other_stack) in combinations(tracker.numbers.items(), 2):
                may_change = (pieces[stack] >> partner | pieces[other_stack] >> piece) & 1
                if stack != other_stack and may_change:
                    yield Swap(number, piece, partner)

    def _gap_after(self, at: int, reached: Reached, chance: Random) -> Gap:
        """The least gap to the next moment, after any move that may be the one of the history."""
        least = Gap(NO_AGREEMENT, (), ())
        candidates = self._in_turn(at, reached, self._candidates(at, reached), chance)
        for move in candidates[:MOVES_TO_TRY]:
            gap = self._gap_after_move(at, reached, move)
            if gap.size < least.size:
                least = gap
            if not least.size:
                break
        return least

    def _after(self, at: int, reached: Reached, swap: Swap) -> Reached | None:
        """The state after two pieces have changed places; None if the viewer is offered something else in it."""
        exchange = {swap.piece: swap.partner, swap.partner: swap.piece}
        renaming = [
            exchange if number == swap.number else {} for number in range(len(reached.stacks))
        ]
        slots = self._permuter.permuted(reached.slots, renaming)
        self._world_steps.spend(len(slots))
        stacks = list(reached.stacks)
        old = stacks[swap.number]
        stacks[swap.number] = StackTracker(
            {exchange.get(piece, piece): stack for piece, stack in old.numbers.items()},
            {exchange.get(piece, piece): features for piece, features in old.features.items()},
            old.next_number,
        )
        legal: tuple[int, ...] = ()
        if reached.legal:
            legal = self._offered(self.history.moments[at], slots)
            if not legal:
                return None
        return Reached(tuple(slots), tuple(stacks), legal)

    @cached_property
    def _permuter(self) -> Permuter:
        return Permuter(self.reader.tracker.observer)
