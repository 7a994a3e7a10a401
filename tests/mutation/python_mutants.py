"""Mutants of a Python module: the changes that cosmic-ray knows, without those that change nothing that runs.

It is installed for this alone: `pip install 'cosmic-ray>=8.4'`.
"""

from __future__ import annotations

import ast
from difflib import SequenceMatcher
from random import Random

from attrs import field, frozen


@frozen
class PythonMutant:
    """A module with one change.

    Attributes:
        module: the file, below the project.
        number: the line, from 1.
        line: what stands there, without indentation; several lines are joined by a space.
        mutation: what stands there instead.
        text: the whole changed module.
    """

    module: str
    number: int
    line: str
    mutation: str
    text: str = field(repr=False, eq=False)

    def __str__(self) -> str:
        return f"{self.module}:{self.number}\n    - {self.line}\n    + {self.mutation}"

    @property
    def change(self) -> tuple[str, str, str]:
        """What tells it from other mutants, wherever its line stands."""
        return self.module, self.line, self.mutation


def mutant_of(module: str, text: str, changed: str) -> PythonMutant:
    """A mutant by its whole text."""
    old, new = text.splitlines(), changed.splitlines()
    edits = [
        edit
        for edit in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if edit[0] != "equal"
    ]
    first, last = edits[0], edits[-1]
    return PythonMutant(
        module,
        first[1] + 1,
        _joined(old[first[1] : last[2]]),
        _joined(new[first[3] : last[4]]),
        changed,
    )


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def changes_of(text: str) -> list[list[tuple[str, int]]]:
    """The changes of a module, a list for each place: the name of an operator of cosmic-ray, and its occurrence."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    nodes = list(ast_nodes(get_ast(text)))
    places: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for name in sorted(operator_names()):
        operator = get_operator(name)
        if operator.arguments():
            continue  # one that has to be told what to insert
        starts = [start for node in nodes for start, _ in operator().mutation_positions(node)]
        for occurrence, start in enumerate(starts):
            places.setdefault(start, []).append((name, occurrence))
    return [changes for _, changes in sorted(places.items())]


def sample_of(module: str, text: str, size: int, seed: str) -> list[PythonMutant]:
    """A random sample: places first, so that one with many changes is not taken more often than another."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    chooser, original = Random(f"{seed} {module}"), what_runs(text)
    places = changes_of(text)
    found: list[PythonMutant] = []
    for changes in chooser.sample(places, len(places)):
        if len(found) == size:
            break
        for name, occurrence in chooser.sample(changes, len(changes)):
            changed = mutate_code(text, get_operator(name)(), occurrence)
            if changed is not None and what_runs(changed) not in ("", original):
                found.append(mutant_of(module, text, changed))
                break
    return sorted(found, key=lambda each: each.number)


def what_runs(text: str) -> str:
    """A module without annotations, of which none is ever evaluated; empty if it cannot be read."""
    try:
        return ast.dump(_WithoutAnnotations().visit(ast.parse(text)))
    except SyntaxError:
        return ""


class _WithoutAnnotations(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)
