"""Stacks of hidden pieces as restricted Python: the numbers are those of `hots_rules.observe.stacks`.

The features of a piece are two words: its owners and attributes as one number, which sorts as they do, and a bit for
each cell that names it. A player has for each secret type the next number, then of each piece its number (0 if it is
not hidden), its two words, and its row among the hidden pieces: in the order of the numbers, then of the pieces. A new
number is above all others, so pieces that get one stand behind those that keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hots_rules.compile.machine import Machine
from hots_rules.native.lowering.knowledge import row_cells, row_size, variable_of
from hots_rules.native.lowering.program import WORD
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.layout import Attribute, Naming, ObservationLayout, SecretPieces
from hots_rules.native.runtime.tables import NumberTables

MAX_FEATURES = 1 << 62
"""The most values of the word of owners and attributes."""
MAX_NAMINGS = 62
"""The most cells that may name a piece."""
_PARTS = 4  # words of each piece

# Of two lists of cells in order, the one with the first cell that the other lacks is less, unless the other ends there.
_COMPARING = """
def is_less(seen, named, other_seen, other_named):
    if seen != other_seen:
        return seen < other_seen
    both = named ^ other_named
    if both == 0:
        return 0
    lowest = first(both)
    if named >> lowest & 1:
        return (other_named >> lowest) != 0
    return (named >> lowest) == 0
"""


def track_start(layout: ObservationLayout, players: int, number: int, viewer: str) -> str:
    """Where the words of a player for a secret type begin, in the region `TRACK`."""
    base = sum(players * piece_words(pieces) for pieces in layout.pieces[:number])
    return f"{base} + {viewer} * {piece_words(layout.pieces[number])}"


def piece_room(pieces: SecretPieces) -> int:
    """How many pieces there is room for: with more than 64, as many as their words have bits."""
    return pieces.many if pieces.many <= WORD else -(-pieces.many // WORD) * WORD


def piece_words(pieces: SecretPieces) -> int:
    """How many words a player has for a secret type."""
    return 1 + _PARTS * piece_room(pieces)


def row_of_piece(layout: ObservationLayout, players: int, number: int, piece: str) -> str:
    """The row of a hidden piece for the player `viewer`."""
    start = track_start(layout, players, number, "viewer")
    return f"S[TRACK + {start} + {1 + 3 * piece_room(layout.pieces[number])} + {piece}]"


def is_hidden(machine: Machine, secret: int, cell: str) -> str:
    """Whether a piece, or a cell of a variable, is hidden from the player of the last `hide_K`."""
    size, cells = row_size(machine, secret), row_cells(machine, secret)
    if _has_one_row(machine, secret):
        word, bit = (f"({cell} >> 6)", f"({cell} & 63)") if cells > 1 else ("0", f"({cell})")
    elif size == 1:
        word, bit = cell, "0"
    else:
        word = f"({cell}) // {size} * {cells} + (({cell}) % {size} >> 6)"
        bit = f"(({cell}) % {size} & 63)"
    return f"S[HIDDEN_{secret} + {word}] >> {bit} & 1"


def _has_one_row(machine: Machine, secret: int) -> bool:
    if machine.facts.secrets[secret].type is not None:
        return True
    return row_size(machine, secret) == variable_of(machine, secret).count


def tracking_source(
    layout: ObservationLayout, machine: Machine, slots: SlotMap, tables: NumberTables
) -> str:
    """`track()` notes what all players see of a state; `start_tracking()` comes before the first one.

    Raises:
        NotLowered: what is seen of a piece does not fit two words.
    """
    players = machine.player_count
    lines = [_COMPARING]
    for number, pieces in enumerate(layout.pieces):
        lines += _track_one(layout, machine, slots, tables, number, pieces)
    lines += ["def track():", "    spent = S[SPENT]"]
    for number, pieces in enumerate(layout.pieces):
        lines += [
            f"    for viewer in range(0, {players}):",
            f"        own_{pieces.secret}(viewer)",
            f"    for viewer in range(0, {players}):",
            *(f"        hide_{secret}(viewer)" for secret in _secrets_of(pieces)),
            f"        track_{number}({track_start(layout, players, number, 'viewer')})",
        ]
    lines += ["    S[SPENT] = spent", "    return", ""]
    lines += ["def start_tracking():"]
    for number, pieces in enumerate(layout.pieces):
        start = track_start(layout, players, number, "viewer")
        lines += [
            f"    for viewer in range(0, {players}):",
            f"        for i in range(0, {piece_words(pieces)}):",
            f"            S[TRACK + {start} + i] = 0",
            f"        S[TRACK + {start}] = 1",
        ]
    return "\n".join([*lines, "    return", ""])


def _secrets_of(pieces: SecretPieces) -> list[int]:
    """The secrets that must be known before the pieces of a type are compared."""
    parts: Sequence[Attribute | Naming] = (*pieces.attributes, *pieces.namings)
    return sorted({pieces.secret} | {part.secret for part in parts if part.secret is not None})


def _features(
    machine: Machine,
    slots: SlotMap,
    tables: NumberTables,
    pieces: SecretPieces,
) -> Iterator[str]:
    """The statements that compute the two words of a piece: `piece`, at `bit` of the word `w`."""
    cells, room = row_cells(machine, pieces.secret), 1
    yield "seen = 0"
    for player in range(machine.player_count):
        room *= 2
        yield f"seen = seen << 1 | S[OWNED_{pieces.secret} + {player * cells} + w] >> bit & 1"
    for attribute in pieces.attributes:
        room *= attribute.many + 1
        places = [slots.cell(slot) for slot in attribute.slots]
        if any(slots.of_slot[slot].cells > 1 for slot in attribute.slots):
            raise NotLowered("a set of more than 64 members as an attribute of a hidden piece")
        code = f"S[SLOTS + {tables.indexed(places, 'piece')}] + {1 - attribute.low}"
        if attribute.secret is not None:
            hidden = is_hidden(
                machine, attribute.secret, tables.indexed(attribute.offsets, "piece")
            )
            code = f"(0 if {hidden} else {code})"
        yield f"seen = seen * {attribute.many + 1} + {code}"
    if room > MAX_FEATURES or len(pieces.namings) > MAX_NAMINGS:
        raise NotLowered("hidden pieces of which more is seen than two words hold")
    yield "named = 0"
    for place, naming in enumerate(pieces.namings):
        cell = slots.cell(naming.slot)
        if naming.is_set:
            code = tables.indexed(
                [naming.of_code.index(piece) for piece in range(pieces.many)], "piece"
            )
            is_named = f"S[SLOTS + {cell} + ({code} >> 6)] >> ({code} & 63) & 1"
        else:
            is_named = f"({tables.indexed(naming.of_code, f'S[SLOTS + {cell}]')} == piece)"
        if naming.secret is not None:
            hidden = is_hidden(machine, naming.secret, str(naming.offset))
            is_named = f"(0 if {hidden} else {is_named})"
        yield f"named = named | ({is_named}) << {place}"


def _track_one(
    layout: ObservationLayout,
    machine: Machine,
    slots: SlotMap,
    tables: NumberTables,
    number: int,
    pieces: SecretPieces,
) -> list[str]:
    many, words, hidden = pieces.many, row_cells(machine, pieces.secret), f"HIDDEN_{pieces.secret}"
    room = piece_room(pieces)
    numbers, seen = "TRACK + start + 1", f"TRACK + start + {1 + room}"
    named, rows = f"TRACK + start + {1 + 2 * room}", f"TRACK + start + {1 + 3 * room}"
    # The mask has all pieces: it says that the number of a bit is one of a piece.
    full = (1 << min(many, WORD)) - 1
    features = "\n".join(
        f"            {line}" for line in _features(machine, slots, tables, pieces)
    )
    return [
        f"""
def track_{number}(start):
    is_same = 1
    for w in range(0, {words}):
        S[CHANGED + w] = 0
        for bit in bits(S[{hidden} + w] & {full}):
            piece = (w << 6) + bit
{features}
            S[NEW_SEEN + piece] = seen
            S[NEW_NAMED + piece] = named
            if S[{numbers} + piece] == 0 or S[{seen} + piece] != seen or S[{named} + piece] != named:
                S[CHANGED + w] = S[CHANGED + w] | 1 << bit
                is_same = 0
    for piece in range(0, {many}):
        S[OLD + piece] = S[{numbers} + piece]
        if S[{numbers} + piece] > 0 and (S[{hidden} + (piece >> 6)] >> (piece & 63) & 1) == 0:
            S[{numbers} + piece] = 0
            is_same = 0
    if is_same:
        return
    while 1:
        least = 0
        is_done = 1
        for w in range(0, {words}):
            for bit in bits(S[CHANGED + w] & {full}):
                piece = (w << 6) + bit
                if is_done:
                    least = piece
                    is_done = 0
                elif is_less(S[NEW_SEEN + piece], S[NEW_NAMED + piece], S[NEW_SEEN + least], S[NEW_NAMED + least]):
                    least = piece
        if is_done:
            break
        size = 0
        joined = 0
        stack = 0
        for w in range(0, {words}):
            for bit in bits(S[{hidden} + w] & {full}):
                piece = (w << 6) + bit
                if S[NEW_SEEN + piece] == S[NEW_SEEN + least] and S[NEW_NAMED + piece] == S[NEW_NAMED + least]:
                    if size == 0:
                        stack = S[OLD + piece]
                    elif stack != S[OLD + piece]:
                        joined = 1
                    size = size + 1
        before = 0
        for piece in range(0, {many}):
            before = before + (S[OLD + piece] == stack)
        if joined or stack == 0 or before != size:
            stack = S[TRACK + start]
            S[TRACK + start] = stack + 1
        for w in range(0, {words}):
            for bit in bits(S[{hidden} + w] & {full}):
                piece = (w << 6) + bit
                if S[NEW_SEEN + piece] == S[NEW_SEEN + least] and S[NEW_NAMED + piece] == S[NEW_NAMED + least]:
                    S[{numbers} + piece] = stack
                    S[CHANGED + w] = S[CHANGED + w] & ~(1 << bit)
    for w in range(0, {words}):
        for bit in bits(S[{hidden} + w] & {full}):
            piece = (w << 6) + bit
            S[{seen} + piece] = S[NEW_SEEN + piece]
            S[{named} + piece] = S[NEW_NAMED + piece]
    kept = 0
    for w in range(0, {words}):
        S[CHANGED + w] = 0
        S[LEFT + w] = 0
    for piece in range(0, {many}):
        stack = S[{numbers} + piece]
        if stack == S[OLD + piece]:
            kept = kept + (stack > 0)
        else:
            w = piece >> 6
            if stack > 0:
                S[CHANGED + w] = S[CHANGED + w] | 1 << (piece & 63)
            if S[OLD + piece] > 0:
                S[LEFT + w] = S[LEFT + w] | 1 << (piece & 63)
    for w in range(0, {words}):
        for bit in bits(S[{hidden} + w] & ~S[CHANGED + w] & {full}):
            piece = (w << 6) + bit
            before = 0
            for v in range(0, {words}):
                for other in bits(S[LEFT + v] & {full}):
                    before = before + (S[{rows} + (v << 6) + other] < S[{rows} + piece])
            S[{rows} + piece] = S[{rows} + piece] - before
    for w in range(0, {words}):
        for bit in bits(S[CHANGED + w] & {full}):
            piece = (w << 6) + bit
            row = kept
            for v in range(0, {words}):
                for mate in bits(S[CHANGED + v] & {full}):
                    other = (v << 6) + mate
                    stack = S[{numbers} + other]
                    if stack < S[{numbers} + piece] or stack == S[{numbers} + piece] and other < piece:
                        row = row + 1
            S[{rows} + piece] = row
"""
    ]
