"""Lower bounds of the steps that an evaluator which counts them takes for an expression that reads no state.

They refuse a table of constants before it is computed, if it would certainly take more steps than a ruleset may.
"""

from __future__ import annotations

from math import prod

from hots_rules.rules.graph import reachable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Operation
from hots_rules.rules.typed.visitor import children, walk

_ALL_MEMBERS = frozenset({"sum", "max", "min"})


def least_steps_beyond(typed: tast.TypedRuleset, name: str, most: int) -> int | None:
    """The least steps of a value of a definition, if all its values certainly take more than `most`; None if not."""
    definition = typed.definitions[name]
    count = prod(types.size(param.type) for param in definition.params)
    least = 1 + len(definition.params) + least_steps(definition.body)
    return least if count * least > most and not _may_fail(typed, name) else None


def least_steps(node: Expr) -> int:
    """The least steps of an expression that does not fail: the values of all definitions are there already."""
    parts = children(node)
    match node:
        case Operation(op="and" | "or"):
            return 1 + least_steps(parts[0])
        case tast.Conditional():
            chosen = min(least_steps(node.then), least_steps(node.otherwise))
            return 1 + least_steps(node.condition) + chosen
        case tast.Comprehension(source=Const(value=members)):
            return 2 + members.bit_count() * least_steps(node.condition)
        case tast.Quantified(source=Const(value=members)) if node.kind in _ALL_MEMBERS:
            return 2 + members.bit_count() * least_steps(node.body)
        case tast.Comprehension() | tast.Quantified():
            return 1 + least_steps(node.source)
    return 1 + sum(map(least_steps, parts))


def _may_fail(typed: tast.TypedRuleset, name: str) -> bool:
    """Whether a value of a definition may be an error, which would end the computation of its values."""
    calls = {
        key: {part.define for part in walk(own.body) if isinstance(part, tast.DefinitionCall)}
        for key, own in typed.definitions.items()
    }
    return any(
        isinstance(part, tast.Narrow | tast.After)
        or (isinstance(part, Operation) and part.op == "the")
        for called in reachable(calls, (name,))
        for part in walk(typed.definitions[called].body)
    )
