"""Which hidden pieces may be in which stack at each moment of a history, as far as what was seen decides it.

A stack that keeps its number lost pieces at most, and one with a new number got its pieces from those that lost some,
or from pieces that were seen. So a piece that is seen to come out of a stack was, at each moment before, in one of the
stacks from which a way leads there. What follows is the same in whatever order it is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from attrs import evolve, frozen

from hots_rules.observe.courses.history import History, Moment, Stacks
from hots_rules.observe.stacks import Features

Pieces = dict[int, int]
"""For each stack, by number, the pieces that may be in it, as a mask."""
SPANS_AHEAD = 60  # changes of stacks for which it is asked how long a piece may stay
SEEN = -1
"""In place of the number of a stack: pieces that are seen."""


class NoRoom(Exception):
    """A stack may have fewer pieces than it has."""


@frozen(eq=False)
class Ways:
    """How pieces of one type may get from stack to stack between two spans.

    Attributes:
        stays: the stacks that remain, before and afterwards, by numbers.
        changes: from which stack to which others pieces may go.
        went_under: the pieces that were seen before, as a mask.
        turned_up: the pieces that are seen afterwards, as a mask.
    """

    stays: tuple[tuple[int, int], ...]
    changes: tuple[tuple[int, int], ...]
    went_under: int
    turned_up: int


@frozen(eq=False)
class MomentSpan:
    """Moments between which no stack changes.

    Attributes:
        first: the number of the first of them.
        is_followed: whether the stacks were followed from the moment before.
        counts: for each secret type, how many pieces each stack has.
        features: for each secret type, the features of the pieces of each stack.
        hidden: for each secret type, the mask of the hidden pieces.
    """

    first: int
    is_followed: bool
    counts: tuple[dict[int, int], ...]
    features: tuple[dict[int, Features], ...]
    hidden: tuple[int, ...]


@frozen(eq=False)
class Whereabouts:
    """What may be in each stack at each moment.

    Attributes:
        is_likely: whether pieces are taken to go where their features change least.
        spans: the spans of the history, in order.
        ways: for each span, and in it for each secret type, where pieces may come from.
        pieces: for each span, and in it for each secret type, what may be in its stacks.
        span_at: the number of the span of each moment.
    """

    is_likely: bool
    spans: tuple[MomentSpan, ...]
    ways: tuple[tuple[Ways, ...], ...]
    pieces: tuple[tuple[Pieces, ...], ...]
    span_at: tuple[int, ...]

    def at(self, moment: int) -> tuple[Pieces, ...]:
        """What may be in each stack at a moment, for each secret type."""
        return self.pieces[self.span_at[moment]]

    def may_leave(self, moment: int, number: int, stack: int) -> int:
        """The pieces that may leave a stack of a type until the next moment, as a mask."""
        at = self.span_at[moment + 1]
        if at == self.span_at[moment] or not self.ways[at]:
            return self.at(moment)[number][stack]
        ways, after = self.ways[at][number], self.pieces[at][number]
        pieces = 0
        for source, goal in ways.changes:
            if source == stack:
                pieces |= after.get(goal, ways.turned_up)
        return pieces

    def may_stay(self, moment: int, number: int, stack: int) -> Iterator[int]:
        """For each of the next changes of stacks, the pieces that may be in a stack of a type until then."""
        first = self.span_at[moment] + 1
        for at in range(first, min(first + SPANS_AHEAD, len(self.spans))):
            if not self.ways[at]:
                return
            goals = [goal for source, goal in self.ways[at][number].stays if source == stack]
            stack = goals[0] if goals else SEEN
            yield self.pieces[at][number].get(stack, 0)

    def strangers(self, moment: int, stacks: Stacks) -> list[tuple[int, int]]:
        """The pieces that are in stacks in which they cannot have been, each with the number of its type."""
        return [
            (number, piece)
            for number, (tracker, pieces) in enumerate(zip(stacks, self.at(moment), strict=True))
            for piece, stack in tracker.numbers.items()
            if not pieces[stack] >> piece & 1
        ]

    def without(self, exclusions: Sequence[Exclusion]) -> Whereabouts | None:
        """The whereabouts if some pieces are not in some stacks; None if no place would be left for one."""
        pieces = list(self.pieces)
        pending = dict[int, set[int]]()
        for exclusion in exclusions:
            at, number = self.span_at[exclusion.moment], exclusion.number
            stacks = dict(pieces[at][number])
            stacks[exclusion.stack] &= ~exclusion.pieces
            pieces[at] = _with_type(pieces[at], number, stacks)
            pending.setdefault(number, set()).update((at, at + 1))
        try:
            return self._narrowed(pieces, pending, needs_room=True)
        except NoRoom:
            return None

    def with_stacks(self, moment: int, stacks: Stacks) -> Whereabouts | None:
        """The whereabouts if the pieces are in given stacks at a moment; None if no place would be left for one."""
        return self.without(
            [
                Exclusion(moment, number, stack, mask & ~here.get(stack, 0))
                for number, (pieces, here) in enumerate(
                    zip(self.at(moment), places_of(stacks), strict=True)
                )
                for stack, mask in pieces.items()
                if mask & ~here.get(stack, 0)
            ]
        )

    def first_stranger(self, reached: Sequence[Stacks]) -> int | None:
        """The first moment at which a piece is in a stack in which it cannot have been, if there is one."""
        moments = range(len(reached))
        return next((at for at in moments if self.strangers(at, reached[at])), None)

    def _narrowed(
        self,
        pieces: list[tuple[Pieces, ...]],
        pending: dict[int, set[int]],
        needs_room: bool = False,
    ) -> Whereabouts:
        """The whereabouts without what cannot be; `pending` has, for each type, the spans that are new or have changed.

        Raises:
            NoRoom: a stack that has changed may have fewer pieces than it has, and it needs room.
        """
        for number, changed in pending.items():
            of_type = [span[number] for span in pieces]
            self._narrow_type(of_type, number, changed, needs_room)
            for at, stacks in enumerate(of_type):
                if stacks is not pieces[at][number]:
                    pieces[at] = _with_type(pieces[at], number, stacks)
        return evolve(self, pieces=tuple(pieces))

    def _narrow_type(
        self, of_type: list[Pieces], number: int, pending: set[int], needs_room: bool
    ) -> None:
        """Narrow what may be in the stacks of one type in each span."""
        pending.discard(len(of_type))
        unsettled = set(pending)

        def narrow(at: int) -> None:
            pending.discard(at)
            if needs_room and at in unsettled and not self._has_room(of_type[at], number, at):
                raise NoRoom
            for changed in self._narrow_link(of_type, number, at, at in unsettled):
                if needs_room and not self._has_room(of_type[changed], number, changed):
                    raise NoRoom
                pending.update(link for link in (changed, changed + 1) if link < len(of_type))
            unsettled.discard(at)

        while pending:
            for at in range(min(pending), len(of_type)):
                if at in pending:
                    narrow(at)
            for at in range(max(pending, default=-1), -1, -1):
                if at in pending:
                    narrow(at)

    def _narrow_link(
        self, of_type: list[Pieces], number: int, at: int, is_unsettled: bool
    ) -> Iterator[int]:
        """Compare a span with the one before it; gives which of the two have changed."""
        later = after = of_type[at]
        if self.ways[at]:
            earlier = of_type[at - 1]
            before, after = _linked(self.ways[at][number], earlier, later)
            if before != earlier:
                of_type[at - 1] = _settled(self.spans[at - 1].counts[number], before)
                yield at - 1
        if is_unsettled or after != later:
            of_type[at] = _settled(self.spans[at].counts[number], after)
            if of_type[at] != later:
                yield at

    def has_room(self) -> bool:
        """Whether each stack may have as many pieces as it has."""
        return all(
            self._has_room(stacks, number, at)
            for at, span in enumerate(self.pieces)
            for number, stacks in enumerate(span)
        )

    def _has_room(self, stacks: Pieces, number: int, at: int) -> bool:
        counts = self.spans[at].counts[number]
        return all([mask.bit_count() >= counts[stack] for stack, mask in stacks.items()])

    def first_change(self, before: Whereabouts) -> int:
        """The first moment of which more is known than was known before."""
        for span, old, new in zip(self.spans, before.pieces, self.pieces, strict=False):
            if old is not new and old != new:
                return span.first
        return len(before.span_at)


@frozen
class Exclusion:
    """Pieces of a secret type, as a mask, that are not in a stack at a moment."""

    moment: int
    number: int
    stack: int
    pieces: int


NOWHERE = Whereabouts(False, (), (), (), ())
LIKELY_NOWHERE = evolve(NOWHERE, is_likely=True)
"""The whereabouts of a history that has not begun."""


def whereabouts_of(history: History, before: Whereabouts) -> Whereabouts:
    """The whereabouts of a history, from those of its beginning."""
    spans, ways, pieces = list(before.spans), list(before.ways), list(before.pieces)
    span_at = list(before.span_at)
    first_new = len(spans)
    for number in range(len(span_at), len(history.moments)):
        moment = history.moments[number]
        if not span_at or not _is_same_span(history.moments[number - 1], moment):
            span = MomentSpan(
                number,
                number > history.tracked,
                tuple(dict(Counter(stack for stack, _ in seen)) for seen in moment.stacks),
                tuple(map(dict, moment.stacks)),
                moment.hidden.pieces,
            )
            ways.append(_ways(spans[-1], span, before.is_likely) if spans else ())
            spans.append(span)
            everywhere = zip(span.counts, span.hidden, strict=True)
            pieces.append(tuple(dict.fromkeys(stacks, hidden) for stacks, hidden in everywhere))
        span_at.append(len(spans) - 1)
    narrowed = Whereabouts(
        before.is_likely, tuple(spans), tuple(ways), tuple(pieces), tuple(span_at)
    )
    types = range(len(spans[0].counts)) if spans else ()
    return narrowed._narrowed(pieces, {number: {*range(first_new, len(spans))} for number in types})


def places_of(stacks: Stacks) -> tuple[Pieces, ...]:
    """For each secret type, the pieces that are in each stack."""
    places = tuple(dict.fromkeys(tracker.numbers.values(), 0) for tracker in stacks)
    for pieces, tracker in zip(places, stacks, strict=True):
        for piece, stack in tracker.numbers.items():
            pieces[stack] |= 1 << piece
    return places


def _is_same_span(before: Moment, moment: Moment) -> bool:
    return moment.stacks is before.stacks and moment.hidden.pieces == before.hidden.pieces


def _linked(ways: Ways, before: Pieces, after: Pieces) -> tuple[Pieces, Pieces]:
    """What may be in the stacks of one type, before and after a change of stacks, given both."""
    left, came = dict.fromkeys(before, 0), dict.fromkeys(after, 0)
    for source, goal in (*ways.stays, *ways.changes):
        mask = before.get(source, ways.went_under) & after.get(goal, ways.turned_up)
        if source != SEEN:
            left[source] |= mask
        if goal != SEEN:
            came[goal] |= mask
    return left, came


def _ways(earlier: MomentSpan, later: MomentSpan, is_likely: bool) -> tuple[Ways, ...]:
    """The ways of the pieces of each secret type between two spans; none if nothing is known of them."""
    if not later.is_followed and not is_likely:
        return ()
    return tuple(
        _ways_of_type(earlier, later, number, is_likely) for number in range(len(later.counts))
    )


def _ways_of_type(earlier: MomentSpan, later: MomentSpan, number: int, is_likely: bool) -> Ways:
    old, new = earlier.counts[number], later.counts[number]
    old_features, new_features = earlier.features[number], later.features[number]
    turned_up = earlier.hidden[number] & ~later.hidden[number]
    went_under = later.hidden[number] & ~earlier.hidden[number]
    if later.is_followed:
        stays = [(stack, stack) for stack in old if stack in new]
    else:  # the stacks have other numbers; those that look the same are likely to be the same
        stack_of = {features: stack for stack, features in new_features.items()}
        stays = [
            (stack, stack_of[features])
            for stack, features in old_features.items()
            if features in stack_of
        ]
    leaving, coming = dict(old), dict(new)
    for source, goal in stays:
        stayed = min(old[source], new[goal])
        leaving[source] -= stayed
        coming[goal] -= stayed
    leaving[SEEN], coming[SEEN] = went_under.bit_count(), turned_up.bit_count()
    pairs = [
        (source, goal)
        for source, goal in product(leaving, coming)
        if leaving[source] and coming[goal] and (source, goal) != (SEEN, SEEN)
    ]
    if is_likely and not leaving[SEEN] and not coming[SEEN]:
        likeness = {
            (source, goal): _likeness(old_features[source], new_features[goal])
            for source, goal in pairs
        }
        most = dict[int, int]()
        for pair, like in likeness.items():
            most[pair[0]] = max(most.get(pair[0], 0), like)
        likely = [pair for pair in pairs if likeness[pair] == most[pair[0]]]
        for goal, count in coming.items():
            if sum(leaving[source] for source, there in likely if there == goal) < count:
                likely += [pair for pair in pairs if pair[1] == goal]
        pairs = list(dict.fromkeys(likely))
    return Ways(tuple(stays), tuple(pairs), went_under, turned_up)


def _likeness(old: Features, new: Features) -> int:
    """In how many values features are alike."""
    return (old == new) + sum(
        before == after
        for old_part, new_part in zip(old, new, strict=True)
        for before, after in zip(old_part, new_part, strict=False)
    )


def _with_type(pieces: tuple[Pieces, ...], number: int, stacks: Pieces) -> tuple[Pieces, ...]:
    """The pieces of all types with others of one type."""
    return (*pieces[:number], stacks, *pieces[number + 1 :])


def _settled(counts: dict[int, int], pieces: Pieces) -> Pieces:
    """The same, where a stack of which all pieces are known has no others, and they are in no other."""
    while True:
        once = several = 0
        for mask in pieces.values():
            several |= once & mask
            once |= mask
        only = once & ~several  # pieces that can be in one stack alone
        settled = pieces
        for stack, mask in pieces.items():
            count, excess = counts[stack], mask.bit_count() - counts[stack]
            if excess > 0 and (mask & only).bit_count() == count:
                settled = {**settled, stack: mask & only}
            elif not excess and mask & several:
                settled = {
                    there: may if there == stack else may & ~mask for there, may in settled.items()
                }
        if settled == pieces:
            return pieces
        pieces = settled
