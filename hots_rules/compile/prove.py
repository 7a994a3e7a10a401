"""Narrowings that cannot fail, found by trying.

In `{to in next(a) where closed(border(a, to) as Border)}` the tables alone decide whether every
`border(a, to)` is a `Border`: if it is for all `a` and all `to` in `next(a)`, nothing needs checking.
"""

from __future__ import annotations

from itertools import product

from attrs import evolve

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.fold import Folder
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import rewrite, walk

MAX_TRIED = 4096


def proven(node: Expr, folder: Folder) -> Expr:
    """The expression with those narrowings marked `sure` that hold for every member of a fixed set."""

    def change(found: Expr) -> Expr:
        match found:
            case tast.Comprehension():
                return evolve(
                    found, condition=_marked(found.condition, found.local, found.source, folder)
                )
            case tast.Quantified():
                return evolve(found, body=_marked(found.body, found.local, found.source, folder))
        return found

    return rewrite(node, change)


def _marked(body: Expr, local: Local, source: Expr, folder: Folder) -> Expr:
    narrowings = [
        found for found in walk(body) if isinstance(found, tast.Narrow) and not found.sure
    ]
    if not narrowings or not folder.is_static(source):
        return body
    sure = {
        found
        for found in narrowings
        if folder.is_static(found.body) and _holds(found, local, source, folder)
    }
    return rewrite(body, lambda found: evolve(found, sure=True) if found in sure else found)


def _holds(node: tast.Narrow, local: Local, source: Expr, folder: Folder) -> bool:
    """Tries a narrowing for every member of the source, and every value of what else it speaks of."""
    others = sorted(
        {found for expr in (source, node.body) for found in walk(expr) if isinstance(found, Local)}
        - {local},
        key=_name,
    )
    tries = types.size(local.type)
    for other in others:
        tries *= types.size(other.type)
    if tries > MAX_TRIED or any(
        isinstance(found, tast.Quantified | tast.Comprehension) for found in walk(node.body)
    ):
        return False
    evaluate = folder.evaluator.value
    try:
        for values in product(*(codes_of(other.type) for other in others)):
            known = {other.name: value for other, value in zip(others, values, strict=True)}
            for member in bits(evaluate(source, known)):
                evaluate(node, {**known, local.name: member})
    except (EngineError, KeyError, IndexError):
        return False
    return True


def _name(local: Local) -> str:
    return local.name
