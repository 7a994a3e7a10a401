"""Basic blocks and suspension points as Python functions; a block with a single predecessor is written inside it."""

from collections import Counter
from collections.abc import Iterator

from attrs import frozen

from hots_rules.compile.codegen.emitted_steps import EmittedSteps
from hots_rules.compile.codegen.statement_writer import ModuleContext, StatementWriter
from hots_rules.compile.link import Procedure
from hots_rules.compile.program import (
    BasicBlock,
    CallFrame,
    CondBranch,
    DecisionPause,
    DiceRoll,
    Goto,
    Program,
    RandomDraw,
    ReturnToCaller,
    Suspend,
    Suspension,
)
from hots_rules.compile.rewrite import substitute
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local

MAX_INDENT = 16
STEPS_PER_BLOCK = 10  # to call it
STEPS_PER_CHANCE = 300  # to sample an outcome


class BlockWriter:
    """Writes the blocks of a program."""

    def __init__(self, context: ModuleContext) -> None:
        self.context = context
        self.program = context.program
        self.entries = {
            routine.entry: context.linked.procedures[key]
            for key, routine in self.program.routines.items()
        }
        self.inlinable = inlinable_blocks(self.program) - self._position_entry()
        self._procedures = {
            key.replace(" ", "_"): procedure for key, procedure in context.linked.procedures.items()
        }
        self._before = {
            point.after: (number, point) for number, point in enumerate(self.program.suspensions)
        }

    def steps(self, emitted: EmittedSteps) -> list[int]:
        """The most steps of each block and of those that are written inside it."""
        return [
            STEPS_PER_BLOCK
            + emitted.of_function(f"block_{number}")
            + self._to_answer(number, emitted)
            for number in range(len(self.program.blocks))
        ]

    def _to_answer(self, number: int, emitted: EmittedSteps) -> int:
        """The steps to answer the chance point before a block by a seed, if there is one."""
        match self._before.get(number):
            case place, RandomDraw() as draw:
                per_member = 1 + emitted.of_function(f"weight_{place}")
                return STEPS_PER_CHANCE + types.size(draw.into.type) * per_member
            case _, DiceRoll():
                return STEPS_PER_CHANCE
        return 0

    def _procedure_of(self, number: int) -> Procedure:
        """The procedure that a block is part of."""
        return self._procedures[self.program.blocks[number].name.rpartition("_")[0]]

    def _position_entry(self) -> set[int]:
        """The block where a position set up by hand begins: it is reached by its number."""
        routine = self.program.routines.get(f"phase {self.context.linked.typed.entry}")
        return {routine.entry} if routine is not None else set()

    def functions(self) -> dict[int, str]:
        """The function of each block that has several predecessors or is reached by its number.

        A procedure begins at its number where a position begins in it; its callers may have it inline as well.
        """
        pending = [
            number
            for number in range(len(self.program.blocks))
            if number not in self.inlinable or number in self.entries
        ]
        functions: dict[int, str] = {}
        while pending:
            number = pending.pop(0)
            if number not in functions:
                writer = StatementWriter(self.context, "return HALT")
                pending += self._write(number, writer, 0)
                comment = self._procedure_of(number).origin.cited
                functions[number] = f"def block_{number}(S):  # {comment}\n{writer.text()}"
        return dict(sorted(functions.items()))

    def _write(self, number: int, writer: StatementWriter, depth: int) -> list[int]:
        """Write a block and its inlinable successors; return those that are nested too deeply to be inlined."""
        block = self.program.blocks[number]
        if number in self.entries:
            writer.log_entry(self.entries[number])
        writer.body(block.body)
        match block.terminator:
            case Goto() as jump:
                return self._continue(jump.block, writer, depth)
            case CondBranch() as branch:
                writer.add(f"if {self.context.compiler.condition(branch.condition)}:")
                writer.indent += "    "
                too_deep = self._continue(branch.then, writer, depth + 1)
                writer.indent = writer.indent[:-4]
                return too_deep + self._continue(branch.otherwise, writer, depth)
            case Suspend() as suspend:
                writer.add(f"return {-1 - suspend.suspension}")
            case ReturnToCaller() as back:
                slot = self.context.compiler.local(back.to)
                writer.add(f"k, {slot} = {slot}, 0")
                writer.add("return k")
            case _:
                writer.add("return HALT")
        return []

    def _continue(self, number: int, writer: StatementWriter, depth: int) -> list[int]:
        number = self._skip_empty(number)
        if number in self.inlinable and depth < MAX_INDENT:
            return self._write(number, writer, depth)
        writer.add(f"return {number}")
        return [number] if number in self.inlinable else []

    def _skip_empty(self, number: int) -> int:
        """The first block from a number on that does more than jump (jump threading)."""
        seen = {number}
        while number not in self.entries:
            block = self.program.blocks[number]
            if block.body or not isinstance(block.terminator, Goto):
                break
            if block.terminator.block in seen:
                break
            number = block.terminator.block
            seen.add(number)
        return number


def inlinable_blocks(program: Program) -> frozenset[int]:
    """The blocks that have a single predecessor and whose number is never stored in a state."""
    predecessors: Counter[int] = Counter()
    for block in program.blocks:
        predecessors.update(_successors(block))
    numbered = {suspension.after for suspension in program.suspensions} | set(program.callers)
    return frozenset(block for block, count in predecessors.items() if count == 1) - numbered


def _successors(block: BasicBlock) -> tuple[int, ...]:
    """The blocks to which a block jumps."""
    match block.terminator:
        case Goto() as jump:
            return (jump.block,)
        case CondBranch() as branch:
            return (branch.then, branch.otherwise)
    return ()


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
            case DecisionPause():
                return self._decision(number, suspension)
            case DiceRoll():
                dice = compiler.value(suspension.number) if suspension.number is not None else "1"
                key, comment = self._key(number, suspension), _comment(suspension)
                return f"def dice_{number}(S):{comment}\n    return {dice}\n\n\n{key}"
            case RandomDraw():
                source = compiler.value(suspension.source)
                key = self._key(number, suspension)
                comment = _comment(suspension)
                text = f"def source_{number}(S):{comment}\n    return {source}\n\n\n{key}"
                if suspension.weight is not None:
                    text += "\n\n\n" + self._weight(number, suspension, suspension.weight)
                return text

    def _weight(self, number: int, draw: RandomDraw, weight: Expr) -> str:
        """The weight of a member as a function of the member."""
        member = Local("member", draw.into.type)
        value = self.context.compiler.value(substitute(weight, {draw.into.name: member}))
        return f"def weight_{number}(S, member):{_comment(draw)}\n    return {value}\n"

    def _decision(self, number: int, decision: DecisionPause) -> str:
        compiler, writer = self.context.compiler, StatementWriter(self.context, "return")
        writer.add("out = []")
        if decision.waiting is None:
            player = compiler.value(decision.players)
            writer.add(f"p = {player}")
            players, indent = f"1 << {player}", ""
        else:
            players, indent = compiler.local(decision.waiting), "    "
            writer.add(f"for p in bits({players}):")
        for line in self._listed(decision):
            writer.add(f"{indent}{line}")
        writer.add("return out")
        return (
            f"def legal_{number}(S):{_comment(decision)}\n{writer.text()}\n\n"
            f"def players_{number}(S):{_comment(decision)}\n    return {players}\n"
        )

    def _listed(self, decision: DecisionPause) -> Iterator[str]:
        """Lists what a player can choose: the actions of the first preference that any meets, or else all."""
        linked = self.context.linked
        preferred = [
            preference for preference in linked.preferences if preference.name in decision.actions
        ]
        if preferred:
            yield "found = len(out)"
        for number, preference in enumerate(preferred):
            yield f"{'if len(out) == found: ' if number else ''}{preference.list_name}(S, p, out)"
        if preferred:
            yield "if len(out) == found:"
        for name in decision.actions:
            yield f"{'    ' if preferred else ''}{linked.actions[name].list_name}(S, p, out)"

    def _key(self, number: int, suspension: DiceRoll | RandomDraw) -> str:
        """The key of a chance point: where in the rules it is, in words that other editions share."""
        variables = self.context.linked.typed.variables
        clock = [
            self._word(tast.Load(name, (), variables[name].type))
            for name in self.context.linked.typed.clock
        ]
        path = f"scope(S, {self.frame(suspension.frame)})"
        before = " ".join(f"{{{part}}}" for part in clock)
        after = "".join(f" {{{self._word(key)}}}" for key in suspension.keys)
        text = f'f"{before}{{{path}}}{after}"'
        return f"def key_{number}(S):{_comment(suspension)}\n    return {text}\n"

    def _word(self, node: Expr) -> str:
        """Python source of the word for a value."""
        value = self.context.compiler.value(node)
        if not isinstance(node.type, types.WordType):
            return value
        name = "words_" + "".join(sign if sign.isalnum() else "_" for sign in node.type.name)
        return f"{self.context.compiler.constant(name, _words(node.type))}[{value}]"

    def frame(self, frame: CallFrame) -> str:
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
        if isinstance(suspension, DecisionPause):
            waiting = slots[suspension.waiting.name] if suspension.waiting is not None else None
            return f"DecisionPoint(legal_{number}, players_{number}, {waiting}, {after})"
        into = slots[suspension.into.name]
        if isinstance(suspension, DiceRoll):
            type_, sides = suspension.into.type, suspension.sides
            most = type_.most if isinstance(type_, types.DiceType) else None
            return f"DicePoint(dice_{number}, key_{number}, {sides}, {most}, {into}, {after})"
        weight = f"weight_{number}" if suspension.weight is not None else None
        return f"DrawPoint(source_{number}, key_{number}, {weight}, {into}, {after})"


def _comment(suspension: Suspension) -> str:
    """The rule in which play waits, behind the head of a function."""
    return f"  # {suspension.frame.origin.cited}"


def _words(type_: types.WordType) -> str:
    return repr(tuple(word for _, word in type_.values))
