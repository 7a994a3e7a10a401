"""A machine that counts each step as it runs, to hold the estimates of steps against."""

from __future__ import annotations

import ast
from typing import Any

from hots_rules.compile.machine import Machine

_OPERATIONS = ast.Call | ast.Subscript | ast.UnaryOp | ast.Compare | ast.BinOp | ast.IfExp


class StepCounter(Machine):
    """Adds to `counted` each statement, each operation and each member of a loop that runs."""

    def __init__(self, machine: Machine) -> None:
        self.counted = 0
        module = _Counting(len(machine.initial)).visit(ast.parse(machine.source))
        code = compile(ast.fix_missing_locations(module), machine.code.co_filename, "exec")
        super().__init__(code, machine.facts, machine.source, machine.limits)

    def _names(self) -> dict[str, Any]:
        return super()._names() | {"spend": self._spend}

    def _spend(self, steps: int) -> bool:
        self.counted += steps
        return True


class _Counting(ast.NodeTransformer):
    """Puts `spend(N)` before what always runs together: a statement, a member, an operand that may be left out."""

    def __init__(self, cells: int) -> None:
        self.cells = cells

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = self._body(node.body)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        return node  # outside functions: constants

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        return node

    def _body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [part for node in body for part in self._statement(node)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        steps = 0 if isinstance(node, ast.For) else 1
        for name, child in ast.iter_fields(node):
            if isinstance(child, ast.expr):
                counted, own = self._expression(child)
                setattr(node, name, counted)
                steps += own
            elif name == "targets":
                steps += sum(self._expression(target)[1] for target in child)
            elif name in {"body", "orelse"}:
                setattr(node, name, self._body(child))
        if isinstance(node, ast.For):
            node.body.insert(0, ast.Expr(_spend(1)))
        return [ast.Expr(_spend(steps)), node]

    def _expression(self, node: ast.expr) -> tuple[ast.expr, int]:
        """An expression that counts what it may leave out, and the steps that it always takes."""
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Slice)
            and not node.slice.lower
        ):
            return node, self.cells
        steps = int(isinstance(node, _OPERATIONS))
        for name, child in ast.iter_fields(node):
            children = child if isinstance(child, list) else [child]
            counted = []
            for number, part in enumerate(children):
                is_perhaps = (isinstance(node, ast.BoolOp) and number > 0) or (
                    isinstance(node, ast.IfExp) and name != "test"
                )
                if not isinstance(part, ast.expr):
                    counted.append(part)
                    continue
                changed, own = self._expression(part)
                if is_perhaps:
                    # The call gives true, so that the value is that of the operand.
                    own += isinstance(node, ast.BoolOp)
                    changed = ast.BoolOp(ast.And(), [_spend(own), changed])
                else:
                    steps += own
                counted.append(changed)
            setattr(node, name, counted if isinstance(child, list) else counted[0])
        return node, steps


def _spend(steps: int) -> ast.Call:
    return ast.Call(ast.Name("spend", ast.Load()), [ast.Constant(steps)], [])
