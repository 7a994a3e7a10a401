"""Basic blocks as Python functions; a block with a single predecessor is written inside it."""

from __future__ import annotations

from collections import Counter

from hots_rules.compile.program import CondBranch, Goto, Program, Return, Suspend
from hots_rules.compile.statement_writer import ModuleContext, StatementWriter, origin_comment

MAX_INDENT = 16


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

    def _position_entry(self) -> set[int]:
        """The block where a position set up by hand begins: it is reached by its number."""
        routine = self.program.routines.get(f"phase {self.context.linked.typed.entry}")
        return {routine.entry} if routine is not None else set()

    def functions(self) -> dict[int, str]:
        """The function of each block that has several predecessors or is reached by its number."""
        pending = [
            number for number in range(len(self.program.blocks)) if number not in self.inlinable
        ]
        functions: dict[int, str] = {}
        while pending:
            number = pending.pop(0)
            if number not in functions:
                writer = StatementWriter(self.context, "return HALT", 0)
                pending += self._write(number, writer, 0)
                entry = self.entries.get(number)
                comment = f"  # {origin_comment(entry.origin)}" if entry is not None else ""
                functions[number] = f"def block_{number}(S):{comment}\n{writer.text()}"
        return dict(sorted(functions.items()))

    def _write(self, number: int, writer: StatementWriter, depth: int) -> list[int]:
        """Write a block and its inlinable successors; returns those that are too deep to be inlined."""
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
            case Return() as back:
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
        match block.terminator:
            case Goto() as jump:
                predecessors[jump.block] += 1
            case CondBranch() as branch:
                predecessors.update((branch.then, branch.otherwise))
    numbered = {suspension.after for suspension in program.suspensions} | set(program.callers)
    return frozenset(block for block, count in predecessors.items() if count == 1) - numbered
