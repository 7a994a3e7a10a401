"""Nodes from restricted Python: the text of functions that are part of every program.

`S[REGION + i]` is a word of the memory, `B[REGION + i]` the eight bytes from a byte of the region on, and `TABLE[i]` an
entry of a table; other names in capitals are constants.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import cast

from attrs import frozen

from hots_rules.native.lowering import program as p

ARITHMETIC: Mapping[type[ast.operator], p.ArithmeticOp] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "div",
    ast.Mod: "rem",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "shr",
}
"""The operations of Python on numbers."""
COMPARISONS: Mapping[type[ast.cmpop], p.CompareOp] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
"""The comparisons of Python."""
_UNARY = ("count", "length", "first", "swap")
_BINARY = ("min", "max", "pick", "rotr")


def read_functions(
    text: str,
    memory: Mapping[str, p.Region],
    constants: Mapping[str, int],
    exported: Iterable[str] = (),
) -> tuple[p.Function, ...]:
    """The functions of a text; those in `exported` can be called from outside.

    >>> from hots_rules.native.lowering.program import lay_out
    >>> from hots_rules.native.lowering.read import read_functions
    >>> read_functions("def f(x): return x + ONE", lay_out({}), {"ONE": 1})[0].body
    (Return(value=Binary(op='add', left=Local(name='x'), right=Const(value=1))),)
    """
    reader, names = _Reader(memory, constants), frozenset(exported)
    return tuple(
        p.Function(
            node.name,
            tuple(arg.arg for arg in node.args.args),
            reader.body(node.body),
            node.name in names,
        )
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    )


@frozen
class _Reader:
    memory: Mapping[str, p.Region]
    constants: Mapping[str, int]

    # -------------------------------------------------------------- statements
    def body(self, nodes: Iterable[ast.stmt]) -> p.Body:
        return tuple(self.statement(node) for node in nodes)

    def statement(self, node: ast.stmt) -> p.Statement:
        match node:
            case ast.Assign([ast.Name(name)], value):
                return p.Assign(name, self.expr(value))
            case ast.Assign([ast.Subscript(ast.Name("S"), place)], value):
                region, index = self.place(place)
                return region.store(self.expr(value), index)
            case ast.Assign([ast.Subscript(ast.Name("B"), place)], value):
                region, index = self.place(place)
                return p.StoreBytes(region.base, self.expr(value), index or p.Const(0), region.room)
            case ast.Expr(value):
                return p.Do(self.expr(value))
            case ast.If(test, then, otherwise):
                return p.Branch(self.expr(test), self.body(then), self.body(otherwise))
            case ast.Match(subject, cases):
                return self.switch(subject, cases)
            case ast.While(test, body):
                return p.While(self.expr(test), self.body(body))
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [first, stop]), body):
                return p.ForRange(name, self.expr(first), self.expr(stop), self.body(body))
            case ast.For(ast.Name(name), ast.Call(ast.Name("bits"), [word]), body):
                return p.ForBits(name, self.expr(word), self.body(body))
            case ast.Return(value):
                return p.Return(self.expr(value)) if value is not None else p.Return()
            case ast.Break():
                return p.Break()
            case ast.Continue():
                return p.Continue()
        raise NotImplementedError(ast.unparse(node))

    def switch(self, subject: ast.expr, cases: list[ast.match_case]) -> p.Switch:
        numbered, otherwise = dict[int, p.Body](), p.Body()
        for case in cases:
            match case.pattern:
                case ast.MatchValue(ast.Constant(int(number))):
                    numbered[number] = self.body(case.body)
                case _:
                    otherwise = self.body(case.body)
        return p.Switch(self.expr(subject), tuple(numbered.items()), otherwise)

    # -------------------------------------------------------------- expressions
    def expr(self, node: ast.expr) -> p.Expr:
        match node:
            case ast.Constant(int(value)):
                return p.Const(value)
            case ast.Name(name):
                return p.Const(self.constants[name]) if name in self.constants else p.Local(name)
            case ast.Subscript(ast.Name("S"), place):
                region, index = self.place(place)
                return region.load(index)
            case ast.Subscript(ast.Name(table), index):
                return p.Lookup(table, self.expr(index))
            case ast.UnaryOp(ast.Not(), value):
                return p.Unary("not", self.expr(value))
            case ast.UnaryOp(ast.Invert(), value):
                return p.Binary("xor", self.expr(value), p.Const(-1))
            case ast.UnaryOp(ast.USub(), value):
                return p.Binary("sub", p.Const(0), self.expr(value))
            case ast.BinOp(left, op, right):
                return p.Binary(ARITHMETIC[type(op)], self.expr(left), self.expr(right))
            case ast.Compare(left, [op], [right]):
                return p.Binary(COMPARISONS[type(op)], self.expr(left), self.expr(right))
            case ast.BoolOp(op, parts):
                values = tuple(self.expr(part) for part in parts)
                return p.Logic("and" if isinstance(op, ast.And) else "or", values)
            case ast.IfExp(test, then, otherwise):
                return p.Conditional(self.expr(test), self.expr(then), self.expr(otherwise))
            case ast.Call(ast.Name(name), args):
                return self.call(name, [self.expr(arg) for arg in args])
        raise NotImplementedError(ast.unparse(node))

    def call(self, name: str, args: list[p.Expr]) -> p.Expr:
        if name in _UNARY:
            return p.Unary(cast("p.UnaryOp", name), *args)
        if name in _BINARY:
            return p.Binary(cast("p.BinaryOp", name), *args)
        return p.Call(name, tuple(args))

    def place(self, node: ast.expr) -> tuple[p.Region, p.Expr | None]:
        """`REGION`, `REGION + index`, or a longer sum that begins with the region."""
        match node:
            case ast.Name(name):
                return self.memory[name], None
            case ast.BinOp(left, ast.Add(), right):
                region, index = self.place(left)
                more = self.expr(right)
                return region, more if index is None else p.Binary("add", index, more)
        raise NotImplementedError(ast.unparse(node))
