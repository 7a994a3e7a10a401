"""The frames in a key of chance: a function in restricted Python that writes them, each by statements of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hots_rules.compile.machine import FrameData
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.lowering.tables import Texts, single
from hots_rules.native.runtime.chance import MAX_NUMBER_BYTES, SHORT_TEXT, chunks_of

_FEW_NUMBERS = Bounds(0, 99)
"""The numbers whose texts are kept."""


def scope_source(scopes: Iterable[FrameData], slots: SlotMap, texts: Texts) -> str:
    """`put_scope(scope)` writes a frame, then the frame that called it, and so on to the first one.

    A frame is its name, and a text for each of its values; texts that values select are added to `texts`.
    """
    cases, longest = [], 0
    for number, scope in enumerate(scopes):
        lines, most = _frame(scope, slots, texts)
        longest = max(longest, most)
        cases += [f"            case {number}:", *(f"                {line}" for line in lines)]
    return f"""
def put_scope(scope):
    end = S[KEY_SIZE]
    while scope >= 0:
        if end + {longest} >= KEY_BYTES:
            S[ERROR] = TOO_LONG_KEY
            return
        back = -1
        match scope:
{chr(10).join(cases)}
            case _:
                return
        S[KEY_SIZE] = end
        scope = -1
        if back >= 0:
            scope = CALLER_SCOPE[back]
"""


def caller_table(callers: Mapping[int, int], blocks: int) -> dict[str, tuple[int, ...]]:
    """The frame of each block, -1 for one that no key names."""
    return {"CALLER_SCOPE": tuple(callers.get(block, -1) for block in range(blocks))}


def _frame(scope: FrameData, slots: SlotMap, texts: Texts) -> tuple[list[str], int]:
    """The statements that write a frame, and the most bytes that it has."""
    name, values, return_slot = scope
    parts = [(single(slots, slot), _words(slots.of_slot[slot].bounds, of)) for slot, of in values]
    lines, most, head = list[str](), 0, f"|{name}"
    for cell, words in parts:
        together = tuple(head + word for word in words)
        if words and all(len(text.encode()) <= SHORT_TEXT for text in together):
            words = together
        else:
            lines += _literal(head)
            most += len(head.encode())
        head = ""
        lines += _selected(cell, words, texts)
        most += max((len(word.encode()) for word in words), default=MAX_NUMBER_BYTES)
    if head:
        lines += _literal(head)
        most += len(head.encode())
    if return_slot is not None:
        lines.append(f"back = S[SLOTS + {single(slots, return_slot)}]")
    return lines, most


def _literal(text: str) -> Iterator[str]:
    """Statements that write a text."""
    if content := text.encode():
        for number, chunk in enumerate(chunks_of(content)):
            yield f"B[KEY + (end & LAST_KEY_BYTE) + {8 * number}] = {chunk}"
        yield f"end = end + {len(content)}"


def _selected(cell: int, words: Sequence[str], texts: Texts) -> list[str]:
    """Statements that write the text that a cell selects, or its number."""
    selector = f"S[SLOTS + {cell}]"
    if not words:
        return [
            "S[KEY_SIZE] = end",
            "put_chunk(32, 1)",
            f"put_number({selector})",
            "end = S[KEY_SIZE]",
        ]
    first, sizes = texts.add(*words), {len(word.encode()) for word in words}
    if max(sizes) > SHORT_TEXT:
        return [f"end = with_text(end, {first} + {selector})"]
    size = max(sizes) if len(sizes) == 1 else f"TEXT_SIZE[{first} + {selector}]"
    return [
        f"at = {texts.place(first)} + {selector} * 2",
        "B[KEY + (end & LAST_KEY_BYTE)] = TEXT_CHUNKS[at]",
        "B[KEY + (end & LAST_KEY_BYTE) + 8] = TEXT_CHUNKS[at + 1]",
        f"end = end + {size}",
    ]


def _words(bounds: Bounds, words: tuple[str, ...] | None) -> tuple[str, ...]:
    """The words of a value, each after a space; none for a number that may be of many."""
    if words is None and bounds.is_inside(_FEW_NUMBERS):
        words = tuple(map(str, range(bounds.high + 1)))
    return tuple(f" {word}" for word in words or ())
