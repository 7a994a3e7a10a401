"""The integer program as Python: its meaning, to which the other printers are held.

It is slow, and serves tests. A word is kept as a number from 0 to 2**64 - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hots_rules.native.lowering import program as p

Compiled = Callable[..., int]
"""A function of a program: words in, a word out."""

_INFIX: Final = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "rem": "%",
    "and": "&",
    "or": "|",
    "xor": "^",
    "shr": ">>",
}
_WRAPS: Final = {"add", "sub", "mul"}
_COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNARY: Final = {
    "not": "int({} == 0)",
    "count": "({}).bit_count()",
    "length": "({}).bit_length()",
    "first": "first({})",
    "swap": "swap({})",
}


def to_python(program: p.Program) -> str:
    """Python source of a program, with a function `f_NAME(S, …)` for each function, on the memory `S`."""
    tables = [f"t_{name} = {tuple(map(_word, row))}\n" for name, row in program.tables.items()]
    error = program.memory["ERROR"].base
    functions = [_FunctionPrinter(error).function(function) for function in program.functions]
    return "\n\n".join(["".join(tables), *functions])


def load_python(program: p.Program) -> tuple[list[int], dict[str, Compiled]]:
    """A memory of zeros, and the functions of a program by name; each takes the memory first.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.printing.python import load_python
    >>> double = p.Function("double", ("x",), (p.Return(p.Binary("add", p.Local("x"), p.Local("x"))),))
    >>> memory, run = load_python(p.Program((double,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1})))
    >>> run["double"](memory, 21)
    42
    """
    names: dict[str, Any] = {
        "signed": signed,
        "first": _first,
        "swap": _swap,
        "put_bytes": _put_bytes,
        "within": _within,
        "pick": _pick,
    }
    exec(compile(to_python(program), "<integer program>", "exec"), names)
    return [0] * program.cells, {
        function.name: names[f"f_{_name(function.name)}"] for function in program.functions
    }


def signed(word: int) -> int:
    """The number of a word, with its sign."""
    return word - (1 << p.WORD) if word >> (p.WORD - 1) else word


def _word(number: int) -> int:
    return number & p.FULL


def _first(word: int) -> int:
    return (word & -word).bit_length() - 1 if word else p.WORD


def _swap(word: int) -> int:
    return int.from_bytes(word.to_bytes(8), "little")


def _put_bytes(memory: list[int], base: int, word: int, at: int) -> None:
    cell, shift = base + at // 8, at % 8 * 8
    for place in range(2):
        mask, bits = ((part << shift) >> p.WORD * place & p.FULL for part in (p.FULL, word))
        if mask:
            memory[cell + place] = memory[cell + place] & ~mask | bits


def _pick(fraction: int, count: int) -> int:
    return int(fraction / 2**53 * count)


def _within(memory: list[int], error: int, word: int, bounds: tuple[int, int], check: int) -> int:
    low, high = bounds
    if low <= signed(word) <= high:
        return word
    memory[error] = check + 1
    return _word(low)


class _FunctionPrinter:
    """Prints one function; a block within an expression becomes a function before its statement."""

    def __init__(self, error: int) -> None:
        self.error = error
        self.blocks = 0
        self.lines: list[str] = []

    def function(self, function: p.Function) -> str:
        self.body(function.body, "    ")
        head = f"def f_{_name(function.name)}({', '.join(['S', *map(_local, function.params)])}):"
        return "\n".join([head, *self.lines, "    return 0\n"])

    # -------------------------------------------------------------- statements
    def body(self, body: p.Body, indent: str) -> None:
        if not body:
            self.lines.append(f"{indent}pass")
        for statement in body:
            self.statement(statement, indent)

    def statement(self, node: p.Statement, indent: str) -> None:
        def value(expr: p.Expr) -> str:
            return self.expr(expr, indent)

        match node:
            case p.Assign():
                self.lines.append(f"{indent}{_local(node.name)} = {value(node.value)}")
            case p.Store():
                place = self.place(node.base, node.index, indent)
                self.lines.append(f"{indent}S[{place}] = {value(node.value)}")
            case p.StoreBytes():
                word, at = value(node.value), value(node.at)
                self.lines.append(f"{indent}put_bytes(S, {node.base}, {word}, {at})")
            case p.Do():
                self.lines.append(f"{indent}{value(node.value)}")
            case p.Branch():
                self.lines.append(f"{indent}if {value(node.condition)}:")
                self.body(node.then, indent + "    ")
                if node.otherwise:
                    self.lines.append(f"{indent}else:")
                    self.body(node.otherwise, indent + "    ")
            case p.While():
                # A block in the condition is a function, made once and called each time.
                self.lines.append(f"{indent}while {value(node.condition)}:")
                self.body(node.body, indent + "    ")
            case p.ForRange():
                domain = f"range(signed({value(node.first)}), signed({value(node.stop)}))"
                self.lines.append(f"{indent}for {_local(node.name)} in {domain}:")
                self.lines.append(f"{indent}    {_local(node.name)} &= {p.FULL}")
                self.body(node.body, indent + "    ")
            case p.ForBits():
                name = _local(node.name)
                domain = f"[n for n in range({p.WORD}) if word >> n & 1]"
                self.lines.append(f"{indent}word = {value(node.word)}")
                self.lines.append(f"{indent}for {name} in {domain}:")
                self.body(node.body, indent + "    ")
            case p.Switch():
                self.lines.append(f"{indent}match signed({value(node.subject)}):")
                for number, body in node.cases:
                    self.lines.append(f"{indent}    case {number}:")
                    self.body(body, indent + "        ")
                self.lines.append(f"{indent}    case _:")
                self.body(node.otherwise, indent + "        ")
            case p.Break():
                self.lines.append(f"{indent}break")
            case p.Continue():
                self.lines.append(f"{indent}continue")
            case p.Return():
                self.lines.append(f"{indent}return {value(node.value)}")

    # -------------------------------------------------------------- expressions
    def place(self, base: int, index: p.Expr | None, indent: str) -> str:
        """The index of a cell in `S`."""
        return str(base) if index is None else f"{base} + {self.expr(index, indent)}"

    def expr(self, node: p.Expr, indent: str) -> str:
        def value(expr: p.Expr) -> str:
            return self.expr(expr, indent)

        match node:
            case p.Const():
                return str(_word(node.value))
            case p.Local():
                return _local(node.name)
            case p.Load():
                return f"S[{self.place(node.base, node.index, indent)}]"
            case p.Lookup():
                return f"t_{node.table}[{value(node.index)}]"
            case p.Unary():
                return _UNARY[node.op].format(value(node.value))
            case p.Binary():
                return _binary(node.op, value(node.left), value(node.right))
            case p.Logic():
                parts = [f"{value(part)} != 0" for part in node.parts]
                return f"int({f' {node.op} '.join(parts)})"
            case p.Conditional():
                then, otherwise = value(node.then), value(node.otherwise)
                return f"({then} if {value(node.condition)} else {otherwise})"
            case p.Call():
                return f"f_{_name(node.function)}({', '.join(['S', *map(value, node.args)])})"
            case p.Within():
                bounds = f"({node.low}, {node.high})"
                return f"within(S, {self.error}, {value(node.value)}, {bounds}, {node.check})"
            case p.Block():
                return self.block(node, indent)

    def block(self, node: p.Block, indent: str) -> str:
        self.blocks += 1
        name = f"block_{self.blocks}"
        self.lines.append(f"{indent}def {name}():")
        self.body(node.body, indent + "    ")
        self.lines.append(f"{indent}    return {self.expr(node.value, indent + '    ')}")
        return f"{name}()"


def _binary(op: p.BinaryOp, left: str, right: str) -> str:
    if op in _COMPARISONS:
        return f"int(signed({left}) {_COMPARISONS[op]} signed({right}))"
    if op in _INFIX:
        text = f"({left} {_INFIX[op]} {right})"
        return f"({text} & {p.FULL})" if op in _WRAPS else text
    match op:
        case "shl":
            return f"({left} << {right} & {p.FULL})"
        case "rotr":
            return f"(({left} >> {right} | {left} << {p.WORD} - {right}) & {p.FULL})"
        case "min" | "max":
            return f"{op}({left}, {right}, key=signed)"
    return f"pick({left}, {right})"


def _local(name: str) -> str:
    """A name that is none of Python's and none of this module's."""
    return f"v_{_name(name)}"


def _name(name: str) -> str:
    """A name of a program as one of Python: lowering makes names with dots."""
    return name.replace(".", "·")
