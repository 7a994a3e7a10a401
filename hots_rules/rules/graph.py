"""Graphs of names: dependency order, cycles and reachability."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)

MAX_SHOWN = 5  # places of a cycle that a fault shows
MAX_CYCLES = 25  # that are reported: each search takes time in proportion to the graph


class Order(NamedTuple):
    """The nodes of a graph, each after those that it depends on, and the cycles; of overlapping cycles, only one."""

    nodes: list[str]
    cycles: list[list[str]]


def dependency_order(graph: Mapping[str, Iterable[str]]) -> Order:
    """The order of the nodes of a graph by what they depend on.

    A cycle begins and ends with the one of its nodes that the graph lists first.
    """
    edges = {node: sorted(set(others) & graph.keys()) for node, others in graph.items()}
    position = {node: number for number, node in enumerate(graph)}
    cycles: list[list[str]] = []
    while True:
        try:
            return Order(list(TopologicalSorter(edges).static_order()), cycles)
        except CycleError as error:
            loop = error.args[1][:0:-1]
            first = loop.index(min(loop, key=position.__getitem__))
            cycles.append([*loop[first:], *loop[: first + 1]])
            in_cycle = edges if len(cycles) == MAX_CYCLES else loop
            edges |= {node: [] for node in in_cycle}


def describe_cycle(names: list[str]) -> str:
    """A cycle in words; the middle of a long one is left out."""
    shown = names if len(names) <= 8 else [*names[:4], "…", *names[-2:]]
    return " → ".join(shown)


def reachable(graph: Mapping[Node, Iterable[Node]], starts: Iterable[Node]) -> set[Node]:
    """All nodes that the starts lead to, and the starts."""
    visited, pending = set[Node](), list(starts)
    while pending:
        node = pending.pop()
        if node not in visited:
            visited.add(node)
            pending += graph.get(node, ())
    return visited
