"""Statements without suspension as Python source, of the plain and of the traced module at once."""

import re
from typing import NamedTuple

from attrs import define, field

from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler, effect_name
from hots_rules.compile.codes import codes_of
from hots_rules.compile.facts import Variable
from hots_rules.compile.layout import Layout
from hots_rules.compile.link import LinkedRules, Procedure
from hots_rules.compile.program import Program
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr, Statement

# At the beginning of a line that only one of the two modules has. No other line can have them: texts are escaped.
_PLAIN, _TRACED = "\x01", "\x02"
_MARGIN = f"{_PLAIN}{_TRACED} "
_LINES_OF_THE_OTHER = {
    False: re.compile(f"^{_TRACED}.*\n", re.MULTILINE),
    True: re.compile(f"^{_PLAIN}.*\n", re.MULTILINE),
}


def module_source(text: str, *, traced: bool) -> str:
    """The source of the plain or the traced module, from a text with the lines of both."""
    return _LINES_OF_THE_OTHER[traced].sub("", text).replace(_TRACED if traced else _PLAIN, "")


class OriginNumbers(NamedTuple):
    """The numbers of a rule in the plain and in the traced module."""

    plain: int
    traced: int


NO_RULE = OriginNumbers(0, 0)


@define
class ModuleContext:
    """What all writers of one module share.

    `suspending` are the procedures that were lowered, `ending` those that may end the game; `estimator` counts steps;
    `origins` and `traced_origins` number the rules that the plain and the traced module refer to.
    """

    linked: LinkedRules
    program: Program
    layout: Layout
    compiler: ExpressionCompiler
    suspending: set[str]
    ending: set[str]
    estimator: CostEstimator
    origins: dict[tast.Origin, int] = field(factory=dict)
    traced_origins: dict[tast.Origin, int] = field(factory=dict)

    def origin(self, origin: tast.Origin) -> OriginNumbers:
        """The numbers of a rule."""
        plain = self.origins.setdefault(origin, len(self.origins))
        return OriginNumbers(plain, self.traced_origin(origin))

    def traced_origin(self, origin: tast.Origin) -> int:
        """The number of a rule that the traced module alone refers to."""
        return self.traced_origins.setdefault(origin, len(self.traced_origins))


def function_name(procedure: Procedure) -> str:
    """The Python function of a procedure."""
    return procedure.key.replace(" ", "_").replace("-", "_")


class StatementWriter:
    """Writes statements line by line.

    The traced module also logs in `S.log` what happens. Without `has_notes` it does not: what would happen is no event.
    """

    has_notes = True

    def __init__(self, context: ModuleContext, halt: str, origin: OriginNumbers = NO_RULE) -> None:
        self.context = context
        self.compiler = context.compiler
        self.halt = halt
        self.origin = origin
        self.lines: list[str] = []
        self.indent = "    "

    def text(self) -> str:
        """The lines so far, of both modules."""
        return "".join(f"{line}\n" for line in self.lines)

    def add(self, line: str, *, plain: bool = True, traced: bool = True) -> None:
        """Add a line at the current indentation, to both modules or to one of them."""
        if plain or traced:
            mark = _TRACED if not plain else _PLAIN if not traced else ""
            self.lines.append(mark + self.indent + line)

    def log(self, note: str) -> None:
        """Log a note in the traced module."""
        if self.has_notes:
            self.add(f"S.log.append({note})", plain=False)

    def log_entry(self, procedure: Procedure) -> None:
        """Log the start of a procedure."""
        if procedure.kind != "scenario":
            values = "".join(f"{self.compiler.local(p)}, " for p in procedure.params)
            origin = self.context.traced_origin(procedure.origin)
            self.log(f"EntryNote({procedure.kind!r}, {procedure.name!r}, ({values}), {origin})")

    def body(self, body: Body) -> None:
        """Add statements at the current indentation."""
        for statement in body:
            self.statement(statement)

    def _indented(self, body: Body) -> None:
        outer, self.indent = self.indent, self.indent + "    "
        self.suite(body)
        self.indent = outer

    def suite(self, body: Body) -> None:
        """Add statements, or `pass` if there are none."""
        before = len(self.lines)
        self.body(body)
        code = [line for line in self.lines[before:] if not line.lstrip(_MARGIN).startswith("#")]
        has_plain = any(not line.startswith(_TRACED) for line in code)
        has_traced = any(not line.startswith(_PLAIN) for line in code)
        self.add("pass", plain=not has_plain, traced=not has_traced)

    def statement(self, node: Statement) -> None:
        """Add one statement."""
        match node:
            case tast.Store():
                self._store(node)
            case tast.Reset():
                self._reset(node)
            case tast.Bind():
                self.add(f"{self.compiler.local(node.local)} = {self.compiler.value(node.value)}")
            case tast.Branch():
                for number, case in enumerate(node.cases):
                    condition = self.compiler.condition(case.condition)
                    self.add(f"{'elif' if number else 'if'} {condition}:")
                    self._indented(case.body)
                if node.otherwise:
                    self.add("else:")
                    self._indented(node.otherwise)
            case tast.ForEach():
                times = self.compiler.estimator.iterations(node)
                self.compiler.loops.add_name(node.local.name, times)
                self.add(f"for {node.local.name} in {self._domain(node)}:")
                self._indented(node.body)
            case tast.Loop():
                assert node.bound is not None
                times = self.compiler.estimator.iterations(node)
                self.compiler.loops.add_name("_", times)
                self.add(f"for _ in range({self.compiler.value(node.bound)}):")
                self.indent += "    "
                self.add(f"if not {self.compiler.condition(node.condition)}: break")
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
                self._with_origin(node)

    def _with_origin(self, node: tast.WithOrigin) -> None:
        outer, self.origin = self.origin, self.context.origin(node.origin)
        is_new, is_new_traced = (old != new for old, new in zip(outer, self.origin, strict=True))
        if node.body:
            self.add(f"# {node.origin.cited}", plain=is_new, traced=is_new_traced)
        if is_new_traced:
            self.log(f"RuleNote({self.origin.traced})")
        self.body(node.body)
        self.origin = outer

    def _domain(self, node: tast.ForEach) -> str:
        if isinstance(node.domain, tuple):
            return f"({', '.join(self.compiler.value(item) for item in node.domain)},)"
        if node.last is not None:
            return (
                f"range({self.compiler.value(node.domain)}, {self.compiler.value(node.last)} + 1)"
            )
        return f"bits({self.compiler.value(node.domain)})"

    def _call(self, key: str, args: tuple[Expr, ...]) -> None:
        values = ", ".join(["S", *(self.compiler.value(arg) for arg in args)])
        self.add(f"{self.called(self.context.linked.procedures[key])}({values})")
        if key in self.context.ending:
            self.add(f"if S[1]: {self.halt}")

    def called(self, procedure: Procedure) -> str:
        """The function by which this writer calls a procedure."""
        return function_name(procedure)

    def _end(self, node: tast.EndGame) -> None:
        nobody = types.size(self.context.linked.typed.players)
        if isinstance(node.winners.type, types.SetType):
            self.add(f"v = {self.compiler.value(node.winners)}")
            # As `outcome_of` has it.
            self.add("S[1] = -v if v & (v - 1) else v.bit_length() + 1")
        elif isinstance(node.winners, tast.Const):
            self.add(f"S[1] = {1 if node.winners.value == nobody else node.winners.value + 2}")
        else:
            self.add(f"S[1] = {self.compiler.value(node.winners)} + 2")
            self.add(f"if S[1] == {nobody + 2}: S[1] = 1")
        self.add(f"S[2] = {self.origin.plain}", traced=False)
        self.add(f"S[2] = {self.origin.traced}", plain=False)
        self.add(self.halt)

    # -------------------------------------------------------------- the state
    def _store(self, node: tast.Store) -> None:
        slots = self.context.layout.variables[node.variable]
        index = self.context.layout.indexes.get(node.variable)
        self.add(
            f"i = {self.compiler.index(node.variable, node.keys)}",
            plain=False,
            traced=self.has_notes,
        )
        if index is not None:
            self._store_indexed(node, slots, index)
        else:
            value = self._checked(node.value)
            self.add(f"{self.compiler.load(node.variable, node.keys)} = {value}")
        self.log(f"SetNote({node.variable!r}, i, S[i], {self.origin.traced})")

    def _checked(self, value: Expr) -> str:
        """A value to store, after a check where a number may be out of range."""
        if (
            not isinstance(value, tast.Narrow)
            or not isinstance(value.type, types.IntType)
            or not value.checked
        ):
            return self.compiler.value(value)
        low, high = value.type.low, value.type.high
        actual = value.body.type
        assert isinstance(actual, types.IntType)
        tests = [f"v < {low}"] * (actual.low < low) + [f"v > {high}"] * (actual.high > high)
        self.add(f"v = {self.compiler.value(value.body)}")
        number = self.compiler.check(
            f"expected a value of {value.type}, at {value.span}", value.type
        )
        self.add(f"if {' or '.join(tests)}: within(v, {low}, {high}, {number})")
        return "v"

    def _store_indexed(self, node: tast.Store, slots: Variable, index: int) -> None:
        """Update the index as well: the key moves from the set of the old value to that of the new one."""
        key = self.compiler.value(node.keys[0])
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
        slots = self.context.layout.variables[node.variable]
        blank = types.blank_code(slots.type)
        if node.keys:
            value: Expr = tast.Const(blank, slots.type)
            variable = self.context.linked.typed.variables[node.variable]
            self._store(tast.Store(node.variable, node.keys, value, variable.origin.span))
            return
        count = slots.count
        if count == 1:
            self.add(f"S[{slots.base}] = {blank}")
        else:
            self.add(f"S[{slots.base}:{slots.base + count}] = [{blank}] * {count}")
        index = self.context.layout.indexes.get(node.variable)
        if index is not None:
            codes = codes_of(slots.type)
            masks = [(1 << count) - 1 if value == blank else 0 for value in codes]
            self.add(f"S[{index + codes.start}:{index + codes.stop}] = {masks}")
        self.log(f"ClearNote({node.variable!r}, {self.origin.traced})")


class EffectWriter(StatementWriter):
    """Writes the procedures that `after` plays in a copy of the state."""

    has_notes = False

    def called(self, procedure: Procedure) -> str:
        """See `StatementWriter.called`."""
        return effect_name(procedure.key)
