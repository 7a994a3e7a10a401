"""Which slot of the state holds what."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field, frozen

from hots_rules.compile.evaluate import lowest_code
from hots_rules.compile.program import FIRST_FREE
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import walk

MAX_INDEXED, MAX_COUNTED = 64, 8


@frozen
class Block:
    """The slots of one variable: where they begin, and by how much each key counts."""

    name: str
    base: int
    sizes: tuple[int, ...]
    lows: tuple[int, ...]
    type: types.Type
    initial: int

    @property
    def count(self) -> int:
        """How many slots there are."""
        total = 1
        for size in self.sizes:
            total *= size
        return total


@define
class Layout:
    """The slots of variables, of their indexes and of the frame.

    An index says where the set for the code 0 stands or would stand: the set for a code is that many slots on.
    """

    blocks: dict[str, Block] = field(factory=dict)
    indexes: dict[str, int] = field(factory=dict)
    frame: dict[str, int] = field(factory=dict)
    size: int = FIRST_FREE

    def initial(self) -> list[int]:
        """The state before any scenario: every variable at its initial value, indexes agreeing."""
        slots = [0] * self.size
        for block in self.blocks.values():
            slots[block.base : block.base + block.count] = [block.initial] * block.count
            if block.name in self.indexes:
                slots[self.indexes[block.name] + block.initial] = (1 << block.count) - 1
        return slots


def laid_out(typed: tast.TypedRuleset, indexed: Iterable[str], frame: Iterable[Local]) -> Layout:
    """The layout of a ruleset, given the variables that want an index and the local names of the frame."""
    layout = Layout()
    for variable in typed.variables.values():
        sizes = tuple(types.size(key) for key in variable.keys)
        lows = tuple(lowest_code(key) for key in variable.keys)
        block = Block(variable.name, layout.size, sizes, lows, variable.type, variable.initial)
        layout.blocks[variable.name] = block
        layout.size += block.count
    for name in sorted(set(indexed)):
        type_ = typed.variables[name].type
        layout.indexes[name] = layout.size - lowest_code(type_)
        layout.size += types.size(type_)
    for local in frame:
        layout.frame[local.name] = layout.size
        layout.size += 1
    return layout


def wants_index(nodes: Iterable[Expr], typed: tast.TypedRuleset) -> set[str]:
    """The maps that are searched by value: `x where place[x] = a` wants to know who is at `a`."""
    found: set[str] = set()
    for root in nodes:
        for node in walk(root):
            match node:
                case tast.Operation(op="eq" | "ne" | "in" | "lt" | "le" | "gt" | "ge"):
                    found |= {name for arg in node.args if (name := _searched(arg, typed))}
                case tast.TypeTest():
                    found |= {name for name in [_searched(node.body, typed)] if name}
                case tast.Load(type=types.BoolType()) if name := _searched(node, typed):
                    found.add(name)
    return found


def _searched(node: Expr, typed: tast.TypedRuleset) -> str | None:
    while isinstance(node, tast.Convert):
        node = node.body
    if (
        not isinstance(node, tast.Load)
        or len(node.keys) != 1
        or not isinstance(node.keys[0], Local)
    ):
        return None
    variable = typed.variables[node.variable]
    key = variable.keys[0]
    if (
        isinstance(key, types.WordType)
        and isinstance(variable.type, types.WordType | types.BoolType | types.IntType)
        and types.size(variable.type)
        <= (MAX_COUNTED if isinstance(variable.type, types.IntType) else MAX_INDEXED)
    ):
        return node.variable
    return None
