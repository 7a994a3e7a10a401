"""Statements that never stop, as Python source."""

from __future__ import annotations

from attrs import define, field

from hots_rules.compile.codes import codes_of
from hots_rules.compile.express import Express
from hots_rules.compile.layout import Block as Slots
from hots_rules.compile.layout import Layout
from hots_rules.compile.program import Program
from hots_rules.compile.weave import Procedure, Woven
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr, Statement


@define
class Sheet:
    """What all writers of one module share.

    `traced` makes the module note in `S.log` what happens; `ending` are the procedures that may end
    the game; `origins` are the rules that the module names, by number.
    """

    woven: Woven
    program: Program
    layout: Layout
    express: Express
    interrupted: frozenset[str]
    traced: bool
    ending: frozenset[str]
    origins: list[tast.Origin] = field(factory=list)

    def origin(self, origin: tast.Origin) -> int:
        """The number of a rule."""
        if origin not in self.origins:
            self.origins.append(origin)
        return self.origins.index(origin)


def function_name(procedure: Procedure) -> str:
    """The name of the Python function of a procedure."""
    return procedure.key.replace(" ", "_").replace("-", "_")


def said(origin: tast.Origin) -> str:
    """A source as a comment, e.g. "capture §5.7"."""
    return f"{origin.rule} {' '.join('§' + s for s in origin.sections)}".strip()


class Writer:
    """Writes statements that never stop, line by line."""

    def __init__(self, sheet: Sheet, halt: str, origin: int) -> None:
        self.sheet = sheet
        self.express = sheet.express
        self.halt = halt
        self.origin = origin
        self.lines: list[str] = []
        self.indent = "    "

    def text(self) -> str:
        """What was written."""
        return "".join(f"{line}\n" for line in self.lines)

    def add(self, line: str) -> None:
        """One line at the present indentation."""
        self.lines.append(self.indent + line)

    def note(self, procedure: Procedure) -> None:
        """In the traced module: that a procedure began."""
        if self.sheet.traced and procedure.kind != "scenario":
            values = "".join(f"{self.express.local(p)}, " for p in procedure.params)
            origin = self.sheet.origin(procedure.origin)
            self.add(
                f"S.log.append(({procedure.kind!r}, {procedure.name!r}, ({values}), {origin}))"
            )

    def body(self, body: Body) -> None:
        """A block of statements."""
        for statement in body:
            self.statement(statement)

    def _inner(self, body: Body) -> None:
        outer, self.indent = self.indent, self.indent + "    "
        self.whole(body)
        self.indent = outer

    def whole(self, body: Body) -> None:
        """A block that must not be empty in Python."""
        before = len(self.lines)
        self.body(body)
        if all(line.lstrip().startswith("#") for line in self.lines[before:]):
            self.add("pass")

    def statement(self, node: Statement) -> None:
        """One statement."""
        match node:
            case tast.Store():
                self._store(node)
            case tast.Reset():
                self._reset(node)
            case tast.Bind():
                self.add(f"{self.express.local(node.local)} = {self.express.value(node.value)}")
            case tast.Branch():
                for number, (condition, block) in enumerate(node.cases):
                    self.add(f"{'elif' if number else 'if'} {self.express.condition(condition)}:")
                    self._inner(block)
                if node.otherwise:
                    self.add("else:")
                    self._inner(node.otherwise)
            case tast.ForEach():
                self.add(f"for {node.local.name} in {self._domain(node)}:")
                self._inner(node.body)
            case tast.Loop():
                self.add(f"for _ in range({self.express.value(node.bound)}):")
                self.indent += "    "
                self.add(f"if not {self.express.condition(node.condition)}: break")
                self.body(node.body)
                self.indent = self.indent[:-4]
            case tast.EmitEvent():
                self._call(f"event {node.event}", node.args)
            case tast.CallPhase():
                self._call(f"phase {node.phase}", node.args)
            case tast.EndGame():
                self._end(node)
            case tast.Leave():
                self.add("break")
            case tast.Return():
                self.add("return")
            case tast.WithOrigin():
                self._by(node)

    def _by(self, node: tast.WithOrigin) -> None:
        outer, self.origin = self.origin, self.sheet.origin(node.origin)
        if self.origin != outer and node.body:
            self.add(f"# {said(node.origin)}")
        if self.sheet.traced and self.origin != outer:
            self.add(f"S.log.append(('rule', {self.origin}))")
        self.body(node.body)
        self.origin = outer

    def _domain(self, node: tast.ForEach) -> str:
        if isinstance(node.domain, tuple):
            return f"({', '.join(self.express.value(item) for item in node.domain)},)"
        if node.last is not None:
            return f"range({self.express.value(node.domain)}, {self.express.value(node.last)} + 1)"
        return f"bits({self.express.value(node.domain)})"

    def _call(self, key: str, args: tuple[Expr, ...]) -> None:
        procedure = self.sheet.woven.procedures[key]
        values = ", ".join(["S", *(self.express.value(arg) for arg in args)])
        self.add(f"{function_name(procedure)}({values})")
        if key in self.sheet.ending:
            self.add(f"if S[1]: {self.halt}")

    def _end(self, node: tast.EndGame) -> None:
        players = self.sheet.woven.typed.players
        many = types.size(players)
        if isinstance(node.player, tast.Const):
            self.add(f"S[1] = {1 if node.player.value == many else node.player.value + 2}")
        else:
            found = self.express.value(node.player)
            self.add(f"S[1] = {found} + 2")
            self.add(f"if S[1] == {many + 2}: S[1] = 1")
        self.add(f"S[2] = {self.origin}")
        self.add(self.halt)

    # -------------------------------------------------------------- the state
    def _store(self, node: tast.Store) -> None:
        slots = self.sheet.layout.blocks[node.variable]
        index = self.sheet.layout.indexes.get(node.variable)
        if self.sheet.traced:
            self.add(f"i = {self.express.index(node.variable, node.keys)}")
        if index is not None:
            self._store_indexed(node, slots, index)
        else:
            value = self._checked(node.value)
            self.add(f"{self.express.load(node.variable, node.keys)} = {value}")
        if self.sheet.traced:
            self.add(f"S.log.append(('set', {node.variable!r}, i, S[i], {self.origin}))")

    def _checked(self, value: Expr) -> str:
        """A value to store; where a number may leave its range, that is looked at first."""
        if (
            not isinstance(value, tast.Narrow)
            or not isinstance(value.type, types.IntType)
            or value.sure
        ):
            return self.express.value(value)
        low, high = value.type.low, value.type.high
        actual = value.body.type
        assert isinstance(actual, types.IntType)
        tests = [f"v < {low}"] * (actual.low < low) + [f"v > {high}"] * (actual.high > high)
        self.add(f"v = {self.express.value(value.body)}")
        number = self.express.check(f"expected a value of {value.type}, at {value.span}")
        self.add(f"if {' or '.join(tests)}: within(v, {low}, {high}, {number})")
        return "v"

    def _store_indexed(self, node: tast.Store, slots: Slots, index: int) -> None:
        """The index follows the map: out of the old value's set, into the new one's."""
        key = self.express.value(node.keys[0])
        if not key.isidentifier() and not key.isdigit():
            self.add(f"k = {key}")
            key = "k"
        slot = f"S[{slots.base + int(key)}]" if key.isdigit() else f"S[{slots.base} + {key}]"
        value = self._checked(node.value)
        if value != "v":
            self.add(f"v = {value}")
        self.add(f"S[{index} + {slot}] ^= 1 << {key}")
        self.add(f"S[{index} + v] ^= 1 << {key}")
        self.add(f"{slot} = v")

    def _reset(self, node: tast.Reset) -> None:
        slots = self.sheet.layout.blocks[node.variable]
        lowest = _lowest(slots.type)
        if node.keys:
            value: Expr = tast.Const(lowest, slots.type)
            variable = self.sheet.woven.typed.variables[node.variable]
            self._store(tast.Store(node.variable, node.keys, value, variable.origin.span))
            return
        count = slots.count
        if count == 1:
            self.add(f"S[{slots.base}] = {lowest}")
        else:
            self.add(f"S[{slots.base}:{slots.base + count}] = [{lowest}] * {count}")
        index = self.sheet.layout.indexes.get(node.variable)
        if index is not None:
            codes = codes_of(slots.type)
            masks = [(1 << count) - 1 if value == lowest else 0 for value in codes]
            self.add(f"S[{index + codes.start}:{index + codes.stop}] = {masks}")
        if self.sheet.traced:
            self.add(f"S.log.append(('clear', {node.variable!r}, {self.origin}))")


def _lowest(type_: types.Type) -> int:
    if isinstance(type_, types.WordType):
        return type_.codes.get(types.NONE, 0)
    return type_.low if isinstance(type_, types.IntType) else 0
