"""What the clauses of actions may cost, in columns."""

from __future__ import annotations

from collections.abc import Sequence

import hots_rules as hr
from hots_rules.cli.output.console import echo


def echo_costs(costs: Sequence[hr.explain.ClauseCost]) -> None:
    """Print a line for each clause: the steps, the clause, its place, the rule in which it stands."""
    if not costs:
        echo("no clause of an action takes a step")
        return
    echo("most steps in one list of legal actions, by clause:", "bold")
    steps = [f"{cost.steps:,}" for cost in costs]
    clauses = [f"{cost.kind} {cost.action}" for cost in costs]
    places = [f"{cost.file}:{cost.line}" for cost in costs]
    columns = zip(
        (text.rjust(_width(steps)) for text in steps),
        (text.ljust(_width(clauses)) for text in clauses),
        (text.ljust(_width(places)) for text in places),
        (cost.cited for cost in costs),
        strict=True,
    )
    for cells in columns:
        echo(f"  {'  '.join(cells)}")


def _width(texts: Sequence[str]) -> int:
    return max(map(len, texts))
