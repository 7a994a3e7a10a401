"""Courses of play that look to a viewer as the game does: every choice and every outcome of chance from its beginning.

A course is found from a history alone. Where the viewer knows a move, it is the same. Where he does not, one is sought
after which he sees the same at every moment from then on: what he was offered, who was asked and when, and each value
that he may know. What is seen later contradicts most of the first guesses: then two values are exchanged in the moves
that are not known, from some moment on, and the course is played again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random

from attrs import field, frozen

from hots_rules.compile.codes import POINT, DecisionPoint, DicePoint, DrawPoint, bits
from hots_rules.compile.counting import CountingMachine
from hots_rules.diagnostics import EngineError
from hots_rules.observe.hidden_information import EVALUATION_FAULTS
from hots_rules.observe.history import HIDDEN, History, Moment, MomentReader, Packed, Stacks
from hots_rules.observe.world_steps import WorldSteps
from hots_rules.rules.typed import value_types as types

PLAYS_TO_GO_ON = 5000  # moves that are played, at most, to find a course up to the next moment
PLAYS_TO_VARY = 600  # to make one world of a course
MAX_CANDIDATES = 20  # moves that are tried at one moment
PLACES = 6  # moves from which on two values are exchanged that would close a gap
ALTERNATIVES = 4  # outcomes that are tried to tell whether a draw is known
FAR = 1000
RESTARTS = 4  # how often a course is sought from the beginning where one does not go on
RESTARTS_EVERY = 16  # moments after which it is sought once more
NO_AGREEMENT = 1 << 20
Word = tuple[str, str]
"""A value that may take the place of another in a move: the type that names it, and its word."""
Pair = tuple[Word, Word]
Exchange = tuple[Mapping[Word, Word], Sequence[int]]
"""What takes the place of what, and in which moves, by number."""


@frozen
class Reached:
    """A state that a course has reached, with the stacks of the viewer and the legal actions there."""

    slots: Packed = field(repr=False)
    stacks: Stacks = field(repr=False)
    legal: tuple[int, ...] = field(repr=False)


@frozen
class FoundCourse:
    """The moves of a course, and what each of them reached; the first state is the one before all moves."""

    moves: tuple[int, ...]
    reached: tuple[Reached, ...] = field(repr=False)

    def up_to(self, moves: int) -> FoundCourse:
        """The beginning of the course."""
        return FoundCourse(self.moves[:moves], self.reached[: moves + 1])

    def with_next(self, move: int, reached: Reached) -> FoundCourse:
        """The course after one more move."""
        return FoundCourse((*self.moves, move), (*self.reached, reached))


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


class _Spent(Exception):
    """A search has played as many moves as it may."""


class CourseSearch:
    """Finds courses that agree with a history, and others that look the same."""

    def __init__(self, reader: MomentReader, search: WorldSteps, history: History) -> None:
        self.reader = reader
        self.history = history
        self._search = search
        self._machine: CountingMachine = search.machine
        self._left = 0
        self._words: dict[tuple[int, int, int], frozenset[Word]] = {}
        self.pinned: set[int] = {*history.derived.get("pinned", ())}

    # -------------------------------------------------------------- one step
    def _agreeing(self, at: int, slots: Packed, before: Reached | None) -> Reached | None:
        """The state at a moment of the history, if the viewer sees the same there."""
        moment, reader, machine = self.history.moments[at], self.reader, self._machine
        if slots[POINT] != moment.point:
            return None
        hidden = reader.hidden(reader.tracker.visibility(slots))
        if hidden != moment.hidden or reader.public(slots, hidden) != moment.public:
            return None
        stacks = self._stacks(at, slots, before)
        is_same = (
            before is not None
            and stacks is before.stacks
            and moment.stacks is self.history.moments[at - 1].stacks
        )
        if not is_same and reader.stacks_of(stacks) != moment.stacks:
            return None
        legal: tuple[int, ...] = ()
        if isinstance(machine.points[-1 - slots[POINT]], DecisionPoint) and slots[POINT] < 0:
            legal = self._offered(moment, list(slots))
            if not legal:
                return None
        return Reached(slots, stacks, legal)

    def _stacks(self, at: int, slots: Packed, before: Reached | None) -> Stacks:
        """The stacks at a moment of the history."""
        is_first = before is None or at <= self.history.tracked
        earlier = None if before is None or is_first else (before.slots, before.stacks)
        return self.reader.tracker.stacks_at(earlier, slots)

    def _offered(self, moment: Moment, slots: list[int]) -> tuple[int, ...]:
        """The legal actions, if the same players are asked and the viewer is offered the same."""
        machine, viewer = self._machine, self.reader.tracker.observer.viewer
        try:
            if machine.players(slots) != moment.asked:
                return ()
            legal = tuple(machine.legal(slots))
        except EVALUATION_FAULTS:
            return ()
        if not moment.asked & (moment.asked - 1):  # all actions are those of one player
            return legal if not moment.own or legal == moment.own else ()
        if tuple(code for code in legal if machine.player_of(code) == viewer) != moment.own:
            return ()
        choosers = {machine.player_of(code) for code in legal}
        return legal if choosers == set(bits(moment.asked)) else ()

    def _is_possible(self, reached: Reached, move: int) -> bool:
        if move >= 0:
            return move in reached.legal
        slots, machine = list(reached.slots), self._machine
        point = machine.point(slots)
        if isinstance(point, DrawPoint):
            return bool(machine.facts and point.source(slots) >> (-1 - move) & 1)
        if isinstance(point, DicePoint) and point.most is not None:
            return len(machine.dice_of(point, -1 - move)) == point.number(slots)
        return isinstance(point, DicePoint)

    def _played(self, reached: Reached, move: int) -> Packed | None:
        """The state after a move; None if it is not possible, or fails."""
        self._left -= 1
        if self._left < 0:
            raise _Spent
        self._search.spend(len(reached.slots))
        try:
            if not self._is_possible(reached, move):
                return None
            slots = list(reached.slots)
            self._machine.move(slots, move, None)
        except EVALUATION_FAULTS:
            self._search.spend()
            return None
        return tuple(slots)

    def _stepped(self, at: int, reached: Reached, move: int) -> Reached | None:
        """What a move reaches, if it looks as the one of the history after the moment with a number."""
        seen = self.history.steps[at]
        if seen.move is not None and move != seen.move:
            return None
        slots = self._played(reached, move)
        if slots is None:
            return None
        return self._agreeing(at + 1, slots, reached)

    def _is_told_alike(self, at: int, reached: Reached, move: int) -> bool:
        """Whether a move that the viewer does not know is told to him as the one of the history."""
        seen = self.history.steps[at]
        if seen.move is not None:
            return True
        self._left -= 1
        try:
            return self.reader.log(reached.slots, move) == seen.log
        except EngineError:
            return False

    def _candidates(self, at: int, reached: Reached) -> list[int]:
        """The moves that may be the one of the history."""
        seen, machine = self.history.steps[at], self._machine
        if seen.move is not None:
            return [seen.move]
        if seen.chooser < 0:
            try:
                outcomes = [outcome for outcome, _ in machine.outcomes(list(reached.slots))]
            except EVALUATION_FAULTS:
                return []
            return [-1 - outcome for outcome in self._as_visible(at, reached, outcomes)]
        own = [code for code in reached.legal if machine.player_of(code) == seen.chooser]
        return own if seen.form < 0 else [code for code in own if self._is_alike(at, code)]

    def _as_visible(self, at: int, reached: Reached, outcomes: list[int]) -> list[int]:
        """The outcomes that are seen after a draw if one was seen, and hidden if one was not."""
        type_ = self._machine.facts.outcome_type(-1 - reached.slots[POINT])
        if not isinstance(type_, types.WordType):
            return outcomes
        pieces = self.reader.tracker.observer.pieces_in(type_)
        before, after = self.history.moments[at].hidden, self.history.moments[at + 1].hidden
        masks = [(old & ~new) | new for old, new in zip(before.pieces, after.pieces, strict=True)]
        alike = [
            outcome
            for outcome in outcomes
            if (piece := pieces[outcome]) is None or masks[piece[0]] >> piece[1] & 1
        ]
        return alike or outcomes[:1]

    def _shown(self, at: int) -> set[Word]:
        """The pieces that are seen after a move and were hidden before."""
        before, after = self.history.moments[at].hidden, self.history.moments[at + 1].hidden
        return {
            secret.piece_type.values[piece]
            for secret, old, new in zip(
                self.reader.tracker.observer.secret_types, before.pieces, after.pieces, strict=True
            )
            for piece in bits(old & ~new)
        }

    def _in_turn(
        self, at: int, reached: Reached, candidates: list[int], chance: Random
    ) -> list[int]:
        """Some candidates in the order in which they are tried: first a piece that is seen after the move."""
        tried = chance.sample(candidates, len(candidates))
        shown = self._shown(at)
        if shown and len(tried) > 1:
            tried.sort(key=lambda move: shown.isdisjoint(self._values_of(reached.slots, move)))
        return tried[:MAX_CANDIDATES]

    def _is_alike(self, at: int, code: int) -> bool:
        seen = self.history.steps[at]
        if self._machine.action_of(code) != seen.form:
            return False
        form = self.reader.notation.form_of(code)
        _, args = form.decode(code, self._machine.player_count)
        return all(
            known is None or known == arg for known, arg in zip(seen.known, args, strict=True)
        )

    # -------------------------------------------------------------- exchanged values
    def _typed(self, at: int, slots: Packed, move: int) -> Iterator[tuple[int, types.Type]]:
        """The values in a move that the viewer does not know, with their types."""
        seen = self.history.steps[at]
        if move < 0:
            yield -1 - move, self._machine.facts.outcome_type(-1 - slots[POINT])
            return
        form = self.reader.notation.form_of(move)
        _, args = form.decode(move, self._machine.player_count)
        for number, (arg, (_, type_)) in enumerate(zip(args, form.params, strict=True)):
            if not seen.known or seen.known[number] is None:
                yield arg, type_

    def _exchanged(self, at: int, slots: Packed, move: int, pair: Mapping[Word, Word]) -> int:
        """A move that the viewer does not know, with two values exchanged in it."""
        seen = self.history.steps[at]
        if move < 0:
            type_ = self._machine.facts.outcome_type(-1 - slots[POINT])
            return -1 - _swapped(-1 - move, type_, pair)
        form = self.reader.notation.form_of(move)
        chooser, args = form.decode(move, self._machine.player_count)
        if not any(types.size(type_) for _, type_ in form.params):
            return move
        changed = tuple(
            arg if seen.known and seen.known[number] is not None else _swapped(arg, type_, pair)
            for number, (arg, (_, type_)) in enumerate(zip(args, form.params, strict=True))
        )
        return move if changed == args else form.encode(chooser, changed)

    def _free(self, moves: int) -> list[int]:
        """The steps whose moves the viewer does not know, but for draws which he can tell by what follows."""
        steps = self.history.steps
        return [at for at in range(moves) if steps[at].move is None and at not in self.pinned]

    def _words_at(self, course: FoundCourse, at: int) -> frozenset[Word]:
        """The values that the viewer does not know in a move."""
        key = at, course.reached[at].slots[POINT], course.moves[at]
        words = self._words.get(key)
        if words is None:
            typed = self._typed(at, course.reached[at].slots, course.moves[at])
            words = frozenset(word for code, type_ in typed for word in _words(code, type_))
            self._words[key] = words
        return words

    def _mentions(self, course: FoundCourse, word: Word) -> list[int]:
        """The steps that the viewer does not know in which a value is named."""
        return [at for at in self._free(len(course.moves)) if word in self._words_at(course, at)]

    def _with_pair(
        self, course: FoundCourse, pair: Mapping[Word, Word], steps: Iterable[int]
    ) -> FoundCourse | None:
        """The course with values exchanged in some of its unknown moves; None if it looks different."""
        moves = list(course.moves)
        for at in steps:
            if self.history.steps[at].move is None and at not in self.pinned:
                moves[at] = self._exchanged(at, course.reached[at].slots, moves[at], pair)
        return self._replayed(course, moves)

    def _replayed(self, course: FoundCourse, moves: Sequence[int]) -> FoundCourse | None:
        """A course with other moves; None if it looks different, or is the same."""
        begun = next((at for at, move in enumerate(moves) if move != course.moves[at]), None)
        if begun is None:
            return None
        reached = list(course.reached[: begun + 1])
        for at in range(begun, len(moves)):
            after = self._stepped(at, reached[-1], moves[at])
            if after is None:
                return None
            if after.slots == course.reached[at + 1].slots and list(moves[at + 1 :]) == list(
                course.moves[at + 1 :]
            ):
                reached.extend(course.reached[at + 1 :])
                break
            reached.append(after)
        changed = range(begun, at + 1)
        if not all(self._is_told_alike(at, reached[at], moves[at]) for at in changed):
            return None
        return FoundCourse(tuple(moves), tuple(reached))

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
        except _Spent:
            return None

    def _gone_on(self, course: FoundCourse, chance: Random) -> FoundCourse:
        longer, gap = self._next(course, chance)
        while longer is None:
            for exchange, is_guided in self._proposals(course, gap, chance):
                self._left -= 1
                if self._left < 0:
                    raise _Spent
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

    def _values_of(self, slots: Packed, move: int) -> list[Word]:
        if move < 0:
            type_ = self._machine.facts.outcome_type(-1 - slots[POINT])
            return list(_words(-1 - move, type_))
        form = self.reader.notation.form_of(move)
        _, args = form.decode(move, self._machine.player_count)
        return [
            word
            for arg, (_, type_) in zip(args, form.params, strict=True)
            for word in _words(arg, type_)
        ]

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
                values += _words(key, type_)
                keyed += [(variable.name, word, code, there) for word in _words(key, type_)]
                if isinstance(variable.type, types.IntType | types.BoolType):
                    (more if code > there else fewer).extend(_words(key, type_))
            if HIDDEN in (code, there):
                continue
            here, wanted = (set(_words(value, variable.type)) for value in (code, there))
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

    # -------------------------------------------------------------- what to exchange
    def _proposals(
        self, course: FoundCourse, gap: Gap, chance: Random
    ) -> Iterator[tuple[Exchange, bool]]:
        """What to exchange, first what would close a gap, then anything; and whether it is the first of the two."""
        pairs = list(dict.fromkeys(gap.pairs))
        for value, partner in chance.sample(pairs, len(pairs)):
            for exchange in self._places(course, value, partner):
                yield exchange, True
        while True:
            yield self._proposal(course, gap.values, chance), False

    def _places(self, course: FoundCourse, value: Word, partner: Word) -> Iterator[Exchange]:
        """The moves in which one value may take the place of another that is wrong, the last ones first."""
        length, both = len(course.moves), {value: partner, partner: value}
        for together in self._companions(course, value).get(partner, [])[:PLACES]:
            yield both, range(together, length)
        mentions = self._mentions(course, value)
        named = sorted({*mentions, *self._mentions(course, partner)})
        for first in named[: -1 - PLACES : -1]:
            yield both, range(first, length)
            yield both, (first,)
        if named[:-PLACES]:
            yield both, range(named[0], length)
        for first in mentions[: -1 - PLACES : -1]:
            yield {value: partner}, range(first, length)
            yield {value: partner}, (first, mentions[-1])

    def _companions(self, course: FoundCourse, value: Word) -> dict[Word, list[int]]:
        """The pieces that could not be told from a piece at some moments, each with these, the last first.

        Of moments between which no stack has changed, there is the last one alone.
        """
        observer, companions = self.reader.tracker.observer, dict[Word, list[int]]()
        for number, secret in enumerate(observer.secret_types):
            piece = secret.piece_type.codes.get(value)
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
            raise _Spent
        value = chance.choice(focus if focus and chance.random() < 0.8 else named)
        companions = self._companions(course, value)
        if companions and chance.random() < 0.6:
            partner = chance.choice(list(companions))
            moments = companions[partner]
            first = chance.randrange(len(moments))
            last = moments[chance.randrange(first)] if first and chance.random() < 0.5 else length
            return {value: partner, partner: value}, range(moments[first], last)
        alike = [word for word in named if _is_alike(word, value)]
        partners = [word for word in self._exchangeable(course, value, alike) if word != value]
        if not partners:
            return {}, ()
        partner = chance.choice(partners)
        pair = {value: partner, partner: value}
        mentions = sorted({*self._mentions(course, value), *self._mentions(course, partner)})
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

    def _exchangeable(self, course: FoundCourse, value: Word, alike: Sequence[Word]) -> list[Word]:
        """The values that may take the place of one: hidden pieces of its type, or those that moves name."""
        observer = self.reader.tracker.observer
        for secret, tracker in zip(observer.secret_types, course.reached[-1].stacks, strict=True):
            if value in secret.piece_type.codes:
                hidden = [secret.piece_type.values[piece] for piece in sorted(tracker.numbers)]
                return list(dict.fromkeys((*alike, *hidden)))
        for at in self._free(len(course.moves)):
            for _, type_ in self._typed(at, course.reached[at].slots, course.moves[at]):
                if isinstance(type_, types.WordType) and value in type_.codes:
                    return list(type_.values)
        return list(alike)

    # -------------------------------------------------------------- other courses
    def varied(self, course: FoundCourse, goal: Reached | None, chance: Random) -> FoundCourse:
        """Another course: one that leads nearer to a state which looks the same now; without a goal, any other."""
        self._left = PLAYS_TO_VARY
        try:
            while goal is None:
                pair, steps = self._proposal(course, (), chance)
                self._left -= 1
                course = self._with_pair(course, pair, steps) or course
                if self._left < 0:
                    return course
            tried = set[tuple[Word, Word]]()
            while pairs := [
                pair for pair in self._apart(course.reached[-1], goal) if pair not in tried
            ]:
                value, partner = chance.choice(pairs)
                tried.add((value, partner))
                exchanged = {value: partner, partner: value}
                course = self._somewhere(course, exchanged) or course
        except _Spent:
            pass
        return course

    def _somewhere(self, course: FoundCourse, pair: Mapping[Word, Word]) -> FoundCourse | None:
        """The course with two values exchanged since they were alike, in all moves, or since one of them was named."""
        length = len(course.moves)
        value, partner = pair
        mentions = sorted(
            {at for word in pair for at in self._mentions(course, word)}, reverse=True
        )
        together = self._companions(course, value).get(partner, [])
        for first in dict.fromkeys((*together[:1], *mentions[:2], *mentions[-1:])):
            other = self._with_pair(course, pair, range(first, length))
            if other is not None:
                return other
        return None

    def _apart(self, reached: Reached, goal: Reached) -> list[tuple[Word, Word]]:
        """The values that are where others are in the state to which a course shall lead, each with one of these."""
        observer = self.reader.tracker.observer
        pairs = []
        for secret, here, there in zip(
            observer.secret_types, reached.stacks, goal.stacks, strict=True
        ):
            values = secret.piece_type.values
            for piece, number in here.numbers.items():
                if there.numbers.get(piece, number) == number:
                    continue
                pairs += [
                    (values[piece], values[other])
                    for other, other_number in here.numbers.items()
                    if other_number == there.numbers[piece] != there.numbers.get(other)
                ]
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
                        list(_words(variable.key_codes[offset][-1], variable.keys[-1]))
                        if variable.keys
                        else []
                    )
                    (lost if old > new else gained).extend(last)
                else:
                    held, wanted = set(_words(old, variable.type)), set(_words(new, variable.type))
                    lost += sorted(held - wanted)
                    gained += sorted(wanted - held)
            pairs += [
                (old, new) for old in lost for new in gained if old != new and old[0] == new[0]
            ]
        return pairs


def course_of(search: CourseSearch) -> FoundCourse | None:
    """A course that agrees with a history, found from moment to moment; None if it was not found in bounded time.

    What was found at the last moment is kept with the history.
    """
    history = search.history
    kept: tuple[int, FoundCourse | None] = history.derived.get("course", (-1, None))
    at, course = kept
    while at + 1 < len(history.moments):
        at += 1
        if course is not None and at:
            course = search.gone_on(course, Random(f"course/{at}")) or _begun_again(search, at)
        elif at % RESTARTS_EVERY == 0:
            course = _from_the_beginning(search, at, 0)
    history.derived.update(course=(at, course), pinned=frozenset(search.pinned))
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


def _is_alike(first: Word, second: Word) -> bool:
    return first[0] == second[0]


def _words(code: int, type_: types.Type) -> Iterator[Word]:
    """The words and numbers in a value."""
    match type_:
        case types.WordType():
            if type_.values[code] != types.NONE:
                yield type_.values[code]
        case types.IntType():
            yield str(type_), str(code)
        case types.SetType():
            for member in bits(code):
                yield from _words(member, type_.member)
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            yield from _words(left, type_.left)
            yield from _words(right, type_.right)


def _swapped(code: int, type_: types.Type, pair: Mapping[Word, Word]) -> int:
    """A value with two others exchanged in it."""
    match type_:
        case types.WordType():
            new = pair.get(type_.values[code])
            return code if new is None else type_.codes.get(new, code)
        case types.IntType():
            new = pair.get((str(type_), str(code)))
            return code if new is None else int(new[1])
        case types.SetType():
            return sum({1 << _swapped(member, type_.member, pair) for member in bits(code)})
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return types.pair_code(
                type_, _swapped(left, type_.left, pair), _swapped(right, type_.right, pair)
            )
    return code
