"""Chosen options and readings put in their places, and what then is known worked out."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Const, Expr, Operation, Statement
from hots_rules.rules.typed.visitor import children, map_statement, rewrite

TRUE, FALSE = Const(1, types.BOOL), Const(0, types.BOOL)


def _no_state(variable: str, _keys: tuple[int, ...]) -> int:
    raise AssertionError(variable)


class Folder:
    """Folds the expressions and blocks of one ruleset under one choice of settings."""

    def __init__(self, typed: tast.TypedRuleset, settings: Mapping[str, int]) -> None:
        self.settings = settings
        self.evaluator = Evaluator(typed, settings, _no_state, memo={})
        self._static: dict[str, bool] = {}
        self.typed = typed

    def is_static(self, node: Expr) -> bool:
        """Whether an expression depends on nothing but its local names and the tables."""
        if isinstance(node, tast.Load):
            return False
        if isinstance(node, tast.DefinitionCall) and not self._define_is_static(node.define):
            return False
        return all(self.is_static(part) for part in children(node))

    def _define_is_static(self, name: str) -> bool:
        if name not in self._static:
            self._static[name] = self.is_static(self.typed.definitions[name].body)
        return self._static[name]

    def of_tables(self, name: str, args: tuple[int, ...]) -> int | None:
        """What a definition says of some values; None if that depends on the state."""
        if not self._define_is_static(name):
            return None
        params = self.typed.definitions[name].params
        given = tuple(Const(arg, param.type) for arg, param in zip(args, params, strict=True))
        return self.evaluator.value(tast.DefinitionCall(name, given, types.ANY), {})

    def expr(self, node: Expr) -> Expr:
        """The expression, as short as the settings allow."""
        return rewrite(node, self._fold)

    def _fold(self, node: Expr) -> Expr:
        match node:
            case tast.Setting():
                return Const(self.settings[node.name], node.type)
            case Operation(op="and" | "or"):
                return self._junction(node)
            case tast.Conditional(condition=Const(value=truth)):
                return node.then if truth else node.otherwise
        inner = children(node)
        closed = inner and all(isinstance(part, Const) for part in inner)
        if (
            closed
            and not isinstance(
                node, tast.Load | tast.Quantified | tast.Comprehension | tast.Conditional
            )
            and self.is_static(node)
        ):
            try:
                return Const(self.evaluator.value(node, {}), node.type)
            except EngineError:
                return node
        return node

    def _junction(self, node: Operation) -> Expr:
        ends, skips = (0, 1) if node.op == "and" else (1, 0)
        kept: list[Expr] = []
        for arg in node.args:
            if isinstance(arg, Const):
                if bool(arg.value) == bool(ends):
                    return Const(ends, types.BOOL)
                continue
            kept += arg.args if isinstance(arg, Operation) and arg.op == node.op else (arg,)
        if not kept:
            return Const(skips, types.BOOL)
        return kept[0] if len(kept) == 1 else Operation(node.op, tuple(kept), types.BOOL)

    def body(self, body: Body) -> Body:
        """The block, without what can never run."""
        found: list[Statement] = []
        for node in body:
            found += self._statement(node)
        return tuple(found)

    def _statement(self, node: Statement) -> tuple[Statement, ...]:
        if isinstance(node, tast.Branch):
            return self._branch(node)
        if isinstance(node, tast.Loop) and self.expr(node.condition) == FALSE:
            return ()
        return (map_statement(node, self.expr, self.body),)

    def _branch(self, node: tast.Branch) -> tuple[Statement, ...]:
        cases: list[tuple[Expr, Body]] = []
        otherwise = node.otherwise
        for condition, block in node.cases:
            folded = self.expr(condition)
            if folded == FALSE:
                continue
            if folded == TRUE:
                otherwise = block
                break
            cases.append((folded, self.body(block)))
        rest = self.body(otherwise)
        return (tast.Branch(tuple(cases), rest),) if cases else rest
