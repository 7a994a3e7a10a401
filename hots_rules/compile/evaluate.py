"""A tree-walking evaluator of typed expressions: the reference semantics.

It evaluates constants at compile time and conditions in explanations; compiled code must agree with it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from itertools import product
from types import MappingProxyType
from typing import Protocol

from attrs import define, evolve, field, frozen

from hots_rules.compile.codes import bits, codes_of, dice_rolls, value_text
from hots_rules.compile.effects import ChangedCells, EffectRunner
from hots_rules.diagnostics import (
    EngineError,
    Fault,
    HotsError,
    LimitExceeded,
    RulesetError,
    Span,
    how_to_raise,
)
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.positions import next_number, parts_of
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import walk
from hots_rules.rules.wording import number_text


@define
class Budget:
    """A number of steps, and how many of them were spent.

    Attributes:
        most: how many steps may be spent.
        exceeded: makes the error that is raised beyond them.
        spent: how many steps were spent.
    """

    most: int
    exceeded: Callable[[int], HotsError]
    spent: int = 0
    _sizes: dict[int, tuple[Expr, int]] = field(factory=dict, init=False, repr=False)

    @classmethod
    def to_compile(cls, most: int) -> Budget:
        """A budget of the compiler: `RulesetError` at its end."""
        return cls(most, too_large)

    @classmethod
    def to_answer(cls, most: int) -> Budget:
        """A budget of an answer: `LimitExceeded` at its end."""
        return cls(most, _too_many)

    def spend(self, steps: int = 1) -> None:
        """Spend some steps.

        Raises:
            HotsError: there are no more.
        """
        self.spent += steps
        if self.spent > self.most:
            raise self.exceeded(self.most)

    def spend_on(self, node: Expr, times: int = 1) -> None:
        """Spend a step for each part of an expression, for `times` evaluations of it.

        Raises:
            HotsError: there are no more.
        """
        # By its id, with the expression to keep it alive: hashing a long one costs more.
        if id(node) not in self._sizes:
            self._sizes[id(node)] = node, sum(1 for _ in walk(node))
        _, size = self._sizes[id(node)]
        self.spend(size * times)


def too_large(
    most: int,
    because: str = "",
    span: Span | None = None,
    remedy: str = "look up fewer things at once",
) -> HotsError:
    """The error of a ruleset whose constants take too many steps; `because` and `span` tell what takes most of them."""
    headline = f"expected at most {number_text(most)} steps to compute what is the same in every state, got more"
    remedy = f"{remedy}; {how_to_raise('ruleset_steps')}"
    fault = Fault("too-large", headline + because, span or Span.nowhere(), help=remedy)
    return RulesetError([fault])


def _too_many(most: int) -> HotsError:
    return LimitExceeded("answer_steps", most, "answer")


class Memo(Protocol):
    """The known values of definitions, by name and arguments; a dictionary is one."""

    def get(self, key: tast.CallKey, /) -> int | None:
        """The value of a definition for some arguments; None if it is not known."""

    def __setitem__(self, key: tast.CallKey, value: int, /) -> None: ...


class CountingMemo(Memo, Protocol):
    """Known values of definitions, with the steps that they took."""

    def counted(self, key: tast.CallKey, compute: Callable[[], int]) -> int:
        """The value of a definition, computed; the steps that are spent meanwhile are noted."""


@frozen
class Evaluator:
    """Evaluates expressions of one ruleset.

    `load(variable, keys)` gives the value of a state variable, `settings` the chosen options and
    readings. A `memo` caches the values of definitions for one state; `static_value` gives the values of
    those that read no state, and None for others. A `budget` bounds the parts of loops and definitions that are
    evaluated; all other work is linear in the source. `keys_with(variable, code)` gives the mask of the keys at which
    a variable with one key has a value, so that a loop can skip the other members; None if it cannot tell.
    """

    typed: tast.TypedRuleset
    settings: Mapping[str, int]
    load: Callable[[str, tuple[int, ...]], int]
    memo: Memo | None = None
    static_value: Callable[[str, tuple[int, ...]], int | None] | None = None
    budget: Budget | None = None
    keys_with: Callable[[str, int], int | None] | None = None

    def value(self, node: Expr, local: Mapping[str, int]) -> int:
        """The code of the value: 0 or 1 for a condition, a mask for a set.

        Raises:
            EngineError: a narrowing fails, or `the` is applied to a set without exactly one member.
        """
        match node:  # The most frequent nodes come first.
            case Operation(op="and" | "or"):
                return self._junction(node, local)
            case Operation():
                args = [self.value(arg, local) for arg in node.args]
                compute = _OPERATIONS.get(node.op)
                return compute(*args) if compute is not None else _typed_operation(node, args)
            case Local():
                return local[node.name]
            case Const():
                return node.value
            case tast.Load():
                return self.load(node.variable, tuple(self.value(key, local) for key in node.keys))
            case tast.DefinitionCall():
                return self._call(node, local)
            case tast.ColumnLookup():
                values = self.typed.tables[node.table].columns[node.column].values
                return values[self.value(node.key, local)]
            case tast.Construct():
                parts = zip(node.strides, node.args, strict=True)
                return node.first + sum(stride * self.value(arg, local) for stride, arg in parts)
            case tast.Convert():
                return convert_code(self.value(node.body, local), node.body.type, node.type)
            case tast.Quantified():
                return self._quantified(node, local)
            case tast.Comprehension():
                return sum(
                    1 << member
                    for member in self._members(node, node.condition, local)
                    if self.value(node.condition, {**local, node.local.name: member})
                )
            case tast.LetIn():
                value = self.value(node.value, local)
                return self.value(node.body, {**local, node.local.name: value})
            case tast.After():
                there, own = self.after(node, local)
                return there.value(node.body, own)
            case tast.PositionNumber():
                return self._position_number(node, local)
            case tast.Conditional():
                holds = self.value(node.condition, local)
                return self.value(node.then if holds else node.otherwise, local)
            case tast.TypeTest():
                word = _word(self.value(node.body, local), node.body.type)
                return int(word in _codes(node.tested))
            case tast.Narrow():
                return self._narrow(node, self.value(node.body, local))
            case tast.Setting():
                return self.settings[node.name]

    def renew_budget(self) -> None:
        """Begin another answer: all steps of the budget may be spent anew."""
        if self.budget is not None:
            self.budget.spent = 0

    def value_or_none(self, node: Expr, local: Mapping[str, int]) -> int | None:
        """The code of a value; None where it has none of its type here, as where a guarding condition fails."""
        try:
            code = self.value(node, local)
        except (EngineError, LookupError, ArithmeticError):
            return None
        is_word = isinstance(node.type, types.WordType)
        return None if is_word and code not in codes_of(node.type) else code

    def values_or_none(
        self, nodes: tuple[Expr, ...], local: Mapping[str, int]
    ) -> tuple[int, ...] | None:
        """The codes of some values; None if one of them has none here."""
        codes = [self.value_or_none(node, local) for node in nodes]
        present = tuple(code for code in codes if code is not None)
        return present if len(present) == len(codes) else None

    def bound_body(
        self, call: tast.DefinitionCall, local: Mapping[str, int]
    ) -> tuple[Expr, dict[str, int]] | None:
        """The body of a definition with its parameters; None if an argument has no value here."""
        definition = self.typed.definitions[call.define]
        args = self.values_or_none(call.args, local)
        if args is None:
            return None
        names = (param.name for param in definition.params)
        return definition.body, dict(zip(names, args, strict=True))

    def after(self, node: tast.After, local: Mapping[str, int]) -> tuple[Evaluator, dict[str, int]]:
        """An evaluator of the state that the effect of an action makes, and the values of the names of the body.

        Raises:
            EngineError: the action cannot have its effect in this state.
        """
        args = [self.value(arg, local) for arg in node.args]
        values = [self.value(outside, local) for outside in node.values]
        cells = ChangedCells(self.load)
        there = evolve(self, load=cells.load, memo=cells.memo, keys_with=None)
        spend = self.budget.spend if self.budget is not None else (lambda: None)
        EffectRunner(there, cells, spend).act(node.action, args)
        return there, {name.name: code for name, code in zip(node.locals, values, strict=True)}

    def _position_number(self, node: tast.PositionNumber, local: Mapping[str, int]) -> int:
        number = self.value(node.player, local)
        for variable in (self.typed.variables[name] for name in node.variables):
            for keys in product(*map(codes_of, variable.keys)):
                if self.budget is not None:
                    self.budget.spend()
                for part in parts_of(self.load(variable.name, keys), variable.type):
                    number = next_number(node.half, number, part)
        return number + 1

    def _call(self, node: tast.DefinitionCall, local: Mapping[str, int]) -> int:
        args = tuple([self.value(arg, local) for arg in node.args])
        if self.memo is None:
            return self._value_of(node.define, args)
        key = (node.define, args)
        value = self.memo.get(key)
        if value is not None:
            return value
        if self.static_value is not None:
            value = self.static_value(*key)
        if value is None:
            value = self._value_of(*key)
        self.memo[key] = value
        return value

    def _value_of(self, name: str, args: tuple[int, ...]) -> int:
        definition = self.typed.definitions[name]
        if self.budget is not None:
            self.budget.spend_on(definition.body)
        values = {param.name: arg for param, arg in zip(definition.params, args, strict=True)}
        return self.value(definition.body, values)

    def _narrow(self, node: tast.Narrow, value: int) -> int:
        if isinstance(node.type, types.IntType):
            if node.type.low <= value <= node.type.high:
                return value
            raise EngineError(f"expected a number of {node.type}, got {value}, at {node.span}")
        assert isinstance(node.type, types.WordType)
        word = _word(value, node.body.type)
        if word not in node.type.codes:
            raise EngineError(f"expected a value of {node.type}, got `{word[1]}`, at {node.span}")
        return node.type.codes[word]

    def _paths(self, node: tast.Quantified, local: Mapping[str, int]) -> int:
        """The set that `reach` reaches, or the steps that `distance` counts: a breadth-first search."""
        reached = newest = self.value(node.source, local)
        goal = 0 if node.goal is None else self.value(node.goal, local)
        for steps in range(types.size(node.local.type)):
            if newest & goal:
                return steps
            if not newest:
                break
            if self.budget is not None:
                self.budget.spend_on(node.body, newest.bit_count())
            following = 0
            for member in bits(newest):
                following |= self.value(node.body, {**local, node.local.name: member})
            newest = following & ~reached
            reached |= newest
        return reached if node.goal is None else types.size(node.local.type)

    def _quantified(self, node: tast.Quantified, local: Mapping[str, int]) -> int:
        if node.kind in {"reach", "distance"}:
            return self._paths(node, local)
        values = (
            self.value(node.body, {**local, node.local.name: member})
            for member in self._members(node, node.body, local)
        )
        match node.kind:
            case "some":
                return int(any(values))
            case "all":
                return int(all(values))
            case "none":
                return int(not any(values))
            case "sum":
                return sum(values)
            case "max":
                return max(values, default=0)
        return min(values, default=0)

    def _members(
        self, loop: tast.Quantified | tast.Comprehension, body: Expr, local: Mapping[str, int]
    ) -> tuple[int, ...]:
        """The members that a loop goes through, charged to the budget; provably false members are skipped."""
        members = self.value(loop.source, local)
        # `all`, `sum`, `max` and `min` must see the members for which the body is false.
        is_narrowed = isinstance(loop, tast.Comprehension) or loop.kind in ("some", "none")
        if self.keys_with is not None and is_narrowed:
            members &= self._narrowing(loop.local, body, local)
        if self.budget is not None:
            self.budget.spend_on(body, members.bit_count())
        return bits(members)

    def _narrowing(self, member: Local, condition: Expr, local: Mapping[str, int]) -> int:
        """A mask of the members for which the first parts of a condition hold, those of the form `place[b] = a`.

        The evaluation of such a part cannot fail, so no error is lost with the members that are skipped.
        """
        mask, parts = -1, tuple[Expr, ...]([condition])
        if isinstance(condition, Operation) and condition.op == "and":
            parts = condition.args
        for part in parts:
            keys = self._keys_where(member, part, local)
            if keys is None:
                break
            mask &= keys
        return mask

    def _keys_where(self, member: Local, part: Expr, local: Mapping[str, int]) -> int | None:
        """The members for which a condition of the form `variable[member] = value` holds; None for another."""
        match part:
            case Operation(op="eq", args=(tast.Load() as load, right)) if load.keys == (member,):
                inner = right.body if isinstance(right, tast.Convert) else right
                if isinstance(inner, Local | Const) and inner != member:
                    assert self.keys_with is not None
                    return self.keys_with(load.variable, self.value(right, local))
        return None

    def _junction(self, node: Operation, local: Mapping[str, int]) -> int:
        deciding = node.op == "or"
        for arg in node.args:
            if bool(self.value(arg, local)) is deciding:
                return int(deciding)
        return int(not deciding)


@frozen(kw_only=True)
class CountingEvaluator(Evaluator):
    """An evaluator that spends a step of a budget for each part of an expression."""

    steps: Budget
    memo: CountingMemo

    def value(self, node: Expr, local: Mapping[str, int]) -> int:
        """See `Evaluator.value`."""
        steps = self.steps
        steps.spent += 1  # written out: this is called for each part of each expression
        if steps.spent > steps.most:
            raise steps.exceeded(steps.most)
        return Evaluator.value(self, node, local)

    def _value_of(self, name: str, args: tuple[int, ...]) -> int:
        return self.memo.counted((name, args), lambda: Evaluator._value_of(self, name, args))


def _typed_operation(node: Operation, args: list[int]) -> int:
    """The value of an operation that depends on the types of its operands."""
    match node.op:
        case "at_most":
            dice = node.args[0].type
            assert isinstance(dice, types.DiceType)
            return sum(die <= args[1] for die in dice_rolls(dice.most, dice.sides)[args[0]])
        case "the":
            return _only_member(args[0], node.args[0].type)
    return _pair(node, args)


def _pair(node: Operation, args: list[int]) -> int:
    type_ = node.type if node.op == "pair" else node.args[0].type
    assert isinstance(type_, types.PairType)
    if node.op == "pair":
        return types.pair_code(type_, *args)
    left, right = types.pair_parts(type_, args[0])
    return left if node.op == "left" else right


def _only_member(mask: int, type_: types.Type) -> int:
    if mask.bit_count() != 1:
        raise EngineError(f"expected a set with one member, got {value_text(mask, type_)}")
    return mask.bit_length() - 1


_OPERATIONS: Mapping[str, Callable[..., int]] = MappingProxyType(
    {
        "not": lambda operand: int(not operand),
        "no": lambda mask: int(not mask),
        "some": lambda mask: int(mask != 0),
        "eq": lambda left, right: int(left == right),
        "ne": lambda left, right: int(left != right),
        "lt": lambda left, right: int(left < right),
        "le": lambda left, right: int(left <= right),
        "gt": lambda left, right: int(left > right),
        "ge": lambda left, right: int(left >= right),
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.floordiv,
        "mod": operator.mod,
        "neg": operator.neg,
        "abs": abs,
        "ordinal": lambda code: code + 1,
        "min": min,
        "max": max,
        "in": lambda member, mask: mask >> member & 1 if member >= 0 else 0,
        "union": lambda *masks: reduce(operator.or_, masks),
        "intersection": lambda *masks: reduce(operator.and_, masks),
        "difference": lambda mask, removed: mask & ~removed,
        "count": int.bit_count,
        "set": lambda *members: sum({1 << member for member in members}),
    }
)


def _word(code: int, type_: types.Type) -> types.Value:
    assert isinstance(type_, types.WordType)
    return type_.values[code]


def _codes(type_: types.Type) -> Mapping[types.Value, int]:
    assert isinstance(type_, types.WordType)
    return type_.codes


def convert_code(code: int, from_: types.Type, to: types.Type) -> int:
    """The code of a value in a wider type."""
    if isinstance(from_, types.WordType) and isinstance(to, types.WordType):
        return to.codes[from_.values[code]]
    return code
