"""Constant folding: the chosen options and readings are substituted, and what becomes constant is evaluated.

Narrowings that cannot fail need no check at run time: in `{to in next(a) where closed(border(a, to) as Border)}` the
tables alone decide whether each `border(a, to)` is a `Border`. All values of `a`, with all `to` in `next(a)`, are
tried; if none fails, the check is dropped.
"""

from collections.abc import Mapping
from functools import partial
from itertools import product
from math import prod
from types import MappingProxyType

from attrs import evolve

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.evaluate import Budget, CountingEvaluator, Evaluator, too_large
from hots_rules.compile.least_steps import least_steps_beyond
from hots_rules.compile.rewrite import substitute
from hots_rules.compile.static_values import CountedValues, KnownValues
from hots_rules.diagnostics import EngineError, HotsError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Const, Expr, Local, Operation, Statement
from hots_rules.rules.typed.visitor import children, map_statement, rewrite, walk
from hots_rules.rules.wording import number_text

TRUE, FALSE = Const(1, types.BOOL), Const(0, types.BOOL)
MAX_EVALUATIONS = 4096
MAX_STEPS_OF_SETS = 500_000  # to compute sets of which only the size counts
_NO_SETTINGS: Mapping[str, int] = MappingProxyType({})


def _no_state(variable: str, _keys: tuple[int, ...]) -> int:
    raise AssertionError(variable)


def static_values(
    typed: tast.TypedRuleset, settings: Mapping[str, int] = _NO_SETTINGS
) -> Evaluator:
    """What computes sets that read no state, to count their members.

    It fails after some steps, and where a setting is not given.
    """
    return ConstantFolder(typed, settings, Budget.to_compile(MAX_STEPS_OF_SETS)).evaluator


class ConstantFolder:
    """Folds the expressions and blocks of one ruleset under one choice of settings."""

    def __init__(
        self, typed: tast.TypedRuleset, settings: Mapping[str, int], budget: Budget | None = None
    ) -> None:
        self.typed = typed
        self.settings = settings
        self.budget = budget
        self.evaluator: Evaluator
        if budget is None:
            values = KnownValues(typed.static_values)
            self.evaluator = Evaluator(typed, settings, _no_state, memo=values)
        else:
            counted = CountedValues(typed.static_values, budget, self._depends_on_settings)
            budget.exceeded = partial(_costliest_error, typed, counted)
            self.evaluator = CountingEvaluator(
                typed, settings, _no_state, steps=budget, memo=counted
            )
        self._reading: dict[tuple[str, type], bool] = {}

    def is_static(self, node: Expr) -> bool:
        """Whether an expression reads no state: it depends on its local names and the tables alone."""
        return not self.reads(node, tast.Load)

    def reads(self, node: Expr, kind: type[tast.Load | tast.Setting]) -> bool:
        """Whether an expression reads the state, or a setting: itself, or through a definition."""
        if isinstance(node, kind | tast.After | tast.PositionNumber):
            return True
        if isinstance(node, tast.DefinitionCall) and self.definition_reads(node.define, kind):
            return True
        return any(self.reads(part, kind) for part in children(node))

    def definition_reads(self, name: str, kind: type[tast.Load | tast.Setting]) -> bool:
        """Whether a definition reads the state, or a setting."""
        if (name, kind) not in self._reading:
            self._reading[name, kind] = self.reads(self.typed.definitions[name].body, kind)
        return self._reading[name, kind]

    def _depends_on_settings(self, name: str) -> bool:
        return self.definition_reads(name, tast.Setting)

    def static_value(self, name: str, args: tuple[int, ...]) -> int | None:
        """The value of a definition for some arguments; None if it reads the state."""
        if self.definition_reads(name, tast.Load):
            return None
        params = self.typed.definitions[name].params
        constants = tuple(Const(arg, param.type) for arg, param in zip(args, params, strict=True))
        return self.evaluator.value(tast.DefinitionCall(name, constants, types.ANY), {})

    def refuse_costly(self, name: str) -> None:
        """Refuse to compute all values of a definition that reads no state, before the first one.

        Raises:
            RulesetError: they certainly take more steps than the budget has.
        """
        if self.budget is None:
            return
        least = least_steps_beyond(self.typed, name, self.budget.most)
        if least is not None:
            raise _too_large_error(
                self.typed, name, f"at least {number_text(least)}", self.budget.most
            )

    def expr(self, node: Expr) -> Expr:
        """The expression with all constant parts folded."""
        return rewrite(node, self._fold)

    def _fold(self, node: Expr) -> Expr:
        match node:
            case tast.Setting():
                return Const(self.settings[node.name], node.type)
            case Operation(op="and" | "or"):
                return self._junction(node)
            case tast.Conditional(condition=Const(value=truth)):
                return node.then if truth else node.otherwise
            case tast.LetIn(value=Const() | Local() as value):
                return self.expr(substitute(node.body, {node.local.name: value}))
            case tast.LetIn():
                return node
        operands = children(node)
        if (
            not operands
            or not all(isinstance(operand, Const) for operand in operands)
            or isinstance(node, tast.Load | tast.Quantified | tast.Comprehension | tast.Conditional)
            or not self.is_static(node)
        ):
            return node
        try:
            return Const(self.evaluator.value(node, {}), node.type)
        except EngineError:
            return node  # The error is raised in play, if the rule is reached.

    def _junction(self, node: Operation) -> Expr:
        absorbing, neutral = (FALSE, TRUE) if node.op == "and" else (TRUE, FALSE)
        kept: list[Expr] = []
        for arg in node.args:
            if isinstance(arg, Const):
                if bool(arg.value) == bool(absorbing.value):
                    return absorbing
                continue
            kept += arg.args if isinstance(arg, Operation) and arg.op == node.op else (arg,)
        if not kept:
            return neutral
        return kept[0] if len(kept) == 1 else Operation(node.op, tuple(kept), types.BOOL)

    def body(self, body: Body) -> Body:
        """The statements, folded, without those that can never run."""
        return tuple(folded for node in body for folded in self._statement(node))

    def _statement(self, node: Statement) -> Body:
        match map_statement(node, self.expr, self.body):
            case tast.Branch() as branch:
                return self._branch(branch)
            case tast.Loop(condition=condition) if condition == FALSE:
                return ()
            case folded:
                return (folded,)

    def _branch(self, node: tast.Branch) -> Body:
        cases: list[tast.Case] = []
        otherwise = node.otherwise
        for case in node.cases:
            if case.condition == TRUE:
                otherwise = case.body
                break
            if case.condition != FALSE:
                cases.append(case)
        return (tast.Branch(tuple(cases), otherwise),) if cases else otherwise


def _costliest_error(typed: tast.TypedRuleset, values: CountedValues, most: int) -> HotsError:
    """The error of a ruleset whose constants take too many steps: it names the definition that takes most of them."""
    if (costliest := values.costliest()) is None:
        return too_large(most)
    name, count, steps = costliest
    return _too_large_error(typed, name, f"about {number_text(steps // count)}", most)


def _too_large_error(typed: tast.TypedRuleset, name: str, steps: str, most: int) -> HotsError:
    """The error of a ruleset in which the values of a definition take too many steps."""
    definition = typed.definitions[name]
    combinations = prod(types.size(param.type) for param in definition.params)
    loops = dict.fromkeys(
        f"{number_text(types.size(part.local.type))} for `{part.local.word}`"
        for part in walk(definition.body)
        if isinstance(part, tast.Quantified | tast.Comprehension)
    )
    because = (
        f": `{name}` takes {steps} for each of the {number_text(combinations)} "
        f"combinations of its arguments{', with ' if loops else ''}{' and '.join(loops)}"
    )
    remedy = (
        "let its condition begin with what reads a variable, so that it is computed in play where it is needed, or "
        "look up less"
    )
    return too_large(most, because, definition.origin.span, remedy)


def eliminate_checks(node: Expr, folder: ConstantFolder) -> Expr:
    """The expression with `checked=False` in the narrowings that hold for every member of a static set."""

    def change(part: Expr) -> Expr:
        match part:
            case tast.Comprehension():
                condition = _unchecked(part.condition, part.local, part.source, folder)
                return evolve(part, condition=condition)
            # The places on a path need not be members of the set from which it leads.
            case tast.Quantified() if part.kind not in {"reach", "distance"}:
                return evolve(part, body=_unchecked(part.body, part.local, part.source, folder))
        return part

    return rewrite(node, change)


def _unchecked(body: Expr, local: Local, source: Expr, folder: ConstantFolder) -> Expr:
    if not folder.is_static(source):
        return body
    safe = {
        node
        for node in walk(body)
        if isinstance(node, tast.Narrow)
        and (node.checked or node.guarded)
        and folder.is_static(node.body)
        and _always_holds(node, local, source, folder)
    }
    return rewrite(
        body, lambda node: evolve(node, checked=False, guarded=False) if node in safe else node
    )


def _always_holds(node: tast.Narrow, local: Local, source: Expr, folder: ConstantFolder) -> bool:
    """Whether a narrowing holds for every member of the source and all values of the other local names.

    One that does not depend on the member may be computed before the loop: it must hold if the source is empty, too.
    """
    if any(map(tast.bound_by, walk(node.body))):
        return False
    depends = any(part == local for part in walk(node.body))
    locals_ = {
        part
        for expr in (node.body, source if depends else node.body)
        for part in walk(expr)
        if isinstance(part, Local)
    }
    others = sorted(locals_ - {local}, key=lambda free: free.name)
    tried = (local, *others) if depends else others
    if prod(types.size(name.type) for name in tried) > MAX_EVALUATIONS:
        return False
    evaluate = folder.evaluator.value
    try:
        for codes in product(*(codes_of(free.type) for free in others)):
            values = {free.name: code for free, code in zip(others, codes, strict=True)}
            members = bits(evaluate(source, values)) if depends else (0,)
            for member in members:
                evaluate(node, {**values, local.name: member})
    except (EngineError, KeyError, IndexError):
        return False
    return True
