"""The operators of the typed tree: one table for the resolver, the compiler and the explanations."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen


@frozen
class Operator:
    """An operator and what every pass needs to know about it.

    `symbol` is how a ruleset writes it; an operator that only the compiler makes has none.
    `arity` is the number of operands, None for one or more. `python` is the infix operator of Python
    that does the same with codes. A comparison has a `negation`, true where it is false, and a
    `mirror`, the same comparison with its operands swapped.
    """

    name: str
    symbol: str = ""
    arity: int | None = 2
    python: str = ""
    negation: str = ""
    mirror: str = ""

    @property
    def is_function(self) -> bool:
        """Whether it is written as a call, as in `count(S)`."""
        return self.name == self.symbol and self.name not in _WORDS


# Operators that are written as a word before or between their operands.
_WORDS = frozenset({"and", "or", "not", "div", "mod", "in", "some", "no"})

OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {
        operator.name: operator
        for operator in (
            Operator("and", "and", None, "and"),
            Operator("or", "or", None, "or"),
            Operator("not", "not", 1),
            Operator("eq", "=", python="==", negation="ne", mirror="eq"),
            Operator("ne", "!=", python="!=", negation="eq", mirror="ne"),
            Operator("lt", "<", python="<", negation="ge", mirror="gt"),
            Operator("le", "<=", python="<=", negation="gt", mirror="ge"),
            Operator("gt", ">", python=">", negation="le", mirror="lt"),
            Operator("ge", ">=", python=">=", negation="lt", mirror="le"),
            Operator("add", "+", python="+"),
            Operator("sub", "-", python="-"),
            Operator("mul", "*", python="*"),
            Operator("div", "div", python="//"),
            Operator("mod", "mod", python="%"),
            Operator("neg", "-", 1),
            Operator("min", "min"),
            Operator("max", "max"),
            Operator("abs", "abs", 1),
            Operator("ordinal", "ordinal", 1),
            Operator("in", "in"),
            Operator("union", "|", None, "|"),
            Operator("intersection", "&", None, "&"),
            Operator("difference", "-"),
            Operator("count", "count", 1),
            Operator("the", "the", 1),
            Operator("some", "some", 1),
            Operator("no", "no", 1),
            Operator("set", "{}", None),
            Operator("pair", "(,)"),
            Operator("left", "left", 1),
            Operator("right", "right", 1),
            Operator("at_most", "at_most"),
            Operator("first_of", arity=1),
            Operator("rest_of", arity=1),
            Operator("nth", arity=None),
        )
    }
)

FUNCTIONS: Mapping[str, Operator] = MappingProxyType(
    {name: operator for name, operator in OPERATORS.items() if operator.is_function}
)
"""The operators that are written as calls, by their name."""

IN_ORDER: Mapping[str, int] = MappingProxyType({"nth": 2, "following": 1, "preceding": 1})
"""The functions that go through the words of a type in their order, with the number of their arguments.

They are calculations with the places of words; a definition of a ruleset may have such a name.
"""
REPETITION: Final = "repeated"
"""The function that counts how often a position has occurred; a definition of a ruleset may have such a name."""

COMPARISONS: Mapping[str, Operator] = MappingProxyType(
    {operator.symbol: operator for operator in OPERATORS.values() if operator.negation}
)
"""The comparisons by their symbol."""
