"""What stands between a place and others, for all others at once: `table[h + y] & full` without a loop over `y`.

Each row of such a table is one place. From there the others form *chains*, each the members of a line in order: what
stands between is the beginning of the chain. So all members behind the first obstacle of a chain are covered, and
arithmetic finds them: by the lowest bit of the obstacles where the chain goes up, by the highest where it goes down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from hots_rules.compile.codes import bits
from hots_rules.native.lowering.numbers import ALL, ONE, binary
from hots_rules.native.lowering.program import Expr, Unary
from hots_rules.native.lowering.static_values import NoPlaneError

MAX_CHAINS = 16
"""The most chains of a place; a loop over the members is quicker than more."""
Chains = tuple[list[tuple[int, ...]], list[tuple[int, ...]]]
"""Those that go up, and those that go down: for each, the mask of its members in each row, 0 where there is none."""


def chains_of(table: Sequence[int], members: int) -> Chains:
    """The chains of a table that has `members` numbers for each place.

    >>> from hots_rules.native.lowering.chains import chains_of
    >>> chains_of((0, 0, 0b10, 0, 0, 0, 0b10, 0, 0), 3)
    ([(6, 0, 0)], [(0, 0, 3)])

    Raises:
        NoPlaneError: what stands between is no such beginning, or a place has too many chains.
    """
    rows = [table[start : start + members] for start in range(0, len(table), members)]
    ups, downs = zip(*map(_chains_of_row, rows), strict=True)
    if max(map(len, ups)) + max(map(len, downs)) > MAX_CHAINS:
        raise NoPlaneError
    return list(zip_longest(*ups, fillvalue=0)), list(zip_longest(*downs, fillvalue=0))


def _chains_of_row(row: Sequence[int]) -> tuple[list[int], list[int]]:
    ups, downs = list[int](), list[int]()
    left = {member for member, between in enumerate(row) if between}
    while left:
        last = max(left, key=lambda member: (row[member].bit_count(), member))
        chain = row[last] | 1 << last
        places = list(bits(chain))
        if _has_beginnings(row, places):
            ups.append(chain)
        elif _has_beginnings(row, places[::-1]):
            downs.append(chain)
        else:
            raise NoPlaneError
        left.difference_update(places)
    return ups, downs


def _has_beginnings(row: Sequence[int], chain: Sequence[int]) -> bool:
    """Whether what stands before each member of a chain are the members before it."""
    before = 0
    for member in chain:
        if member >= len(row) or row[member] != before:
            return False
        before |= 1 << member
    return True


def behind(obstacles: Expr, *, goes_up: bool) -> Expr:
    """The numbers behind the first obstacle of a chain: above the lowest, or below the highest; none without one."""
    if goes_up:
        upto = binary("xor", obstacles, binary("sub", obstacles, ONE))
        return binary("xor", upto, ALL)
    # Bit 0 is the last of a chain that goes down, so nothing is behind it.
    highest = binary("sub", Unary("length", binary("or", obstacles, ONE)), ONE)
    return binary("sub", binary("shl", ONE, highest), ONE)


def named_chains(table: str, chains: Chains) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """A name for the masks of each chain, the masks, and whether the chain goes up."""
    for masks, goes_up in zip(chains, (True, False), strict=True):
        for number, row in enumerate(masks):
            yield f"{table}_{'up' if goes_up else 'down'}_{number}", row, goes_up
