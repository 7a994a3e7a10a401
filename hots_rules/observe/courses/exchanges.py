"""Which values to exchange in a course that does not lead on, and in which of its moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from hots_rules.observe.courses.deductions import DeducingSteps
from hots_rules.observe.courses.steps import FoundCourse, OutOfPlays
from hots_rules.observe.courses.words import Exchange, Word, is_alike
from hots_rules.rules.typed import value_types as types

PLACES = 6  # moves from which on two values are exchanged that would close a gap


class ExchangingSteps(DeducingSteps):
    """A base of `CourseSearch`: proposes exchanges of values in the moves that the viewer does not know."""

    def _places(self, course: FoundCourse, moved: Word, partner: Word) -> Iterator[Exchange]:
        """The moves in which one value may take the place of another that is wrong, the last ones first."""
        length, both = len(course.moves), {moved: partner, partner: moved}
        for together in self._companions(course, moved).get(partner, [])[:PLACES]:
            yield Exchange(both, range(together, length))
        mentions = self._mentions(course, moved)
        named = sorted({*mentions, *self._mentions(course, partner)})
        for first in named[: -1 - PLACES : -1]:
            yield Exchange(both, range(first, length))
            yield Exchange(both, (first,))
        if named[:-PLACES]:
            yield Exchange(both, range(named[0], length))
        for first in mentions[: -1 - PLACES : -1]:
            yield Exchange({moved: partner}, range(first, length))
            yield Exchange({moved: partner}, (first, mentions[-1]))

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
                for partner, partner_stack in tracker.numbers.items():
                    if partner_stack == stack and partner != piece:
                        companions.setdefault(words[partner], []).append(at)
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
            return Exchange({moved: partner, partner: moved}, range(moments[first], last))
        alike = [word for word in named if is_alike(word, moved)]
        partners = [word for word in self._exchangeable(course, moved, alike) if word != moved]
        if not partners:
            return Exchange({}, ())
        partner = chance.choice(partners)
        pair = {moved: partner, partner: moved}
        mentions = sorted({*self._mentions(course, moved), *self._mentions(course, partner)})
        if not mentions:
            return Exchange({}, ())
        roll = chance.random()
        if roll < 0.3:
            return Exchange(pair, range(length))
        first = mentions[-1 - min(int(chance.expovariate(0.5)), len(mentions) - 1)]
        return Exchange(pair, range(first, first + 1 if roll > 0.7 else length))

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
