"""Functions that list the legal codes of an action, as nested loops over its parameters.

A condition is tested as soon as its parameters are bound; a condition that is membership in a set restricts
the loop instead of a test inside it. A costly definition that depends on no parameter is evaluated at most once,
before the loops.
"""

from math import prod

from attrs import define, field

from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler, times
from hots_rules.compile.codegen.hoisting import hoist
from hots_rules.compile.codegen.mask_compiler import (
    Mask,
    MaskCompiler,
    MemberCondition,
    free_locals,
    mentions,
)
from hots_rules.compile.codes import codes_of
from hots_rules.compile.constant_folding import FALSE
from hots_rules.compile.link import ActionSpec
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import DefinitionCall, Expr, Local, Operation
from hots_rules.rules.typed.visitor import rewrite

KEPT_STEPS = 100_000  # of a definition whose value is kept


def legality_conditions(action: ActionSpec) -> list[Expr]:
    """The conditions that make an action legal together: some permit, and not any forbid."""
    permits = [clause.when for clause in action.clauses if clause.kind == "permit"]
    forbids = [clause.when for clause in action.clauses if clause.kind == "forbid"]
    if not permits:
        return [FALSE]
    allowed = permits[0] if len(permits) == 1 else Operation("or", tuple(permits), types.BOOL)
    return [allowed, *(Operation("not", (forbid,), types.BOOL) for forbid in forbids)]


@define
class _Level:
    """What is computed once a number of parameters is bound: tests, and masks for later parameters.

    Late masks may fail: they are computed only after all conditions before them have been satisfied. `bound` are the
    names of its masks, `same` the names of what its loop would compute for each member alike, by their source.
    """

    tests: list[Expr] = field(factory=list)
    masks: dict[int, list[MemberCondition]] = field(factory=dict)
    late: dict[int, list[MemberCondition]] = field(factory=dict)
    bound: set[str] = field(factory=set)
    same: dict[str, str] = field(factory=dict)


class LegalActionsWriter:
    """Writes the function that lists the legal codes of one action."""

    def __init__(
        self,
        compiler: ExpressionCompiler,
        action: ActionSpec,
        base: int,
        estimator: CostEstimator,
    ) -> None:
        self.compiler = compiler
        self.action = action
        self.base = base
        self.estimator = estimator
        # The most steps of the function, which are known once its source is written.
        self.steps = self._combinations(len(action.params))
        self.levels = [_Level() for _ in range(len(action.params) + 1)]
        self.kept: dict[Expr, Local] = {}

    def source(self) -> str:
        """`def list_move(S, actor, out)`, which appends the codes of legal moves to `out`."""
        self._place_conditions()
        head = (
            f"def {self.action.list_name}(S, {self.action.actor.name}, out):"
            f"  # {self.action.origin.cited}"
        )
        return "\n".join([head, *self._level(0, "    ", {})]) + "\n"

    def _place_conditions(self) -> None:
        reached = 0
        for condition in legality_conditions(self.action):
            for part in self.compiler.conjuncts(condition):
                has_params = free_locals(part) & {param.name for param in self.action.params}
                placed = rewrite(part, self._keep) if has_params else part
                reached = max(reached, self._place(placed, reached))

    def _keep(self, node: Expr) -> Expr:
        """The name of the value that is kept of a costly definition; any other expression as it is."""
        if not isinstance(node, DefinitionCall) or free_locals(node) - {self.action.actor.name}:
            return node
        steps = self.estimator.cost_of(node).steps
        if steps < KEPT_STEPS or self.compiler.may_fail(node):
            return node
        if node not in self.kept:
            self.kept[node] = Local(f"kept_{len(self.kept)}", node.type)
            self.steps += steps
        return self.kept[node]

    def _combinations(self, level: int) -> int:
        """How many combinations of arguments the first parameters have."""
        return prod(types.size(param.type) for param in self.action.params[:level])

    def _place(self, condition: Expr, reached: int) -> int:
        """Place a condition; return the level from which on it holds.

        A condition that may fail comes after all conditions written before it, because they may guard it.
        """
        names = [param.name for param in self.action.params]
        used = sorted({names.index(name) for name in free_locals(condition) if name in names})
        last = used[-1] if used else -1
        early = used[-2] + 1 if len(used) > 1 else 0
        steps = self.estimator.cost_of(condition).steps
        if self.compiler.may_fail(condition):
            late = self._late_mask(condition, last)
            if late is not None and reached <= early:
                self.levels[early].late.setdefault(last, []).append(late)
                return self._narrow(early, last, steps)
            return self._test(condition, max(reached, last + 1), steps)
        if used and (mask := self._mask(condition, last)) is not None:
            self.levels[early].masks.setdefault(last, []).append(mask)
            return self._narrow(early, last, steps)
        return self._test(condition, last + 1, steps)

    def _narrow(self, level: int, at: int, steps: int) -> int:
        """Count the steps of a mask, as many as tests of all its members; returns its level."""
        self.steps += steps * self._combinations(level) * types.size(self.action.params[at].type)
        return level

    def _test(self, condition: Expr, level: int, steps: int) -> int:
        """Test a condition on a level; returns the level."""
        self.levels[level].tests.append(condition)
        self.steps += steps * self._combinations(level)
        return level

    def _mask(self, condition: Expr, at: int) -> MemberCondition | None:
        param = self.action.params[at]
        if not isinstance(param.type, types.WordType):
            return None
        return MaskCompiler(self.compiler, param).mask(condition)

    def _late_mask(self, condition: Expr, at: int) -> MemberCondition | None:
        """`x in S` or `x not in S`, where the evaluation of `S` may fail but does not depend on `x`."""
        negated = isinstance(condition, Operation) and condition.op == "not"
        inner = condition.args[0] if isinstance(condition, Operation) and negated else condition
        if at < 0 or not isinstance(inner, Operation) or inner.op != "in":
            return None
        param = self.action.params[at]
        if (
            inner.args[0] != param
            or mentions(inner.args[1], param)
            or not isinstance(param.type, types.WordType)
        ):
            return None
        return Mask(self.compiler.value(inner.args[1]), inverted=negated)

    def _level(self, level: int, indent: str, masks: dict[int, str]) -> list[str]:
        """What follows after `level` parameters are bound: tests, masks of later ones, the next loop."""
        params = self.action.params
        leave = "return" if level == 0 else "continue"
        here = self.levels[level]
        lines = []
        if here.tests:
            tests = " and ".join(
                self._condition(test, level, is_first=not number)
                for number, test in enumerate(here.tests)
            )
            lines.append(f"{indent}if not ({tests}): {leave}")
        if level == 0:
            calls = ((name.name, self.compiler.value(call)) for call, name in self.kept.items())
            lines += [f"{indent}{name} = {call}" for name, call in calls]
        masks = dict(masks)
        for suffix, conditions in (("", here.masks), ("late", here.late)):
            for at, parts in sorted(conditions.items()):
                before = [Mask(masks[at])] if at in masks else []
                mask = MaskCompiler(self.compiler, params[at]).all_of([*before, *parts])
                if not suffix:
                    mask = self._hoisted(mask, level)
                if at == level and at not in masks and not here.late:
                    masks[at] = mask
                    continue
                masks[at] = name = f"m{at}at{level}{suffix}"
                here.bound.add(name)
                lines += [f"{indent}{name} = {mask}", f"{indent}if not {name}: {leave}"]
        if level == len(params):
            return [*lines, f"{indent}out.append({self._hoisted(self._code(), level)})"]
        inner = self._level(level + 1, indent + "    ", masks)
        same = (f"{indent}{name} = {part}" for part, name in here.same.items())
        return [
            *lines,
            *same,
            f"{indent}for {params[level].name} in {self._domain(level, masks)}:",
            *inner,
        ]

    def _condition(self, test: Expr, level: int, *, is_first: bool) -> str:
        text = self.compiler.condition(test)
        is_hoisted = not self.compiler.may_fail(test)
        return self._hoisted(text, level, is_certain=is_first) if is_hoisted else text

    def _hoisted(self, text: str, level: int, *, is_certain: bool = False) -> str:
        """A text whose parts that an outer level can compute are computed there."""
        if not level:
            return text
        bound = {self.action.params[level - 1].name, *self.levels[level].bound}
        return hoist(
            text,
            bound,
            lambda part: self._same(self._hoisted(part, level - 1), level - 1),
            is_certain=is_certain,
        )

    def _same(self, part: str, level: int) -> str:
        """The name of what the loop of a level computes before it begins."""
        names = self.levels[level].same
        return part if part.isidentifier() else names.setdefault(part, f"h{level}_{len(names)}")

    def _domain(self, level: int, masks: dict[int, str]) -> str:
        type_ = self.action.params[level].type
        if isinstance(type_, types.WordType):
            return f"bits({masks.get(level, str(types.all_values(type_)))})"
        codes = codes_of(type_)
        return f"range({codes.start}, {codes.stop})"

    @staticmethod
    def _digit(param: Local) -> str:
        low = types.lowest_code(param.type)
        return param.name if low == 0 else f"({param.name} - {low})"

    def _code(self) -> str:
        """Python source of the code of an action: its base, then actor and parameters in mixed radix."""
        params = self.action.params
        size = self._combinations(len(params))
        terms = [str(self.base), times(self.action.actor.name, size)]
        for param in params:
            size //= types.size(param.type)
            terms.append(times(self._digit(param), size))
        return " + ".join(terms)
