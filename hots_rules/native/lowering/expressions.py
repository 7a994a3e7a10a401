"""Expressions of the generated Python as numbers in words.

A loop that an expression needs goes before it, into the `prelude`.
Where Python may not compute a part, as after `and`, its prelude stays with it in a `Block`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import gcd
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from hots_rules.native.lowering import bounds as b
from hots_rules.native.lowering import numbers as n
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.arithmetic import INDEX_CHECK, Arithmetic
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.numbers import Number
from hots_rules.native.lowering.read import COMPARISONS
from hots_rules.native.refusal import refused

if TYPE_CHECKING:
    from hots_rules.native.lowering.slots import SlotMap
    from hots_rules.native.runtime.counting import NoteCells

RANGE_CHECK = INDEX_CHECK + 1
"""The check of a value that goes into a slot, where lowering proves nothing."""
TOO_LONG_CHECK = 2_000_004
"""The check that the members of loops cost no more steps than they may."""
Env = dict[str, Number]


@frozen
class Charge:
    """What a member of a loop costs, and the most that all members may cost until the next decision, in steps."""

    per_member: int
    most: int


class LoweringModule(Protocol):
    """What a function needs of its module: `module.ModuleLowering`."""

    halt: int
    slots: SlotMap
    memory: Mapping[str, p.Region]
    constants: dict[str, int]
    rows: dict[str, tuple[tuple[int, ...], ...]]
    definitions: dict[str, ast.FunctionDef]
    has_room: bool
    notes: NoteCells | None
    charge: Charge | None

    def add_constant(self, name: str, value: object) -> None: ...
    def length(self, table: str) -> int: ...
    def row_length(self, table: str) -> int: ...
    def table_bounds(self, table: str) -> Bounds: ...
    def call(self, caller: ExpressionLowering, node: ast.Call, name: str) -> p.Expr: ...
    def called(self, caller: ExpressionLowering, node: ast.Call, name: str) -> Number: ...


class ExpressionLowering(Arithmetic):
    """Lowers the expressions of one function; `env` has the local names with their bounds.

    `terms` has what was assigned to local names, as it is written.
    """

    def __init__(self, module: LoweringModule) -> None:
        super().__init__()
        self.module = module
        self.env: Env = {}
        self.terms: dict[str, ast.expr] = {}

    # -------------------------------------------------------------- words
    def word(self, node: ast.expr) -> p.Expr:
        """A value of one word, as the program compares it: with a sign."""
        number = self.number(node)
        if not number.bounds.is_signed_word:
            raise refused(node, "a number of more than 63 bits")
        return number.word

    def condition(self, node: ast.expr) -> p.Expr:
        """A word that is 0 where the expression is false."""
        match node:
            case ast.BoolOp():
                first, *others = node.values
                parts = [self.condition(first)]
                parts += [self.lazily(partial(self.condition, part)) for part in others]
                return p.Logic("and" if isinstance(node.op, ast.And) else "or", tuple(parts))
            case ast.UnaryOp(op=ast.Not()):
                return p.Unary("not", self.condition(node.operand))
            case ast.Compare(ops=[op], comparators=[right]):
                return self._compare(node, op, right)
        return n.any_of(self.number(node).words)

    def _compare(self, node: ast.Compare, op: ast.cmpop, right: ast.expr) -> p.Expr:
        first, second = self.number(node.left), self.number(right)
        both = first.bounds.join(second.bounds)
        name = COMPARISONS.get(type(op))
        if name is None:
            raise refused(node)
        if both.is_signed_word or (both.cells == 1 and name in {"eq", "ne"}):
            return n.compare(name, first.word, second.word)
        if name not in {"eq", "ne"}:
            raise refused(node, "a comparison of numbers with more than 63 bits")
        pairs = zip(first.widened(both.cells), second.widened(both.cells), strict=True)
        differs = n.any_of(n.binary("xor", x, y) for x, y in pairs)
        return n.as_bit(differs) if name == "ne" else p.Unary("not", differs)

    # -------------------------------------------------------------- numbers
    def number(self, node: ast.expr) -> Number:
        """The number, or the set, that an expression gives."""
        match node:
            case ast.Constant(value=int() as value):
                return n.constant(int(value))
            case ast.Name(id="HALT"):
                return n.constant(self.module.halt)
            case ast.Name():
                return self._local(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp() | ast.Compare():
                return n.bit(n.as_bit(self.condition(node)))
            case ast.UnaryOp(op=ast.USub()):
                return self.sum_of(
                    node, "sub", b.subtract, n.constant(0), self.number(node.operand)
                )
            case ast.UnaryOp(op=ast.Invert()):
                return self.inverted(self.number(node.operand))
            case ast.IfExp():
                return self._choice(node)
            case ast.Call(func=ast.Name("len"), args=[ast.Name("out")]):
                return self._listed()
            case ast.Call():
                return self._call(node)
        raise refused(node)

    def _local(self, node: ast.Name) -> Number:
        number = self.env.get(node.id)
        if number is None:
            constant = self.module.constants.get(node.id)
            if constant is None:
                raise refused(node, "a name that may have no value")
            return n.constant(constant)
        return number

    def factor(self, node: ast.expr) -> int:
        """A number by which a sum can be divided, as it is written; 0 for 0."""
        match node:
            case ast.Constant(value=int() as value):
                return abs(int(value))
            case ast.Name(id=name) if name in self.terms:
                return self.factor(self.terms[name])
            case ast.BinOp(op=ast.Mult(), right=ast.Constant(value=int() as value)):
                return abs(int(value))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return gcd(self.factor(left), self.factor(right))
        return 1

    # -------------------------------------------------------------- memory and tables
    def _listed(self) -> Number:
        """How many legal actions are listed so far."""
        memory = self.module.memory
        return Number((memory["COUNT"].load(),), Bounds(0, memory["OUT"].room))

    def _subscript(self, node: ast.Subscript) -> Number:
        match node.value:
            case ast.Name(id="S"):
                return self.load(node.slice)
            case ast.Name(id=table):
                return self.entry(table, self.index(node.slice, self.module.length(table)))
            case ast.Subscript(value=ast.Name(id=table)):
                rows, columns = self.module.length(table), self.module.row_length(table)
                row = self.index(node.value.slice, rows)
                column = self.index(node.slice, columns)
                index = n.binary("add", n.binary("mul", row, p.Const(columns)), column)
                return self.entry(table, index)
            case ast.Tuple(elts=items):
                return self._nth(items, node.slice)
        raise refused(node)

    def entry(self, table: str, index: p.Expr) -> Number:
        """The number at an index of a table."""
        bounds = self.module.table_bounds(table)
        if bounds.cells == 1:
            return Number((p.Lookup(table, index),), bounds)
        start = self.held(n.binary("mul", index, p.Const(bounds.cells)))
        places = range(bounds.cells)
        words = (p.Lookup(table, n.binary("add", start, p.Const(place))) for place in places)
        return Number(tuple(words), bounds)

    def _nth(self, items: Sequence[ast.expr], index: ast.expr) -> Number:
        """An entry of a row that is written out."""
        at = self.held(self.index(index, len(items)))
        numbers = [self.held_number(self.number(item)) for item in items]
        bounds = b.hull(number.bounds for number in numbers)
        rows = [number.widened(bounds.cells) for number in numbers]
        words = rows[0]
        for number, row in enumerate(rows[1:], 1):
            is_here = n.compare("eq", at, p.Const(number))
            pairs = zip(row, words, strict=True)
            words = tuple(p.Conditional(is_here, new, old) for new, old in pairs)
        return Number(words, bounds)

    def index(self, node: ast.expr, length: int) -> p.Expr:
        """An index from 0 to `length` - 1, checked if it is not proven."""
        number = self.number(node)
        if number.bounds.is_inside(Bounds(0, length - 1)):
            return number.word
        if not number.bounds.is_signed_word:
            raise refused(node, "an index of more than 63 bits")
        return p.Within(number.word, 0, length - 1, INDEX_CHECK)

    def place(self, node: ast.expr) -> tuple[int, p.Expr | None, int, Bounds]:
        """The first cell, the index and the room of a slot, and the bounds of what it holds.

        A slot of several words has them from there on.
        """
        base, terms = _base_and_terms(node)
        slots = self.module.slots
        if terms is None:
            part = slots.range_of(base, base)
            return slots.cell(base), None, 1, part.bounds
        number = self.number(terms)
        low, high = base + number.bounds.low, base + number.bounds.high
        part = slots.range_of(low, high)
        index = number.word
        if low < part.first or high > part.last:
            index = p.Within(index, part.first - base, part.last - base, INDEX_CHECK)
            low, high = max(low, part.first), min(high, part.last)
        origin = min(base, low) if low >= base >= part.first else low
        if origin != base:
            index = n.binary("add", index, p.Const(base - origin))
        index = n.binary("mul", index, p.Const(part.cells))
        room = (high - origin + 1) * part.cells
        return slots.cell(origin), index, room, part.bounds

    def load(self, node: ast.expr) -> Number:
        """The value of the slot at an index of the state."""
        base, index, room, bounds = self.place(node)
        if bounds.cells > 1 and index is not None:
            index = self.held(index)
        words = (p.Load(base + place, index, room) for place in range(bounds.cells))
        return Number(tuple(words), bounds)

    # -------------------------------------------------------------- operations
    def _binary(self, node: ast.BinOp) -> Number:
        match node:
            case ast.BinOp(op=ast.BitAnd(), left=ast.BinOp(op=ast.RShift()) as shift) if _is_one(
                node.right
            ):
                return self._membership(shift)
            case ast.BinOp(op=ast.BitAnd(), right=ast.UnaryOp(op=ast.USub(), operand=same)) if (
                _are_equal(node.left, same)
            ):
                return self.lowest(self.number(node.left))
            case ast.BinOp(
                op=ast.BitAnd(), right=ast.BinOp(op=ast.Sub(), left=same, right=literal)
            ) if _is_one(literal) and _are_equal(node.left, same):
                mask = self.held_number(self.mask(node.left))
                return Number(n.without_first(mask.words), mask.bounds)
        return self.operation(node, node.op, self.number(node.left), self.number(node.right))

    def mask(self, node: ast.expr) -> Number:
        """The set that an expression gives."""
        number = self.number(node)
        if number.bounds.low < 0:
            raise refused(node, "a set that may be negative")
        return number

    def _membership(self, shift: ast.BinOp) -> Number:
        """1 if a member is in a set, else 0: `mask >> member & 1`."""
        mask, member = self.mask(shift.left), self.distance(shift, self.number(shift.right))
        if member.bounds.high < p.WORD and mask.bounds.cells == 1:
            return n.bit(n.is_member(mask, member.word, member.bounds.high))
        word = self.held(member.word)
        return n.bit(n.is_member(mask, word, member.bounds.high))

    def _choice(self, node: ast.IfExp) -> Number:
        condition = self.condition(node.test)
        with self.own_prelude() as before_then:
            then = self.number(node.body)
        with self.own_prelude() as before_otherwise:
            otherwise = self.number(node.orelse)
        bounds = then.bounds.join(otherwise.bounds)
        if bounds.cells == 1:
            parts = ((before_then, then.word), (before_otherwise, otherwise.word))
            chosen, alternative = (
                p.Block(tuple(pre), word) if pre else word for pre, word in parts
            )
            return Number((p.Conditional(condition, chosen, alternative),), bounds)
        names = [self.fresh() for _ in range(bounds.cells)]
        for prelude, number in ((before_then, then), (before_otherwise, otherwise)):
            pairs = zip(names, number.widened(bounds.cells), strict=True)
            prelude += [p.Assign(name, word) for name, word in pairs]
        self.prelude.append(p.Branch(condition, tuple(before_then), tuple(before_otherwise)))
        return Number(tuple(map(p.Local, names)), bounds)

    # -------------------------------------------------------------- calls
    def _call(self, node: ast.Call) -> Number:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="bit_count")):
                mask = self.mask(value)
                count = n.total_count(mask.words)
                return Number((count,), Bounds(0, mask.bounds.members))
            case ast.Call(func=ast.Attribute(value=value, attr="bit_length")):
                return self._bit_length(value)
            case ast.Call(func=ast.Name("within"), args=[value, low, high, check]):
                limits = _integers(low, high, check)
                return self.within(self.number(value), Bounds(*limits[:2]), limits[2])
            case ast.Call(func=ast.Name("the"), args=[mask, check]):
                return self.only_member(self.mask(mask), *_integers(check))
            case ast.Call(func=ast.Name("abs"), args=[value]):
                return self.absolute(self.number(value))
            case ast.Call(func=ast.Name("min" | "max" as which), args=[first, second]):
                return self.extreme(node, which, self.number(first), self.number(second))
            case ast.Call(func=ast.Name(id=name)):
                return self.module.called(self, node, name)
        raise refused(node)

    def _bit_length(self, value: ast.expr) -> Number:
        mask = self.mask(value)
        if mask.bounds.cells > 1:
            mask = self.held_number(mask)
        return Number((n.bit_length(mask.words),), Bounds(0, mask.bounds.members))

    # -------------------------------------------------------------- loops
    def domain_bounds(self, domain: ast.expr) -> tuple[Bounds, int]:
        """The bounds of the members of a loop, and how many there are at most."""
        match domain:
            case ast.Call(func=ast.Name("range"), args=args):
                first, stop = self._range(args)
                bounds = Bounds(first.bounds.low, max(stop.bounds.high - 1, first.bounds.low))
                return bounds, bounds.high - bounds.low + 1
            case ast.Tuple(elts=items):
                numbers = [self.number(item).bounds for item in items]
                return b.hull(numbers), len(items)
        members = self.mask(_bits_of(domain)).bounds.members
        return Bounds(0, max(members - 1, 0)), members

    def _range(self, args: Sequence[ast.expr]) -> tuple[Number, Number]:
        first = self.number(args[0]) if len(args) > 1 else n.constant(0)
        return first, self.number(args[-1])

    def loop(
        self,
        name: str,
        domain: ast.expr,
        body: Callable[[], None],
        env: Env | None = None,
        *,
        is_by_words: bool = False,
    ) -> None:
        """A loop whose body `body` adds to the prelude; `env` is what the body knows, else what is known now.

        One that is by words, and is not left early, has a loop for each word of a set.
        """
        with self.own_prelude():
            bounds, _ = self.domain_bounds(domain)
        if not bounds.is_signed_word:
            raise refused(domain, "a loop over numbers of more than 63 bits")
        member = self.fresh(name)

        def inside(member: str = member, bounds: Bounds = bounds) -> p.Body:
            self.env = (self.env if env is None else env).copy()
            self.env[name] = Number((p.Local(member),), bounds)
            with self.own_prelude() as statements:
                body()
            return tuple(statements)

        match domain:
            case ast.Call(func=ast.Name("range"), args=args):
                first, stop = (self._held_if_charged(number).word for number in self._range(args))
                is_some = n.compare("lt", first, stop)
                many = p.Conditional(is_some, p.Binary("sub", stop, first), n.ZERO)
                with self._charged(many):
                    self.prelude.append(p.ForRange(member, first, stop, inside()))
            case ast.Tuple(elts=items):
                self._loop_over_items(member, [self.word(item) for item in items], inside())
            case _:
                mask = self._held_if_charged(self.mask(_bits_of(domain)))
                with self._charged(n.total_count(mask.words)):
                    if (numbers := _range_of(mask.bounds)) is not None:
                        first, stop = map(p.Const, numbers)
                        self.prelude.append(p.ForRange(member, first, stop, inside()))
                    elif is_by_words and len(mask.words) > 1:
                        self._loop_by_words(member, mask, bounds, inside)
                    else:
                        self._loop_over_bits(member, mask, inside())

    def _held_if_charged(self, number: Number) -> Number:
        return number if self.module.charge is None else self.held_number(number)

    @contextmanager
    def _charged(self, many: p.Expr) -> Iterator[None]:
        """What is added to the prelude inside runs only if the steps for `many` members are left, if they count.

        Nothing stops a program at once. All loops that are entered have been paid for, and behind the first one that
        could not be, no loop is entered, so that the program ends soon.
        """
        charge = self.module.charge
        if charge is None:
            yield
            return
        with self.own_prelude() as loop:
            yield
        spent, most = self.module.memory["SPENT"], p.Const(charge.most)
        counted = self.held(p.Conditional(n.compare("lt", many, most), many, most))
        cost = n.binary("mul", n.binary("add", counted, n.ONE), p.Const(charge.per_member))
        total = self.held(n.binary("add", spent.load(), cost))
        fault = (spent.store(most), p.Do(p.Within(n.ONE, 0, 0, TOO_LONG_CHECK)))
        is_paid = n.compare("le", total, most)
        self.prelude.append(p.Branch(is_paid, (spent.store(total), *loop), fault))

    def _loop_over_items(self, member: str, items: Sequence[p.Expr], body: p.Body) -> None:
        items = [self.held(item) for item in items]
        turn, value = self.fresh(), items[-1]
        for number, item in reversed(list(enumerate(items[:-1]))):
            is_here = n.compare("eq", p.Local(turn), p.Const(number))
            value = p.Conditional(is_here, item, value)
        inside = (p.Assign(member, value), *body)
        self.prelude.append(p.ForRange(turn, n.ZERO, p.Const(len(items)), inside))

    def _loop_over_bits(self, member: str, mask: Number, body: p.Body) -> None:
        if len(mask.words) == 1:
            self.prelude.append(p.ForBits(member, mask.word, body))
            return
        # What is left of each word; every turn begins with the lowest member of the first that is not empty.
        names = [self.fresh("left") for _ in mask.words]
        pairs = zip(names, mask.words, strict=True)
        self.prelude += [p.Assign(name, word) for name, word in pairs]
        left = tuple(map(p.Local, names))
        take: p.Body = ()
        for place in reversed(range(len(names))):
            word = left[place]
            first = n.binary("add", p.Unary("first", word), p.Const(place * p.WORD))
            rest = p.Binary("and", word, p.Binary("sub", word, n.ONE))
            here = (p.Assign(member, first), p.Assign(names[place], rest))
            take = (p.Branch(word, here, take),) if take else here
        self.prelude.append(p.While(n.any_of(left), (*take, *body)))

    def _loop_by_words(
        self,
        member: str,
        mask: Number,
        bounds: Bounds,
        inside: Callable[[str, Bounds], p.Body],
    ) -> None:
        """A loop for each word, so that it is known in which one the member is."""
        names = [self.fresh("left") for _ in mask.words]
        self.prelude += [p.Assign(*pair) for pair in zip(names, mask.words, strict=True)]
        for place, name in enumerate(names):
            bit, here, first = self.fresh(), self.fresh(member), place * p.WORD
            take = p.Assign(here, n.binary("add", p.Local(bit), p.Const(first)))
            within = bounds.cut(Bounds(first, first + p.WORD - 1))
            self.prelude.append(p.ForBits(bit, p.Local(name), (take, *inside(here, within))))


def _range_of(bounds: Bounds) -> tuple[int, int] | None:
    """The members of a set without a gap, from the first to below the second number, if its bounds tell them."""
    first = (bounds.low & -bounds.low).bit_length() - 1
    stop = bounds.high.bit_length()
    is_known = 0 < bounds.low == bounds.high == (1 << stop) - (1 << first)
    return (first, stop) if is_known else None


def _integers(*nodes: ast.expr) -> list[int]:
    return [int(ast.literal_eval(node)) for node in nodes]


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _are_equal(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(left) == ast.dump(right)


def _bits_of(domain: ast.expr) -> ast.expr:
    """The mask of `bits(mask)`, or of a name that holds such members."""
    match domain:
        case ast.Call(func=ast.Name("bits"), args=[mask]):
            return mask
        case ast.Name():
            return domain
    raise refused(domain)


def _base_and_terms(node: ast.expr) -> tuple[int, ast.expr | None]:
    """The constant with which an index begins, and the rest of the sum."""
    match node:
        case ast.Constant(value=int() as value):
            return value, None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value, None
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            base, terms = _base_and_terms(left)
            if terms is not None:
                right = ast.BinOp(terms, ast.Add(), right)
            return base, right
    return 0, node
