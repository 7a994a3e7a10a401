"""Check elimination: narrowings that cannot fail need no check at run time.

In `{to in next(a) where closed(border(a, to) as Border)}` the tables alone decide whether each `border(a, to)` is
a `Border`. All values of `a`, with all `to` in `next(a)`, are tried; if none fails, the check is dropped.
"""

from __future__ import annotations

from itertools import product
from math import prod

from attrs import evolve

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.constant_folding import ConstantFolder
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import rewrite, walk

MAX_EVALUATIONS = 4096


def eliminate_checks(node: Expr, folder: ConstantFolder) -> Expr:
    """The expression with `checked=False` in the narrowings that hold for every member of a static set."""

    def change(part: Expr) -> Expr:
        match part:
            case tast.Comprehension():
                condition = _unchecked(part.condition, part.local, part.source, folder)
                return evolve(part, condition=condition)
            case tast.Quantified():
                return evolve(part, body=_unchecked(part.body, part.local, part.source, folder))
        return part

    return rewrite(node, change)


def _unchecked(body: Expr, local: Local, source: Expr, folder: ConstantFolder) -> Expr:
    if not folder.is_static(source):
        return body
    safe = {
        node
        for node in walk(body)
        if isinstance(node, tast.Narrow)
        and (node.checked or node.guarded)
        and folder.is_static(node.body)
        and _always_holds(node, local, source, folder)
    }
    return rewrite(
        body, lambda node: evolve(node, checked=False, guarded=False) if node in safe else node
    )


def _always_holds(node: tast.Narrow, local: Local, source: Expr, folder: ConstantFolder) -> bool:
    """Whether a narrowing holds for every member of the source and all values of the other local names."""
    if any(isinstance(part, tast.Quantified | tast.Comprehension) for part in walk(node.body)):
        return False
    locals_ = {
        part for expr in (source, node.body) for part in walk(expr) if isinstance(part, Local)
    }
    others = sorted(locals_ - {local}, key=lambda other: other.name)
    if prod(types.size(name.type) for name in (local, *others)) > MAX_EVALUATIONS:
        return False
    evaluate = folder.evaluator.value
    try:
        for codes in product(*(codes_of(other.type) for other in others)):
            values = {other.name: code for other, code in zip(others, codes, strict=True)}
            for member in bits(evaluate(source, values)):
                evaluate(node, {**values, local.name: member})
    except (EngineError, KeyError, IndexError):
        return False
    return True
