"""Invariants that do not hold in a state, and the members for which they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from hots_rules.compile.codes import bits
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.facts import InvariantFacts
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import HotsError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Operation
from hots_rules.state.schema import StateSchema

MAX_NAMED = 3
Members = tuple[tuple[int, types.Type], ...]
"""The codes of the members of nested sets, the outermost first, with their types."""
AtFault = Callable[[str, Sequence[int]], str]
"""From the name of an invariant and a packed state to the members for which it fails, as text."""


def broken_invariants(machine: Machine, slots: list[int]) -> Iterator[InvariantFacts]:
    """The invariants that do not hold in a packed state, or cannot be computed."""
    for (_, holds), fact in zip(machine.invariants, machine.facts.invariants, strict=True):
        try:
            if holds(slots):
                continue
        except (HotsError, LookupError, ArithmeticError, ValueError):
            pass
        yield fact


def failure_text(fact: InvariantFacts, slots: Sequence[int], at_fault: AtFault) -> str:
    """What an invariant says, its sections, and for whom it fails."""
    name = fact.origin.rule
    cited = "".join(f" §{section}" for section in fact.origin.sections)
    members = at_fault(name, slots)
    fails = f"; it fails for {members}" if members else ""
    return f"{fact.origin.summary or name.replace('-', ' ')}{cited}{fails}"


def members_at_fault(
    typed: tast.TypedRuleset,
    settings: Mapping[str, int],
    schema: StateSchema,
    name: str,
    slots: Sequence[int],
) -> str:
    """The members for which an invariant fails, as text; empty where it is not about members of a set."""
    evaluator = Evaluator(typed, settings, schema.reader(slots), {})
    members = dict.fromkeys(_at_fault(evaluator, typed.invariants[name].condition, {}))
    names = [", ".join(str(schema.to_python(*member)) for member in keys) for keys in members]
    texts = [f"({text})" if ", " in text else text for text in names]
    omitted = len(texts) - MAX_NAMED
    return ", ".join(texts[:MAX_NAMED]) + (f" and {omitted} more" if omitted > 0 else "")


def _at_fault(evaluator: Evaluator, node: Expr, local: Mapping[str, int]) -> Iterator[Members]:
    """The members for which a false condition fails."""
    match node:
        case Operation(op="and" | "or"):
            for part in node.args:
                if not evaluator.value_or_none(part, local):
                    yield from _at_fault(evaluator, part, local)
        case (
            Operation(op="no", args=(members,))
            | Operation(op="not", args=(Operation(op="some", args=(members,)),))
        ):
            assert isinstance(members.type, types.SetType)
            for code in bits(evaluator.value_or_none(members, local) or 0):
                yield ((code, members.type.member),)
        case tast.Quantified(kind="all" | "none"):
            for code in bits(evaluator.value_or_none(node.source, local) or 0):
                inner = {**local, node.local.name: code}
                if bool(evaluator.value_or_none(node.body, inner)) is (node.kind == "none"):
                    within = _at_fault(evaluator, node.body, inner) if node.kind == "all" else ()
                    for deeper in tuple(within) or ((),):
                        yield ((code, node.local.type), *deeper)
        case tast.DefinitionCall():
            if (bound := evaluator.bound_body(node, local)) is not None:
                yield from _at_fault(evaluator, *bound)
        case tast.Convert():
            yield from _at_fault(evaluator, node.body, local)
