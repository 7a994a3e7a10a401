"""Functions that list the legal codes of an action, as nested loops over its parameters.

A condition is tested as soon as its parameters are bound; a condition that is membership in a set restricts
the loop instead of a test inside it. A call of a definition that a loop does not change is computed at most once,
before that loop.
"""

import re
from math import prod

from attrs import define, field

from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler, times
from hots_rules.compile.codegen.hoisting import hoist
from hots_rules.compile.codegen.kept_values import KeptCalls, Members
from hots_rules.compile.codegen.mask_compiler import (
    Mask,
    MaskCompiler,
    MemberCondition,
    mentions,
)
from hots_rules.compile.codes import codes_of
from hots_rules.compile.constant_folding import FALSE
from hots_rules.compile.link import ActionSpec
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation


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

    Late masks may fail: they are computed only after all conditions before them have been satisfied. `kept` are calls
    of definitions that need no later parameter. `bound` are the names of its masks and of these calls, `same` the names
    of what its loop would compute for each member alike, by their source.
    """

    kept: KeptCalls
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
    ) -> None:
        self.compiler = compiler
        self.action = action
        self.base = base
        # The most steps of the function, which are known once its source is written.
        self.steps = self._combinations(len(action.params))
        self.levels = [_Level(KeptCalls(compiler)) for _ in range(len(action.params) + 1)]

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
                used = self._used(part)
                placed = self._place(self._with_kept_calls(part, used), used, reached)
                reached = max(reached, placed)
        for level, here in enumerate(self.levels):
            here.bound.update(name.name for name in here.kept.names.values())
            self.steps += here.kept.steps * self._combinations(level)

    def _with_kept_calls(self, condition: Expr, used: list[int]) -> Expr:
        """A condition with the names of the calls that an outer level computes."""
        params = self.action.params
        for level in range(_first_level(used) + 1 if used else 0):
            members = Members.of(*(params[number] for number in used if number >= level))
            condition = self.levels[level].kept.replace(condition, members)
        return condition

    def _used(self, condition: Expr) -> list[int]:
        """The numbers of the parameters of a condition."""
        return [n for n, param in enumerate(self.action.params) if mentions(condition, param)]

    def _combinations(self, level: int) -> int:
        """How many combinations of arguments the first parameters have."""
        return prod(types.size(param.type) for param in self.action.params[:level])

    def _place(self, condition: Expr, used: list[int], reached: int) -> int:
        """Place a condition on some parameters, also of the calls that are kept; return the level where it holds.

        A condition that may fail comes after all conditions written before it, because they may guard it.
        """
        last = used[-1] if used else -1
        early = _first_level(used)
        steps = self.compiler.estimator.cost_of(condition).steps
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
        kept = self._kept_lines(level, indent)
        masks = dict(masks)
        for suffix, conditions in (("", here.masks), ("late", here.late)):
            for at, parts in sorted(conditions.items()):
                before = [Mask(masks[at])] if at in masks else []
                mask = MaskCompiler(self.compiler, params[at]).all_of([*before, *parts])
                if not suffix:
                    mask = self._hoisted(mask, level)
                lines += _needed(kept, mask)
                if at == level and at not in masks and not here.late:
                    masks[at] = mask
                    continue
                masks[at] = name = f"m{at}at{level}{suffix}"
                here.bound.add(name)
                lines += [f"{indent}{name} = {mask}", f"{indent}if not {name}: {leave}"]
        if level == len(params):
            return [*lines, f"{indent}out.append({self._hoisted(self._code(), level)})"]
        if kept and level in masks and not masks[level].isidentifier():
            # The calls that are kept are computed only if there is a member.
            name = f"m{level}"
            here.bound.add(name)
            lines += [f"{indent}{name} = {masks[level]}", f"{indent}if not {name}: {leave}"]
            masks[level] = name
        inner = self._level(level + 1, indent + "    ", masks)
        same = (f"{indent}{name} = {part}" for part, name in here.same.items())
        return [
            *lines,
            *kept.values(),
            *same,
            f"{indent}for {params[level].name} in {self._domain(level, masks)}:",
            *inner,
        ]

    def _kept_lines(self, level: int, indent: str) -> dict[str, str]:
        """The lines that compute the calls that a level keeps, by the names of their values."""
        calls = self.levels[level].kept.names
        return {
            name.name: f"{indent}{name.name} = {self._hoisted(self.compiler.value(call), level)}"
            for call, name in calls.items()
        }

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


def _first_level(used: list[int]) -> int:
    """The level at which a condition on some parameters can be a mask of the last of them."""
    return used[-2] + 1 if len(used) > 1 else 0


def _needed(kept: dict[str, str], text: str) -> list[str]:
    """The lines of kept calls whose values a text has, taken from those that are still to be written."""
    names = [name for name in kept if re.search(rf"{re.escape(name)}(?!\d)", text)]
    return [kept.pop(name) for name in names]
