"""The moment of play as text: `begin at choose in chase(runner Fox, n 2) in day(n 1)`.

It names the procedures that are running, the innermost first, with the values of their local names. Before them
may stand what play waits for: `choose`, `roll` or `draw`; without it the innermost procedure begins. Play ends
with the outermost procedure that is named.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from attrs import field, frozen

from hots_rules.compile.codes import HALT, POINT, Slots, codes_of, value_text
from hots_rules.compile.facts import FrameSlot
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadPosition
from hots_rules.rules.typed import value_types as types
from hots_rules.state.values import MAX_SHOWN, ValueParser, parts_of

BEGIN = "begin at "
_WAITING = {"choose": "decision", "roll": "dice", "draw": "drawing"}
_FRAME = re.compile(r"(?:(action|event|scenario) )?([\w-]+)(?:\.([0-9]{1,4}))?(?:\((.*)\))?")


@frozen(slots=False)
class MomentNotation:
    """Moments of play as text, and back."""

    machine: Machine
    values: ValueParser = field(repr=False)

    @cached_property
    def _locals(self) -> dict[str, dict[str, FrameSlot]]:
        """By procedure, its local names, the parameters first; names that occur again are numbered."""
        procedures = self._procedure_of_slot
        by_procedure: dict[str, dict[str, FrameSlot]] = {key: {} for key in procedures.values()}
        for local in self.machine.facts.frame:
            names = by_procedure[procedures[local.return_slot]]
            name, number = local.name, 1
            while name in names:
                number += 1
                name = f"{local.name}{number}"
            names[name] = local
        return by_procedure

    @cached_property
    def _procedure_of_slot(self) -> dict[int, str]:
        """The procedures by the slot of their return block."""
        return {slot: key for key, slot in self.machine.facts.return_slots.items()}

    def _sites(self, inner: str, outer: str) -> list[int]:
        """The points at which a procedure waits, if `inner` is `choose`, `roll` or `draw`.

        Else the blocks of it to which the procedure `inner` returns.
        """
        facts = self.machine.facts
        if inner in _WAITING:
            return [
                -1 - number
                for number, point in enumerate(facts.points)
                if (point.procedure, point.kind) == (outer, _WAITING[inner])
            ]
        return [block for block in facts.routines[inner].returns if self._caller(block) == outer]

    def _caller(self, block: int) -> str | None:
        """The procedure to which a block belongs; None for the end of the game."""
        if block not in self.machine.callers:
            return None
        name, _, return_slot = self.machine.callers[block]
        return f"scenario {name}" if return_slot is None else self._procedure_of_slot[return_slot]

    # -------------------------------------------------------------- formatting
    def format(self, slots: Slots) -> str:
        """The moment of a packed state, as a line of a position; empty where positions begin, and after the end."""
        facts, point = self.machine.facts, slots[POINT]
        entry = facts.entry
        if point == 0 and not any(slots[slot] for slot in self._procedure_of_slot):
            return ""
        if entry and point == entry.block and slots[entry.return_slot] == HALT:
            return ""
        return f"{BEGIN}{' in '.join(self._frames(slots))}\n"

    def _frames(self, slots: Slots) -> Iterator[str]:
        facts, site = self.machine.facts, slots[POINT]
        inner: str | None = None
        if site < 0:
            fact = facts.points[-1 - site]
            inner = next(word for word, kind in _WAITING.items() if kind == fact.kind)
            yield inner
            outer: str | None = fact.procedure
        else:
            outer = next(key for key, fact in facts.routines.items() if fact.entry == site)
        while outer is not None:
            sites = [site] if inner is None else self._sites(inner, outer)
            number = f".{sites.index(site) + 1}" if len(sites) > 1 else ""
            values = self._local_values(outer, slots, is_running=inner is not None)
            yield f"{_shown(outer)}{number}{values}"
            inner, site = outer, slots[facts.return_slots[outer]]
            outer = self._caller(site)

    def _local_values(self, key: str, slots: Slots, *, is_running: bool) -> str:
        count = self.machine.facts.routines[key].param_count
        values = [
            f"{name} {_value_text(slots[local.slot], local.type)}"
            for number, (name, local) in enumerate(self._locals[key].items())
            if number < count or slots[local.slot] != (local.default if is_running else 0)
        ]
        return f"({', '.join(values)})" if values else ""

    # -------------------------------------------------------------- parsing
    def enter(self, slots: Slots, text: str) -> None:
        """Set the point and the frames of a packed state to a moment, as it stands after `begin at`.

        Raises:
            BadPosition: a name or a value does not exist, or a procedure is not called in the next one.
        """
        first, *rest = parts_of(text, " in ") or [""]
        inner = first if first in _WAITING else None
        frames = [self._frame(part) for part in (rest if inner else [first, *rest])]
        if not frames:
            raise BadPosition((f"expected `{first} in PHASE`, got `{first}`",))
        facts, next_slot = self.machine.facts, POINT
        for key, number, values in frames:
            if number > 1 and inner is None:
                raise BadPosition((f"expected `{_shown(key)}` without a number, got {number}",))
            self._set_locals(slots, key, values, is_running=inner is not None)
            entry = facts.routines[key].entry
            slots[next_slot] = entry if inner is None else self._site(inner, key, number)
            inner, next_slot = key, facts.return_slots[key]
        if not frames[-1][0].startswith("scenario "):
            slots[next_slot] = HALT

    def _frame(self, text: str) -> tuple[str, int, list[str]]:
        """The procedure of a frame, the number of the place in it, and its values."""
        match = _FRAME.fullmatch(text)
        if match is None:
            raise BadPosition((f"expected a phase with values, got `{text[:MAX_SHOWN]}`",))
        kind, name, number, values = match.groups()
        key = f"{kind or 'phase'} {name}"
        if key not in self._locals:
            remedy = self.values.suggest(key, self._locals).spelled(_shown).hint()
            raise BadPosition(
                (f"expected a phase with choices or chance, got `{name[:MAX_SHOWN]}`{remedy}",)
            )
        return key, int(number or 1), parts_of(values or "")

    def _site(self, inner: str, outer: str, number: int) -> int:
        sites = self._sites(inner, outer)
        if 1 <= number <= len(sites):
            return sites[number - 1]
        if sites:
            fault = f"expected a number of 1..{len(sites)} after `{_shown(outer)}.`, got {number}"
        elif inner in _WAITING:
            fault = f"expected a phase that waits for a `{inner}`, got `{_shown(outer)}`"
        else:
            blocks = self.machine.facts.routines[inner].returns
            callers = dict.fromkeys(caller for block in blocks if (caller := self._caller(block)))
            names = ", ".join(f"`{_shown(caller)}`" for caller in callers) or "nobody"
            fault = (
                f"expected a caller of `{_shown(inner)}`, that is {names}, got `{_shown(outer)}`"
            )
        raise BadPosition((fault,))

    def _set_locals(self, slots: Slots, key: str, values: list[str], *, is_running: bool) -> None:
        """Give the local names of a procedure their values.

        Raises:
            BadPosition: a parameter has no value; other local names have a default.
        """
        slot_of, count = self._locals[key], self.machine.facts.routines[key].param_count
        if len(values) > len(slot_of):
            fault = f"expected at most {len(slot_of)} values of `{_shown(key)}`, got {len(values)}"
            raise BadPosition((fault,))
        for local in slot_of.values():
            slots[local.slot] = local.default if is_running else 0
        unset = list(slot_of)
        for text in values:
            head, _, rest = text.partition(" ")
            is_named = bool(rest) and head in slot_of
            name = head if is_named else unset[0]
            if name not in unset:
                raise BadPosition((f"expected one value for `{name}` of `{_shown(key)}`, got two",))
            unset.remove(name)
            local = slot_of[name]
            code = self._code(rest.strip() if is_named else text, local.type)
            if faults := self.values.take_faults():
                raise BadPosition(tuple(f"{name} of {_shown(key)}: {fault}" for fault in faults))
            slots[local.slot] = code or 0
        for name in list(slot_of)[:count]:
            if name in unset:
                fault = f"expected a value for `{name}` of `{_shown(key)}`, got none"
                raise BadPosition((fault,))

    def _code(self, text: str, type_: types.Type) -> int | None:
        if isinstance(type_, types.WordType | types.SetType | types.PairType | types.BoolType):
            return self.values.value(text, type_)
        # A number may be 0 before its loop, and one more than the last after it.
        codes = codes_of(type_)
        return self.values.value(text, types.IntType(min(codes[0], 0), codes[-1] + 1))


def _shown(key: str) -> str:
    """A procedure as it is written: a phase by its name alone."""
    return key.removeprefix("phase ")


def _value_text(code: int, type_: types.Type) -> str:
    return str(code) if isinstance(type_, types.DiceType) else value_text(code, type_)
