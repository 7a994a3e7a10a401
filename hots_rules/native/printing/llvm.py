"""The integer program as LLVM's intermediate language, through llvmlite: a function for each kind of node.

Each function takes the address of the memory first. With `is_checked`, an index that is not proven to lie within
its cells or its table is replaced by 0 where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from attrs import define, field, frozen
from llvmlite import ir

from hots_rules._gc_policy import uncollected
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.ranges import Ranges
from hots_rules.native.printing.llvm_instructions import Value, Writer

_WORD, _FLAG, _BYTE, _DOUBLE = ir.IntType(p.WORD), ir.IntType(1), ir.IntType(8), ir.DoubleType()
_ROTATE = ir.FunctionType(_WORD, [_WORD] * 3)
_COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_ARITHMETIC: Final = {"add": "add", "sub": "sub", "mul": "mul", "div": "udiv", "rem": "urem"} | {
    "and": "and_",
    "or": "or_",
    "xor": "xor",
    "shl": "shl",
    "shr": "lshr",
}


@uncollected()
def to_llvm(
    program: p.Program,
    *,
    is_checked: bool = True,
    writers: Mapping[str, Writer] = MappingProxyType({}),
) -> str:
    """The module of a program as text; functions that are not exported are internal.

    Some functions may be written for a processor, by `llvm_instructions.writers`.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.printing.llvm import to_llvm
    >>> double = p.Function("double", ("x",), (p.Return(p.Binary("add", p.Local("x"), p.Local("x"))),), True)
    >>> "ret i64" in to_llvm(p.Program((double,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1})))
    True
    """
    module = ir.Module("program")
    layout = _Layout(
        {function.name: _declared(module, function) for function in program.functions},
        {name: _table(module, name, entries) for name, entries in program.tables.items()},
        {name: len(entries) for name, entries in program.tables.items()},
        program.memory["ERROR"].base,
        Ranges(program) if is_checked else None,
    )
    for function in program.functions:
        if function.name in writers:
            writers[function.name](module, layout.functions[function.name], program.memory)
        else:
            _FunctionPrinter(function, layout).write_all()
    return str(module)


def _declared(module: ir.Module, function: p.Function) -> Value:
    params = [_WORD] * len(function.params)
    declared = ir.Function(
        module, ir.FunctionType(_WORD, [ir.PointerType(), *params]), function.name
    )
    declared.attributes.add("nounwind")
    if function.name == "seed_chooser":
        # It is called once a game, and all that seeds in one function with the loop of games takes long to compile.
        declared.attributes.add("noinline")
    declared.args[0].add_attribute("noalias")
    if not function.is_exported:
        declared.linkage = "internal"
    return declared


def _table(module: ir.Module, name: str, entries: tuple[int, ...]) -> Value:
    entry = ir.IntType(8 * p.entry_bytes(entries))
    kind = ir.ArrayType(entry, len(entries))
    table = ir.GlobalVariable(module, kind, f"table {name}")
    table.global_constant, table.linkage = True, "internal"
    table.initializer = ir.Constant(kind, [ir.Constant(entry, number) for number in entries])
    return table


@frozen
class _Layout:
    functions: Mapping[str, Value]
    tables: Mapping[str, Value]
    lengths: Mapping[str, int]
    error: int
    ranges: Ranges | None


def _constant(number: int) -> Value:
    return ir.Constant(_WORD, number - (1 << p.WORD) if number >> (p.WORD - 1) > 0 else number)


@define
class _FunctionPrinter:
    """Prints one function. Names live in cells of the stack, which the optimiser turns into registers."""

    function: p.Function
    layout: _Layout
    names: dict[str, Value] = field(factory=dict, init=False)
    loops: list[tuple[Value, Value]] = field(factory=list, init=False)
    printed: Value = field(init=False)
    entry: ir.IRBuilder = field(init=False)
    builder: ir.IRBuilder = field(init=False)

    def write_all(self) -> None:
        self.printed = self.layout.functions[self.function.name]
        self.entry = ir.IRBuilder(self.block())
        for name in (*self.function.params, *p.assigned_names(self.function)):
            self.names[name] = self.entry.alloca(_WORD)
        for name, value in zip(self.function.params, self.printed.args[1:], strict=True):
            self.entry.store(value, self.names[name])
        first = self.block()
        self.builder = ir.IRBuilder(first)
        self.body(self.function.body)
        if not self.builder.block.is_terminated:
            self.builder.ret(_constant(0))
        self.entry.branch(first)

    # -------------------------------------------------------------- blocks
    def block(self) -> Value:
        return self.printed.append_basic_block()

    def go_on(self, block: Value) -> None:
        """Ends the block that is being written with a jump to another, unless it ends already."""
        if not self.builder.block.is_terminated:
            self.builder.branch(block)

    def write(self, block: Value, inner: Callable[[], None], then: Value) -> None:
        """Writes a block, which goes on with another."""
        self.builder.position_at_end(block)
        inner()
        self.go_on(then)

    def joined(self, kind: Value, values: list[tuple[Value, Value]]) -> Value:
        """The value that belongs to the block from which control arrives here."""
        phi = self.builder.phi(kind)
        for value, block in values:
            phi.add_incoming(value, block)
        return phi

    # -------------------------------------------------------------- statements
    def body(self, body: p.Body) -> None:
        for statement in body:
            if self.builder.block.is_terminated:
                return  # nothing leads to the rest
            self.statement(statement)

    def statement(self, node: p.Statement) -> None:
        match node:
            case p.Assign():
                self.builder.store(self.word(node.value), self.names[node.name])
            case p.Store():
                value = self.word(node.value)
                self.builder.store(value, self.cell(node))
            case p.StoreBytes():
                word = self.word(node.value)
                at = self.builder.add(
                    _constant(8 * node.base), self.index(node.at, 8 * node.room - 7)
                )
                place = self.builder.gep(self.printed.args[0], [at], source_etype=_BYTE)
                self.builder.store(word, place, align=1)
            case p.Do():
                self.word(node.value)
            case p.Branch():
                self.branch(node)
            case p.While():
                self.repeat(lambda: self.flag(node.condition), lambda: None, node.body)
            case p.ForRange():
                self.for_range(node)
            case p.ForBits():
                self.for_bits(node)
            case p.Switch():
                self.switch(node)
            case p.Break():
                self.builder.branch(self.loops[-1][1])
            case p.Continue():
                self.builder.branch(self.loops[-1][0])
            case p.Return():
                self.builder.ret(self.word(node.value))

    def branch(self, node: p.Branch) -> None:
        then, otherwise, end = self.block(), self.block(), self.block()
        self.builder.cbranch(self.flag(node.condition), then, otherwise)
        self.write(then, lambda: self.body(node.then), end)
        self.write(otherwise, lambda: self.body(node.otherwise), end)
        self.builder.position_at_end(end)

    def repeat(self, test: Callable[[], Value], take: Callable[[], None], body: p.Body) -> None:
        """A loop as long as a test gives a flag; `take` begins each turn."""
        head, turn, end = self.block(), self.block(), self.block()
        self.builder.branch(head)
        self.builder.position_at_end(head)
        self.builder.cbranch(test(), turn, end)
        self.builder.position_at_end(turn)
        take()
        self.loops.append((head, end))
        self.body(body)
        self.loops.pop()
        self.go_on(head)
        self.builder.position_at_end(end)

    def for_range(self, node: p.ForRange) -> None:
        builder, number = self.builder, self.entry.alloca(_WORD)
        builder.store(self.word(node.first), number)
        stop = self.word(node.stop)

        def take() -> None:
            value = builder.load(number, typ=_WORD)
            builder.store(value, self.names[node.name])
            builder.store(builder.add(value, _constant(1)), number)

        self.repeat(
            lambda: builder.icmp_signed("<", builder.load(number, typ=_WORD), stop), take, node.body
        )

    def for_bits(self, node: p.ForBits) -> None:
        builder, rest = self.builder, self.entry.alloca(_WORD)
        builder.store(self.word(node.word), rest)

        def take() -> None:
            value = builder.load(rest, typ=_WORD)
            builder.store(builder.cttz(value, ir.Constant(_FLAG, 1)), self.names[node.name])
            builder.store(builder.and_(value, builder.sub(value, _constant(1))), rest)

        self.repeat(lambda: self.is_true(builder.load(rest, typ=_WORD)), take, node.body)

    def switch(self, node: p.Switch) -> None:
        default, end = self.block(), self.block()
        switch = self.builder.switch(self.word(node.subject), default)
        for number, body in node.cases:
            case = self.block()
            switch.add_case(_constant(number), case)
            self.write(case, partial(self.body, body), end)
        self.write(default, lambda: self.body(node.otherwise), end)
        self.builder.position_at_end(end)

    # -------------------------------------------------------------- conditions
    def is_true(self, word: Value) -> Value:
        return self.builder.icmp_signed("!=", word, _constant(0))

    def flag(self, node: p.Expr) -> Value:
        """Whether an expression is true, as one bit."""
        match node:
            case p.Binary() if node.op in _COMPARISONS:
                left, right = self.word(node.left), self.word(node.right)
                return self.builder.icmp_signed(_COMPARISONS[node.op], left, right)
            case p.Unary(op="not"):
                return self.builder.not_(self.flag(node.value))
            case p.Logic():
                return self.logic(node)
        return self.is_true(self.word(node))

    def logic(self, node: p.Logic) -> Value:
        end, decided, values = self.block(), ir.Constant(_FLAG, int(node.op == "or")), []
        for part in node.parts[:-1]:
            flag, more = self.flag(part), self.block()
            values.append((decided, self.builder.block))
            then, otherwise = (end, more) if node.op == "or" else (more, end)
            self.builder.cbranch(flag, then, otherwise)
            self.builder.position_at_end(more)
        values.append((self.flag(node.parts[-1]), self.builder.block))
        self.builder.branch(end)
        self.builder.position_at_end(end)
        return self.joined(_FLAG, values)

    # -------------------------------------------------------------- words
    def word(self, node: p.Expr) -> Value:
        """The value of an expression."""
        match node:
            case p.Const():
                return _constant(node.value)
            case p.Local():
                return self.builder.load(self.names[node.name], typ=_WORD)
            case p.Load():
                return self.builder.load(self.cell(node), typ=_WORD)
            case p.Lookup():
                return self.lookup(node)
            case p.Unary():
                return self.unary(node)
            case p.Binary():
                return self.binary(node)
            case p.Logic():
                return self.builder.zext(self.flag(node), _WORD)
            case p.Conditional():
                return self.choice(node)
            case p.Call():
                args = [self.word(arg) for arg in node.args]
                return self.builder.call(
                    self.layout.functions[node.function], [self.printed.args[0], *args]
                )
            case p.Within():
                return self.checked(node)
            case p.Block():
                self.body(node.body)
                return self.word(node.value)

    def index(self, node: p.Expr, room: int) -> Value:
        """An index that is certainly below `room`."""
        index, ranges = self.word(node), self.layout.ranges
        if ranges is None or ranges.is_below(self.function.name, node, room):
            return index
        is_inside = self.builder.icmp_unsigned("<", index, _constant(room))
        return self.builder.select(is_inside, index, _constant(0))

    def cell(self, node: p.Load | p.Store) -> Value:
        """The address of a cell."""
        place = _constant(node.base)
        if node.index is not None:
            place = self.builder.add(place, self.index(node.index, node.room))
        return self.builder.gep(self.printed.args[0], [place], source_etype=_WORD)

    def lookup(self, node: p.Lookup) -> Value:
        table = self.layout.tables[node.table]
        index = self.index(node.index, self.layout.lengths[node.table])
        kind = table.value_type
        place = self.builder.gep(table, [_constant(0), index], source_etype=kind)
        entry = self.builder.load(place, typ=kind.element)
        if kind.element.width < 32:
            return self.builder.zext(entry, _WORD)
        return entry if kind.element.width == p.WORD else self.builder.sext(entry, _WORD)

    def unary(self, node: p.Unary) -> Value:
        if node.op == "not":
            return self.builder.zext(self.flag(node), _WORD)
        value, is_defined = self.word(node.value), ir.Constant(_FLAG, 0)
        match node.op:
            case "count":
                return self.builder.ctpop(value)
            case "first":
                return self.builder.cttz(value, is_defined)
            case "length":
                return self.builder.sub(_constant(p.WORD), self.builder.ctlz(value, is_defined))
        return self.builder.bswap(value)

    def binary(self, node: p.Binary) -> Value:
        if node.op in _COMPARISONS:
            return self.builder.zext(self.flag(node), _WORD)
        left, right, builder = self.word(node.left), self.word(node.right), self.builder
        if node.op in ("div", "rem"):
            right = self.divisor(node.right, right)
        if node.op in ("shl", "shr"):
            right = builder.and_(right, _constant(p.WORD - 1))  # costs nothing: processors do so
        if node.op in _ARITHMETIC:
            return getattr(builder, _ARITHMETIC[node.op])(left, right)
        match node.op:
            case "rotr":
                rotate = builder.module.declare_intrinsic("llvm.fshr", [_WORD], _ROTATE)
                return builder.call(rotate, [left, left, right])
            case "pick":
                share = builder.fmul(builder.sitofp(left, _DOUBLE), ir.Constant(_DOUBLE, 2.0**-53))
                return builder.fptosi(builder.fmul(share, builder.sitofp(right, _DOUBLE)), _WORD)
        is_left = builder.icmp_signed("<" if node.op == "min" else ">", left, right)
        return builder.select(is_left, left, right)

    def divisor(self, node: p.Expr, word: Value) -> Value:
        """A divisor that is certainly not 0."""
        ranges = self.layout.ranges
        if ranges is None or ranges.is_positive(self.function.name, node):
            return word
        return self.builder.select(self.is_true(word), word, _constant(1))

    def choice(self, node: p.Conditional) -> Value:
        then, otherwise, end = self.block(), self.block(), self.block()
        self.builder.cbranch(self.flag(node.condition), then, otherwise)
        values = []
        for block, expr in ((then, node.then), (otherwise, node.otherwise)):
            self.builder.position_at_end(block)
            values.append((self.word(expr), self.builder.block))
            self.builder.branch(end)
        self.builder.position_at_end(end)
        return self.joined(_WORD, values)

    def checked(self, node: p.Within) -> Value:
        value, start = self.word(node.value), self.builder.block
        fault, end = self.block(), self.block()
        offset = self.builder.sub(value, _constant(node.low))
        is_inside = self.builder.icmp_unsigned("<=", offset, _constant(node.high - node.low))
        self.builder.cbranch(is_inside, end, fault)
        self.builder.position_at_end(fault)
        error = self.builder.gep(
            self.printed.args[0], [_constant(self.layout.error)], source_etype=_WORD
        )
        self.builder.store(_constant(node.check + 1), error)
        self.builder.branch(end)
        self.builder.position_at_end(end)
        return self.joined(_WORD, [(value, start), (_constant(node.low), fault)])
