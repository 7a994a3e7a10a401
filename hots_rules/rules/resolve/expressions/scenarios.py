"""`scenario = long-game`: a scenario is recognized by a state variable that only the scenarios set.

The state does not hold the name of its scenario. So a position that was set up by hand has a scenario as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree
from hots_rules.syntax.walk import walk

_OPERATORS = {"=": "eq", "!=": "ne"}


def scenario_is(scope: Scope, node: tree.ScenarioIs) -> Expr:
    """A test whether the scenario is the named one, or another one."""
    symbols, name = scope.symbols, node.name.text
    scenarios = [entry.name for entry in symbols.entries.values() if entry.kind == "scenario"]
    if name not in scenarios:
        symbols.unknown("a scenario", node.name, scenarios)
        return INVALID
    if node.operator.text not in _OPERATORS:
        symbols.fault(
            "wrong-type",
            f"expected `=` or `!=` after `scenario`, got `{node.operator}`",
            node.operator.span,
            help_="scenarios have no order; join several comparisons with `or`",
        )
        return INVALID
    if len(scenarios) == 1:
        return Const(int(node.operator.text == "="), types.BOOL)
    for variable, marks in _marks(symbols).items():
        if list(marks.values()).count(marks[name]) == 1:
            symbols.used.add(("variable", variable))
            type_ = symbols.variables[variable].type
            operands = (tast.Load(variable, (), type_), Const(marks[name], type_))
            return Operation(_OPERATORS[node.operator.text], operands, types.BOOL)
    symbols.fault(
        "not-allowed-here",
        f"no variable distinguishes the scenario `{name}` from the others",
        node.span,
        help_="at the beginning of each scenario set a variable without keys, which nothing else changes",
    )
    return INVALID


def _marks(symbols: SymbolTable) -> dict[str, dict[str, int]]:
    """The variables that only scenarios set, each with its value in every scenario."""
    if symbols.scenario_marks is None:
        scenarios = {
            entry.name: entry.node
            for entry in symbols.entries.values()
            if isinstance(entry.node, tree.Scenario)
        }
        changed = {
            name
            for entry in symbols.entries.values()
            if not isinstance(entry.node, tree.Scenario)
            for name in _variables_set(entry.node)
        }
        symbols.scenario_marks = {
            variable.name: marks
            for variable in symbols.variables.values()
            if not variable.keys and variable.name not in changed
            if (marks := _values_of(variable, scenarios)) is not None
        }
    return symbols.scenario_marks


def _variables_set(node: tree.Node) -> Iterator[str]:
    """The variables that are set somewhere in a declaration."""
    for part in walk(node):
        if isinstance(part, tree.Place):
            yield part.name.text
        elif isinstance(part, tree.Shuffle):
            yield part.into.text


def _values_of(
    variable: tast.Variable, scenarios: dict[str, tree.Scenario]
) -> dict[str, int] | None:
    """The value of a variable in each scenario; None if it is not constant from the beginning on."""
    values: dict[str, int] = {}
    for name, scenario in scenarios.items():
        changes = list(_variables_set(scenario)).count(variable.name)
        if changes == 0:
            values[name] = variable.initial
            continue
        value = _first_value(variable, scenario)
        if changes > 1 or value is None:
            return None
        values[name] = value
    return values


def _first_value(variable: tast.Variable, scenario: tree.Scenario) -> int | None:
    """The constant that a scenario assigns to a variable before it calls a phase."""
    for statement in scenario.block.statements:
        if isinstance(statement, tree.Call):
            return None
        if isinstance(statement, tree.Assign) and statement.place.name.text == variable.name:
            return _constant(statement.value, variable.type)
    return None


def _constant(node: tree.Expr, type_: types.Type) -> int | None:
    """The code of a number, a truth value or a word; None for any other expression."""
    match node:
        case tree.Number() if isinstance(type_, types.IntType):
            return int(node.value.text)
        case tree.Truth() if isinstance(type_, types.BoolType):
            return int(node.value.text == "true")
        case tree.Reference() | tree.Qualified() if isinstance(type_, types.WordType):
            values = type_.words.get(node.name.text, [])
            return type_.codes[values[0]] if len(values) == 1 else None
    return None
