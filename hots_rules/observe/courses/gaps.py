"""How a state looks different from a moment that a viewer observed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from attrs import frozen

from hots_rules.compile.codes import POINT, bits
from hots_rules.observe.courses.history import HIDDEN, Packed
from hots_rules.observe.courses.steps import MAX_CANDIDATES, PlayedSteps, Reached
from hots_rules.observe.courses.words import Pair, Word, words_in
from hots_rules.observe.hidden_information import EVALUATION_FAULTS
from hots_rules.rules.typed import value_types as types

FAR = 1000
NO_AGREEMENT = 1 << 20


@frozen
class Gap:
    """How a state looks different from the one that was seen.

    Attributes:
        size: in how many things.
        pairs: values that are where others were seen, each with one of these.
        values: values that have to do with the difference.
    """

    size: int
    pairs: tuple[Pair, ...]
    values: tuple[Word, ...]


class MeasuredSteps(PlayedSteps):
    """Measures how the states of courses look different from the moments of a history."""

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
        keyed = list[tuple[str, Word, int, int]]()
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
            here, wanted = (set(words_in(value, variable.type)) for value in (code, there))
            values += sorted(here ^ wanted)
            pairs += product(sorted(here - wanted), sorted(wanted - here))
        pairs += [
            (word, other)
            for name, word, code, _ in keyed
            for other_name, other, _, there in keyed
            if name == other_name and code == there and word != other and word[0] == other[0]
        ]
        pairs += [
            (word, new) for word in more for new in fewer if word != new and word[0] == new[0]
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
            return Gap(FAR // 4 + size, tuple(pairs), tuple(values))
        try:
            legal = machine.legal(list(slots)) if moment.asked else []
        except EVALUATION_FAULTS:
            return Gap(FAR // 8, (), ())
        own = [code for code in legal if machine.player_of(code) == observer.viewer]
        differing = sorted({*own} ^ {*moment.own})
        for code in differing[:MAX_CANDIDATES]:
            values += self._values_of(slots, code)
        return Gap(1 + len(differing), (), tuple(dict.fromkeys(values)))
