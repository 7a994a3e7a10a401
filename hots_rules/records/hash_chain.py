"""A hash chain over the actions of a game.

Each digest is computed from the digest before it, the action, and what the action changed, all as text. So it does
not depend on how states are packed, and it covers everything before it. The last one is the seal of a record.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b

from attrs import define

from hots_rules.compile.codes import value_text
from hots_rules.compile.facts import Variable
from hots_rules.records.record import Record
from hots_rules.state.schema import StateSchema

SHORT_DIGEST = 8  # digits of a digest that are written after an action
MAX_LINES = 10_000  # of cells that are kept
CHUNK = 16  # slots that are compared at once


def first_digest(record: Record, opening: str) -> str:
    """The digest before the first action: how the game began, and its opening position."""
    choices = [*sorted(record.options.items()), *sorted(record.readings.items())]
    beginning = [record.rng, record.seed, record.chance, record.scenario, record.position or ""]
    return digest([*beginning, opening, *(f"{name} {value}" for name, value in choices)])


def digest(parts: Iterable[str], size: int = 16) -> str:
    """The digest of a list of texts, `size` bytes long; different lists have different digests.

    >>> digest(["a", "bc"]) == digest(["ab", "c"])
    False
    """
    hasher = blake2b(digest_size=size)
    for part in parts:
        data = part.encode()
        hasher.update(len(data).to_bytes(8, "big") + data)
    return hasher.hexdigest()


@define(slots=False)
class HashChain:
    """The chain of one game; `last` is its newest digest."""

    schema: StateSchema
    last: str

    def add(self, text: str, before: Sequence[int], after: Sequence[int], continuation: str) -> str:
        """Append an action and give its digest.

        Args:
            text: the action.
            before: the slots of the state before it.
            after: the slots of the state after it.
            continuation: the phase of the next decision, or how the game ended.
        """
        self.last = digest([self.last, text, *self._changes(before, after), continuation])
        return self.last

    @cached_property
    def _variables(self) -> list[Variable]:
        return sorted(self.schema.variables.values(), key=lambda variable: variable.base)

    @cached_property
    def _bases(self) -> list[int]:
        return [variable.base for variable in self._variables]

    @cached_property
    def _end(self) -> int:
        """The slot behind the last cell of a variable."""
        return max((variable.base + variable.count for variable in self._variables), default=0)

    @cached_property
    def _kept_line(self) -> Callable[[int, int], str | None]:
        return lru_cache(MAX_LINES)(self._line_of_slot)

    def _line_of_slot(self, slot: int, code: int) -> str | None:
        """The line of a position for a slot; None for one that holds no cell of a variable."""
        index = bisect_right(self._bases, slot) - 1
        variable = self._variables[index] if index >= 0 else None
        if variable is None or slot - variable.base >= variable.count:
            return None
        return _cell_line(variable, slot - variable.base, code)

    def _changes(self, before: Sequence[int], after: Sequence[int]) -> list[str]:
        """The changed cells of variables, as lines of a position; frames and indexes are left out."""
        old, new = tuple(before[: self._end]), tuple(after[: self._end])
        starts = [k for k in range(0, self._end, CHUNK) if old[k : k + CHUNK] != new[k : k + CHUNK]]
        lines = [
            self._kept_line(slot, new[slot])
            for start in starts
            for slot in range(start, min(start + CHUNK, self._end))
            if old[slot] != new[slot]
        ]
        return sorted(filter(None, lines))


def _cell_line(variable: Variable, offset: int, code: int) -> str:
    """The line of a cell that is hashed, which must never change: digests of kept records depend on it."""
    codes = variable.key_codes[offset]
    keys = [value_text(key, type_) for key, type_ in zip(codes, variable.keys, strict=True)]
    return f"{', '.join(keys)}: {variable.name} {value_text(code, variable.type)}"
