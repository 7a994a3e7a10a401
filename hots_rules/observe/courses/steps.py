"""The steps of courses of play, each compared with what a viewer observed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from attrs import field, frozen

from hots_rules.compile.codes import POINT, DecisionPoint, DicePoint, DrawPoint, bits
from hots_rules.compile.counting import CountingMachine
from hots_rules.observe.courses.history import History, Moment, Packed, Stacks
from hots_rules.observe.courses.moment_reader import MomentReader
from hots_rules.observe.courses.whereabouts import Whereabouts
from hots_rules.observe.courses.words import Exchange, Replacements, Word, replaced, words_in
from hots_rules.observe.hidden_information import EVALUATION_FAULTS
from hots_rules.observe.world_steps import WorldSteps
from hots_rules.rules.typed import value_types as types

KEPT_PLAYS = 2000  # moves of which it is kept what they reach
NEVER = 1 << 20
NO_WORD = ("", "")
MAX_CANDIDATES = 200  # moves that are tried at one moment


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

    def with_next(self, move: int, reached: Reached) -> FoundCourse:
        """The course after one more move."""
        return FoundCourse((*self.moves, move), (*self.reached, reached))


class OutOfPlays(Exception):
    """A search has played as many moves as it may."""


class PlayedSteps:
    """A base of `CourseSearch`: plays the moves of courses, and compares what a viewer sees with a history.

    `at` is the number of a step, and of the moment before it.
    """

    def __init__(
        self,
        reader: MomentReader,
        world_steps: WorldSteps,
        history: History,
        whereabouts: Whereabouts,
    ) -> None:
        self.reader = reader
        self.history = history
        self.whereabouts = whereabouts
        self._world_steps = world_steps
        self._machine: CountingMachine = world_steps.machine
        self._left = 0
        # After the search has gone back, it plays much that it has played before.
        self._states: dict[tuple[Packed, int], Packed | None] = {}
        self._lacking: dict[tuple[Packed, int, int], int] = {}
        self._cells: dict[tuple[Packed, int], tuple[tuple[int, int], ...]] = {}
        self._words: dict[tuple[int, int, int], frozenset[Word]] = {}
        self.pinned = set[int]()
        """The steps that are draws which can be no other: no other outcome looked the same afterwards."""

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
        is_unchanged = (  # a stack that does not change is the same object
            before is not None
            and stacks is before.stacks
            and moment.stacks is self.history.moments[at - 1].stacks
        )
        if not is_unchanged and (
            reader.stacks_of(stacks) != moment.stacks or self.whereabouts.strangers(at, stacks)
        ):
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
            return bool(point.source(slots) >> (-1 - move) & 1)
        if isinstance(point, DicePoint) and point.most is not None:
            return len(machine.dice_of(point, -1 - move)) == point.number(slots)
        return isinstance(point, DicePoint)

    def _count_play(self) -> None:
        """Count a move that is played, or what takes as long.

        Raises:
            OutOfPlays: as many were played as may be.
        """
        self._left -= 1
        if self._left < 0:
            raise OutOfPlays

    def _played(self, reached: Reached, move: int) -> Packed | None:
        """The state after a move; None if it is not possible, or fails."""
        self._count_play()
        key = reached.slots, move
        if key not in self._states:
            self._states[key] = self._played_anew(reached, move)
            _keep_at_most(KEPT_PLAYS, self._states)
        return self._states[key]

    def _played_anew(self, reached: Reached, move: int) -> Packed | None:
        self._world_steps.spend(len(reached.slots))
        try:
            if not self._is_possible(reached, move):
                return None
            slots = list(reached.slots)
            self._machine.move(slots, move, None)
        except EVALUATION_FAULTS:
            self._world_steps.spend()
            return None
        return tuple(slots)

    def _stepped(self, at: int, reached: Reached, move: int) -> Reached | None:
        """What a move reaches; None if the viewer sees something else than at the moment after it in the history."""
        seen = self.history.steps[at]
        if seen.move is not None and move != seen.move:
            return None
        slots = self._played(reached, move)
        if slots is None:
            return None
        return self._agreeing(at + 1, slots, reached)

    def _is_told_alike(self, at: int, reached: Reached, move: int) -> bool:
        """Whether a move that the viewer does not know is told to him as the one of the history."""
        return not self._not_told(at, reached, move)

    def _not_told(self, at: int, reached: Reached, move: int) -> int:
        """How many of the events that the viewer was told of come after the first one that is another here."""
        log = self.history.steps[at].log
        if log is None:
            return 0
        self._count_play()
        key = reached.slots, move, at
        if key not in self._lacking:
            try:
                self._lacking[key] = self.reader.lacking(reached.slots, move, log)
            except EVALUATION_FAULTS:
                self._lacking[key] = max(len(log), 1)
            _keep_at_most(KEPT_PLAYS, self._lacking)
        return self._lacking[key]

    def _told_and_seen(self, at: int, reached: Reached, move: int) -> Reached | None:
        """What a move reaches; None if the viewer sees it, or is told of it, as another one."""
        after = self._stepped(at, reached, move)
        return after if after is not None and self._is_told_alike(at, reached, move) else None

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
        return own if seen.form < 0 else [code for code in own if self._may_be(at, code)]

    def _as_visible(self, at: int, reached: Reached, outcomes: list[int]) -> list[int]:
        """The outcomes that were hidden before the draw, or are hidden after it; if there is none, one for its gap."""
        type_ = self._machine.facts.outcome_type(-1 - reached.slots[POINT])
        if not isinstance(type_, types.WordType):
            return outcomes
        pieces = self.reader.tracker.observer.pieces_in(type_)
        before, after = self.history.moments[at].hidden, self.history.moments[at + 1].hidden
        masks = [old | new for old, new in zip(before.pieces, after.pieces, strict=True)]
        alike = [
            outcome
            for outcome in outcomes
            if (piece := pieces[outcome]) is None
            or (masks[piece[0]] >> piece[1] & 1 and self._may_leave(at, reached, *piece))
        ]
        return alike or outcomes[:1]

    def _may_leave(self, at: int, reached: Reached, number: int, piece: int) -> bool:
        """Whether a piece may be drawn from its stack, by what is seen later."""
        stack = reached.stacks[number].numbers.get(piece)
        return stack is None or bool(self.whereabouts.may_leave(at, number, stack) >> piece & 1)

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
        self,
        at: int,
        reached: Reached,
        candidates: list[int],
        chance: Random,
        plan: Whereabouts | None = None,
        liked: int | None = None,
    ) -> list[int]:
        """Some candidates in the order in which they are tried: first a piece that is seen after the move.

        Then those that must leave their stacks first, or do so in a plan; of equal ones, the one that is liked.
        """
        tried = chance.sample(candidates, len(candidates))
        tried.sort(key=lambda move: move != liked)
        if len(tried) > 1:
            shown, latest = self._shown(at), self._latest(at, reached, plan or self.whereabouts)
            tried.sort(
                key=lambda move: min(
                    -1 if word in shown else latest.get(word, NEVER)
                    for word in (*self._values_of(reached.slots, move), NO_WORD)
                )
            )
        return tried[:MAX_CANDIDATES]

    def _latest(self, at: int, reached: Reached, whereabouts: Whereabouts) -> dict[Word, int]:
        """How many changes of stacks later at the latest each hidden piece is in another stack, if it must be."""
        latest = dict[Word, int]()
        for number, (secret, tracker) in enumerate(
            zip(self.reader.tracker.observer.secret_types, reached.stacks, strict=True)
        ):
            values = secret.piece_type.values
            for stack in {*tracker.numbers.values()}:
                here = sum(1 << piece for piece, there in tracker.numbers.items() if there == stack)
                for changes, pieces in enumerate(whereabouts.may_stay(at, number, stack)):
                    latest |= {values[piece]: changes for piece in bits(here & ~pieces)}
                    here &= pieces
                    if not here:
                        break
        return latest

    def _may_be(self, at: int, code: int) -> bool:
        seen = self.history.steps[at]
        if self._machine.action_of(code) != seen.form:
            return False
        arguments = [argument for argument, _ in self._arguments((), code)[1]]
        return all(
            known is None or known == argument
            for known, argument in zip(seen.known, arguments, strict=True)
        )

    def _arguments(
        self, slots: Sequence[int], move: int
    ) -> tuple[int, list[tuple[int, types.Type]]]:
        """Who made a move, and its arguments or its outcome, as codes with their types; chance has number -1."""
        if move < 0:
            return -1, [(-1 - move, self._machine.facts.outcome_type(-1 - slots[POINT]))]
        form = self.reader.notation.form_of(move)
        chooser, args = form.decode(move, self._machine.player_count)
        return chooser, [(arg, type_) for arg, (_, type_) in zip(args, form.params, strict=True)]

    # -------------------------------------------------------------- exchanged values
    def _typed(self, at: int, slots: Packed, move: int) -> Iterator[tuple[int, types.Type]]:
        """The values in a move that the viewer does not know, with their types."""
        seen = self.history.steps[at]
        for number, typed in enumerate(self._arguments(slots, move)[1]):
            if not seen.knows(number):
                yield typed

    def _exchanged(self, at: int, slots: Packed, move: int, replacements: Replacements) -> int:
        """A move that the viewer does not know, with values replaced in it."""
        seen = self.history.steps[at]
        chooser, typed = self._arguments(slots, move)
        changed = tuple(
            code if seen.knows(number) else replaced(code, type_, replacements)
            for number, (code, type_) in enumerate(typed)
        )
        if move < 0:
            return -1 - changed[0]
        return self.reader.notation.form_of(move).encode(chooser, changed)

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
            words = frozenset(word for code, type_ in typed for word in words_in(code, type_))
            self._words[key] = words
        return words

    def _mentions(self, course: FoundCourse, word: Word) -> list[int]:
        """The steps that the viewer does not know in which a value is named."""
        return [at for at in self._free(len(course.moves)) if word in self._words_at(course, at)]

    def _with_exchange(self, course: FoundCourse, exchange: Exchange) -> FoundCourse | None:
        """The course with values replaced in some of its unknown moves; None if it looks different."""
        moves = list(course.moves)
        for at in exchange.steps:
            if self.history.steps[at].move is None and at not in self.pinned:
                slots = course.reached[at].slots
                moves[at] = self._exchanged(at, slots, moves[at], exchange.replacements)
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

    def _values_of(self, slots: Packed, move: int) -> list[Word]:
        typed = self._arguments(slots, move)[1]
        return [word for code, type_ in typed for word in words_in(code, type_)]


def _keep_at_most(most: int, kept: dict[Any, Any]) -> None:
    """Forget what was kept first of more than so many."""
    if len(kept) > most:
        del kept[next(iter(kept))]
