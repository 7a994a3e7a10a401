"""Courses of play that look to a viewer as the game does: every choice and every outcome of chance from its beginning.

A course is found from a history alone. Where the viewer knows a move, it is the same. Where he does not, one is sought
after which he sees the same at every moment from then on: what he was offered, who was asked and when, and each value
that he may know. What is seen later contradicts most of the first guesses: then two values are exchanged in the moves
that are not known, from some moment on, and the course is played again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from random import Random
from typing import NamedTuple

from hots_rules.compile.codes import bits
from hots_rules.diagnostics import LimitExceeded
from hots_rules.observe.courses.deductions import DeducingSteps
from hots_rules.observe.courses.gaps import NO_AGREEMENT, Gap
from hots_rules.observe.courses.history import History, Packed, Stacks
from hots_rules.observe.courses.moment_reader import MomentReader
from hots_rules.observe.courses.plans import planned
from hots_rules.observe.courses.steps import FoundCourse, OutOfPlays, Reached
from hots_rules.observe.courses.whereabouts import (
    LIKELY_NOWHERE,
    NOWHERE,
    Exclusion,
    Whereabouts,
    whereabouts_of,
)
from hots_rules.observe.courses.words import Exchange, Pair, Replacements, Word, is_alike, words_in
from hots_rules.observe.world_steps import WorldSteps
from hots_rules.rules.typed import value_types as types

PLAYS_AT_FIRST = 150  # before something is learned from a moment from which nothing leads on
MAX_LESSONS = 30  # what is learned, at most, before the search goes back
BACK_AT_FIRST = 64  # moments that it goes back then, at first
MAX_TRIES = 24  # how often it does so
MAX_DOUBLED = (
    4  # how often that number is doubled, once for each time that the search has begun anew
)
PLAYS_TO_GO_ON = 400  # moves that are played, at most, to find a course up to the next moment
CHOSEN_ANEW = 0.3  # how often the last moves are chosen anew, not exchanged
STEPS_ANEW = 10  # of how many moves, at most, that the viewer does not know
PLANS = 4  # plans that are begun, at most, to find one
PLACES = 6  # moves from which on two values are exchanged that would close a gap
ALTERNATIVES = 4  # outcomes that are tried to tell whether a draw is known
STAGES_EVERY = 16  # moments after which what was found is kept
RESTARTS_EVERY = 16  # moments after which it is sought once more


class Plan(NamedTuple):
    """A plan from a moment on, if one was found; the whereabouts and the stacks there for which it was made."""

    known: Whereabouts
    at: int
    stacks: Stacks
    whereabouts: Whereabouts | None

    def is_left(self, at: int, reached: Reached) -> bool:
        """Whether what was reached does not agree with the plan."""
        if self.whereabouts is None or at < self.at:
            return (at, reached.stacks) != (self.at, self.stacks)
        return bool(self.whereabouts.strangers(at, reached.stacks))


class Stage(NamedTuple):
    """What was found of a history up to a moment: the course, and the draws that the viewer can tell."""

    at: int
    course: FoundCourse | None
    pinned: frozenset[int]
    learned: tuple[Exclusion, ...]
    attempt: int


class Kept(NamedTuple):
    """Some stages of the search for a course, the last one last, and the whereabouts with which it was sought."""

    stages: tuple[Stage, ...]
    whereabouts: Whereabouts
    likely: Whereabouts


NOTHING_KEPT = Kept((), NOWHERE, LIKELY_NOWHERE)


class CourseSearch(DeducingSteps):
    """Finds courses that agree with a history, and others that look the same."""

    def __init__(self, reader: MomentReader, world_steps: WorldSteps, history: History) -> None:
        kept = history.derived.get(Kept)
        before = kept if isinstance(kept, Kept) else NOTHING_KEPT
        super().__init__(reader, world_steps, history, whereabouts_of(history, before.whereabouts))
        self.likely = whereabouts_of(history, before.likely)
        self.is_likely_possible = self.likely.has_room()
        self._plan: Plan | None = None

    def first_change(self, kept: Kept) -> int:
        """The first moment of which more is known than when something was kept."""
        return min(
            self.whereabouts.first_change(kept.whereabouts), self.likely.first_change(kept.likely)
        )

    # -------------------------------------------------------------- from moment to moment
    def begin(self, slots: Packed) -> FoundCourse | None:
        """A course without moves, if it begins as the history does."""
        reached = self._agreeing(0, slots, None)
        return None if reached is None else FoundCourse((), (reached,))

    def gone_on(
        self, course: FoundCourse, chance: Random, plays: int = PLAYS_TO_GO_ON
    ) -> FoundCourse | None:
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
        candidates = self._candidates(at, reached)
        plan = self._plan_at(at, reached, chance) if len(candidates) > 1 else None
        for move in self._in_turn(at, reached, candidates, chance, plan):
            after = self._stepped(at, reached, move)
            if after is not None and self._is_told_alike(at, reached, move):
                return course.with_next(move, after), gap
            this_gap = self._gap_after_move(at, reached, move)
            if this_gap.size < gap.size or not gap.values:
                gap = this_gap
        return None, gap

    def _plan_at(self, at: int, reached: Reached, chance: Random) -> Whereabouts | None:
        """A plan that agrees with what was reached: the last one, if it does and nothing was learned since."""
        known, last = self.whereabouts, self._plan
        if last is None or last.known is not known or last.is_left(at, reached):
            plans = (planned(known, at, reached.stacks, chance) for _ in range(PLANS))
            plan = next((plan for plan in plans if plan is not None), None)
            self._plan = last = Plan(known, at, reached.stacks, plan)
        return last.whereabouts

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
            after = self._stepped(at, reached, move)
            if after is not None and self._is_told_alike(at, reached, move):
                return course.with_next(move, after)
        return None

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


def course_of(search: CourseSearch) -> FoundCourse | None:
    """A course that agrees with a history, found from moment to moment; None if it was not found in bounded time.

    What was found before is kept with the history, up to the first moment of which more is known since then.
    """
    history, whereabouts = search.history, search.whereabouts
    kept = history.derived.get(Kept)
    before = kept if isinstance(kept, Kept) else NOTHING_KEPT
    way = Way(search, before.stages)
    way.go_back(search.first_change(before))
    try:
        while way.at + 1 < len(history.moments):
            way.go_on()
    except LimitExceeded:
        way.give_up()
        raise
    finally:
        history.derived[Kept] = Kept(way.stages, whereabouts, search.likely)
        search.whereabouts = whereabouts
    return way.course


class Way:
    """The way of a search from moment to moment, with what is learned on it."""

    def __init__(self, search: CourseSearch, stages: tuple[Stage, ...]) -> None:
        self._search = search
        self._sound = search.whereabouts
        self._lessons = self._tries = self._failures = 0
        self._furthest = -1
        self.stages = stages

    def go_back(self, moment: int) -> None:
        """Go back to the last stage before a moment."""
        self.stages = tuple(stage for stage in self.stages if stage.at < moment)
        last = self.stages[-1] if self.stages else Stage(-1, None, frozenset(), (), -1)
        self.at, self.course, pinned, self._learned, self._attempt = last
        self._search.pinned = set(pinned)
        self._search.whereabouts = self._whereabouts()

    def _whereabouts(self) -> Whereabouts:
        """What is taken to be known: in every other attempt, what is likely as well."""
        is_likely = not self._attempt % 2 and self._search.is_likely_possible
        taken = self._search.likely if is_likely else self._sound
        return taken.without(self._learned) or self._sound

    def go_on(self) -> None:
        """Go on to the next moment; or back, if something is learned or nothing leads on."""
        search, at, course = self._search, self.at + 1, self.course
        if course is None:
            if at == 0 <= self._attempt:  # something was learned of the first moment
                self._begin()
            elif at % RESTARTS_EVERY or not self._begin_again():
                self._stand(at, None)
            return
        seed = f"course/{self._attempt}/{at}"
        longer = search.gone_on(course, Random(seed), PLAYS_AT_FIRST)
        if longer is None and self._learn(search.deduced(course, Random(seed))):
            return
        if longer is None:
            plays = PLAYS_TO_GO_ON << min(self._tries, MAX_DOUBLED)
            longer = search.gone_on(course, Random(seed), plays)
        if longer is not None or not self._begin_again():
            self._stand(at, longer)

    def give_up(self) -> None:
        """Note that there is no course up to the last moment, so that it is not sought again at once."""
        self._stand(len(self._search.history.moments) - 1, None)

    def _begin_again(self) -> bool:
        """Go back, the further the more often nothing led on, and make other choices; whether that may be."""
        beginnings, at = self._search.history.beginnings, self.at
        if self._tries == MAX_TRIES or not beginnings:
            return False
        self._failures = 0 if at > self._furthest else self._failures + 1
        self._furthest = max(self._furthest, at)
        self._tries += 1
        attempt = self._attempt + 1
        back = BACK_AT_FIRST << self._failures
        self.go_back(at - back if self.course is not None else 0)
        self._attempt, self._lessons = attempt, 0
        self._search.whereabouts = self._whereabouts()
        if self.course is None:
            self._begin()
        return True

    def _begin(self) -> None:
        beginnings = self._search.history.beginnings
        self._stand(0, self._search.begin(beginnings[self._attempt % len(beginnings)]))

    def _stand(self, at: int, course: FoundCourse | None) -> None:
        """Note what was found up to a moment, in place of what was found since the last one that is kept."""
        stages = self.stages[:-1] if self.at % STAGES_EVERY else self.stages
        pinned = frozenset(self._search.pinned)
        self.at, self.course = at, course
        self.stages = (*stages, Stage(at, course, pinned, self._learned, self._attempt))

    def _learn(self, exclusions: Sequence[Exclusion]) -> bool:
        """Heed what cannot be from the first moment on of which more is known by it; whether there is anything."""
        before = self._search.whereabouts
        whereabouts = before.without(exclusions) if exclusions else None
        if whereabouts is None or self._lessons == MAX_LESSONS:
            return False
        self._lessons += 1
        attempt, learned = self._attempt, (*self._learned, *exclusions)
        self.go_back(whereabouts.first_change(before))
        self._attempt, self._learned, self._search.whereabouts = attempt, learned, whereabouts
        return True
