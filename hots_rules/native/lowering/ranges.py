"""What the words of a program can be, as numbers with signs: which indexes need no check.

A name has one range in a whole function, whatever the order of its assignments; a parameter has what all calls pass. A
call from outside may pass anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import define, field

from hots_rules.native.lowering import bounds as b
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.bounds import Bounds

ANY: Final = Bounds(b.LOWEST, b.HIGHEST)
_WORD_BITS: Final = Bounds(0, p.WORD)
_ROUNDS = 4  # after them, what still grows may be anything
_OPERATIONS: Final[Mapping[str, Callable[[Bounds, Bounds], Bounds]]] = {
    "add": b.add,
    "sub": b.subtract,
    "mul": b.multiply,
    "and": b.intersect,
    "or": b.unite,
    "xor": b.differ,
    "min": lambda left, right: Bounds(min(left.low, right.low), min(left.high, right.high)),
    "max": lambda left, right: Bounds(max(left.low, right.low), max(left.high, right.high)),
}
_Widening = p.Assign | p.ForRange | p.ForBits | p.Call | p.Return
"""The nodes that say what names and results can be."""


@define
class Ranges:
    """The bounds of all expressions of a program, given those of its cells.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.lowering.ranges import Ranges
    >>> index = p.Binary("and", p.Local("x"), p.Const(7))
    >>> function = p.Function("f", ("x",), (p.Return(index),), is_exported=True)
    >>> Ranges(p.Program((function,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1}))).is_below("f", index, 8)
    True
    """

    program: p.Program
    _names: dict[tuple[str, str], Bounds] = field(factory=dict, init=False)
    _results: dict[str, Bounds] = field(factory=dict, init=False)
    _tables: dict[str, Bounds] = field(init=False)
    _cells: tuple[Bounds, ...] = field(init=False)
    _params: dict[str, tuple[str, ...]] = field(init=False)
    _function: str = field(default="", init=False)
    _grows: bool = field(default=False, init=False)
    _round: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._cells = tuple(
            ANY if bounds is None else _in_word(Bounds(*bounds)) for bounds in self.program.bounds
        )
        self._tables = {
            name: _in_word(Bounds(min(entries), max(entries)))
            for name, entries in self.program.tables.items()
        }
        self._params = {function.name: function.params for function in self.program.functions}
        for function in self.program.functions:
            self._results[function.name] = Bounds(0, 0)  # what a function without a return gives
            for param in function.params if function.is_exported else ():
                self._names[function.name, param] = ANY
        widening = {
            function.name: [node for node in p.walk(function.body) if isinstance(node, _Widening)]
            for function in self.program.functions
        }
        self._grows = True
        while self._grows:
            self._grows = False
            self._round += 1
            for self._function, nodes in widening.items():
                for node in nodes:
                    self._widen_names(node)

    def is_below(self, function: str, index: p.Expr, room: int) -> bool:
        """Whether an expression in a function is certainly 0 to `room` - 1."""
        self._function = function
        bounds = self._bounds(index)
        return bounds is not None and bounds.low >= 0 and bounds.high < room

    def is_positive(self, function: str, node: p.Expr) -> bool:
        """Whether an expression in a function is certainly more than 0."""
        self._function = function
        bounds = self._bounds(node)
        return bounds is not None and bounds.low > 0

    # -------------------------------------------------------------- what names can be
    def _widen_names(self, node: _Widening) -> None:
        function = self._function
        match node:
            case p.Assign():
                self._join_name(function, node.name, self._bounds(node.value))
            case p.ForRange():
                first, stop = self._bounds(node.first), self._bounds(node.stop)
                if first is not None and stop is not None and first.low < stop.high:
                    self._join_name(function, node.name, Bounds(first.low, stop.high - 1))
            case p.ForBits():
                self._join_name(function, node.name, _bit_of(self._bounds(node.word)))
            case p.Call():
                for param, arg in zip(self._params[node.function], node.args, strict=True):
                    self._join_name(node.function, param, self._bounds(arg))
            case p.Return():
                if (bounds := self._bounds(node.value)) is not None:
                    self._results[function] = self._joined(self._results[function], bounds)

    def _join_name(self, function: str, name: str, bounds: Bounds | None) -> None:
        if bounds is not None:
            before = self._names.get((function, name))
            self._names[function, name] = bounds if before is None else self._joined(before, bounds)
            self._grows |= before is None

    def _joined(self, before: Bounds, bounds: Bounds) -> Bounds:
        after = before.join(bounds)
        if after == before:
            return before
        self._grows = True
        return after if self._round <= _ROUNDS else ANY

    # -------------------------------------------------------------- what expressions can be
    def _bounds(self, node: p.Expr) -> Bounds | None:
        """The bounds of an expression, None where it is not known yet what leads to it."""
        match node:
            case p.Const():
                return _in_word(Bounds(node.value, node.value))
            case p.Local():
                return self._names.get((self._function, node.name))
            case p.Load():
                return self._loaded(node)
            case p.Lookup():
                return self._tables[node.table]
            case p.Unary():
                return b.BIT if node.op == "not" else ANY if node.op == "swap" else _WORD_BITS
            case p.Binary():
                left, right = self._bounds(node.left), self._bounds(node.right)
                return _binary(node.op, left, right) if left and right else None
            case p.Logic():
                return b.BIT
            case p.Conditional():
                parts = [self._bounds(part) for part in (node.then, node.otherwise)]
                bounded = [part for part in parts if part is not None]
                return b.hull(bounded) if bounded else None
            case p.Call():
                return self._results[node.function]
            case p.Within():
                return Bounds(node.low, node.high)
            case p.Block():
                return self._bounds(node.value)

    def _loaded(self, node: p.Load) -> Bounds:
        """The bounds of the cells from which a word may come."""
        if node.base + node.room > len(self._cells):
            return ANY
        first, last = 0, node.room - 1
        if node.index is not None and (index := self._bounds(node.index)) is not None:
            first, last = index.cut(Bounds(first, last))
        return _in_word(b.hull(self._cells[node.base + first : node.base + last + 1]))


def _in_word(bounds: Bounds) -> Bounds:
    """Bounds, or anything where the number does not fit: it wraps around, or is no number but a set."""
    return bounds if bounds.is_signed_word else ANY


def _bit_of(word: Bounds | None) -> Bounds | None:
    if word is None:
        return None
    return Bounds(0, max(word.high.bit_length() - 1, 0) if word.low >= 0 else p.WORD - 1)


def _binary(op: p.BinaryOp, left: Bounds, right: Bounds) -> Bounds:
    if op in _OPERATIONS:
        return _in_word(_OPERATIONS[op](left, right))
    match op:
        case "rem" | "pick":
            return Bounds(0, max(right.high - 1, 0)) if right.low >= 0 else ANY
        case "div" if left.low >= 0 and right.low > 0:
            return b.divide(left, right)
        case "shl" if left.low >= 0 and 0 <= right.low and right.high < p.WORD:
            return _in_word(b.shift_left(left, right))
        case "shr" if left.low >= 0 and 0 <= right.low:
            return b.shift_right(left, right)
        case "shr" if right.low > 0:
            return Bounds(0, p.FULL >> right.low)
        case "div" | "shl" | "shr" | "rotr":
            return ANY
    return b.BIT
