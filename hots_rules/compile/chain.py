"""Blocks as Python functions, those that only one other leads to written into that one."""

from __future__ import annotations

from hots_rules.compile.program import Ask, Back, Goto, Program, Test
from hots_rules.compile.write import Sheet, Writer, said

MAX_INDENT = 16


class Chains:
    """Writes the blocks of a program."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.entries = {
            routine.entry: sheet.woven.procedures[key]
            for key, routine in sheet.program.routines.items()
        }
        self.alone = alone(sheet.program) - self._begun_at()
        self.written: dict[int, str] = {}

    def _begun_at(self) -> set[int]:
        """The block at which a position set up by hand begins is come to by its number."""
        key = f"phase {self.sheet.woven.typed.entry}"
        routine = self.sheet.program.routines.get(key)
        return {routine.entry} if routine is not None else set()

    def blocks(self) -> dict[int, str]:
        """A function for each block that is come to from several sides or by its number.

        A block that only one other leads to is written into that one, so that play seldom jumps.
        """
        pending = [
            number for number in range(len(self.sheet.program.blocks)) if number not in self.alone
        ]
        while pending:
            number = pending.pop(0)
            if number not in self.written:
                writer = Writer(self.sheet, "return HALT", 0)
                self.written[number] = ""
                pending += self._chain(number, writer, 0)
                entry = self.entries.get(number)
                comment = f"  # {said(entry.origin)}" if entry is not None else ""
                self.written[number] = f"def block_{number}(S):{comment}\n{writer.text()}"
        return dict(sorted(self.written.items()))

    def _chain(self, number: int, writer: Writer, depth: int) -> list[int]:
        """Writes a block and those that only it leads to; the blocks that could not be written here."""
        block = self.sheet.program.blocks[number]
        if number in self.entries:
            writer.note(self.entries[number])
        writer.body(block.body)
        match block.end:
            case Goto():
                return self._on(block.end.block, writer, depth)
            case Test():
                writer.add(f"if {self.sheet.express.condition(block.end.condition)}:")
                writer.indent += "    "
                left = self._on(block.end.then, writer, depth + 1)
                writer.indent = writer.indent[:-4]
                return left + self._on(block.end.otherwise, writer, depth)
            case Ask():
                writer.add(f"return {-1 - block.end.site}")
            case Back():
                slot = self.sheet.express.local(block.end.to)
                writer.add(f"k, {slot} = {slot}, 0")
                writer.add("return k")
            case _:
                writer.add("return HALT")
        return []

    def _on(self, number: int, writer: Writer, depth: int) -> list[int]:
        number = self._threaded(number)
        if number in self.alone and depth < MAX_INDENT:
            return self._chain(number, writer, depth)
        writer.add(f"return {number}")
        return [number] if number in self.alone else []

    def _threaded(self, number: int) -> int:
        """Past blocks that only lead on."""
        seen = {number}
        while True:
            block = self.sheet.program.blocks[number]
            plain = not block.body and isinstance(block.end, Goto) and number not in self.entries
            if not plain or not isinstance(block.end, Goto) or block.end.block in seen:
                return number
            number = block.end.block
            seen.add(number)


def alone(program: Program) -> frozenset[int]:
    """The blocks that one other block leads to, and no number in the state can."""
    leading: dict[int, int] = {}
    for block in program.blocks:
        targets: tuple[int, ...] = ()
        if isinstance(block.end, Goto):
            targets = (block.end.block,)
        elif isinstance(block.end, Test):
            targets = (block.end.then, block.end.otherwise)
        for target in targets:
            leading[target] = leading.get(target, 0) + 1
    numbered = {site.after for site in program.sites} | set(program.calls)
    return frozenset(block for block, many in leading.items() if many == 1) - numbered
