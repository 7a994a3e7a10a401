"""Suspension points as Python source: the legal choices, the chances, and the keys of chance."""

from __future__ import annotations

from attrs import frozen

from hots_rules.compile.program import Decision, DiceRoll, Draw, Frame, Suspension
from hots_rules.compile.rewrite import substitute
from hots_rules.compile.statement_writer import ModuleContext, StatementWriter
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local


@frozen
class PointWriter:
    """Writes the functions of all suspension points, and the rows of the table `POINTS`."""

    context: ModuleContext

    def functions(self) -> list[str]:
        """The functions of each suspension point."""
        return [self._functions(*numbered) for numbered in enumerate(self._suspensions)]

    def rows(self) -> list[str]:
        """The row of each suspension point in the table."""
        return [self._row(*numbered) for numbered in enumerate(self._suspensions)]

    @property
    def _suspensions(self) -> tuple[Suspension, ...]:
        return self.context.program.suspensions

    def _functions(self, number: int, suspension: Suspension) -> str:
        compiler = self.context.compiler
        match suspension:
            case Decision():
                return self._decision(number, suspension)
            case DiceRoll():
                dice = compiler.value(suspension.number) if suspension.number is not None else "1"
                return (
                    f"def dice_{number}(S):\n    return {dice}\n\n\n{self._key(number, suspension)}"
                )
            case Draw():
                source = compiler.value(suspension.source)
                key = self._key(number, suspension)
                text = f"def source_{number}(S):\n    return {source}\n\n\n{key}"
                if suspension.weight is not None:
                    text += "\n\n\n" + self._weight(number, suspension.weight, suspension.into)
                return text

    def _weight(self, number: int, weight: Expr, into: Local) -> str:
        """The weight of a member as a function of the member."""
        member = Local("member", into.type)
        value = self.context.compiler.value(substitute(weight, {into.name: member}))
        return f"def weight_{number}(S, member):\n    return {value}\n"

    def _decision(self, number: int, decision: Decision) -> str:
        compiler, writer = self.context.compiler, StatementWriter(self.context, "return", 0)
        writer.add("out = []")
        if decision.waiting is None:
            player = compiler.value(decision.players)
            writer.add(f"p = {player}")
            players, indent = f"1 << {player}", ""
        else:
            players, indent = compiler.local(decision.waiting), "    "
            writer.add(f"for p in bits({players}):")
        for action in decision.actions:
            writer.add(f"{indent}list_{action}(S, p, out)")
        writer.add("return out")
        return (
            f"def legal_{number}(S):\n{writer.text()}\n\n"
            f"def players_{number}(S):\n    return {players}\n"
        )

    def _key(self, number: int, suspension: DiceRoll | Draw) -> str:
        """The key of a chance point: where in the rules it is, in words that other editions share."""
        variables = self.context.linked.typed.variables
        clock = [
            self._word(tast.Load(name, (), variables[name].type))
            for name in self.context.linked.typed.clock
        ]
        path = f"scope(S, {self.frame(suspension.frame)})"
        before = " ".join(f"{{{part}}}" for part in clock)
        after = "".join(f" {{{self._word(key)}}}" for key in suspension.keys)
        return f'def key_{number}(S):\n    return f"{before}{{{path}}}{after}"\n'

    def _word(self, node: Expr) -> str:
        """Python source of the word for a value."""
        value = self.context.compiler.value(node)
        if not isinstance(node.type, types.WordType):
            return value
        name = "words_" + "".join(sign if sign.isalnum() else "_" for sign in node.type.name)
        return f"{self.context.compiler.constant(name, _words(node.type))}[{value}]"

    def frame(self, frame: Frame) -> str:
        """A frame as data: its name, the slots of its values with their words, the slot of the return block."""
        slots = self.context.layout.frame
        values = []
        for local in frame.values:
            words = _words(local.type) if isinstance(local.type, types.WordType) else "None"
            values.append(f"({slots[local.name]}, {words}), ")
        back = slots[frame.return_block.name] if frame.return_block is not None else None
        text = f"({frame.name!r}, ({''.join(values)}), {back})"
        return self.context.compiler.constant("scope_" + frame.name.replace("-", "_"), text)

    def _row(self, number: int, suspension: Suspension) -> str:
        slots, after = self.context.layout.frame, suspension.after
        if isinstance(suspension, Decision):
            waiting = slots[suspension.waiting.name] if suspension.waiting is not None else None
            return f"DecisionPoint(legal_{number}, players_{number}, {waiting}, {after})"
        into = slots[suspension.into.name]
        if isinstance(suspension, DiceRoll):
            type_, sides = suspension.into.type, suspension.sides
            most = type_.most if isinstance(type_, types.DiceType) else None
            return f"DicePoint(dice_{number}, key_{number}, {sides}, {most}, {into}, {after})"
        weight = f"weight_{number}" if suspension.weight is not None else None
        return f"DrawPoint(source_{number}, key_{number}, {weight}, {into}, {after})"


def _words(type_: types.WordType) -> str:
    return repr(tuple(word for _, word in type_.values))
