"""Observation vectors as restricted Python: `observe(game, viewer)` writes what a player sees of the state.

A number of the vector is a byte, its share of 255. A dense vector has eight of them in a word; a sparse one has a word
for each that is not 0: its index, and the byte from bit 32 on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hots_rules.compile.machine import Machine
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.runtime.layout import Form, ObservationLayout, ObservedVariable
from hots_rules.native.runtime.tables import NumberTables
from hots_rules.native.runtime.tracking import is_hidden, row_of_piece

FULL_MARK = 255
"""The byte of the number 1."""
_PUT = {
    "dense": """
def put(start, index, byte):
    at = start + (index >> 3)
    S[VECTORS + at] = S[VECTORS + at] | byte << ((index & 7) << 3)
""",
    "sparse": """
def put(start, index, byte):
    at = S[MARKS]
    S[VECTORS + at] = index | byte << 32
    S[MARKS] = at + 1
""",
}
Lines = Iterator[str]


def row_words(layout: ObservationLayout) -> int:
    """The words of a dense vector."""
    return -(-layout.size // 8)


def observing_source(
    layout: ObservationLayout, form: Form, machine: Machine, slots: SlotMap, tables: NumberTables
) -> str:
    """The functions that write a vector, or nothing."""
    if form == "none":
        return "\ndef observe(game, viewer):\n    return\n"
    writer = _Writer(layout, machine, slots, tables)
    clear = [
        f"start = game * {row_words(layout)}",
        f"for i in range(0, {row_words(layout)}):",
        "    S[VECTORS + start + i] = 0",
    ]
    names = [f"observe_{number}" for number in range(len(layout.variables))]
    parts = [
        f"def {name}(start, viewer):\n" + "\n".join(_inner(writer.variable(variable))) + "\n"
        for name, variable in zip(names, layout.variables, strict=True)
    ]
    body = [
        *(clear if form == "dense" else ["start = 0"]),
        "spent = S[SPENT]",
        *writer.head(),
        *(f"hide_{number}(viewer)" for number in range(len(machine.secrets))),
        *(f"{name}(start, viewer)" for name in names),
        "S[SPENT] = spent",
    ]
    return "\n".join([_PUT[form], *parts, "def observe(game, viewer):", *_inner(body), ""])


def _inner(lines: Iterable[str]) -> Lines:
    return ("    " + line for line in lines)


class _Writer:
    """Writes the statements for the parts of a vector."""

    def __init__(
        self, layout: ObservationLayout, machine: Machine, slots: SlotMap, tables: NumberTables
    ) -> None:
        self._layout, self._machine = layout, machine
        self._slots, self._tables = slots, tables

    def head(self) -> Lines:
        """The phase, who is to choose, and whose view it is."""
        layout = self._layout
        yield f"put(start, {layout.first_player} + viewer, {FULL_MARK})"
        yield "if S[SLOTS] < 0:"
        phase = self._tables.indexed(layout.phases, "-1 - S[SLOTS]")
        yield f"    put(start, {phase}, {FULL_MARK})"
        yield "    for seat in bits(players(-1 - S[SLOTS])):"
        yield f"        put(start, {layout.first_turn} + seat, {FULL_MARK})"

    def variable(self, variable: ObservedVariable) -> Lines:
        """All cells of a variable."""
        yield f"for i in range(0, {len(variable.rows)}):"
        yield from _inner(self._cell(variable))

    def _cell(self, variable: ObservedVariable) -> Lines:
        if variable.secret is None:
            yield from self._shown(variable)
            return
        yield f"if ({is_hidden(self._machine, variable.secret, 'i')}) == 0:"
        yield from _inner(self._shown(variable))

    def _shown(self, variable: ObservedVariable) -> Lines:
        """A cell that is not hidden; the row is that of its keys."""
        keys = variable.keys
        yield f"row = {self._tables.indexed(variable.rows, 'i')}"
        if keys is not None:
            secret = self._layout.pieces[keys.type_number].secret
            yield f"piece = {self._tables.indexed(keys.of_cell, 'i')}"
            yield "if piece >= 0:"
            yield f"    if {is_hidden(self._machine, secret, 'piece')}:"
            rest = self._tables.indexed(keys.rests, "i")
            back = f"({keys.first_back} + {self._row_of(keys.type_number)})"
            yield f"        row = {rest} + {keys.stride} * {back}"
        yield f"number = {variable.first} + row * {variable.size}"
        yield from self._value(variable)

    def _row_of(self, type_number: int) -> str:
        return row_of_piece(self._layout, self._machine.player_count, type_number, "piece")

    def _value(self, variable: ObservedVariable) -> Lines:
        part = self._slots.of_slot[variable.slot]
        cell = f"S[SLOTS + {part.cell} + i * {part.cells}"
        if variable.kind == "number":
            yield f"put(start, number, {FULL_MARK})"
            yield from self._scaled(variable, f"{cell}]")
        elif variable.kind == "word":
            yield f"code = {cell}] - {variable.low}"
            yield from self._mark(variable)
        else:
            yield f"for w in range(0, {part.cells}):"
            yield f"    for bit in bits({cell} + w]):"
            yield f"        code = (w << 6) + bit - {variable.low}"
            yield from _inner(_inner(self._mark(variable)))
            yield f"put(start, number + {variable.size - 1}, {FULL_MARK})"

    def _scaled(self, variable: ObservedVariable, code: str) -> Lines:
        """The number in parts of 255, rounded."""
        span = max(variable.span, 1)
        yield f"byte = ((({code} - {variable.low}) * {2 * FULL_MARK}) + {span}) // {2 * span}"
        yield "if byte > 0:"
        yield "    put(start, number + 1, byte)"

    def _mark(self, variable: ObservedVariable) -> Lines:
        """The place of a word or of a member of a set; for a hidden piece in a word those of its whole stack."""
        values = variable.values
        if values is None:
            yield f"put(start, number + code, {FULL_MARK})"
            return
        secret = self._layout.pieces[values.type_number]
        yield f"piece = {self._tables.indexed(values.of_code, 'code')}"
        yield "is_back = 0"
        yield "if piece >= 0:"
        yield f"    is_back = {is_hidden(self._machine, secret.secret, 'piece')}"
        yield "if is_back == 0:"
        yield f"    put(start, number + code, {FULL_MARK})"
        yield "else:"
        yield f"    put(start, number + {values.first_back} + {self._row_of(values.type_number)}, {FULL_MARK})"
