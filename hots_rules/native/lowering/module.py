"""The functions of a generated module, lowered from callers to callees, so that bounds of arguments are known."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

from attrs import define, field

from hots_rules.compile.codes import HALT
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.expressions import Charge, ExpressionLowering
from hots_rules.native.lowering.numbers import Number
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.lowering.statements import FunctionLowering
from hots_rules.native.refusal import NotLowered, refused
from hots_rules.native.runtime.counting import NoteCells


@define
class Instance:
    """A function lowered for certain numbers of words; `bounds` are those of its arguments in all calls so far."""

    name: str
    bounds: tuple[Bounds, ...]
    result_cells: int


@define
class ModuleLowering:
    """What is known of the whole module while its functions are lowered.

    Attributes:
        slots: the slots of the state.
        memory: the regions of the memory.
        actions: the numbers of the actions by the functions that list them.
        has_room: whether the region `OUT` has a cell for every action of a decision.
        notes: the cells in which its notes are counted; None if it makes none.
        charge: what the members of its loops cost; None if they are not counted.
        constants: the numbers that the module names.
        rows: the tuples that the module names; those of texts are `words`.
        definitions: the functions of the module.
    """

    slots: SlotMap
    memory: Mapping[str, p.Region]
    actions: Mapping[str, int]
    has_room: bool
    notes: NoteCells | None = None
    charge: Charge | None = None
    constants: dict[str, int] = field(factory=dict)
    rows: dict[str, tuple[tuple[int, ...], ...]] = field(factory=dict)
    words: dict[str, tuple[str, ...]] = field(factory=dict)
    definitions: dict[str, ast.FunctionDef] = field(factory=dict)
    functions: list[p.Function] = field(factory=list)
    halt: int = HALT
    trials: list[str] = field(factory=list)
    _used: set[str] = field(factory=set)
    _instances: dict[str, dict[tuple[object, ...], Instance]] = field(factory=dict)
    _returned: dict[tuple[str, tuple[Bounds, ...]], Bounds] = field(factory=dict)
    _bodies: dict[tuple[str, tuple[Bounds, ...]], tuple[tuple[str, ...], p.Body]] = field(
        factory=dict
    )
    _table_bounds: dict[str, Bounds] = field(factory=dict)

    def add_constant(self, name: str, value: object) -> None:
        """Keep a constant of the module: a number, numbers, rows of numbers, or texts."""
        match value:
            case int():
                self.constants[name] = value
            case (str(), *_) if all(isinstance(text, str) for text in value):
                self.words[name] = tuple(map(str, value))
            case (bytes(), *_):
                self.rows[name] = tuple(
                    tuple(numbers) for numbers in value if isinstance(numbers, bytes)
                )
            case (int(), *_) if _is_row(value):
                self.rows[name] = tuple((number,) for number in value)
            case (tuple(), *_) if all(map(_is_row, value)):
                self.rows[name] = tuple(row for row in value if _is_row(row))

    # -------------------------------------------------------------- tables
    def _rows(self, table: str) -> tuple[tuple[int, ...], ...]:
        if table not in self.rows:
            raise NotLowered("a table that does not hold numbers", table)
        self._used.add(table)
        return self.rows[table]

    def length(self, table: str) -> int:
        """How many rows a table has."""
        return len(self._rows(table))

    def row_length(self, table: str) -> int:
        """How many numbers a row of a table has."""
        return len(self._rows(table)[0])

    def table_bounds(self, table: str) -> Bounds:
        """The bounds of the numbers of a table."""
        if table not in self._table_bounds:
            rows = self._rows(table)
            self._table_bounds[table] = Bounds(min(map(min, rows)), max(map(max, rows)))
        return self._table_bounds[table]

    def tables(self) -> dict[str, tuple[int, ...]]:
        """The tables that the lowered functions look up; a number of several words has them one after the other."""
        return {name: tuple(self._words_of(name)) for name in sorted(self._used)}

    def _words_of(self, table: str) -> Iterable[int]:
        bounds = self.table_bounds(table)
        for row in self.rows[table]:
            for value in row:
                if bounds.cells == 1:
                    yield value
                    continue
                for place in range(bounds.cells):
                    yield value >> place * p.WORD & p.FULL

    # -------------------------------------------------------------- calls
    def call(self, caller: ExpressionLowering, node: ast.Call, name: str) -> p.Expr:
        """The call of a procedure, which returns nothing or a block."""
        args = _arguments(caller, node)
        return self._call(self.instance(name, [arg.bounds for arg in args], 1), args)

    def called(self, caller: ExpressionLowering, node: ast.Call, name: str) -> Number:
        """The result of a function; several words are read from the region `RESULT` at once."""
        if name not in self.definitions:
            raise refused(node)
        args = _arguments(caller, node)
        bounds = [arg.bounds for arg in args]
        result = self._result(name, tuple(bounds))
        call = self._call(self.instance(name, bounds, result.cells), args)
        if result.cells == 1:
            return Number((call,), result)
        base = self.memory["RESULT"].base
        if result.cells > self.memory["RESULT"].room:
            raise refused(node, "a result of too many words")
        caller.prelude.append(p.Do(call))
        words = (caller.held(p.Load(base + place)) for place in range(result.cells))
        return Number(tuple(words), result)

    @staticmethod
    def _call(instance: Instance, args: Sequence[Number]) -> p.Expr:
        return p.Call(instance.name, tuple(word for arg in args for word in arg.words))

    def instance(self, name: str, bounds: Sequence[Bounds], result_cells: int) -> Instance:
        """The function for some arguments, whose bounds it will expect as well."""
        cells = tuple(part.cells for part in bounds)
        key = (*cells, result_cells)
        instances = self._instances.setdefault(name, {})
        if key not in instances:
            suffix = f".{len(instances) + 1}" if instances else ""
            instances[key] = Instance(f"{name}{suffix}", tuple(bounds), result_cells)
            return instances[key]
        instance = instances[key]
        joined = tuple(old.join(new) for old, new in zip(instance.bounds, bounds, strict=True))
        if tuple(part.cells for part in joined) != cells:
            raise NotLowered("arguments with and without a sign, of 64 bits", name)
        instance.bounds = joined
        return instance

    def _result(self, name: str, bounds: tuple[Bounds, ...]) -> Bounds:
        """The bounds of a result for arguments with some bounds; other arguments may need other code."""
        key = name, bounds
        if key not in self._returned:
            lowering, params = self._lowering(name, bounds)
            body = lowering.body(self.definitions[name].body)
            self._returned[key] = lowering.returned or Bounds(0, 0)
            if not lowering.is_trial:
                self._bodies[key] = params, body
        return self._returned[key]

    # -------------------------------------------------------------- functions
    def _lowering(
        self, name: str, bounds: Sequence[Bounds]
    ) -> tuple[FunctionLowering, tuple[str, ...]]:
        lowering = FunctionLowering(self)
        params = parameters(self.definitions[name])
        pairs = zip(params, bounds, strict=True)
        return lowering, tuple(word for pair in pairs for word in lowering.parameter(*pair))

    def lower_functions(self, roots: Iterable[str]) -> None:
        """Lower every function that some functions need, each after all that call it."""
        for name in self._callers_first(roots):
            for instance in list(self._instances.get(name, {}).values()):
                self._lower(name, instance)

    def _lower(self, name: str, instance: Instance) -> None:
        key = name, instance.bounds
        if instance.result_cells == 1 and key in self._bodies:
            self.functions.append(p.Function(instance.name, *self._bodies[key]))
            return
        lowering, params = self._lowering(name, instance.bounds)
        lowering.result_cells = instance.result_cells
        lowering.name = instance.name
        lowering.action = self.actions.get(name, 0)
        try:
            body = lowering.body(self.definitions[name].body)
        except NotLowered as error:
            raise NotLowered(error.reason, f"{name}: {error.place}".rstrip(": ")) from None
        self.functions.append(p.Function(instance.name, params, body))
        if lowering.is_trial:
            self.trials.append(instance.name)

    def _callers_first(self, roots: Iterable[str]) -> list[str]:
        done: set[str] = set()
        order: list[str] = []

        def visit(name: str) -> None:
            if name in done or name not in self.definitions:
                return
            done.add(name)
            for part in ast.walk(self.definitions[name]):
                if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                    visit(part.func.id)
            order.append(name)

        for root in roots:
            visit(root)
        return order[::-1]


def parameters(definition: ast.FunctionDef) -> list[str]:
    """The parameters of a function that are numbers."""
    return [arg.arg for arg in definition.args.args if arg.arg not in {"S", "out"}]


def _arguments(caller: ExpressionLowering, node: ast.Call) -> list[Number]:
    args = [arg for arg in node.args if not (isinstance(arg, ast.Name) and arg.id in {"S", "out"})]
    return [caller.number(arg) for arg in args]


def _is_row(value: object) -> TypeGuard[tuple[int, ...]]:
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(isinstance(number, int) for number in value)
    )
