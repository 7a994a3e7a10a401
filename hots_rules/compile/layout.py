"""The assignment of slots to variables, their indexes and the frames."""

from collections.abc import Iterable, Iterator

from attrs import define, field

from hots_rules.compile.codes import FIRST_FREE
from hots_rules.compile.facts import Variable
from hots_rules.rules.checks.masks import can_be_searched
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import walk

_COMPARISONS = {"eq", "ne", "in", "lt", "le", "gt", "ge"}


@define
class Layout:
    """The slots of variables, of their indexes and of the frames.

    `indexes` has the slot of the set for code 0, or where it would be: the set for code `c` is `c` slots further.
    """

    variables: dict[str, Variable] = field(factory=dict)
    indexes: dict[str, int] = field(factory=dict)
    frame: dict[str, int] = field(factory=dict)
    size: int = FIRST_FREE

    def initial(self) -> list[int]:
        """The state before any scenario: every variable at its initial value, with consistent indexes."""
        slots = [0] * self.size
        for variable in self.variables.values():
            slots[variable.base : variable.base + variable.count] = [
                variable.initial
            ] * variable.count
            if variable.name in self.indexes:
                slots[self.indexes[variable.name] + variable.initial] = (1 << variable.count) - 1
        return slots


def make_layout(typed: tast.TypedRuleset, indexed: Iterable[str], frame: Iterable[Local]) -> Layout:
    """The layout of a ruleset, from the names of the variables to index and the local names of the frames."""
    layout = Layout()
    for name, declared in typed.variables.items():
        variable = Variable(
            name, layout.size, declared.keys, declared.type, declared.initial, declared.is_internal
        )
        layout.variables[name] = variable
        layout.size += variable.count
    for name in sorted(set(indexed)):
        type_ = typed.variables[name].type
        layout.indexes[name] = layout.size - types.lowest_code(type_)
        layout.size += types.size(type_)
    for local in frame:
        layout.frame[local.name] = layout.size
        layout.size += 1
    return layout


def variables_to_index(expressions: Iterable[Expr], typed: tast.TypedRuleset) -> set[str]:
    """The maps that are searched by value: `x where place[x] = a` looks up the things at `a`."""
    return {
        load.variable
        for expression in expressions
        for node in walk(expression)
        for load in _searched_loads(node)
        if can_be_searched(typed.variables[load.variable])
    }


def _searched_loads(node: Expr) -> Iterator[tast.Load]:
    """The entries of maps, by one local name, that a condition compares."""
    match node:
        case tast.Operation() if node.op in _COMPARISONS:
            compared = node.args
        case tast.TypeTest():
            compared = (node.body,)
        case tast.Load(type=types.BoolType()):
            compared = (node,)
        case _:
            compared = ()
    for part in compared:
        while isinstance(part, tast.Convert):
            part = part.body
        if isinstance(part, tast.Load) and len(part.keys) == 1 and isinstance(part.keys[0], Local):
            yield part
