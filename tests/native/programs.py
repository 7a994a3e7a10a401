"""Integer programs that hypothesis makes up, with every kind of node."""

from collections.abc import Sequence
from typing import Any, get_args

from attrs import define, evolve, field, fields, has
from hypothesis import strategies as st

from hots_rules.native.lowering import program as p

ROOM = 8  # cells of the state
TABLES = {
    "small": (3, 250, 7),
    "numbers": (-5, 70_000),
    "words": (1 << 63, -1, 5),
    "pairs": (300, 2),
}
MEMORY = p.lay_out({"SLOTS": ROOM, "ERROR": 1})
NAMES = ("x", "y·1", "and")
SWITCHES = ((0, 1, 2, 3), (-2, 0, 5), (-1_000_000, 7, 1 << 40))
BORDERS = (
    0,
    1,
    2,
    63,
    64,
    65,
    255,
    -1,
    -2,
    (1 << 31) - 1,
    1 << 31,
    (1 << 62) + 5,
    -(1 << 63),
    (1 << 63) - 1,
)
words = st.sampled_from(BORDERS) | st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-9, 9)
constants = words.map(p.Const)
operators = st.sampled_from(
    [*get_args(p.ArithmeticOp), *get_args(p.CompareOp), "min", "max", "pick"]
)


@define
class ProgramMaker:
    """Draws the parts of a program; later functions call earlier ones.

    Cells hold numbers within `bounds`, if there are any. In a wild program an index may be anything.
    """

    draw: st.DrawFn
    bounds: tuple[int, int] | None = None
    is_wild: bool = False
    functions: list[p.Function] = field(factory=list)
    loops: int = 0
    blocks: int = 0

    # -------------------------------------------------------------- expressions
    def expr(self, depth: int, names: Sequence[str] = NAMES) -> p.Expr:
        kinds = ["const", "local", "load"]
        if depth > 0:
            kinds += ["lookup", "unary", "binary", "binary", "logic", "choice", "within", "block"]
            kinds += ["call"] * bool(self.functions)
        part = lambda: self.expr(depth - 1, names)  # noqa: E731
        match self.draw(st.sampled_from(kinds)):
            case "const":
                return self.draw(constants)
            case "local":
                return p.Local(self.draw(st.sampled_from(names)))
            case "load":
                if depth > 0 and self.draw(st.booleans()):
                    base, room = self.draw(st.sampled_from([(0, ROOM), (2, 4)]))
                    return p.Load(base, self.index(part(), room), room)
                return p.Load(self.draw(st.integers(0, ROOM - 1)))
            case "lookup":
                name = self.draw(st.sampled_from(sorted(TABLES)))
                return p.Lookup(name, self.index(part(), len(TABLES[name])))
            case "unary":
                return p.Unary(self.draw(st.sampled_from(get_args(p.UnaryOp))), part())
            case "binary":
                return self.binary(part(), part())
            case "logic":
                count = self.draw(st.integers(1, 3))
                op = self.draw(st.sampled_from(["and", "or"]))
                return p.Logic(op, tuple(part() for _ in range(count)))
            case "choice":
                return p.Conditional(part(), part(), part())
            case "within":
                low, high = sorted((self.draw(words), self.draw(words)))
                return p.Within(part(), low, high, self.draw(st.integers(0, 99)))
            case "block":
                return self.block(depth - 1, names)
        callee = self.draw(st.sampled_from(self.functions))
        return p.Call(callee.name, tuple(part() for _ in callee.params))

    def index(self, word: p.Expr, room: int) -> p.Expr:
        """A word that is below `room`, unless the program is wild."""
        if self.is_wild:
            return word
        if self.draw(st.booleans()):
            return p.Within(word, 0, room - 1, 7)
        return p.Binary("rem", word, p.Const(room))

    def binary(self, left: p.Expr, right: p.Expr) -> p.Expr:
        op = self.draw(operators)
        match op:
            case "div" | "rem":
                right = p.Binary("or", right, p.Const(1))
            case "shl" | "shr" | "rotr":
                right = p.Binary("and", right, p.Const(63))
            case "pick":
                left = p.Binary("shr", left, p.Const(11))
                right = p.Binary("max", p.Binary("shr", right, p.Const(33)), p.Const(1))
        return p.Binary(op, left, right)

    def block(self, depth: int, names: Sequence[str]) -> p.Expr:
        """A sum over the bits of a word: it assigns names that nothing else uses."""
        self.blocks += 1
        total, bit = f"total·{self.blocks}", f"bit·{self.blocks}"
        word = p.Binary("and", self.expr(depth, names), p.Const(0b11001))
        more = p.Binary("add", p.Local(total), self.expr(depth, (*names, bit)))
        loop = p.ForBits(bit, word, (p.Assign(total, more),))
        return p.Block((p.Assign(total, p.Const(0)), loop), p.Local(total))

    def held(self, word: p.Expr) -> p.Expr:
        """A word that a cell may hold."""
        return word if self.bounds is None else p.Within(word, *self.bounds, 50)

    # -------------------------------------------------------------- statements
    def body(self, depth: int, *, in_loop: bool = False) -> p.Body:
        count = self.draw(st.integers(1, 3))
        return tuple(self.statement(depth, in_loop) for _ in range(count))

    def statement(self, depth: int, in_loop: bool) -> p.Statement:
        kinds = ["assign", "store", "place", "do", *["bytes"] * (self.bounds is None)]
        if depth > 0:
            kinds += ["branch", "while", "range", "bits", "switch", "return"]
        if in_loop:
            kinds += ["break", "continue"]
        name = self.draw(st.sampled_from(NAMES))
        match self.draw(st.sampled_from(kinds)):
            case "assign":
                return p.Assign(name, self.expr(2))
            case "store":
                return p.Store(self.draw(st.integers(0, ROOM - 1)), self.held(self.expr(2)))
            case "place":
                return p.Store(1, self.held(self.expr(1)), self.index(self.expr(1), 5), 5)
            case "bytes":
                return p.StoreBytes(2, self.expr(1), self.index(self.expr(1), 8 * 4 - 7), 4)
            case "do":
                return p.Do(self.expr(2))
            case "branch":
                otherwise = self.draw(st.booleans())
                then = self.body(depth - 1, in_loop=in_loop)
                return p.Branch(
                    self.expr(2), then, self.body(depth - 1, in_loop=in_loop) if otherwise else ()
                )
            case "while":
                return self.bounded_while(depth)
            case "range":
                first = p.Binary("rem", self.expr(1), p.Const(7))
                stop = p.Binary("sub", p.Binary("rem", self.expr(1), p.Const(7)), p.Const(1))
                return p.ForRange(name, first, stop, self.body(depth - 1, in_loop=True))
            case "bits":
                word = p.Binary("and", self.expr(2), p.Const(-(1 << 63) + 0b1011))
                return p.ForBits(name, word, self.body(depth - 1, in_loop=True))
            case "switch":
                return self.switch(depth, in_loop)
            case "return":
                return p.Return(self.expr(2))
            case "break":
                return p.Break()
        return p.Continue()

    def bounded_while(self, depth: int) -> p.Statement:
        """A loop of three turns at most, whatever its condition."""
        self.loops += 1
        turns = f"turns·{self.loops}"
        less = p.Assign(turns, p.Binary("sub", p.Local(turns), p.Const(1)))
        test = p.Logic("and", (p.Binary("gt", p.Local(turns), p.Const(0)), self.expr(2)))
        loop = p.While(test, (less, *self.body(depth - 1, in_loop=True)))
        return p.Branch(p.Const(1), (p.Assign(turns, p.Const(3)), loop))

    def switch(self, depth: int, in_loop: bool) -> p.Statement:
        cases = tuple(
            (number, self.body(depth - 1, in_loop=in_loop))
            for number in self.draw(st.sampled_from(SWITCHES))
        )
        subject = p.Binary("sub", p.Binary("rem", self.expr(1), p.Const(9)), p.Const(2))
        if self.draw(st.booleans()):
            subject = self.expr(1)
        return p.Switch(subject, cases, self.body(depth - 1, in_loop=in_loop))

    # -------------------------------------------------------------- the whole
    def function(self, name: str, depth: int) -> None:
        params = NAMES[: self.draw(st.integers(0, 2))]
        start = [p.Assign(each, p.Const(0)) for each in NAMES if each not in params]
        body = (*start, *self.body(depth), p.Return(self.expr(2)))
        self.functions.append(p.Function(name, params, body, is_exported=True))


@st.composite
def programs(draw: st.DrawFn, *, is_wild: bool = False) -> p.Program:
    """Programs of one to three functions, with bounds of their cells or without."""
    bounds = draw(st.sampled_from([None, (-3, 9), (0, 3)]))
    maker = ProgramMaker(draw, bounds, is_wild)
    for number in range(draw(st.integers(1, 3))):
        maker.function(f"f{number}", 2)
    return p.Program(tuple(maker.functions), TABLES, MEMORY, (bounds,) * ROOM)


def fitting_state(program: p.Program, state: list[int]) -> list[int]:
    """A state within the bounds of the cells."""
    return [
        number if bounds is None else min(max(number, bounds[0]), bounds[1])
        for number, bounds in zip(state, program.bounds, strict=True)
    ]


# ------------------------------------------------------------------ wild programs made tame
def tamed(program: p.Program) -> p.Program:
    """The program in which an index outside its cells or its table is 0."""
    functions = tuple(
        evolve(function, body=_tamed_body(function.body)) for function in program.functions
    )
    return evolve(program, functions=functions)


def _tamed_body(part: object) -> Any:
    if isinstance(part, tuple):
        return tuple(_tamed_body(each) for each in part)
    if not has(type(part)):
        return part
    node = evolve(
        part, **{each.name: _tamed_body(getattr(part, each.name)) for each in fields(type(part))}
    )
    if isinstance(node, p.Load | p.Store) and node.index is not None:
        return evolve(node, index=_tamed_index(node.index, node.room))
    if isinstance(node, p.StoreBytes):
        return evolve(node, at=_tamed_index(node.at, 8 * node.room - 7))
    if isinstance(node, p.Lookup):
        return evolve(node, index=_tamed_index(node.index, len(TABLES[node.table])))
    return node


def _tamed_index(index: p.Expr, room: int) -> p.Expr:
    name = f"index·{id(index)}"
    value = p.Local(name)
    is_inside = p.Logic(
        "and", (p.Binary("ge", value, p.Const(0)), p.Binary("lt", value, p.Const(room)))
    )
    return p.Block((p.Assign(name, index),), p.Conditional(is_inside, value, p.Const(0)))
