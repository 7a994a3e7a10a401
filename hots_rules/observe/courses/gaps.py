"""How a state looks different from a moment that a viewer observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

from attrs import frozen

from hots_rules.compile.codes import POINT, bits
from hots_rules.observe.courses.history import HIDDEN, Packed, Stacks
from hots_rules.observe.courses.steps import MAX_CANDIDATES, PlayedSteps, Reached
from hots_rules.observe.courses.words import Pair, Word, is_alike, words_in
from hots_rules.observe.hidden_information import EVALUATION_FAULTS
from hots_rules.rules.typed import value_types as types

FAR = 1000
NO_AGREEMENT = 1 << 20
ONLY_THE_LOG = 1
"""The size of a gap where all is alike but, perhaps, what was told of the move."""


@frozen
class Gap:
    """How a state looks different from the one that was seen.

    Attributes:
        size: in how many things.
        pairs: values that are where others were seen, each with one of these.
        values: values that have to do with the difference.
        cells: the slots of cells that may have been hidden and have another value than was seen, each with that value.
    """

    size: int
    pairs: tuple[Pair, ...]
    values: tuple[Word, ...]
    cells: tuple[tuple[int, int], ...] = ()


class MeasuredSteps(PlayedSteps):
    """A base of `CourseSearch`: measures how the states of courses look different from the moments of a history."""

    def _gap_after_move(self, at: int, reached: Reached, move: int) -> Gap:
        """How what a move reaches looks different from the next moment; a gap of size 0 if it does not."""
        slots = self._played(reached, move)
        if slots is None:
            is_known = self.history.steps[at].move is not None
            values = tuple(self._values_of(reached.slots, move)) if is_known else ()
            return Gap(NO_AGREEMENT, (), values)
        is_alike = self._agreeing(at + 1, slots, reached) is not None
        if not is_alike:
            return self._gap(at + 1, slots, reached)
        if self._is_told_alike(at, reached, move):
            return Gap(0, (), ())
        named = tuple(self._values_of(reached.slots, move))
        return Gap(ONLY_THE_LOG, tuple(product(named, sorted(self._shown(at)))), named)

    def _gap(self, at: int, slots: Packed, before: Reached) -> Gap:
        """How a state looks different from a moment of the history."""
        moment, reader, machine = self.history.moments[at], self.reader, self._machine
        observer = reader.tracker.observer
        hidden = reader.hidden(reader.tracker.visibility(slots))
        size, values, pairs = int(slots[POINT] != moment.point), list[Word](), list[Pair]()
        for secret, mask, there in zip(
            observer.secret_types, hidden.pieces, moment.hidden.pieces, strict=True
        ):
            words = secret.piece_type.values
            wrong, missing = bits(there & ~mask), bits(mask & ~there)
            size += len(wrong) + len(missing)
            values += [words[piece] for piece in (*wrong, *missing)]
            pairs += product((words[piece] for piece in wrong), (words[piece] for piece in missing))
        if hidden != moment.hidden:
            return Gap(FAR + size, tuple(pairs), tuple(values))
        public = reader.public(slots, hidden)
        more, fewer = list[Word](), list[Word]()
        keyed, cells = list[tuple[str, Word, int, int]](), list[tuple[int, int]]()
        for slot, code, there in zip(
            reader.projection(hidden).slots, public, moment.public, strict=True
        ):
            if code == there:
                continue
            size += 1
            cell = reader.cell_at(slot)
            if cell is None:
                continue
            variable, offset = cell
            for key, type_ in zip(variable.key_codes[offset], variable.keys, strict=True):
                values += words_in(key, type_)
                keyed += [(variable.name, word, code, there) for word in words_in(key, type_)]
                if isinstance(variable.type, types.IntType | types.BoolType):
                    (more if code > there else fewer).extend(words_in(key, type_))
            if HIDDEN in (code, there):
                continue
            if variable.name in observer.secret_variables:
                cells.append((slot, there))
            here, wanted = (set(words_in(value, variable.type)) for value in (code, there))
            values += sorted(here ^ wanted)
            pairs += product(sorted(here - wanted), sorted(wanted - here))
        pairs += [
            (word, other)
            for name, word, code, _ in keyed
            for other_name, other, _, there in keyed
            if name == other_name and code == there and word != other and is_alike(word, other)
        ]
        pairs += [
            (word, new) for word in more for new in fewer if word != new and is_alike(word, new)
        ]
        stacks = self._stacks(at, slots, before)
        for declared, tracker, seen in zip(
            observer.secret_types, stacks, moment.stacks, strict=True
        ):
            expected, words = Counter(seen), declared.piece_type.values
            size += sum((expected - Counter(tracker.seen())).values())
            apart = [
                words[piece]
                for piece, number in tracker.numbers.items()
                if not expected[number, tracker.features[piece]]
            ]
            values += apart
            pairs += combinations(apart, 2)
        if size:
            return Gap(FAR // 4 + size, tuple(pairs), tuple(values), tuple(cells))
        strangers = self.whereabouts.strangers(at, stacks)
        if strangers:
            return self._gap_of_strangers(at, stacks, strangers)
        try:
            legal = machine.legal(list(slots)) if moment.asked else []
        except EVALUATION_FAULTS:
            return Gap(FAR // 8, (), ())
        own = [code for code in legal if machine.player_of(code) == observer.viewer]
        differing = sorted({*own} ^ {*moment.own})
        for code in differing[:MAX_CANDIDATES]:
            values += self._values_of(slots, code)
        return Gap(ONLY_THE_LOG + len(differing), (), tuple(dict.fromkeys(values)))

    def _gap_of_strangers(
        self, at: int, stacks: Stacks, strangers: Sequence[tuple[int, int]]
    ) -> Gap:
        """The gap of a state that looks as it was seen, and cannot lead to what is seen later."""
        pairs = list[Pair]()
        for number, stranger in strangers:
            words = self.reader.tracker.observer.secret_types[number].piece_type.values
            tracker, pieces = stacks[number], self.whereabouts.at(at)[number]
            due = pieces[tracker.numbers[stranger]]
            pairs += [
                (words[stranger], words[piece])
                for piece, stack in tracker.numbers.items()
                if due >> piece & 1 and pieces[stack] >> stranger & 1
            ]
        values = [word for pair in pairs for word in pair]
        return Gap(FAR // 16 + len(strangers), tuple(pairs), tuple(dict.fromkeys(values)))
