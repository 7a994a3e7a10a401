"""The function that gives a position its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hots_rules.compile.facts import Variable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.positions import FACTORS, MODULUS, shifts


def position_function(
    name: str, half: int, ranges: Sequence[Variable], constants: dict[str, str]
) -> str:
    """A function that goes through the slots of some variables; what it looks up is added to the constants."""
    parts = [_position_parts(slots.type) for slots in ranges]
    part_counts = [slots.count * len(of_slot) for slots, of_slot in zip(ranges, parts, strict=True)]
    # Each part is multiplied by a power of the factor, one higher for each part after it: so the products are
    # independent of each other.
    highest = sum(part_counts)
    powers = [pow(FACTORS[half], highest - i, MODULUS) for i in range(highest + 1)]
    lines, done = [f"found = who * {powers[0]} % {MODULUS}"], 1
    for slots, of_slot, count in zip(ranges, parts, part_counts, strict=True):
        of_range = powers[done : done + count]
        lines += _summed(f"{name}_{slots.base}", slots, of_slot, of_range, constants)
        done += count
    lines.append("return found + 1")
    body = "".join(f"    {line}\n" for line in lines)
    return f"def {name}(S, who):\n{body}"


def _summed(
    name: str,
    slots: Variable,
    parts: Sequence[str],
    powers: Sequence[int],
    constants: dict[str, str],
) -> Iterator[str]:
    """Statements that add the parts of some slots, each multiplied by its power."""
    if slots.count == 1:
        for part, power in zip(parts, powers, strict=True):
            yield f"found = (found + {part.format(f'S[{slots.base}]')} * {power}) % {MODULUS}"
        return
    constants[name] = repr(tuple(powers))
    highest = max(types.lowest_code(slots.type), 0) + types.size(slots.type)
    # Where the sum fits into a word of machine code, it is divided once, at the end.
    is_small = slots.count * (highest + 1) <= MODULUS
    yield f"for i in range({slots.base}, {slots.base + slots.count}):"
    for number, part in enumerate(parts):
        step = (
            f"i - {slots.base}"
            if len(parts) == 1
            else f"(i - {slots.base}) * {len(parts)} + {number}"
        )
        term = f"{part.format('S[i]')} * {name}[{step}]"
        yield f"    found += {term}" + ("" if is_small else f" % {MODULUS}")
    yield f"found = found % {MODULUS}"


def _position_parts(type_: types.Type) -> list[str]:
    """The parts of a position that a slot of a type gives, with a place for the slot; see `parts_of`."""
    if (low := types.lowest_code(type_)) < 0:
        return [f"({{}} - {low})"]
    if low + types.size(type_) <= MODULUS:
        return ["{}"]
    return [f"({{}} >> {shift} & {MODULUS})" for shift in shifts(type_)]
