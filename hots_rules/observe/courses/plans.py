"""Plans: for each hidden piece, the stacks in which it is at each moment, chosen among those in which it may be.

A plan is made without playing a move, so a choice that leaves no place for another piece is found at once. Which moves
lead there, and whether they are legal, the search finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from hots_rules.compile.codes import bits
from hots_rules.observe.courses.history import Stacks
from hots_rules.observe.courses.whereabouts import Exclusion, Pieces, Whereabouts

Wish = Callable[[int], Sequence[Pieces] | None]
"""For a span, by number, where the pieces of each type shall be if they can; None if that is all the same."""


class Due(NamedTuple):
    """The stacks in which the hidden pieces shall be at a moment."""

    moment: int
    stacks: Stacks


class Plan(NamedTuple):
    """A plan from a moment on, if one was found; the whereabouts and the stacks there for which it was made."""

    whereabouts: Whereabouts
    at: int
    stacks: Stacks
    decided: Whereabouts | None

    def is_left(self, at: int, stacks: Stacks) -> bool:
        """Whether the stacks at a moment do not agree with the plan."""
        if self.decided is None or at < self.at:
            return (at, stacks) != (self.at, self.stacks)
        return bool(self.decided.strangers(at, stacks))


def planned(
    whereabouts: Whereabouts,
    moment: int,
    stacks: Stacks,
    chance: Random,
    wish: Wish | None = None,
    due: Due | None = None,
) -> Whereabouts | None:
    """The whereabouts if the pieces are in given stacks at a moment, with one place for each piece from then on.

    They are in the stacks in which they are due at a later moment. Where there is a choice, a piece goes where it is
    wished. None if a choice that cannot be taken back leaves no place for a piece.
    """
    first = whereabouts.span_at[moment]
    plan = whereabouts.with_stacks(moment, stacks)
    if due is not None:
        plan = plan and plan.with_stacks(due.moment, due.stacks)
    for at in range(first + 1, len(whereabouts.spans)):
        if whereabouts.ways[at]:
            wished = wish(at) if wish else None
            for number in range(len(whereabouts.pieces[at])):
                plan = plan and _decided(
                    plan, at, number, chance, wished[number] if wished else None
                )
    return plan


def _decided(
    plan: Whereabouts, at: int, number: int, chance: Random, wished: Pieces | None
) -> Whereabouts | None:
    """A plan in which each stack of a type has in one span no more pieces that may be in it than it holds.

    The small stacks come first: what is left of a large one then follows.
    """
    counts, moment = plan.spans[at].counts[number], plan.spans[at].first
    if wished is None:
        wished = {}
    else:
        put = [
            Exclusion(moment, number, stack, pieces & ~wished.get(stack, pieces))
            for stack, pieces in plan.pieces[at][number].items()
            if pieces & ~wished.get(stack, pieces)
        ]
        plan = (put and plan.without(put)) or plan
    for stack in sorted(counts, key=counts.__getitem__):
        while plan.pieces[at][number][stack].bit_count() > counts[stack]:
            pieces = plan.pieces[at][number]
            others = [other for other in pieces if other != stack]
            open_pieces = [
                piece
                for piece in bits(pieces[stack])
                if any(pieces[o] >> piece & 1 for o in others)
            ]
            if not open_pieces:  # more can be nowhere else than it holds
                return None
            liked = [piece for piece in open_pieces if wished.get(stack, 0) >> piece & 1]
            piece = 1 << chance.choice(liked or open_pieces)
            put = [Exclusion(moment, number, o, piece) for o in others if pieces[o] & piece]
            decided = plan.without(put) or plan.without([Exclusion(moment, number, stack, piece)])
            if decided is None:
                return None
            plan = decided
    return plan
