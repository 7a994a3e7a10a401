"""The steps of a declaration: its named groups of statements, and how an edition replaces them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

from attrs import evolve, fields

from hots_rules.syntax import tree
from hots_rules.syntax.walk import children, walk

N = TypeVar("N")


def steps_in(node: object) -> Iterator[tree.Step]:
    """All steps of a part of the tree that have statements, the outer before the inner."""
    return (step for step in _all_steps_in(node) if step.block is not None)


def empty_steps_in(node: object) -> Iterator[tree.Step]:
    """All steps of a part of the tree that have no statements."""
    return (step for step in _all_steps_in(node) if step.block is None)


def _all_steps_in(node: object) -> Iterator[tree.Step]:
    return (part for part in walk(node) if isinstance(part, tree.Step))


def outer_steps(node: object) -> Iterator[tree.Step]:
    """The steps of a part of the tree that are not within another step."""
    if isinstance(node, tree.Step):
        yield node
        return
    for part in children(node):
        yield from outer_steps(part)


def replace_step(node: N, name: str, new: Callable[[tree.Step], tuple[tree.Statement, ...]]) -> N:
    """A part of the tree in which a function replaces each step of a name by statements."""
    if isinstance(node, tuple):
        parts: list[object] = []
        for part in node:
            if isinstance(part, tree.Step) and part.name.text == name:
                parts += new(part)
            else:
                parts.append(replace_step(part, name, new))
        return cast("N", tuple(parts))
    if not isinstance(node, tree.Node):
        return node
    changed = {}
    for field in fields(type(node)):
        value = getattr(node, field.name)
        if isinstance(value, tuple | tree.Node):
            replaced = replace_step(value, name, new)
            if replaced != value:
                changed[field.name] = replaced
    return cast("N", evolve(cast("Any", node), **changed)) if changed else node


def with_old_steps(
    item: tree.AmendStep, old: tree.Step, all_steps: Iterable[tree.Step]
) -> tree.Step:
    """The step that an amendment writes, with the statements of the declaration in its empty steps.

    An empty step with the name of one inside the step that is replaced stays a step; any other gives its statements.
    """
    block, inner = item.block, list(steps_in(old))[1:]
    for step in all_steps:
        statements = step.block.statements if step.block is not None else ()
        filling = (step,) if step in inner else statements
        block = replace_step(block, step.name.text, fill_with(filling))
    return tree.Step(item.name, block, span=item.span)


def fill_with(
    statements: tuple[tree.Statement, ...],
) -> Callable[[tree.Step], tuple[tree.Statement, ...]]:
    """A function that replaces an empty step by statements, and keeps a step that has its own."""
    return lambda step: statements if step.block is None else (step,)
