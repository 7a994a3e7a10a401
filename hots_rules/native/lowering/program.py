"""The integer program: what a ruleset becomes before it is printed as Python, WebAssembly or LLVM.

There is one kind of value, a word of 64 bits, and one array of words, the memory. A word holds a number in two's
complement or up to 64 members of a set. Arithmetic wraps around. A condition is a word, true if it is not 0.

Nothing fails. An index is in its range, or stands in a `Within`. A check that does not hold stores its number in the
cell `ERROR`, and gives a value that is allowed; the caller looks at the cell later and discards the game.

A printer has one function for each kind of node below, and knows no ruleset. Loops end: `While` is the only one that
the program has to bound itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, cast, get_args

from attrs import fields, frozen

WORD: Final = 64
"""The number of bits of a word."""
FULL: Final = (1 << WORD) - 1
"""A word with all its bits."""

UnaryOp = Literal["not", "count", "length", "first", "swap"]
"""`not`: 1 for 0, else 0. `count`: how many bits are set. `length`: of the number without a sign, as `bit_length`.
`first`: the number of the lowest bit, 64 for 0. `swap`: the bytes in reverse order."""
ArithmeticOp = Literal["add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "rotr"]
"""`div` and `rem` take numbers without a sign, and no 0 divides. Shifts fill with 0; their distance is 0 to 63."""
CompareOp = Literal["eq", "ne", "lt", "le", "gt", "ge"]
"""Comparisons of numbers with a sign: 1 if true, else 0."""
BinaryOp = ArithmeticOp | CompareOp | Literal["min", "max", "pick"]
"""`min` and `max` are of numbers with a sign. `pick(x, n)` is `int(x / 2**53 * n)` in floating point, as
`int(random() * n)` has it; 0 <= x < 2**53 and 0 < n < 2**31."""


# -------------------------------------------------------------- expressions
@frozen
class Const:
    """A number, from -2**63 to 2**64 - 1."""

    value: int


@frozen
class Local:
    """The value of a parameter, of a name that was assigned, or of a loop's member."""

    name: str


@frozen
class Load:
    """The word at `base + index` in the memory; the index is 0 to `room` - 1, and 0 where there is none."""

    base: int
    index: Expr | None = None
    room: int = 1


@frozen
class Lookup:
    """The entry of a constant table; the index is below the length of the table."""

    table: str
    index: Expr


@frozen
class Unary:
    """The word that an operation makes of one word."""

    op: UnaryOp
    value: Expr


@frozen
class Binary:
    """The word that an operation makes of two words; both are computed."""

    op: BinaryOp
    left: Expr
    right: Expr


@frozen
class Logic:
    """1 if all parts are true (`and`), or some (`or`), else 0; parts after the one that decides are not computed."""

    op: Literal["and", "or"]
    parts: tuple[Expr, ...]


@frozen
class Conditional:
    """One of two values; the other is not computed."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Call:
    """The word that a call of a function of the program returns."""

    function: str
    args: tuple[Expr, ...] = ()


@frozen
class Within:
    """A value that is `low` to `high`, with signs; another stores `check` + 1 in `ERROR`, and gives `low`."""

    value: Expr
    low: int
    high: int
    check: int


@frozen
class Block:
    """Statements, then a value. The statements assign only names that no other node uses, and do not leave."""

    body: Body
    value: Expr


Expr = Const | Local | Load | Lookup | Unary | Binary | Logic | Conditional | Call | Within | Block


# -------------------------------------------------------------- statements
@frozen
class Assign:
    """Gives a name a value, within the function."""

    name: str
    value: Expr


@frozen
class Store:
    """Writes the word at `base + index` of the memory; see `Load`. The value is computed before the index."""

    base: int
    value: Expr
    index: Expr | None = None
    room: int = 1


@frozen
class StoreBytes:
    """Writes the eight bytes of a word, the lowest first, from byte `at` of `room` cells on: 0 to 8 * `room` - 8.

    The value is computed before the place.
    """

    base: int
    value: Expr
    at: Expr
    room: int


@frozen
class Do:
    """Computes a value for its effects: the call of a function, or a check."""

    value: Expr


@frozen
class Branch:
    """Statements under a condition, and others where it is false."""

    condition: Expr
    then: Body
    otherwise: Body = ()


@frozen
class While:
    """Repeats statements as long as a condition is true."""

    condition: Expr
    body: Body


@frozen
class ForRange:
    """Repeats statements for `first`, `first` + 1 and so on, below `stop`; both are computed once."""

    name: str
    first: Expr
    stop: Expr
    body: Body


@frozen
class ForBits:
    """Repeats statements for the number of each bit of a word, the lowest first; the word is computed once."""

    name: str
    word: Expr
    body: Body


@frozen
class Switch:
    """The statements for a number, or others where there are none for it."""

    subject: Expr
    cases: tuple[tuple[int, Body], ...]
    otherwise: Body = ()


@frozen
class Break:
    """Leaves the innermost loop."""


@frozen
class Continue:
    """Goes on with the next turn of the innermost loop."""


@frozen
class Return:
    """Leaves the function with a value. A function that ends without one returns 0."""

    value: Expr = Const(0)


Statement = (
    Assign
    | Store
    | StoreBytes
    | Do
    | Branch
    | While
    | ForRange
    | ForBits
    | Switch
    | Break
    | Continue
    | Return
)
Body = tuple[Statement, ...]
Node = Expr | Statement


# -------------------------------------------------------------- the program
@frozen
class Function:
    """A function of words. An exported one can be called from outside."""

    name: str
    params: tuple[str, ...]
    body: Body
    is_exported: bool = False


@frozen
class Region:
    """A part of the memory: its first cell, and how many cells it has."""

    base: int
    room: int

    def load(self, index: Expr | None = None) -> Load:
        """The word at an index; the first without one."""
        return Load(self.base, index, 1 if index is None else self.room)

    def store(self, value: Expr, index: Expr | None = None) -> Store:
        """Writes the word at an index; the first without one."""
        return Store(self.base, value, index, 1 if index is None else self.room)


@frozen
class Program:
    """Functions, constant tables of numbers, and the regions of the memory by name.

    Every program has the regions `SLOTS`, the state, and `ERROR`, a single cell. No function calls itself, not even by
    way of others. `bounds` has the lowest and the highest number of each of the first cells, None where a cell holds
    anything; whoever writes to the memory from outside keeps to them.
    """

    functions: tuple[Function, ...]
    tables: Mapping[str, tuple[int, ...]]
    memory: Mapping[str, Region]
    bounds: tuple[tuple[int, int] | None, ...] = ()

    @property
    def cells(self) -> int:
        """How many words the memory has."""
        return end_of(self.memory)


def lay_out(rooms: Mapping[str, int], base: int = 0) -> dict[str, Region]:
    """Regions with these numbers of cells, one after the other from a cell on.

    >>> from hots_rules.native.lowering.program import lay_out
    >>> lay_out({"SLOTS": 10, "ERROR": 1})["ERROR"]
    Region(base=10, room=1)
    """
    regions = {}
    for name, room in rooms.items():
        regions[name] = Region(base, room)
        base += room
    return regions


def end_of(memory: Mapping[str, Region]) -> int:
    """The first cell behind all regions."""
    return max(region.base + region.room for region in memory.values())


PARTS: Final[Mapping[type, tuple[str, ...]]] = {
    kind: tuple(
        attribute.name
        for attribute in reversed(fields(kind))
        if "Expr" in str(attribute.type) or "Body" in str(attribute.type)
    )
    for kind in get_args(Node)
}
"""The attributes of each kind of node in which there are nodes, the last first."""


def walk(node: object) -> Iterator[Node]:
    """All nodes of a body or of a node, itself included; each before its parts."""
    left = [node]
    while left:
        node = left.pop()
        parts = PARTS.get(type(node))
        if parts is not None:
            yield cast("Node", node)
            left.extend([getattr(node, name) for name in parts])
        elif isinstance(node, tuple):
            left.extend(reversed(node))


def assigned_names(function: Function) -> list[str]:
    """The names that a function assigns, by statements or loops, without its parameters; sorted.

    >>> from hots_rules.native.lowering import program as p
    >>> p.assigned_names(p.Function("f", ("x",), (p.Assign("y", p.Local("x")),)))
    ['y']
    """
    names = {
        node.name for node in walk(function.body) if isinstance(node, Assign | ForRange | ForBits)
    }
    return sorted(names - set(function.params))


def entry_bytes(entries: Sequence[int]) -> int:
    """The bytes of an entry of a table: 1 or 2 for numbers without a sign, 4 with signs, or 8.

    >>> from hots_rules.native.lowering.program import entry_bytes
    >>> entry_bytes((0, 255)), entry_bytes((-1, 255))
    (1, 4)
    """
    low, high = min(entries, default=0), max(entries, default=0)
    if low >= 0 and high < 1 << 16:
        return 1 if high < 1 << 8 else 2
    return 4 if low >= -(1 << 31) and high < 1 << 31 else 8
