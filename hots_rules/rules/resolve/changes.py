"""The state variables that a statement may change."""

from __future__ import annotations

from hots_rules.syntax import tree


def changed_variables(node: tree.Statement | tree.Block | tree.Elif) -> frozenset[str] | None:
    """The variables that a statement, with its blocks, may change; None if it may change any."""
    match node:
        case tree.Choose() | tree.ChooseEach() | tree.Call():
            return None
        case tree.Assign() | tree.Increase() | tree.Decrease() | tree.Add() | tree.Remove():
            return frozenset({node.place.name.text})
        case tree.Clear():
            return frozenset(place.name.text for place in node.places)
        case tree.Shuffle():
            return frozenset({node.into.text})
        case tree.Block():
            return _all_of(node.statements)
        case tree.If():
            return _all_of((node.block, *node.rest))
        case tree.Elif() | tree.For() | tree.While():
            return changed_variables(node.block)
        case tree.Step():
            return changed_variables(node.block) if node.block is not None else frozenset()
        case tree.Let() | tree.Roll() | tree.Draw() | tree.Win() | tree.Leave() | tree.Return():
            return frozenset()


def _all_of(parts: tuple[tree.Statement | tree.Block | tree.Elif, ...]) -> frozenset[str] | None:
    changed = frozenset[str]()
    for part in parts:
        of_part = changed_variables(part)
        if of_part is None:
            return None
        changed |= of_part
    return changed
