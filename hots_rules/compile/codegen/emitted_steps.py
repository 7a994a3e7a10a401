"""The most steps of emitted code, read off the code itself, so that they count what runs.

A step is a statement that runs, an operation, or a member of a loop. What is computed before a loop counts once, and
operations on masks count once for all members.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from attrs import define, field

_OPERATIONS = ast.Call | ast.Subscript | ast.UnaryOp | ast.Compare


@define
class LoopBounds:
    """How many members each loop of a module has at most.

    Attributes:
        of_functions: by the name of a function that has one loop over the members of a set.
        of_names: by the name of the member, of loops in other functions.
    """

    of_functions: dict[str, int] = field(factory=dict)
    of_names: dict[str, int] = field(factory=dict)

    def add_function(self, name: str, most: int) -> None:
        """Note the loop of a function; functions that are written once for several loops have the longest."""
        self.of_functions[name] = max(most, self.of_functions.get(name, 0))

    def add_name(self, name: str, most: int) -> None:
        """Note a loop by the name of its member; names that are used again have the longest loop."""
        self.of_names[name] = max(most, self.of_names.get(name, 0))


@define
class EmittedSteps:
    """Counts the most steps of functions and expressions of a module.

    Attributes:
        functions: the source of each function that is called.
        bounds: how many members its loops have.
        cells: how many cells the state has; a copy takes a step for each.
        counts_members: whether to leave out what is repeated for each member of a set or a range, as play counts it.
        per_member: with `counts_members`, the most steps for one member in what was counted so far.
    """

    functions: Mapping[str, str]
    bounds: LoopBounds
    cells: int
    counts_members: bool = False
    per_member: int = 1
    _steps: dict[str, int] = field(factory=dict)

    def of_function(self, name: str) -> int:
        """The most steps of a function; 0 for one of Python itself."""
        if name not in self._steps:
            source = self.functions.get(name, "")
            bodies = (
                node.body for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)
            )
            self._steps[name] = sum(self._of_body(name, body) for body in bodies)
        return self._steps[name]

    def of_expression(self, text: str) -> int:
        """The most steps of an expression."""
        return self._of_expression(ast.parse(text, mode="eval").body)

    def _of_body(self, function: str, body: list[ast.stmt]) -> int:
        return sum(self._of_statement(function, node) for node in body)

    def _of_statement(self, function: str, node: ast.stmt) -> int:
        match node:
            case ast.If():
                cases = (self._of_body(function, body) for body in (node.body, node.orelse))
                return 1 + self._of_expression(node.test) + max(cases)
            case ast.For():
                for_one = 1 + self._of_body(function, node.body)
                return self._of_expression(node.iter) + self._repeated(function, node, for_one)
        return 1 + sum(map(self._of_expression, _expressions_in(node)))

    def _repeated(self, function: str, node: ast.For, steps: int) -> int:
        """The steps of a loop with some steps for each member."""
        if not self.counts_members or isinstance(node.iter, ast.Tuple):
            return self._times(function, node) * steps
        self.per_member = max(self.per_member, steps)
        return 0

    def _times(self, function: str, node: ast.For) -> int:
        """How often a loop runs at most."""
        match node.iter:
            case ast.Tuple(elts=members):
                return len(members)
            case ast.Call(func=ast.Name("range"), args=args) if all(
                isinstance(arg, ast.Constant) for arg in args
            ):
                return len(range(*(ast.literal_eval(arg) for arg in args)))
            case ast.Call(func=ast.Name("bits"), args=[ast.Constant(int(mask))]):
                return mask.bit_count()
        assert isinstance(node.target, ast.Name)
        if function in self.bounds.of_functions:
            return self.bounds.of_functions[function]
        return self.bounds.of_names[node.target.id]

    def _of_expression(self, node: ast.expr) -> int:
        match node:
            case ast.IfExp():
                cases = max(self._of_expression(node.body), self._of_expression(node.orelse))
                return 1 + self._of_expression(node.test) + cases
            case ast.BinOp():
                return self._of_chain(node)
            case ast.Subscript(slice=ast.Slice(lower=None, upper=None)):
                return self.cells
        own = len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        own += isinstance(node, _OPERATIONS)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            own += self.of_function(node.func.id)
        return own + sum(map(self._of_expression, _expressions_in(node)))

    def _of_chain(self, node: ast.BinOp) -> int:
        """The steps of a chain of operations, without recursion into the left operand: some chains are long."""
        steps, left = 0, node.left
        steps += 1 + self._of_expression(node.right)
        while isinstance(left, ast.BinOp):
            steps += 1 + self._of_expression(left.right)
            left = left.left
        return steps + self._of_expression(left)


def _expressions_in(node: ast.AST) -> Iterator[ast.expr]:
    return (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
