"""Other courses that look the same: some that lead nearer to a state, or any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from hots_rules.compile.codes import bits
from hots_rules.observe.courses.exchanges import ExchangingSteps
from hots_rules.observe.courses.steps import FoundCourse, OutOfPlays, Reached
from hots_rules.observe.courses.words import Exchange, Pair, Replacements, Word, is_alike, words_in
from hots_rules.rules.typed import value_types as types


class VaryingSteps(ExchangingSteps):
    """A base of `CourseSearch`: makes of one course another."""

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
                proposal = self._proposal(course, (), chance)
                course = self._with_exchange(course, proposal) or course
            tried = set[Pair]()
            apart = [] if goal is None else self._apart(course.reached[-1], goal)
            while goal is not None and self._left > 0:
                pairs = [pair for pair in apart if pair not in tried]
                if not pairs:
                    break
                moved, partner = chance.choice(pairs)
                tried.add((moved, partner))
                nearer = self._exchanged_from_some_moment(course, {moved: partner, partner: moved})
                if nearer is not None:
                    course, apart = nearer, self._apart(nearer.reached[-1], goal)
        except OutOfPlays:
            pass
        return course

    def _exchanged_from_some_moment(
        self, course: FoundCourse, replacements: Replacements
    ) -> FoundCourse | None:
        """The course with two values exchanged from some moment on; None if it looks different for each that is tried.

        It is the last one at which they could not be told apart, or one at which either is named (the last two, the
        first).

        What would take more moves than are left is not tried.
        """
        length = len(course.moves)
        first_possible = max(length - self._left, 0)
        self._left -= 1
        mentions = sorted(
            {at for word in replacements for at in self._mentions(course, word)}, reverse=True
        )
        moved, partner = replacements
        together = self._last_together(course, moved, partner, first_possible)
        for first in dict.fromkeys((*together, *mentions[:2], *mentions[-1:])):
            if first < first_possible:
                continue
            changed = self._with_exchange(course, Exchange(replacements, range(first, length)))
            if changed is not None:
                return changed
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

    def _apart(self, reached: Reached, goal: Reached) -> list[Pair]:
        """The values that are where others are in the state to which a course shall lead, each with one of these."""
        return [*self._pieces_apart(reached, goal), *self._cells_apart(reached, goal)]

    def _pieces_apart(self, reached: Reached, goal: Reached) -> Iterator[Pair]:
        """The pieces of other stacks, each with one that shall be in another one than it is."""
        for secret, here, there in zip(
            self.reader.tracker.observer.secret_types, reached.stacks, goal.stacks, strict=True
        ):
            values = secret.piece_type.values
            strangers = dict[int, list[int]]()  # by stack, the pieces that shall be in others
            for piece, number in here.numbers.items():
                if there.numbers.get(piece) != number:
                    strangers.setdefault(number, []).append(piece)
            for piece, number in here.numbers.items():
                wanted = there.numbers.get(piece, number)
                if wanted != number:
                    for other in strangers.get(wanted, ()):
                        yield values[piece], values[other]

    def _cells_apart(self, reached: Reached, goal: Reached) -> Iterator[Pair]:
        """For each hidden variable, what it has more of than it shall have, each with what it shall have more of."""
        schema = self.reader.tracker.observer.schema
        for name, mask in self.reader.tracker.visibility(reached.slots).cells.items():
            variable = schema.variables[name]
            lost, gained = list[Word](), list[Word]()
            for offset in bits(mask):
                old, new = (state.slots[variable.base + offset] for state in (reached, goal))
                if old == new:
                    continue
                if isinstance(variable.type, types.IntType | types.BoolType):
                    if variable.keys:
                        keyed = words_in(variable.key_codes[offset][-1], variable.keys[-1])
                        (lost if old > new else gained).extend(keyed)
                else:
                    held, due = (set(words_in(code, variable.type)) for code in (old, new))
                    lost += sorted(held - due)
                    gained += sorted(due - held)
            yield from (
                (old, new)
                for old, new in product(lost, gained)
                if old != new and is_alike(old, new)
            )
