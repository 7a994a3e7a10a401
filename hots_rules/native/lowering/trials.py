"""Functions that change the state for a time: the cells that they may change are kept before, and put back after.

While legal actions are listed, nothing else changes the state. So the cells that a function has kept once are right
until the list is complete: the cell `LISTING` has the number of the list, and 0 at other times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.native.lowering.module import ModuleLowering
from hots_rules.native.lowering.numbers import ONE, ZERO, binary, compare
from hots_rules.native.lowering.program import (
    Assign,
    Body,
    Branch,
    Call,
    Const,
    ForRange,
    Function,
    Load,
    Local,
    Region,
    Return,
    Statement,
    Store,
    end_of,
    walk,
)
from hots_rules.native.lowering.statements import keep_name, put_back_name
from hots_rules.rules.graph import reachable

ROOMS = {"LISTING": 1, "LISTINGS": 1}
"""The number of the list that is being made, and how many lists were made."""
MAX_WRITTEN_OUT = 4  # cells that are copied without a loop
CellRange = tuple[int, int]
"""The first of some cells, and the one behind the last."""


def keep_states(module: ModuleLowering) -> tuple[list[Function], Mapping[str, Region]]:
    """The functions that keep and put back cells, and the memory with the regions in which these are kept.

    No function calls itself, so each has one such region. Its first cell has the number of the list for which it is
    right.
    """
    if not module.trials:
        return [], module.memory
    bodies = {function.name: function.body for function in module.functions}
    calls = {name: _calls(body) for name, body in bodies.items()}
    slots = module.memory["SLOTS"]
    functions: list[Function] = []
    memory = dict(module.memory)
    base = end_of(memory)
    inner = {
        called
        for name in module.trials
        for part in calls[name]
        for called in reachable(calls, (part,))
    }
    for name in module.trials:
        runs = _joined(
            run
            for called in reachable(calls, (name,))
            for run in _stores(bodies.get(called, ()))
            if slots.base <= run[0] < slots.base + slots.room
        )
        keep, put_back = list[Statement](), list[Statement]()
        first, base = base, base + 1
        for start, end in runs:
            keep += _copied(start, base, end - start)
            put_back += _copied(base, start, end - start)
            base += end - start
        memory[f"KEPT {name}"] = Region(first, base - first)
        if name not in inner:
            keep = [_once_a_list(first, module.memory["LISTING"], tuple(keep))]
        functions.append(Function(keep_name(name), (), tuple(keep)))
        functions.append(Function(put_back_name(name), (), tuple(put_back)))
    return functions, memory


def listed(memory: Mapping[str, Region], call: Call) -> Body:
    """The call that lists legal actions, for which cells of the state are kept once."""
    listing, listings, many = memory["LISTING"], memory["LISTINGS"], Local("many")
    return (
        listings.store(binary("add", listings.load(), ONE)),
        listing.store(listings.load()),
        Assign(many.name, call),
        listing.store(ZERO),
        Return(many),
    )


def _once_a_list(stamp: int, listing: Region, keep: Body) -> Statement:
    """Keeps cells unless that was done for the list that is being made."""
    is_right = binary(
        "and",
        compare("ne", listing.load(), ZERO),
        compare("eq", listing.load(), Load(stamp)),
    )
    return Branch(is_right, (), (*keep, Store(stamp, listing.load())))


def _calls(body: Body) -> set[str]:
    return {node.function for node in walk(body) if isinstance(node, Call)}


def _stores(body: Body) -> Iterator[CellRange]:
    """The cells that statements may change."""
    for node in walk(body):
        if isinstance(node, Store):
            yield node.base, node.base + (1 if node.index is None else node.room)


def _joined(runs: Iterator[CellRange]) -> list[CellRange]:
    joined: list[CellRange] = []
    for start, end in sorted(set(runs)):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def _copied(from_: int, to: int, count: int) -> Body:
    """Statements that copy some cells."""
    if count <= MAX_WRITTEN_OUT:
        return tuple(Store(to + at, Load(from_ + at)) for at in range(count))
    at = Local("at")
    copy = Store(to, Load(from_, at, count), at, count)
    return (ForRange(at.name, ZERO, Const(count), (copy,)),)
