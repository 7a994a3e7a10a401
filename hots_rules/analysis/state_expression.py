"""Expressions of a ruleset's language, evaluated at packed states: `strength[Fox]`, `some army(White, a4)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.ad_hoc import parse_expression
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr

Value = str | int | None  # a name, a number or a bool, or `none`


@frozen
class StateEvaluator:
    """Evaluates expressions at packed states, under some options and readings."""

    ruleset: AnyRuleset = field(repr=False)
    settings: Mapping[str, int]

    def code(self, node: Expr, slots: Sequence[int], local: Mapping[str, int]) -> int:
        """The code of a value at a state.

        Raises:
            EngineError: a narrowing fails there, or `the` is applied to a set without exactly one member.
        """
        load = self.ruleset.schema.reader(slots)
        return Evaluator(self.ruleset.rulebook.typed, self.settings, load, {}).value(node, local)


@frozen
class StateExpression:
    """An expression over the state."""

    text: str
    node: Expr = field(repr=False)
    evaluator: StateEvaluator = field(repr=False)

    @property
    def type(self) -> types.Type:
        """The type of its values."""
        return self.node.type

    @property
    def is_number(self) -> bool:
        """Whether its values can be added; true counts as 1."""
        return isinstance(self.type, types.IntType | types.BoolType)

    def code(self, slots: Sequence[int]) -> int:
        """The code of its value at a packed state.

        Raises:
            EngineError: it has no value there.
        """
        return self.evaluator.code(self.node, slots, {})

    def to_python(self, code: int) -> Value:
        """The value of a code: a name, a number or a bool; sets and pairs as text."""
        ruleset = self.evaluator.ruleset
        if isinstance(self.type, types.SetType | types.PairType):
            return ruleset.labels.format_value(code, self.type)
        value = ruleset.schema.to_python(code, self.type)
        assert not isinstance(value, list)
        return value


def parse_state_expression(
    ruleset: AnyRuleset, settings: Mapping[str, int], text: str
) -> StateExpression:
    """The expression of a text.

    Raises:
        RulesetError: the text is no expression of the ruleset's language.
    """
    if not isinstance(text, str) or not text.strip():
        message = "the question is empty; ask for an expression, such as a variable of the state"
        raise RulesetError([Fault("malformed-text", message, Span("question", 1, 1, 1, 2))])
    evaluator = StateEvaluator(ruleset, settings)
    return StateExpression(text, parse_expression(ruleset.rulebook, text), evaluator)
