"""Functions that change the state for a time: the cells that they may change are kept before, and put back after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.native.lowering.module import ModuleLowering
from hots_rules.native.lowering.numbers import ZERO
from hots_rules.native.lowering.program import (
    Body,
    Call,
    Const,
    ForRange,
    Function,
    Load,
    Local,
    Region,
    Statement,
    Store,
    end_of,
    walk,
)
from hots_rules.native.lowering.statements import keep_name, put_back_name
from hots_rules.rules.graph import reachable

MAX_WRITTEN_OUT = 4  # cells that are copied without a loop
CellRange = tuple[int, int]
"""The first of some cells, and the one behind the last."""


def keep_states(module: ModuleLowering) -> tuple[list[Function], Mapping[str, Region]]:
    """The functions that keep and put back cells, and the memory with the regions in which these are kept.

    No function calls itself, so each has one such region.
    """
    if not module.trials:
        return [], module.memory
    bodies = {function.name: function.body for function in module.functions}
    calls = {name: _calls(body) for name, body in bodies.items()}
    slots = module.memory["SLOTS"]
    functions: list[Function] = []
    memory = dict(module.memory)
    base = end_of(memory)
    for name in module.trials:
        runs = _joined(
            run
            for called in reachable(calls, (name,))
            for run in _stores(bodies.get(called, ()))
            if slots.base <= run[0] < slots.base + slots.room
        )
        keep, put_back = list[Statement](), list[Statement]()
        first = base
        for start, end in runs:
            keep += _copied(start, base, end - start)
            put_back += _copied(base, start, end - start)
            base += end - start
        memory[f"KEPT {name}"] = Region(first, base - first)
        functions.append(Function(keep_name(name), (), tuple(keep)))
        functions.append(Function(put_back_name(name), (), tuple(put_back)))
    return functions, memory


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
