"""Blocks that go on with the next one themselves, where it is known: the run loop then has one turn for all of them.

A block returns the number of the next one. Where that is a constant, it calls the next one and returns what that
returns. So that no function calls itself, one block of each cycle still returns to the run loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import define, evolve, field

from hots_rules.native.lowering.numbers import binary
from hots_rules.native.lowering.program import (
    Body,
    Branch,
    Call,
    Const,
    ForBits,
    ForRange,
    Function,
    Region,
    Return,
    Statement,
    Switch,
    While,
)
from hots_rules.rules.graph import reachable


def join_blocks(
    functions: Iterable[Function], blocks: Mapping[int, str], steps: Sequence[int], left: Region
) -> list[Function]:
    """The functions of a program, whose `blocks` call the next one, and take its `steps` from those that are `left`."""
    joining = _Joining(blocks, steps, left)
    numbers = {name: number for number, name in blocks.items()}
    return [
        evolve(function, body=joining.body(numbers[function.name], function.body))
        if function.name in numbers
        else function
        for function in functions
    ]


def charged(block: int, steps: Sequence[int], left: Region, name: str) -> Body:
    """The call of a block, whose steps are taken from those that are left."""
    rest = binary("sub", left.load(), Const(steps[block]))
    return left.store(rest), Return(Call(name))


@define
class _Joining:
    blocks: Mapping[int, str]
    steps: Sequence[int]
    left: Region
    calls: dict[int, list[int]] = field(factory=dict)

    def body(self, block: int, body: Body) -> Body:
        return tuple(part for statement in body for part in self.statement(block, statement))

    def statement(self, block: int, node: Statement) -> Body:
        match node:
            case Return(Const(after)) if after in self.blocks and self._calls(block, after):
                return charged(after, self.steps, self.left, self.blocks[after])
            case Branch(then=then, otherwise=otherwise):
                parts = self.body(block, then), self.body(block, otherwise)
                return (evolve(node, then=parts[0], otherwise=parts[1]),)
            case Switch(cases=cases, otherwise=otherwise):
                joined = tuple((number, self.body(block, case)) for number, case in cases)
                return (evolve(node, cases=joined, otherwise=self.body(block, otherwise)),)
            case While() | ForRange() | ForBits():
                return (evolve(node, body=self.body(block, node.body)),)
        return (node,)

    def _calls(self, block: int, after: int) -> bool:
        """Whether a block may call the one after it: that does not lead back to it."""
        if block in reachable(self.calls, (after,)):
            return False
        self.calls.setdefault(block, []).append(after)
        return True
