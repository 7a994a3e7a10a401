"""Functions that list the legal codes of an action, as nested loops over its parameters.

A condition is tested as soon as its parameters are bound; a condition that is membership in a set restricts
the loop instead of a test inside it. A call of a definition that a loop does not change is computed at most once,
before that loop.
"""

import re
from collections import Counter
from math import prod

from attrs import define, field, frozen

from hots_rules.compile.codegen.emitted_steps import EmittedSteps
from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler, times
from hots_rules.compile.codegen.hoisting import hoist
from hots_rules.compile.codegen.kept_values import KeptCalls, Members
from hots_rules.compile.codegen.mask_compiler import (
    Mask,
    MaskCompiler,
    MemberCondition,
)
from hots_rules.compile.codes import codes_of
from hots_rules.compile.constant_folding import FALSE
from hots_rules.compile.link import ActionSpec
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation
from hots_rules.rules.typed.visitor import mentions


def legality_conditions(action: ActionSpec) -> list[Expr]:
    """The conditions that make an action legal together: some permit, and not any forbid."""
    permits = [clause.when for clause in action.clauses if clause.kind == "permit"]
    forbids = [clause.when for clause in action.clauses if clause.kind == "forbid"]
    if not permits:
        return [FALSE]
    allowed = permits[0] if len(permits) == 1 else Operation("or", tuple(permits), types.BOOL)
    return [allowed, *(Operation("not", (forbid,), types.BOOL) for forbid in forbids)]


Shares = tuple[tuple[int, int], ...]
"""Clauses of an action, by number, and the steps that each has by itself."""


@frozen
class _Part:
    """A condition, or what it becomes, with the clauses from which it comes."""

    condition: Expr
    shares: Shares


@frozen
class _Narrowing:
    """A condition on one parameter as a mask, with the clauses from which it comes."""

    mask: MemberCondition
    shares: Shares


@frozen
class _Work:
    """What a level computes for each combination of the parameters before, as source."""

    level: int
    text: str
    shares: Shares


@define
class _Level:
    """What is computed once a number of parameters is bound: tests, and masks for later parameters.

    Late masks may fail: they are computed only after all conditions before them have been satisfied. `kept` are calls
    of definitions that need no later parameter. `bound` are the names of its masks and of these calls, `same` the names
    of what its loop would compute for each member alike, by their source.
    """

    kept: KeptCalls
    tests: list[_Part] = field(factory=list)
    masks: dict[int, list[_Narrowing]] = field(factory=dict)
    late: dict[int, list[_Narrowing]] = field(factory=dict)
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
        self.levels = [_Level(KeptCalls(compiler)) for _ in range(len(action.params) + 1)]
        # The most members of the loop over each parameter.
        self.most = [types.size(param.type) for param in action.params]
        self._work: list[_Work] = []
        self._shares: Shares = ()  # of what is being written
        self._kept_shares: dict[str, Shares] = {}

    def source(self) -> str:
        """`def list_move(S, actor, out)`, which appends the codes of legal moves to `out`."""
        self._place_conditions()
        head = (
            f"def {self.action.list_name}(S, {self.action.actor.name}, out):"
            f"  # {self.action.origin.cited}"
        )
        lines = [head, *self._level(0, "    ", {})]
        for param, most in zip(self.action.params, self.most, strict=True):
            self.compiler.loops.add_name(param.name, most)
        return "\n".join(lines) + "\n"

    def steps(self, emitted: EmittedSteps) -> int:
        """The most steps of the function, once its source and all that it calls are written."""
        return emitted.of_function(self.action.list_name)

    def steps_of_clauses(self, emitted: EmittedSteps) -> tuple[int, ...]:
        """The most steps that each clause adds to the function, once all that it calls is written."""
        steps = Counter[int]()
        for work in self._work:
            many = emitted.of_expression(work.text) * prod(self.most[: work.level])
            whole = sum(share for _, share in work.shares)
            for clause, share in work.shares:
                steps[clause] += -(-many * share // whole)
        return tuple(steps[number] for number in range(len(self.action.clauses)))

    def _conditions(self) -> list[_Part]:
        """The conditions that make the action legal together, with their clauses."""
        permits, others = list[tuple[int, int]](), list[Shares]()
        for number, clause in enumerate(self.action.clauses):
            share = number, self.compiler.estimator.cost_of(clause.when).steps
            if clause.kind == "permit":
                permits.append(share)
            else:
                others.append((share,))
        conditions = legality_conditions(self.action)
        shares = (tuple(permits), *others) if permits else ((),)
        return [_Part(*pair) for pair in zip(conditions, shares, strict=True)]

    def _place_conditions(self) -> None:
        reached = 0
        for whole in self._conditions():
            self._shares = whole.shares
            for part in self.compiler.conjuncts(whole.condition):
                used = self._used(part)
                placed = self._place(self._with_kept_calls(part, used), used, reached)
                reached = max(reached, placed)
        for here in self.levels:
            here.bound.update(name.name for name in here.kept.names.values())

    def _with_kept_calls(self, condition: Expr, used: list[int]) -> Expr:
        """A condition with the names of the calls that an outer level computes."""
        params = self.action.params
        for level in range(_first_level(used) + 1 if used else 0):
            members = Members.of(*(params[number] for number in used if number >= level))
            kept = self.levels[level].kept
            condition = kept.replace(condition, members)
            for name in kept.names.values():
                self._kept_shares.setdefault(name.name, self._shares)
        return condition

    def _used(self, condition: Expr) -> list[int]:
        """The numbers of the parameters of a condition."""
        return [n for n, param in enumerate(self.action.params) if mentions(condition, param)]

    def _place(self, condition: Expr, used: list[int], reached: int) -> int:
        """Place a condition on some parameters, also of the calls that are kept; return the level where it holds.

        A condition that may fail comes after all conditions written before it, because they may guard it.
        """
        last = used[-1] if used else -1
        early = _first_level(used)
        if self.compiler.may_fail(condition):
            late = self._late_mask(condition, last)
            if late is not None and reached <= early:
                return self._narrow(condition, late, self.levels[early].late, early, last)
            return self._test(condition, max(reached, last + 1))
        if used and (mask := self._mask(condition, last)) is not None:
            return self._narrow(condition, mask, self.levels[early].masks, early, last)
        return self._test(condition, last + 1)

    def _narrow(
        self,
        condition: Expr,
        mask: MemberCondition,
        masks: dict[int, list[_Narrowing]],
        level: int,
        at: int,
    ) -> int:
        """Narrow the loop over a parameter by a mask of a level; returns the level."""
        masks.setdefault(at, []).append(_Narrowing(mask, self._shares))
        most = self.compiler.sizes.satisfying(self.action.params[at], condition)
        self.most[at] = min(self.most[at], most)
        return level

    def _test(self, condition: Expr, level: int) -> int:
        """Test a condition on a level; returns the level."""
        self.levels[level].tests.append(_Part(condition, self._shares))
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
                conditions_at = [*before, *(part.mask for part in parts)]
                mask = MaskCompiler(self.compiler, params[at]).all_of(conditions_at)
                self._shares = tuple(share for part in parts for share in part.shares)
                if not suffix:
                    mask = self._hoisted(mask, level)
                self._work.append(_Work(level, mask, self._shares))
                lines += _needed(kept, mask)
                if at == level and at not in masks and not here.late:
                    masks[at] = mask
                    continue
                masks[at] = name = f"m{at}at{level}{suffix}"
                here.bound.add(name)
                lines += [f"{indent}{name} = {mask}", f"{indent}if not {name}: {leave}"]
        if level == len(params):
            self._shares = ()
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
        lines = {}
        for call, name in self.levels[level].kept.names.items():
            self._shares = self._kept_shares[name.name]
            text = self._hoisted(self.compiler.value(call), level)
            self._work.append(_Work(level, text, self._shares))
            lines[name.name] = f"{indent}{name.name} = {text}"
        return lines

    def _condition(self, test: _Part, level: int, *, is_first: bool) -> str:
        text = self.compiler.condition(test.condition)
        self._shares = test.shares
        if not self.compiler.may_fail(test.condition):
            text = self._hoisted(text, level, is_certain=is_first)
        self._work.append(_Work(level, text, test.shares))
        return text

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
        if part.isidentifier():
            return part
        if part not in names:
            self._work.append(_Work(level, part, self._shares))
        return names.setdefault(part, f"h{level}_{len(names)}")

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
        size = prod(types.size(param.type) for param in params)
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
