"""Operations on numbers in words, each with the bounds of its result.

What an operation needs besides a value, as a part that is used twice, goes before it, into the `prelude`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

from hots_rules.native.lowering import bounds as b
from hots_rules.native.lowering import numbers as n
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.numbers import Number
from hots_rules.native.refusal import NotLowered, refused

INDEX_CHECK = 2_000_000
"""The check of an index, a distance or a divisor where lowering proves nothing."""

_BITWISE: Final[dict[type, tuple[p.ArithmeticOp, Callable[[Bounds, Bounds], Bounds]]]] = {
    ast.BitAnd: ("and", b.intersect),
    ast.BitOr: ("or", b.unite),
    ast.BitXor: ("xor", b.differ),
}
_SUMS: Final[dict[type, tuple[p.ArithmeticOp, Callable[[Bounds, Bounds], Bounds]]]] = {
    ast.Add: ("add", b.add),
    ast.Sub: ("sub", b.subtract),
    ast.Mult: ("mul", b.multiply),
}


class Arithmetic:
    """Numbers in, numbers out. A refusal names the node of Python, `node`, for which an operation stands."""

    def __init__(self) -> None:
        self.prelude: list[p.Statement] = []
        self._temps = 0

    # -------------------------------------------------------------- names and preludes
    def fresh(self, stem: str = "t") -> str:
        """A local name that no other statement of the function uses."""
        self._temps += 1
        return f"{stem}.{self._temps}"

    def held(self, word: p.Expr) -> p.Expr:
        """A word that may be used several times."""
        if isinstance(word, p.Const | p.Local):
            return word
        name = self.fresh()
        self.prelude.append(p.Assign(name, word))
        return p.Local(name)

    def held_number(self, number: Number) -> Number:
        """A number whose words may be used several times."""
        return Number(tuple(map(self.held, number.words)), number.bounds)

    @contextmanager
    def own_prelude(self) -> Iterator[list[p.Statement]]:
        """What is lowered inside has a prelude of its own."""
        outer, self.prelude = self.prelude, []
        try:
            yield self.prelude
        finally:
            self.prelude = outer

    def lazily(self, lower: Callable[[], p.Expr]) -> p.Expr:
        """A word that is perhaps not computed, with its prelude."""
        with self.own_prelude() as prelude:
            word = lower()
        return p.Block(tuple(prelude), word) if prelude else word

    # -------------------------------------------------------------- operations
    def operation(self, node: ast.AST, op: ast.operator, left: Number, right: Number) -> Number:
        """An operation on two numbers."""
        if bitwise := _BITWISE.get(type(op)):
            name, combine = bitwise
            bounds = combine(left.bounds, right.bounds)
            pairs = zip(left.widened(bounds.cells), right.widened(bounds.cells), strict=True)
            return Number(tuple(n.binary(name, x, y) for x, y in pairs), bounds)
        if bitwise := _SUMS.get(type(op)):
            return self.sum_of(node, *bitwise, left, right)
        match op:
            case ast.LShift():
                return self._shift_left(node, left, right)
            case ast.RShift():
                return self._shift_right(node, left, right)
            case ast.FloorDiv() | ast.Mod():
                quotient, remainder = self.divided(node, left, right)
                return quotient if isinstance(op, ast.FloorDiv) else remainder
        raise refused(node)

    def sum_of(
        self,
        node: ast.AST,
        op: p.ArithmeticOp,
        combine: Callable[[Bounds, Bounds], Bounds],
        left: Number,
        right: Number,
    ) -> Number:
        """A sum, a difference or a product."""
        bounds = combine(left.bounds, right.bounds)
        if bounds.cells > 1 or len(left.words) > 1 or len(right.words) > 1:
            raise refused(node, "arithmetic with more than 64 bits")
        return Number((n.binary(op, left.word, right.word),), bounds)

    def inverted(self, number: Number) -> Number:
        """A number with all its bits inverted."""
        bounds = b.invert(number.bounds)
        words = number.widened(bounds.cells)
        return Number(tuple(n.binary("xor", word, n.ALL) for word in words), bounds)

    def distance(self, node: ast.AST, number: Number) -> Number:
        """The distance of a shift, which is not below 0."""
        if number.bounds.low >= 0:
            return number
        if not number.bounds.is_signed_word or number.bounds.high < 0:
            raise refused(node, "a shift that may be negative")
        bounds = Bounds(0, number.bounds.high)
        return Number((p.Within(number.word, *bounds, INDEX_CHECK),), bounds)

    def _shift_left(self, node: ast.AST, left: Number, right: Number) -> Number:
        right = self.distance(node, right)
        if left.bounds.is_inside(b.BIT) and right.bounds.high < 1 << 13:
            bounds = b.shift_left(left.bounds, right.bounds)
            member, bit = right.word, left.word
            if bounds.cells > 1:
                member, bit = self.held(member), self.held(bit)
            words = (
                n.bit_in_word(member, right.bounds, place, bit) for place in range(bounds.cells)
            )
            return Number(tuple(words), bounds)
        if right.bounds.high >= p.WORD:
            raise refused(node, "a shift by more than 63 bits")
        bounds = b.shift_left(left.bounds, right.bounds)
        if bounds.cells > 1 or left.bounds.cells > 1:
            raise refused(node, "arithmetic with more than 64 bits")
        return Number((n.binary("shl", left.word, right.word),), bounds)

    def _shift_right(self, node: ast.AST, left: Number, right: Number) -> Number:
        if left.bounds.cells > 1 and left.bounds.low >= 0 and right.bounds.low == right.bounds.high:
            return self._shifted_words(left, right.bounds.high)
        right = self.distance(node, right)
        if left.bounds.cells > 1 or left.bounds.low < 0 or right.bounds.high >= p.WORD:
            raise refused(node, "a shift of more than 64 bits")
        bounds = b.shift_right(left.bounds, right.bounds)
        return Number((n.binary("shr", left.word, right.word),), bounds)

    def _shifted_words(self, left: Number, distance: int) -> Number:
        """A number of several words, shifted right by a fixed distance."""
        bounds = b.shift_right(left.bounds, Bounds(distance, distance))
        first, rest = divmod(distance, p.WORD)
        words = [*map(self.held, left.words[first:]), n.ZERO]
        if not rest:
            return Number(tuple(words[: bounds.cells]), bounds)
        down, up, binary = p.Const(rest), p.Const(p.WORD - rest), n.binary
        shifted = [
            binary("or", binary("shr", low, down), binary("shl", high, up))
            for low, high in pairwise(words)
        ]
        return Number(tuple(shifted[: bounds.cells]), bounds)

    def lowest(self, mask: Number) -> Number:
        """The set of the lowest member of a set: `mask & -mask`."""
        if mask.bounds.low < 0:
            raise AssertionError(mask)
        mask = self.held_number(mask)
        member = self.held(n.first_member(mask.words))
        members = Bounds(0, mask.bounds.cells * p.WORD)
        if mask.bounds.cells == 1:
            return Number(
                (n.binary("and", mask.word, p.Binary("sub", n.ZERO, mask.word)),), mask.bounds
            )
        places = range(mask.bounds.cells)
        return Number(tuple(n.bit_in_word(member, members, k) for k in places), mask.bounds)

    def divided(self, node: ast.AST, left: Number, right: Number) -> tuple[Number, Number]:
        """Quotient and remainder, rounded down as Python does."""
        if right.bounds.low < 1:
            bounds = Bounds(1, max(right.bounds.high, 1))
            right = Number((p.Within(right.word, *bounds, INDEX_CHECK),), bounds)
        if not (left.bounds.is_signed_word and right.bounds.is_signed_word):
            raise refused(node, "a division of more than 63 bits")
        quotient = b.divide(left.bounds, right.bounds)
        remainder = Bounds(0, right.bounds.high - 1)
        value, divisor = self.held(left.word), self.held(right.word)
        if left.bounds.low >= 0:
            remainder = Bounds(0, min(remainder.high, left.bounds.high))
            return (
                Number((p.Binary("div", value, divisor),), quotient),
                Number((p.Binary("rem", value, divisor),), remainder),
            )
        # Add as many divisors as make the dividend natural, and take them off the quotient.
        times = -(left.bounds.low // right.bounds.low)
        lifted = self.held(n.binary("add", value, n.binary("mul", divisor, p.Const(times))))
        if left.bounds.high + times * right.bounds.high > b.HIGHEST:
            raise refused(node, "a division of more than 63 bits")
        lowered = p.Binary("sub", p.Binary("div", lifted, divisor), p.Const(times))
        return Number((lowered,), quotient), Number((p.Binary("rem", lifted, divisor),), remainder)

    # -------------------------------------------------------------- checks and extremes
    def within(self, number: Number, bounds: Bounds, check: int) -> Number:
        """A number after a check, which is left out where it cannot fail."""
        if number.bounds.is_inside(bounds):
            return number
        if not (number.bounds.is_signed_word and bounds.is_signed_word):
            return self._inside_mask(number, bounds, check)
        return Number((p.Within(number.word, *bounds, check),), bounds)

    def _inside_mask(self, number: Number, bounds: Bounds, check: int) -> Number:
        """A set after a check that it has no other members."""
        if number.bounds.low < 0 or bounds != b.mask_of(bounds.members):
            raise NotLowered("a check of a number with more than 63 bits")
        number = self.held_number(number)
        allowed = n.constant(bounds.high).widened(number.bounds.cells)
        outside = n.any_of(
            n.binary("and", word, n.binary("xor", mask, n.ALL))
            for word, mask in zip(number.words, allowed, strict=True)
        )
        self.prelude.append(p.Do(p.Within(n.as_bit(outside), 0, 0, check)))
        kept = zip(number.words[: bounds.cells], allowed, strict=False)
        return Number(tuple(n.binary("and", word, mask) for word, mask in kept), bounds)

    def only_member(self, mask: Number, check: int) -> Number:
        """The only member of a set, after a check that it has one."""
        mask = self.held_number(mask)
        is_single = n.compare("eq", n.total_count(mask.words), n.ONE)
        fault = p.Within(n.ONE, 0, 0, check)
        word = p.Conditional(is_single, n.first_member(mask.words), fault)
        return Number((word,), Bounds(0, max(mask.bounds.members - 1, 0)))

    def absolute(self, number: Number) -> Number:
        """A number without its sign."""
        low, high = number.bounds
        if low >= 0:
            return number
        word = self.held(number.word)
        negated = p.Binary("sub", n.ZERO, word)
        bounds = Bounds(0, max(high, -low))
        return Number((p.Conditional(n.compare("lt", word, n.ZERO), negated, word),), bounds)

    def extreme(self, node: ast.AST, which: n.Extreme, left: Number, right: Number) -> Number:
        """The smaller or the larger of two numbers."""
        if not (left.bounds.is_signed_word and right.bounds.is_signed_word):
            raise refused(node, "a comparison of numbers with more than 63 bits")
        pick = min if which == "min" else max
        pairs = zip(left.bounds, right.bounds, strict=True)
        low, high = (pick(x, y) for x, y in pairs)
        return Number((p.Binary(which, left.word, right.word),), Bounds(low, high))
