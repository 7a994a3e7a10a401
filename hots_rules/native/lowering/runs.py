"""Runs of legal actions: the members of a set, added to a code. A list of few runs is shorter than one of actions.

Where the innermost loop of a listing goes over a set and its actions differ by the member alone, as `drop` of
connect four does for the columns, nothing is written for each action: their number is that of the bits, and the n-th
action is found by the n-th bit.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from attrs import frozen

from hots_rules.native.lowering.planes import conditions_of

SOURCE = """
def legal(point):
    many = list_runs(point)
    if many > MOST_LISTED:
        S[ERROR] = TOO_MANY_ACTIONS
        return 0
    at = 0
    for run in range(0, S[RUNS]):
        for member in bits(S[MASKS + run]):
            S[OUT + at] = S[FIRSTS + run] + member
            at = at + 1
    return many

def list_actions(point):
    return list_runs(point)

def listed(number):
    run = 0
    members = S[MASKS]
    while number >= count(members):
        number = number - count(members)
        run = run + 1
        members = S[MASKS + (run & LAST_RUN)]
    S[ACTION] = S[ACTIONS + (run & LAST_RUN)]
    return S[FIRSTS + (run & LAST_RUN)] + nth_bit(members, number)
"""
"""`list_runs(point)` is that of a ruleset. `listed(number)` is the code of an action by its place; it notes which."""
LISTED_SOURCE = """
def list_actions(point):
    return legal(point)

def listed(number):
    S[ACTION] = action_of(S[OUT + number])
    return S[OUT + number]
"""
"""The same without runs."""


@frozen
class Run:
    """The code of an action for each member of a domain: the sum of the first one and the member."""

    domain: ast.expr
    first: ast.expr


def run_of(node: ast.For) -> Run | None:
    """The run that a loop appends; None if it does anything else.

    >>> import ast
    >>> from hots_rules.native.lowering.runs import run_of
    >>> (loop,) = ast.parse("for c in bits(free): out.append(7 + c)").body
    >>> ast.unparse(run_of(loop).domain)
    'free'
    """
    match node:
        case ast.For(
            target=ast.Name(member),
            iter=ast.Call(ast.Name("bits"), [domain]),
            body=[
                ast.Expr(
                    ast.Call(
                        ast.Attribute(ast.Name("out"), "append"),
                        [ast.BinOp(first, ast.Add(), ast.Name(last))],
                    )
                )
            ],
            orelse=[],
        ) if member == last:
            names = {part.id for part in ast.walk(first) if isinstance(part, ast.Name)}
            return None if member in names else Run(domain, first)
    return None


def found_before_run(node: ast.For) -> Sequence[ast.stmt] | None:
    """A loop that appends its members under conditions, as one that finds them, and a run; None for another loop."""
    conditions, run = node.body[:-1], ast.For(node.target, node.iter, node.body[-1:], [])
    if not conditions or conditions_of(conditions)[1] or run_of(run) is None:
        return None
    (name,) = (part.id for part in [node.target] if isinstance(part, ast.Name))
    start, add = ast.parse(f"found = 0\nfound |= 1 << {name}").body
    (found,) = ast.parse("bits(found)").body
    assert isinstance(found, ast.Expr)
    return (
        start,
        ast.For(node.target, node.iter, [*conditions, add], []),
        ast.For(node.target, found.value, run.body, []),
    )


def lists_runs(functions: Iterable[ast.FunctionDef]) -> bool:
    """Whether functions append some run, apart from conditions at the head of its loop; any action may be one."""
    return any(
        isinstance(node, ast.For) and (run_of(node) or found_before_run(node))
        for function in functions
        if "out" in {arg.arg for arg in function.args.args}
        for node in ast.walk(function)
    )
