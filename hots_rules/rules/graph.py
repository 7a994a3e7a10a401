"""What leads to what, and in which order that can be gone through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

MAX_PLACES = 5  # that are shown of a circle


def in_order(graph: Mapping[str, Iterable[str]]) -> tuple[list[str], list[list[str]]]:
    """The nodes, each after those that it leads to; and circles, of which each begins and ends with one node.

    Without recursion, so that no chain is too long. Of circles that share a node one is found.
    """
    order: list[str] = []
    circles: list[list[str]] = []
    state: dict[str, bool] = {}  # False while on the path, True when done
    for start in graph:
        if start in state:
            continue
        state[start] = False
        path = [(start, iter(sorted(graph[start])))]
        while path:
            node, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                state[node] = True
                order.append(node)
            elif other not in state and other in graph:
                state[other] = False
                path.append((other, iter(sorted(graph[other]))))
            elif state.get(other) is False:
                names = [name for name, _ in path]
                circles.append([*names[names.index(other) :], other])
    return order, circles


def say_circle(names: list[str]) -> str:
    """A circle in words; of a long one its ends."""
    shown = names if len(names) <= 8 else [*names[:4], "…", *names[-2:]]
    return " → ".join(shown)


def reached(graph: Mapping[str, Iterable[str]], starts: Iterable[str]) -> set[str]:
    """All nodes that the starts lead to, and the starts."""
    found, pending = set[str](), list(starts)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += graph.get(node, ())
    return found
