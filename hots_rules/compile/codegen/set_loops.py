"""Loops over the members of a set, each a function of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from hots_rules.compile.codegen.definitions import CompiledDefinitions
from hots_rules.compile.codegen.emitted_steps import LoopBounds
from hots_rules.compile.codegen.hoisting import hoist
from hots_rules.compile.codegen.kept_values import KeptCalls, Members
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr

_LOOPS = {
    "some": ((), ("return {}",), "return 0"),
    "members": (("found = 0",), ("found |= {}",), "return found"),
    "union": (("found = 0",), ("found |= {}",), "return found"),
    "sum": (("found = 0",), ("found += {}",), "return found"),
    **{
        kind: (
            ("found, first = 0, 1",),
            ("new = {}", f"if first or new {sign} found: found, first = new, 0"),
            "return found",
        )
        for kind, sign in (("min", "<"), ("max", ">"))
    },
}
"""The lines of a loop by its kind: before it begins, for each member (`{}` is its value), and at the end."""


class LoopCompiler(Protocol):
    """What compiles the expressions of a loop: `expression_compiler.ExpressionCompiler`."""

    definitions: CompiledDefinitions
    loops: LoopBounds

    def value(self, node: Expr) -> str: ...
    def condition(self, node: Expr) -> str: ...
    def function_of(self, kind: str, node: Expr, lines: Iterable[str]) -> str: ...


def loop_call(
    compiler: LoopCompiler,
    kind: str,
    node: tast.Quantified | tast.Comprehension,
    source: str,
    tests: list[Expr],
    value: str | Expr,
    most: int,
) -> str:
    """The call of a function of its own: what it finds among the members that pass all tests, of at most `most`.

    A function with a loop is faster than a comprehension, which is a function as well.
    """
    member = node.local.name
    kept, members = KeptCalls(compiler.definitions), Members.of(node.local)
    tests = [kept.replace(test, members) for test in tests]
    if not isinstance(value, str):
        value = compiler.value(kept.replace(value, members))
    before = [f"{name.name} = {compiler.value(call)}" for call, name in kept.names.items()]
    if before:
        before = [f"members = {source}", "if not members: return 0", *before]
        source = "members"
    same: dict[str, str] = {}
    texts = [f"({' and '.join(map(compiler.condition, tests))})", value] if tests else [value]
    if not compiler.definitions.may_fail(node):
        texts = [
            hoist(
                text,
                {member},
                lambda part: same.setdefault(part, f"h{len(same)}"),
                is_certain=not number,
            )
            for number, text in enumerate(texts)
        ]
    *test, value = texts
    begin, on_member, end = _LOOPS[kind]
    lines = [
        *before,
        *(f"{name} = {part}" for part, name in same.items()),
        *begin,
        f"for {member} in bits({source}):",
        *(f"    if not {text}: continue" for text in test),
        *(f"    {line.format(value)}" for line in on_member),
        end,
    ]
    call = compiler.function_of(kind, node, lines)
    compiler.loops.add_function(call.partition("(")[0], most)
    return call


def path_call(compiler: LoopCompiler, node: tast.Quantified) -> str:
    """The call of a function of its own: what is reached, or in how many steps."""
    member, most = node.local.name, types.size(node.local.type)
    kept = KeptCalls(compiler.definitions)
    body = compiler.value(kept.replace(node.body, Members.of(node.local)))
    has_goal = node.goal is not None
    lines = [
        f"found = {compiler.value(node.source)}",
        *([f"goal = {compiler.value(node.goal)}"] if node.goal is not None else []),
        f"if not found: return {most if has_goal else 0}",
        *(f"{name.name} = {compiler.value(call)}" for call, name in kept.names.items()),
        "new = found",
        f"for steps in range({most}):",
        *(["    if new & goal: return steps"] if has_goal else []),
        "    if not new: break",
        "    more = 0",
        f"    for {member} in bits(new):",
        f"        more |= {body}",
        "    new = more & ~found",
        "    found |= new",
        f"return {most if has_goal else 'found'}",
    ]
    call = compiler.function_of(node.kind, node, lines)
    # All rounds together visit each member once, and there are as many rounds as members: one visit in each.
    compiler.loops.add_function(call.partition("(")[0], 1)
    return call
