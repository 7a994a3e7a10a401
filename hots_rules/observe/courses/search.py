"""Courses of play that look to a viewer as the game does: every choice and every outcome of chance from its beginning.

A course is found from a history alone. Where the viewer knows a move, it is the same. Where he does not, one is sought
after which he sees the same at every moment from then on: what he was offered, who was asked and when, and each value
that he may know. What is seen later contradicts most of the first guesses: then two values are exchanged in the moves
that are not known, from some moment on, and the course is played again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

from hots_rules.compile.codes import bits
from hots_rules.observe.courses.gaps import NO_AGREEMENT, Gap, MeasuredSteps
from hots_rules.observe.courses.history import Packed
from hots_rules.observe.courses.steps import FoundCourse, OutOfPlays, Reached
from hots_rules.observe.courses.words import Exchange, Pair, Word, is_alike, words_in
from hots_rules.rules.typed import value_types as types

PLAYS_TO_GO_ON = 5000  # moves that are played, at most, to find a course up to the next moment
PLACES = 6  # moves from which on two values are exchanged that would close a gap
ALTERNATIVES = 4  # outcomes that are tried to tell whether a draw is known
RESTARTS = 4  # how often a course is sought from the beginning where one does not go on
RESTARTS_EVERY = 16  # moments after which it is sought once more


class Kept(NamedTuple):
    """What was found of a history: up to which moment, the course, and the draws that the viewer can tell."""

    at: int
    course: FoundCourse | None
    pinned: frozenset[int]


class CourseSearch(MeasuredSteps):
    """Finds courses that agree with a history, and others that look the same."""

    # -------------------------------------------------------------- from moment to moment
    def begin(self, slots: Packed) -> FoundCourse | None:
        """A course without moves, if it begins as the history does."""
        reached = self._agreeing(0, slots, None)
        return None if reached is None else FoundCourse((), (reached,))

    def gone_on(self, course: FoundCourse, chance: Random) -> FoundCourse | None:
        """The course with one more move, after which it agrees with the next moment; other moves may change as well."""
        self._left = PLAYS_TO_GO_ON
        try:
            return self._gone_on(course, chance)
        except OutOfPlays:
            return None

    def _gone_on(self, course: FoundCourse, chance: Random) -> FoundCourse:
        longer, gap = self._next(course, chance)
        while longer is None:
            for exchange, is_guided in self._proposals(course, gap, chance):
                self._left -= 1
                if self._left < 0:
                    raise OutOfPlays
                other = self._with_pair(course, *exchange)
                if other is None:
                    continue
                longer, other_gap = self._next(other, chance)
                if longer is None and (other_gap.size, is_guided) > (gap.size, False):
                    continue
                course, gap = other, other_gap
                break
        self._find_pinned(longer, chance)
        return longer

    def _find_pinned(self, course: FoundCourse, chance: Random) -> None:
        """Note whether the last move is a draw in whose place no other looks the same."""
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
        candidates = self._candidates(at, reached)
        gap = Gap(NO_AGREEMENT, (), ())
        for move in self._in_turn(at, reached, candidates, chance):
            after = self._stepped(at, reached, move)
            if after is not None and self._is_told_alike(at, reached, move):
                return course.with_next(move, after), gap
            slots = self._played(reached, move)
            if slots is None:
                if self.history.steps[at].move is not None:
                    gap = Gap(NO_AGREEMENT, (), tuple(self._values_of(reached.slots, move)))
                continue
            this_gap = self._gap(at + 1, slots, reached)
            if this_gap.size == 1:  # all is alike but what was told of the move
                named = tuple(self._values_of(reached.slots, move))
                this_gap = Gap(1, tuple(product(named, sorted(self._shown(at)))), named)
            if this_gap.size < gap.size:
                gap = this_gap
        return None, gap

    # -------------------------------------------------------------- what to exchange
    def _proposals(
        self, course: FoundCourse, gap: Gap, chance: Random
    ) -> Iterator[tuple[Exchange, bool]]:
        """What to exchange, first what would close a gap, then anything; and whether it is the first of the two."""
        pairs = list(dict.fromkeys(gap.pairs))
        for moved, partner in chance.sample(pairs, len(pairs)):
            for exchange in self._places(course, moved, partner):
                yield exchange, True
        while True:
            yield self._proposal(course, gap.values, chance), False

    def _places(self, course: FoundCourse, moved: Word, partner: Word) -> Iterator[Exchange]:
        """The moves in which one value may take the place of another that is wrong, the last ones first."""
        length, both = len(course.moves), {moved: partner, partner: moved}
        for together in self._companions(course, moved).get(partner, [])[:PLACES]:
            yield both, range(together, length)
        mentions = self._mentions(course, moved)
        named = sorted({*mentions, *self._mentions(course, partner)})
        for first in named[: -1 - PLACES : -1]:
            yield both, range(first, length)
            yield both, (first,)
        if named[:-PLACES]:
            yield both, range(named[0], length)
        for first in mentions[: -1 - PLACES : -1]:
            yield {moved: partner}, range(first, length)
            yield {moved: partner}, (first, mentions[-1])

    def _companions(self, course: FoundCourse, moved: Word) -> dict[Word, list[int]]:
        """The pieces that could not be told from a piece at some moments, each with these, the last first.

        Of moments between which no stack has changed, there is the last one alone.
        """
        observer, companions = self.reader.tracker.observer, dict[Word, list[int]]()
        for number, secret in enumerate(observer.secret_types):
            piece = secret.piece_type.codes.get(moved)
            if piece is None:
                continue
            words, last = secret.piece_type.values, None
            for at in range(len(course.moves), -1, -1):
                tracker = course.reached[at].stacks[number]
                if tracker is last:
                    continue
                last, stack = tracker, tracker.numbers.get(piece)
                if stack is None:
                    continue
                for other, other_stack in tracker.numbers.items():
                    if other_stack == stack and other != piece:
                        companions.setdefault(words[other], []).append(at)
        return companions

    def _proposal(self, course: FoundCourse, focus: Sequence[Word], chance: Random) -> Exchange:
        """Two values to exchange, and in which moves, at random; nothing if there is none."""
        length = len(course.moves)
        named = self._named(course, self._free(length))
        if not named:
            raise OutOfPlays
        moved = chance.choice(focus if focus and chance.random() < 0.8 else named)
        companions = self._companions(course, moved)
        if companions and chance.random() < 0.6:
            partner = chance.choice(list(companions))
            moments = companions[partner]
            first = chance.randrange(len(moments))
            last = moments[chance.randrange(first)] if first and chance.random() < 0.5 else length
            return {moved: partner, partner: moved}, range(moments[first], last)
        alike = [word for word in named if is_alike(word, moved)]
        partners = [word for word in self._exchangeable(course, moved, alike) if word != moved]
        if not partners:
            return {}, ()
        partner = chance.choice(partners)
        pair = {moved: partner, partner: moved}
        mentions = sorted({*self._mentions(course, moved), *self._mentions(course, partner)})
        if not mentions:
            return {}, ()
        roll = chance.random()
        if roll < 0.3:
            return pair, range(length)
        first = mentions[-1 - min(int(chance.expovariate(0.5)), len(mentions) - 1)]
        return pair, range(first, first + 1 if roll > 0.7 else length)

    def _named(self, course: FoundCourse, free: Sequence[int]) -> list[Word]:
        """The values in the moves that the viewer does not know, each once."""
        return sorted(frozenset[Word]().union(*(self._words_at(course, at) for at in free)))

    def _exchangeable(self, course: FoundCourse, moved: Word, alike: Sequence[Word]) -> list[Word]:
        """The values that may take the place of one: hidden pieces of its type, or those that moves name."""
        observer = self.reader.tracker.observer
        for secret, tracker in zip(observer.secret_types, course.reached[-1].stacks, strict=True):
            if moved in secret.piece_type.codes:
                hidden = [secret.piece_type.values[piece] for piece in sorted(tracker.numbers)]
                return list(dict.fromkeys((*alike, *hidden)))
        for at in self._free(len(course.moves)):
            for _, type_ in self._typed(at, course.reached[at].slots, course.moves[at]):
                if isinstance(type_, types.WordType) and moved in type_.codes:
                    return list(type_.values)
        return list(alike)

    # -------------------------------------------------------------- other courses
    def varied(
        self, course: FoundCourse, goal: Reached | None, chance: Random, plays: int
    ) -> FoundCourse:
        """Another course: one that leads nearer to a state which looks the same now; without a goal, any other.

        It plays at most so many moves.
        """
        self._left = plays
        try:
            while goal is None and self._left > 0:
                self._left -= 1
                course = self._with_pair(course, *self._proposal(course, (), chance)) or course
            tried = set[Pair]()
            apart = [] if goal is None else self._apart(course.reached[-1], goal)
            while goal is not None and self._left > 0:
                pairs = [pair for pair in apart if pair not in tried]
                if not pairs:
                    break
                moved, partner = chance.choice(pairs)
                tried.add((moved, partner))
                nearer = self._somewhere(course, {moved: partner, partner: moved})
                if nearer is not None:
                    course, apart = nearer, self._apart(nearer.reached[-1], goal)
        except OutOfPlays:
            pass
        return course

    def _somewhere(self, course: FoundCourse, pair: Mapping[Word, Word]) -> FoundCourse | None:
        """The course with two values exchanged since they were alike, in all moves, or since one of them was named.

        What would take more moves than are left is not tried.
        """
        length = len(course.moves)
        first_possible = max(length - self._left, 0)
        self._left -= 1
        mentions = sorted(
            {at for word in pair for at in self._mentions(course, word)}, reverse=True
        )
        moved, partner = pair
        together = self._last_together(course, moved, partner, first_possible)
        for first in dict.fromkeys((*together, *mentions[:2], *mentions[-1:])):
            if first < first_possible:
                continue
            other = self._with_pair(course, pair, range(first, length))
            if other is not None:
                return other
        return None

    def _last_together(
        self, course: FoundCourse, moved: Word, partner: Word, earliest: int
    ) -> list[int]:
        """The last moment at which two pieces could not be told apart, if there is one that is not too early."""
        for number, secret in enumerate(self.reader.tracker.observer.secret_types):
            codes = secret.piece_type.codes
            if moved not in codes or partner not in codes:
                continue
            for at in range(len(course.moves), earliest - 1, -1):
                numbers = course.reached[at].stacks[number].numbers
                stack = numbers.get(codes[moved])
                if stack is not None and stack == numbers.get(codes[partner]):
                    return [at]
        return []

    def _apart(self, reached: Reached, goal: Reached) -> list[tuple[Word, Word]]:
        """The values that are where others are in the state to which a course shall lead, each with one of these."""
        observer = self.reader.tracker.observer
        pairs = []
        for secret, here, there in zip(
            observer.secret_types, reached.stacks, goal.stacks, strict=True
        ):
            values = secret.piece_type.values
            strangers = dict[int, list[int]]()  # by stack, the pieces that shall be in others
            for piece, number in here.numbers.items():
                if there.numbers.get(piece) != number:
                    strangers.setdefault(number, []).append(piece)
            for piece, number in here.numbers.items():
                wanted = there.numbers.get(piece, number)
                if wanted != number:
                    pairs += [(values[piece], values[other]) for other in strangers.get(wanted, ())]
        visibility = self.reader.tracker.visibility(reached.slots)
        for name, mask in visibility.cells.items():
            variable = observer.schema.variables[name]
            lost, gained = list[Word](), list[Word]()
            for offset in bits(mask):
                slot = variable.base + offset
                old, new = reached.slots[slot], goal.slots[slot]
                if old == new:
                    continue
                if isinstance(variable.type, types.IntType | types.BoolType):
                    last = (
                        list(words_in(variable.key_codes[offset][-1], variable.keys[-1]))
                        if variable.keys
                        else []
                    )
                    (lost if old > new else gained).extend(last)
                else:
                    held, due = (
                        set(words_in(old, variable.type)),
                        set(words_in(new, variable.type)),
                    )
                    lost += sorted(held - due)
                    gained += sorted(due - held)
            pairs += [
                (old, new) for old in lost for new in gained if old != new and old[0] == new[0]
            ]
        return pairs


def course_of(search: CourseSearch) -> FoundCourse | None:
    """A course that agrees with a history, found from moment to moment; None if it was not found in bounded time.

    What was found at the last moment is kept with the history.
    """
    history = search.history
    kept = history.derived.get("course")
    at, course, pinned = kept if isinstance(kept, Kept) else Kept(-1, None, frozenset())
    search.pinned |= pinned
    while at + 1 < len(history.moments):
        at += 1
        if course is not None and at:
            course = search.gone_on(course, Random(f"course/{at}")) or _begun_again(search, at)
        elif at % RESTARTS_EVERY == 0:
            course = _from_the_beginning(search, at, 0)
    history.derived["course"] = Kept(at, course, frozenset(search.pinned))
    return course


def _begun_again(search: CourseSearch, last: int) -> FoundCourse | None:
    """A course found by other choices, where the one so far has come to a moment from which none leads on."""
    tries = (_from_the_beginning(search, last, number) for number in range(1, 1 + RESTARTS))
    return next((course for course in tries if course is not None), None)


def _from_the_beginning(search: CourseSearch, last: int, number: int) -> FoundCourse | None:
    for beginning in search.history.beginnings:
        course = search.begin(beginning)
        for at in range(last):
            if course is not None:
                course = search.gone_on(course, Random(f"course/{last}/{number}/{at}"))
        if course is not None:
            return course
    return None
