"""A question to a state, in the language of its ruleset: `strength[Fox]`, `some army(White, a4)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.ad_hoc import parse_expression
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr


@frozen
class Meaning:
    """What expressions mean at packed states, by their plain meaning."""

    ruleset: BaseRuleset[BaseGame] = field(repr=False)
    settings: Mapping[str, int]

    def code(self, node: Expr, slots: Sequence[int], local: Mapping[str, int]) -> int:
        """The code of a value at a state.

        Raises:
            EngineError: a narrowing that does not hold there, or `the` of a set without exactly one member.
        """
        variables = self.ruleset.schema.variables

        def load(name: str, keys: tuple[int, ...]) -> int:
            found = variables[name]
            return slots[found.base + found.offsets[keys]]

        return Evaluator(self.ruleset.rulebook.typed, self.settings, load, {}).value(node, local)


@frozen
class Question:
    """An expression over the state; its answer at a state is a word, a number, a truth, or several."""

    text: str
    node: Expr = field(repr=False)
    meaning: Meaning = field(repr=False)

    @property
    def type(self) -> types.Type:
        """The type of the answers."""
        return self.node.type

    @property
    def is_number(self) -> bool:
        """Whether the answers can be added up; a truth counts 1."""
        return isinstance(self.type, types.IntType | types.BoolType)

    def code(self, slots: Sequence[int]) -> int:
        """The code of the answer at a packed state.

        Raises:
            EngineError: the question has no answer there.
        """
        return self.meaning.code(self.node, slots, {})

    def answer(self, code: int) -> Any:
        """The answer of a code: a name, a number, a truth; sets and pairs in words."""
        ruleset = self.meaning.ruleset
        if isinstance(self.type, types.SetType | types.PairType):
            return ruleset.labels.format_value(code, self.type)
        return ruleset.schema.to_python(code, self.type)


def question(ruleset: BaseRuleset[BaseGame], settings: Mapping[str, int], text: str) -> Question:
    """Reads a question.

    Raises:
        RulesetError: the text is no expression of the ruleset's language.
    """
    if not isinstance(text, str) or not text.strip():
        said = "expected a question, such as a variable of the state, got none"
        raise RulesetError([Fault("malformed-text", said, Span("question", 1, 1, 1, 2))])
    return Question(text, parse_expression(ruleset.rulebook, text), Meaning(ruleset, settings))
