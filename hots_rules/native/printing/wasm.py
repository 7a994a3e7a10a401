"""The integer program as WebAssembly, for wasmtime, Node and browsers: a function for each kind of node.

The memory of a module holds the cells of the program, eight bytes each, and the tables after them. It never grows,
and nothing can be read or written outside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from hots_rules.native.lowering import program as p
from hots_rules.native.printing import wasm_bytes as w

PAGE = 1 << 16
Cases = tuple[tuple[int, p.Body], ...]
_CHEAP = p.Const | p.Local  # computed in no time, so that a choice between two needs no jump
_BYTES_ODD, _PAIRS_ODD = 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF


def to_wasm(program: p.Program) -> bytes:
    """The module of a program: it exports `memory`, and the exported functions.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.printing.wasm import to_wasm
    >>> to_wasm(p.Program((), {}, p.lay_out({"SLOTS": 1, "ERROR": 1})))[:4]
    b'\\x00asm'
    """
    functions = (*program.functions, _SWAP)
    layout = _Layout.of(program, functions)
    most = max(len(function.params) for function in functions)
    exported = [
        w.sized(function.name.encode()) + b"\x00" + w.unsigned(number)
        for number, function in enumerate(functions)
        if function.is_exported
    ]
    pages = w.unsigned(layout.size // PAGE + 1)
    return b"".join(
        [
            b"\x00asm\x01\x00\x00\x00",
            w.section(1, [w.function_type(params) for params in range(most + 1)]),
            w.section(3, [w.unsigned(len(function.params)) for function in functions]),
            w.section(5, [b"\x01" + pages + pages]),
            w.section(7, [w.sized(b"memory") + b"\x02\x00", *exported]),
            w.section(
                10, [w.sized(_FunctionPrinter(function, layout).code()) for function in functions]
            ),
            w.section(11, layout.data),
        ]
    )


def _swapped(word: p.Expr, distance: int, mask: int) -> p.Expr:
    """A word with its neighbouring parts exchanged."""
    high = p.Binary("and", p.Binary("shr", word, p.Const(distance)), p.Const(mask))
    low = p.Binary("shl", p.Binary("and", word, p.Const(mask)), p.Const(distance))
    return p.Binary("or", high, low)


_SWAP = p.Function(
    "swap bytes",
    ("word",),
    (
        p.Assign("word", _swapped(p.Local("word"), 8, _BYTES_ODD)),
        p.Assign("word", _swapped(p.Local("word"), 16, _PAIRS_ODD)),
        p.Return(p.Binary("rotr", p.Local("word"), p.Const(32))),
    ),
)
"""WebAssembly has no instruction for `swap`."""


@frozen
class _Layout:
    """Where functions and tables are: numbers of functions, addresses of tables with the bytes of an entry."""

    functions: Mapping[str, int]
    tables: Mapping[str, tuple[int, int]]
    error: int
    size: int
    data: list[bytes]

    @classmethod
    def of(cls, program: p.Program, functions: tuple[p.Function, ...]) -> _Layout:
        tables, data, address = {}, [], 8 * program.cells
        for name, entries in program.tables.items():
            size = p.entry_bytes(entries)
            mask = (1 << 8 * size) - 1
            content = b"".join((entry & mask).to_bytes(size, "little") for entry in entries)
            tables[name] = address, size
            data.append(b"\x00" + w.small(address) + w.END + w.sized(content))
            address += len(content) + -len(content) % 8
        numbers = {function.name: number for number, function in enumerate(functions)}
        return cls(numbers, tables, 8 * program.memory["ERROR"].base, address, data)


@define
class _FunctionPrinter:
    """Prints one function. A word is an i64 on the stack; a flag is an i32, where a condition is wanted."""

    function: p.Function
    layout: _Layout
    locals: dict[str, int] = field(factory=dict, init=False)
    labels: list[str] = field(factory=list, init=False)
    count: int = field(default=0, init=False)

    def code(self) -> bytes:
        self.locals = {name: number for number, name in enumerate(self.function.params)}
        self.count = len(self.locals)
        body = self.body(self.function.body)
        own = w.unsigned(self.count - len(self.function.params)) + w.I64
        return w.vector([own]) + body + w.constant(0) + w.END

    def fresh(self) -> int:
        """A local that no name has."""
        self.count += 1
        return self.count - 1

    def local(self, name: str) -> int:
        """The local of a name: a new one where the name comes up first."""
        if name not in self.locals:
            self.locals[name] = self.fresh()
        return self.locals[name]

    # -------------------------------------------------------------- labels
    def within(
        self, opening: bytes, label: str, inner: Callable[[], bytes], kind: bytes = w.NOTHING
    ) -> bytes:
        """A block, a loop or an if around instructions."""
        self.labels.append(label)
        code = opening + kind + inner() + w.END
        self.labels.pop()
        return code

    def label(self, name: str) -> bytes:
        """How many blocks lie between here and the innermost one of that name."""
        return w.unsigned(self.labels[::-1].index(name))

    def either(
        self, then: Callable[[], bytes], otherwise: Callable[[], bytes], kind: bytes
    ) -> bytes:
        """An if with both its parts."""
        return self.within(w.IF, "", lambda: then() + w.ELSE + otherwise(), kind)

    # -------------------------------------------------------------- statements
    def body(self, body: p.Body) -> bytes:
        return b"".join(map(self.statement, body))

    def statement(self, node: p.Statement) -> bytes:
        match node:
            case p.Assign():
                return self.word(node.value) + w.put(self.local(node.name))
            case p.Store():
                return self.store(node)
            case p.StoreBytes():
                word = self.fresh()  # it is computed before the place
                start = self.word(node.value) + w.put(word) + self.word(node.at) + w.WRAP
                return start + w.get(word) + w.store(8 * node.base, is_aligned=False)
            case p.Do():
                return self.word(node.value) + w.DROP
            case p.Branch():
                return self.branch(node)
            case p.While():
                return self.repeat(lambda: self.flag(node.condition), b"", node.body)
            case p.ForRange():
                return self.for_range(node)
            case p.ForBits():
                return self.for_bits(node)
            case p.Switch():
                return self.switch(node)
            case p.Break():
                return w.BR + self.label("break")
            case p.Continue():
                return w.BR + self.label("continue")
            case p.Return():
                return self.word(node.value) + w.RETURN

    def store(self, node: p.Store) -> bytes:
        if node.index is None:
            return w.small(0) + self.word(node.value) + w.store(8 * node.base)
        value = self.fresh()  # it is computed before the index
        start = self.word(node.value) + w.put(value) + self.address(node.index)
        return start + w.get(value) + w.store(8 * node.base)

    def branch(self, node: p.Branch) -> bytes:
        if not node.otherwise:
            return self.flag(node.condition) + self.within(w.IF, "", lambda: self.body(node.then))
        return self.flag(node.condition) + self.either(
            lambda: self.body(node.then), lambda: self.body(node.otherwise), w.NOTHING
        )

    def repeat(self, test: Callable[[], bytes], take: bytes, body: p.Body) -> bytes:
        """A loop as long as a test gives a flag; `take` begins each turn. The test stands before and at the end."""

        def turn() -> bytes:
            inner = self.within(w.BLOCK, "continue", lambda: self.body(body))
            return take + inner + test() + w.BR_IF + self.label("again")

        def loop() -> bytes:
            return (
                test()
                + w.I32_EQZ
                + w.BR_IF
                + self.label("break")
                + self.within(w.LOOP, "again", turn)
            )

        return self.within(w.BLOCK, "break", loop)

    def for_range(self, node: p.ForRange) -> bytes:
        number, stop, name = self.fresh(), self.fresh(), self.local(node.name)
        start = self.word(node.first) + w.put(number) + self.word(node.stop) + w.put(stop)
        test = w.get(number) + w.get(stop) + w.COMPARISONS["lt"]
        step = w.get(number) + w.constant(1) + w.ARITHMETIC["add"] + w.put(number)
        take = w.get(number) + w.put(name) + step
        return start + self.repeat(lambda: test, take, node.body)

    def for_bits(self, node: p.ForBits) -> bytes:
        rest, name = self.fresh(), self.local(node.name)
        less = w.get(rest) + w.constant(1) + w.ARITHMETIC["sub"]
        take = w.get(rest) + w.CTZ + w.put(name)
        take += w.get(rest) + less + w.ARITHMETIC["and"] + w.put(rest)
        test = w.get(rest) + w.constant(0) + w.COMPARISONS["ne"]
        return self.word(node.word) + w.put(rest) + self.repeat(lambda: test, take, node.body)

    def switch(self, node: p.Switch) -> bytes:
        """A jump by the number, where the numbers lie close together; else one comparison after the other."""
        if not node.cases:
            return self.word(node.subject) + w.DROP + self.body(node.otherwise)
        subject, numbers = self.fresh(), [number for number, _ in node.cases]
        start = self.word(node.subject) + w.put(subject)
        if max(numbers) - min(numbers) > 4 * len(numbers) + 8:
            return start + self.compared(subject, node.cases, node.otherwise)
        return start + self.within(w.BLOCK, "end", lambda: self.jump(subject, node))

    def compared(self, subject: int, cases: Cases, otherwise: p.Body) -> bytes:
        if not cases:
            return self.body(otherwise)
        (number, body), *rest = cases
        test = w.get(subject) + w.constant(number) + w.COMPARISONS["eq"]
        return test + self.either(
            lambda: self.body(body),
            lambda: self.compared(subject, tuple(rest), otherwise),
            w.NOTHING,
        )

    def jump(self, subject: int, node: p.Switch) -> bytes:
        """Blocks within blocks, one for each case and one for the rest: the jump leaves as many as it should."""
        low, many = min(number for number, _ in node.cases), len(node.cases)
        depths = {number: depth for depth, (number, _) in enumerate(node.cases)}
        span = max(depths) - low + 1
        offset = w.get(subject) + w.constant(low) + w.ARITHMETIC["sub"]
        targets = [w.unsigned(depths.get(low + number, many)) for number in range(span)]
        outside = offset + w.constant(span) + w.LT_U + w.I32_EQZ + w.BR_IF + w.unsigned(many)
        code = outside + offset + w.WRAP + w.BR_TABLE + w.vector(targets) + w.unsigned(many)
        self.labels += [""] * many
        for _, body in node.cases:
            code = w.BLOCK + w.NOTHING + code + w.END + self.body(body) + w.BR + self.label("end")
            self.labels.pop()
        return w.BLOCK + w.NOTHING + code + w.END + self.body(node.otherwise)

    # -------------------------------------------------------------- conditions
    def flag(self, node: p.Expr) -> bytes:
        """Whether an expression is true, as an i32."""
        match node:
            case p.Binary() if node.op in w.COMPARISONS:
                return self.word(node.left) + self.word(node.right) + w.COMPARISONS[node.op]
            case p.Unary(op="not"):
                return self.flag(node.value) + w.I32_EQZ
            case p.Logic():
                return self.logic(node.op == "or", node.parts)
        return self.word(node) + w.constant(0) + w.COMPARISONS["ne"]

    def logic(self, stops_at: bool, parts: tuple[p.Expr, ...]) -> bytes:
        """Flags up to the one that decides: a true one of `or`, a false one of `and`."""
        if len(parts) == 1:
            return self.flag(parts[0])

        def rest() -> bytes:
            return self.logic(stops_at, parts[1:])

        def decided() -> bytes:
            return w.small(int(stops_at))

        then, otherwise = (decided, rest) if stops_at else (rest, decided)
        return self.flag(parts[0]) + self.either(then, otherwise, w.I32)

    # -------------------------------------------------------------- words
    def word(self, node: p.Expr) -> bytes:
        """The value of an expression, as an i64."""
        match node:
            case p.Const():
                return w.constant(node.value)
            case p.Local():
                return w.get(self.local(node.name))
            case p.Load():
                return self.address(node.index) + w.load(8 * node.base)
            case p.Lookup():
                return self.lookup(node)
            case p.Unary():
                return self.unary(node)
            case p.Binary():
                return self.binary(node)
            case p.Logic():
                return self.flag(node) + w.EXTEND
            case p.Conditional():
                return self.choice(node)
            case p.Call():
                args = b"".join(map(self.word, node.args))
                return args + w.CALL + w.unsigned(self.layout.functions[node.function])
            case p.Within():
                return self.checked(node)
            case p.Block():
                return self.body(node.body) + self.word(node.value)

    def address(self, index: p.Expr | None) -> bytes:
        """The address of a cell, before that of its base."""
        if index is None:
            return w.small(0)
        return self.word(index) + w.WRAP + w.small(3) + w.I32_SHL

    def lookup(self, node: p.Lookup) -> bytes:
        address, size = self.layout.tables[node.table]
        index = self.word(node.index) + w.WRAP
        if size > 1:
            index += w.small(size.bit_length() - 1) + w.I32_SHL
        return index + w.LOADS[size] + w.unsigned(address)

    def unary(self, node: p.Unary) -> bytes:
        if node.op == "not":
            return self.flag(node) + w.EXTEND
        value = self.word(node.value)
        match node.op:
            case "count":
                return value + w.POPCNT
            case "first":
                return value + w.CTZ
            case "length":
                return w.constant(p.WORD) + value + w.CLZ + w.ARITHMETIC["sub"]
            case "swap":
                return value + w.CALL + w.unsigned(self.layout.functions[_SWAP.name])

    def binary(self, node: p.Binary) -> bytes:
        if node.op in w.COMPARISONS:
            return self.flag(node) + w.EXTEND
        left, right = self.word(node.left), self.word(node.right)
        if node.op in w.ARITHMETIC:
            return left + right + w.ARITHMETIC[node.op]
        if node.op == "pick":
            part = left + w.TO_F64 + w.SHARE + w.F64_MUL
            return part + right + w.TO_F64 + w.F64_MUL + w.FROM_F64
        first, second = self.fresh(), self.fresh()
        test = w.get(first) + w.get(second) + w.COMPARISONS["lt" if node.op == "min" else "gt"]
        return left + w.tee(first) + right + w.tee(second) + test + w.SELECT

    def choice(self, node: p.Conditional) -> bytes:
        if isinstance(node.then, _CHEAP) and isinstance(node.otherwise, _CHEAP):
            both = self.word(node.then) + self.word(node.otherwise)
            return both + self.flag(node.condition) + w.SELECT
        return self.flag(node.condition) + self.either(
            lambda: self.word(node.then), lambda: self.word(node.otherwise), w.I64
        )

    def checked(self, node: p.Within) -> bytes:
        value = self.fresh()
        offset = self.word(node.value) + w.tee(value) + w.constant(node.low) + w.ARITHMETIC["sub"]
        fault = w.small(0) + w.constant(node.check + 1) + w.store(self.layout.error)
        return (
            offset
            + w.constant(node.high - node.low)
            + w.LE_U
            + self.either(lambda: w.get(value), lambda: fault + w.constant(node.low), w.I64)
        )
