"""How a state looks different from a moment that a viewer observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from attrs import define, evolve, field, frozen

from hots_rules.compile.codes import POINT, bits, codes_of
from hots_rules.observe.courses.history import HIDDEN, Hidden, Moment, Packed, Stacks
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


@define
class Differences:
    """What was found to differ so far; its attributes are those of a `Gap`."""

    size: int
    pairs: list[Pair] = field(factory=list)
    values: list[Word] = field(factory=list)
    cells: list[tuple[int, int]] = field(factory=list)

    def gap(self, far: int) -> Gap:
        """The gap; `far` is added to its size, which is more the less that is alike was compared."""
        return Gap(far + self.size, tuple(self.pairs), tuple(self.values), tuple(self.cells))


class MeasuredSteps(PlayedSteps):
    """A base of `CourseSearch`: measures how the states of courses look different from the moments of a history."""

    def _gap_after_move(self, at: int, reached: Reached, move: int) -> Gap:
        """How what a move reaches looks different from the next moment; a gap of size 0 if it does not."""
        slots = self._played(reached, move)
        if slots is None:
            is_known = self.history.steps[at].move is not None
            if not is_known:
                return Gap(NO_AGREEMENT, (), ())
            named = tuple(self._values_of(reached.slots, move))
            return Gap(NO_AGREEMENT, (), named, self._mending_cells(at, reached, move))
        is_alike = self._agreeing(at + 1, slots, reached) is not None
        if not is_alike:
            gap = self._gap(at + 1, slots, reached)
            if gap.size == ONLY_THE_LOG:  # only who is asked, which may follow from a hidden value
                return evolve(gap, cells=self._mending_cells(at, reached, move))
            lacking = self._not_told(at, reached, move) if gap.size >= FAR // 4 else 0
            # What follows from other events differs because of them.
            return evolve(gap, size=gap.size + FAR * lacking, cells=()) if lacking else gap
        if self._is_told_alike(at, reached, move):
            return Gap(0, (), ())
        named = tuple(self._values_of(reached.slots, move))
        return Gap(ONLY_THE_LOG, tuple(product(named, sorted(self._shown(at)))), named)

    def _mending_cells(self, at: int, reached: Reached, move: int) -> tuple[tuple[int, int], ...]:
        """The slots of hidden cells, each with a value with which a move would reach what was seen."""
        self._count_play()
        key = reached.slots, move
        if key not in self._cells:
            mending = []
            for slot, code in self._hidden_cells(reached):
                supposed = self._supposed(at, reached, slot, code)
                if supposed is None:
                    continue
                after = self._played_anew(supposed, move)
                if after is not None and self._agreeing(at + 1, after, supposed) is not None:
                    mending.append((slot, code))
            self._cells[key] = tuple(mending)
        return self._cells[key]

    def _hidden_cells(self, reached: Reached) -> Iterator[tuple[int, int]]:
        """The slots of the numbers and truth values that are hidden in a state, each with each other value."""
        tracker = self.reader.tracker
        cells = tracker.visibility(reached.slots).cells
        for name in tracker.observer.secret_variables:
            variable = tracker.observer.schema.variables[name]
            if isinstance(variable.type, types.IntType | types.BoolType):
                for offset in bits(cells[name]):
                    slot = variable.base + offset
                    others = (
                        code for code in codes_of(variable.type) if code != reached.slots[slot]
                    )
                    yield from ((slot, code) for code in others)

    def _supposed(self, at: int, reached: Reached, slot: int, code: int) -> Reached | None:
        """A state with another value in a slot; None if the viewer is offered something else in it."""
        slots = list(reached.slots)
        slots[slot] = code
        cell = self.reader.cell_at(slot)
        assert cell is not None
        self.reader.tracker.observer.schema.reindex(slots, [cell[0].name])
        legal = self._offered(self.history.moments[at], slots) if reached.legal else ()
        if reached.legal and not legal:
            return None
        return Reached(tuple(slots), reached.stacks, legal)

    def _gap(self, at: int, slots: Packed, before: Reached) -> Gap:
        """How a state looks different from a moment of the history: of what differs first, what a viewer sees first."""
        moment, reader = self.history.moments[at], self.reader
        hidden = reader.hidden(reader.tracker.visibility(slots))
        differences = Differences(int(slots[POINT] != moment.point))
        self._compare_hidden(differences, hidden, moment.hidden)
        if hidden != moment.hidden:
            return differences.gap(FAR)
        self._compare_public(differences, moment, slots)
        stacks = self._stacks(at, slots, before)
        self._compare_stacks(differences, moment, stacks)
        if differences.size:
            return differences.gap(FAR // 4)
        strangers = self.whereabouts.strangers(at, stacks)
        if strangers:
            return self._gap_of_strangers(at, stacks, strangers)
        return self._gap_of_choices(moment, slots)

    def _compare_hidden(self, differences: Differences, here: Hidden, there: Hidden) -> None:
        """Add the pieces that are hidden only here, or only there."""
        for secret, mask, seen in zip(
            self.reader.tracker.observer.secret_types, here.pieces, there.pieces, strict=True
        ):
            words = secret.piece_type.values
            wrong = [words[piece] for piece in bits(seen & ~mask)]
            missing = [words[piece] for piece in bits(mask & ~seen)]
            differences.size += len(wrong) + len(missing)
            differences.values += (*wrong, *missing)
            differences.pairs += product(wrong, missing)

    def _compare_public(self, differences: Differences, moment: Moment, slots: Packed) -> None:
        """Add the cells that are not hidden and have another value than was seen."""
        reader, more, fewer = self.reader, list[Word](), list[Word]()
        keyed = list[tuple[str, Word, int, int]]()
        public = reader.public(slots, moment.hidden)
        for slot, code, there in zip(
            reader.projection(moment.hidden).slots, public, moment.public, strict=True
        ):
            if code == there:
                continue
            differences.size += 1
            cell = reader.cell_at(slot)
            if cell is None:
                continue
            variable, offset = cell
            for key, type_ in zip(variable.key_codes[offset], variable.keys, strict=True):
                words = list(words_in(key, type_))
                differences.values += words
                keyed += [(variable.name, word, code, there) for word in words]
                if isinstance(variable.type, types.IntType | types.BoolType):
                    (more if code > there else fewer).extend(words)
            if HIDDEN in (code, there):
                continue
            if variable.name in reader.tracker.observer.secret_variables:
                differences.cells.append((slot, there))
            here, wanted = (set(words_in(value, variable.type)) for value in (code, there))
            differences.values += sorted(here ^ wanted)
            differences.pairs += product(sorted(here - wanted), sorted(wanted - here))
        differences.pairs += [
            (word, other)
            for name, word, code, _ in keyed
            for other_name, other, _, there in keyed
            if name == other_name and code == there and word != other and is_alike(word, other)
        ]
        differences.pairs += [
            (word, new) for word in more for new in fewer if word != new and is_alike(word, new)
        ]

    def _compare_stacks(self, differences: Differences, moment: Moment, stacks: Stacks) -> None:
        """Add the hidden pieces that no stack was seen to have with their features."""
        for declared, tracker, seen in zip(
            self.reader.tracker.observer.secret_types, stacks, moment.stacks, strict=True
        ):
            expected, words = Counter(seen), declared.piece_type.values
            differences.size += sum((expected - Counter(tracker.seen())).values())
            apart = [
                words[piece]
                for piece, number in tracker.numbers.items()
                if not expected[number, tracker.features[piece]]
            ]
            differences.values += apart
            differences.pairs += combinations(apart, 2)

    def _gap_of_choices(self, moment: Moment, slots: Packed) -> Gap:
        """The gap of a state that looks as it was seen, in which the viewer is offered something else."""
        machine, viewer = self._machine, self.reader.tracker.observer.viewer
        try:
            legal = machine.legal(list(slots)) if moment.asked else []
        except EVALUATION_FAULTS:
            return Gap(FAR // 8, (), ())
        own = [code for code in legal if machine.player_of(code) == viewer]
        differing = sorted({*own} ^ {*moment.own})
        values = [
            word for code in differing[:MAX_CANDIDATES] for word in self._values_of(slots, code)
        ]
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
