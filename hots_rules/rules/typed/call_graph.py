"""The procedures of a ruleset (phases, scenarios, events, actions) and what each of them calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from hots_rules.rules.graph import reachable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Statement
from hots_rules.rules.typed.visitor import expressions, variables_read, walk_statements

Procedures = Mapping[str, Body]
"""The statements of procedures by kind and name, e.g. `event hit`."""


def procedures(typed: tast.TypedRuleset) -> dict[str, Body]:
    """The statements of all procedures."""
    bodies = {f"phase {name}": phase.body for name, phase in typed.phases.items()}
    bodies |= {f"scenario {name}": scenario.body for name, scenario in typed.scenarios.items()}
    bodies |= {f"action {name}": action.body for name, action in typed.actions.items()}
    for name, event in typed.events.items():
        bodies[f"event {name}"] = tuple(_handler_body(handler) for handler in event.handlers)
    return bodies


def _handler_body(handler: tast.HandlerDef) -> Statement:
    conditions = [part for part in (handler.guard, handler.when) if part is not None]
    body: Statement = tast.WithOrigin(handler.origin, handler.body)
    for condition in conditions:
        body = tast.Branch((tast.Case(condition, (body,)),), ())
    return body


def call_of(node: Statement) -> str | None:
    """The procedure that a statement calls."""
    match node:
        case tast.EmitEvent():
            return f"event {node.event}"
        case tast.CallPhase():
            return f"phase {node.phase}"
    return None


def direct_calls(body: Body) -> set[str]:
    """The procedures that the statements of a block call themselves, in inner blocks as well."""
    return {call for node in walk_statements(body) if (call := call_of(node)) is not None}


def calls_of(node: Statement) -> set[str]:
    """The procedures that may run next at a statement; a decision calls its actions."""
    if isinstance(node, tast.Choose):
        return {f"action {action}" for action in node.actions}
    call = call_of(node)
    return set() if call is None else {call}


def call_graph(bodies: Procedures) -> dict[str, set[str]]:
    """The procedures that each one calls; a decision calls its actions."""
    return {
        key: {call for node in walk_statements(body) for call in calls_of(node)}
        for key, body in bodies.items()
    }


def is_suspension(node: Statement) -> bool:
    """Whether play waits at a statement for a player or for chance."""
    return isinstance(node, tast.Choose | tast.RollDice | tast.DrawRandom)


def suspending(bodies: Procedures) -> set[str]:
    """The procedures in which a player or chance may be asked, directly or through what they call."""
    return procedures_with(bodies, is_suspension)


def procedures_with(bodies: Procedures, is_wanted: Callable[[Statement], bool]) -> set[str]:
    """The procedures with a wanted statement, directly or through what they call."""
    callers: dict[str, set[str]] = {}
    wanted: list[str] = []
    for key, body in bodies.items():
        for node in walk_statements(body):
            if is_wanted(node):
                wanted.append(key)
            elif (call := call_of(node)) is not None:
                callers.setdefault(call, set()).add(key)
    return reachable(callers, wanted)


# ---------------------------------------------------------------- what an `after` evaluates
def called_by(bodies: Procedures, action: str) -> set[str]:
    """The procedures of the effect of an action: its own, and those that this one calls, directly or not."""
    calls = {key: direct_calls(body) for key, body in bodies.items()}
    return reachable(calls, (f"action {action}",))


def effect_expressions(typed: tast.TypedRuleset, action: str) -> Iterator[Expr]:
    """Every expression that the effect of an action may evaluate."""
    bodies = procedures(typed)
    for key in sorted(called_by(bodies, action)):
        yield from expressions(bodies[key])


def state_read(nodes: Iterable[Expr], typed: tast.TypedRuleset) -> set[str]:
    """The state variables that expressions of a ruleset read, directly or not."""
    return variables_read(nodes, typed.definitions.get, partial(effect_expressions, typed))
