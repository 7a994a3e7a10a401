"""Functions that list the legal codes of an action, as nested loops over its parameters.

A condition is tested as soon as its parameters are bound; a condition that is membership in a set restricts
the loop instead of a test inside it. A call of a definition that a loop does not change is computed at most once,
before that loop.
"""

import re
from collections import Counter
from math import prod
from typing import NamedTuple

from attrs import define, field, frozen

from hots_rules.compile.codegen.emitted_steps import EmittedSteps
from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler, times
from hots_rules.compile.codegen.hoisting import hoist
from hots_rules.compile.codegen.kept_values import KeptCalls, Members
from hots_rules.compile.codegen.mask_compiler import Mask, MaskCompiler, MemberCondition
from hots_rules.compile.codes import codes_of
from hots_rules.compile.constant_folding import FALSE
from hots_rules.compile.link import ActionSpec
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation
from hots_rules.rules.typed.visitor import mentions


def legality_conditions(action: ActionSpec) -> list[tuple[Expr, tuple[int, ...]]]:
    """The conditions that make an action legal together: some permit, and not any forbid.

    Each has the numbers of the clauses from which it comes.
    """
    permits, forbids = dict[int, Expr](), dict[int, Expr]()
    for number, clause in enumerate(action.clauses):
        (permits if clause.kind == "permit" else forbids)[number] = clause.when
    if not permits:
        return [(FALSE, ())]
    ways = tuple(permits.values())
    allowed = ways[0] if len(ways) == 1 else Operation("or", ways, types.BOOL)
    return [
        (allowed, tuple(permits)),
        *((Operation("not", (when,), types.BOOL), (number,)) for number, when in forbids.items()),
    ]


class ClauseSteps(NamedTuple):
    """A clause of an action, by number, and the steps that it has by itself."""

    clause: int
    steps: int


_CALL = re.compile(r"\w\(")
Shares = tuple[ClauseSteps, ...]
"""The clauses behind a piece of source: the cost of the piece is divided among them in proportion to their steps."""


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
    """What a level computes for each combination of the parameters that are bound, as source."""

    level: int
    text: str
    shares: Shares


@define
class _Level:
    """What is computed once a number of parameters is bound: tests, and masks for later parameters.

    Late masks may fail: they are computed only after all conditions before them have been satisfied. `kept` are calls
    of definitions that need no later parameter. `bound` are the names of its masks and of these calls. `hoisted` has
    source that is the same for each member of its loop, with the name under which it is computed once before.
    """

    kept: KeptCalls
    tests: list[_Part] = field(factory=list)
    masks: dict[int, list[_Narrowing]] = field(factory=dict)
    late: dict[int, list[_Narrowing]] = field(factory=dict)
    bound: set[str] = field(factory=set)
    hoisted: dict[str, str] = field(factory=dict)


class LegalActionsWriter:
    """Writes the function that lists the legal codes of one action."""

    def __init__(self, compiler: ExpressionCompiler, action: ActionSpec, base: int) -> None:
        self.compiler = compiler
        self.action = action
        self.base = base
        self.levels = [
            _Level(KeptCalls(compiler.definitions)) for _ in range(len(action.params) + 1)
        ]
        # Of the loop over each parameter.
        self.max_members = [types.size(param.type) for param in action.params]
        self._work: list[_Work] = []
        self._kept_shares: dict[str, Shares] = {}

    def source(self) -> str:
        """The source of the function: `def list_move(S, actor, out)` appends the codes of legal moves to `out`."""
        self._place_conditions()
        head = (
            f"def {self.action.list_name}(S, {self.action.actor.name}, out):"
            f"  # {self.action.origin.cited}"
        )
        lines = [head, *self._level(0, "    ", {})]
        for param, most in zip(self.action.params, self.max_members, strict=True):
            self.compiler.loops.add_name(param.name, most)
        return "\n".join(lines) + "\n"

    def steps(self, emitted: EmittedSteps) -> int:
        """The most steps of the function, once its source and all that it calls are written."""
        return emitted.of_function(self.action.list_name)

    def steps_of_clauses(self, emitted: EmittedSteps) -> tuple[int, ...]:
        """The most steps that each clause adds to the function, once all that it calls is written."""
        steps = Counter[int]()
        for work in self._work:
            most = emitted.of_expression(work.text) * prod(self.max_members[: work.level])
            whole = sum(share.steps for share in work.shares)
            for share in work.shares:
                steps[share.clause] += -(-most * share.steps // whole)
        return tuple(steps[number] for number in range(len(self.action.clauses)))

    def _conditions(self) -> list[_Part]:
        """The conditions that make the action legal together, with their clauses."""
        own_steps = [
            self.compiler.estimator.cost_of(clause.when).steps for clause in self.action.clauses
        ]
        return [
            _Part(condition, tuple(ClauseSteps(number, own_steps[number]) for number in numbers))
            for condition, numbers in legality_conditions(self.action)
        ]

    def _place_conditions(self) -> None:
        reached = 0
        for whole in self._conditions():
            for condition in self.compiler.definitions.conjuncts(whole.condition):
                used = self._used(condition)
                part = self._with_kept_calls(_Part(condition, whole.shares), used)
                reached = max(reached, self._place(part, used, reached))
        for here in self.levels:
            here.bound.update(name.name for name in here.kept.names.values())

    def _with_kept_calls(self, part: _Part, used: list[int]) -> _Part:
        """A condition with the names of the calls that an outer level computes."""
        params, condition = self.action.params, part.condition
        for level in range(_first_level(used) + 1 if used else 0):
            varying = [params[number] for number in used if number >= level]
            members = Members.of(*varying, inside=params[level : used[-1] + 1] if used else ())
            kept = self.levels[level].kept
            condition = kept.replace(condition, members)
            for name in kept.names.values():
                self._kept_shares.setdefault(name.name, part.shares)
        return _Part(condition, part.shares)

    def _used(self, condition: Expr) -> list[int]:
        """The numbers of the parameters of a condition."""
        return [n for n, param in enumerate(self.action.params) if mentions(condition, param)]

    def _place(self, part: _Part, used: list[int], reached: int) -> int:
        """Place a condition on some parameters, also of the calls that are kept; return the level where it holds.

        A condition that may fail comes after all conditions written before it, because they may guard it.
        """
        condition, last = part.condition, used[-1] if used else -1
        early = _first_level(used)
        if self.compiler.definitions.may_fail(condition):
            late = self._late_mask(condition, last)
            if late is not None and reached <= early:
                return self._narrow(part, late, self.levels[early].late, early, last)
            return self._test(part, max(reached, last + 1))
        if used and (mask := self._mask(condition, last)) is not None:
            return self._narrow(part, mask, self.levels[early].masks, early, last)
        return self._test(part, last + 1)

    def _narrow(
        self,
        part: _Part,
        mask: MemberCondition,
        masks: dict[int, list[_Narrowing]],
        level: int,
        at: int,
    ) -> int:
        """Narrow the loop over a parameter by a mask of a level; return the level."""
        masks.setdefault(at, []).append(_Narrowing(mask, part.shares))
        most = self.compiler.sizes.satisfying(self.action.params[at], part.condition)
        self.max_members[at] = min(self.max_members[at], most)
        return level

    def _test(self, part: _Part, level: int) -> int:
        """Test a condition on a level; return the level."""
        self.levels[level].tests.append(part)
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
        tests = list[str]()
        if here.tests:
            conditions = " and ".join(
                self._condition(test, level, is_first=not number)
                for number, test in enumerate(here.tests)
            )
            tests.append(f"{indent}if not ({conditions}): {leave}")
        pending = self._kept_lines(level, indent)
        masks = dict(masks)
        lines = self._mask_lines(level, indent, leave, masks, pending)
        # Masks that call nothing cost less than the tests, and are often empty; but what fails stays in its place.
        first = 0
        if not here.late and not any(
            self.compiler.definitions.may_fail(test.condition) for test in here.tests
        ):
            first = next((i for i, line in enumerate(lines) if _CALL.search(line)), len(lines))
        lines = [*lines[:first], *tests, *lines[first:]]
        if level == len(params):
            return [*lines, f"{indent}out.append({self._with_hoisted(self._code(), level, ())})"]
        if pending and level in masks and not masks[level].isidentifier():
            # The calls that are kept are computed only if there is a member.
            name = f"m{level}"
            here.bound.add(name)
            lines += [f"{indent}{name} = {masks[level]}", f"{indent}if not {name}: {leave}"]
            masks[level] = name
        # Written first, since it finds what this level computes before its loop.
        inner = self._level(level + 1, indent + "    ", masks)
        hoisted = (f"{indent}{name} = {part}" for part, name in here.hoisted.items())
        return [
            *lines,
            *pending.values(),
            *hoisted,
            f"{indent}for {params[level].name} in {self._domain(level, masks)}:",
            *inner,
        ]

    def _mask_lines(
        self, level: int, indent: str, leave: str, masks: dict[int, str], pending: dict[str, str]
    ) -> list[str]:
        """The lines that compute masks of later parameters, and before them the kept calls that they need of `pending`.

        `masks` becomes the source of each mask: its name, or the whole of one that the next loop alone needs.
        """
        lines, here = list[str](), self.levels[level]
        for suffix, conditions in (("", here.masks), ("late", here.late)):
            for at, parts in sorted(conditions.items()):
                before = [Mask(masks[at])] if at in masks else []
                conditions_at = [*before, *(part.mask for part in parts)]
                mask = MaskCompiler(self.compiler, self.action.params[at]).all_of(conditions_at)
                shares = tuple(share for part in parts for share in part.shares)
                if not suffix:
                    mask = self._with_hoisted(mask, level, shares)
                self._work.append(_Work(level, mask, shares))
                lines += _needed(pending, mask)
                if at == level and at not in masks and not here.late:
                    masks[at] = mask
                    continue
                # The mask of parameter 2 that is computed on level 0 has the name `m2at0`.
                masks[at] = name = f"m{at}at{level}{suffix}"
                here.bound.add(name)
                lines += [f"{indent}{name} = {mask}", f"{indent}if not {name}: {leave}"]
        return lines

    def _kept_lines(self, level: int, indent: str) -> dict[str, str]:
        """The lines that compute the calls that a level keeps, by the names of their values."""
        lines = {}
        for call, name in self.levels[level].kept.names.items():
            shares = self._kept_shares[name.name]
            text = self._with_hoisted(self.compiler.value(call), level, shares)
            self._work.append(_Work(level, text, shares))
            lines[name.name] = f"{indent}{name.name} = {text}"
        return lines

    def _condition(self, test: _Part, level: int, *, is_first: bool) -> str:
        text = self.compiler.condition(test.condition)
        if not self.compiler.definitions.may_fail(test.condition):
            text = self._with_hoisted(text, level, test.shares, is_certain=is_first)
        self._work.append(_Work(level, text, test.shares))
        return text

    def _with_hoisted(
        self, text: str, level: int, shares: Shares, *, is_certain: bool = False
    ) -> str:
        """A text whose parts that an outer level can compute are computed there."""
        if not level:
            return text
        bound = {self.action.params[level - 1].name, *self.levels[level].bound}
        return hoist(
            text,
            bound,
            lambda part: self._hoisted_name(
                self._with_hoisted(part, level - 1, shares), level - 1, shares
            ),
            is_certain=is_certain,
        )

    def _hoisted_name(self, part: str, level: int, shares: Shares) -> str:
        """The name of what a level computes before its loop."""
        names = self.levels[level].hoisted
        if part.isidentifier():
            return part
        if part not in names:
            self._work.append(_Work(level, part, shares))
        return names.setdefault(part, f"h{level}_{len(names)}")

    def _domain(self, level: int, masks: dict[int, str]) -> str:
        type_ = self.action.params[level].type
        if isinstance(type_, types.WordType):
            return f"bits({masks.get(level, str(types.all_values(type_)))})"
        codes = codes_of(type_)
        return f"range({codes.start}, {codes.stop})"

    @staticmethod
    def _digit(param: Local) -> str:
        """Python source of the place of a value of a parameter among all that it can have."""
        low = types.lowest_code(param.type)
        return param.name if low == 0 else f"({param.name} - {low})"

    def _code(self) -> str:
        """Python source of the code of the action: its base, then actor and parameters in mixed radix."""
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
