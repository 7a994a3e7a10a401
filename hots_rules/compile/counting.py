"""A machine that counts the members of its loops, for rulesets whose worst case says too little."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import local
from types import CodeType
from typing import Any

from hots_rules.compile.codes import Slots
from hots_rules.compile.facts import CompiledFacts
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits


class CountingMachine(Machine):
    """Counts each member that a loop goes through, as the most steps for one member.

    Every loop of the module takes its members from `bits` or `range`, so the code is that of any machine.
    """

    def __init__(
        self, code: CodeType, facts: CompiledFacts, source: str, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self._thread = local()
        super().__init__(code, facts, source, limits)

    def _names(self) -> dict[str, Any]:
        names = super()._names()
        self._members: Callable[[int], tuple[int, ...]] = names["bits"]
        return names | {"bits": self._bits, "range": self._range}

    def _steps_of_blocks(self, names: dict[str, Any]) -> tuple[int, ...]:
        self._per_member: int = names["PER_MEMBER"][0]
        steps: tuple[int, ...] = names["OWN_STEPS"]
        return steps

    @property
    def spent(self) -> int:
        """The steps of this thread so far."""
        return getattr(self._thread, "spent", 0)

    def _spend(self, steps: int) -> None:
        self._thread.spent = spent = self.spent + steps
        if spent > getattr(self._thread, "most", inf):
            raise self._too_long()

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        self._thread.most = self.spent + self._most_steps
        try:
            yield
        finally:
            self._thread.most = inf

    def _bits(self, mask: int) -> tuple[int, ...]:
        self._spend(self._per_member * (mask.bit_count() + 1))
        return self._members(mask)

    def _range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        self._spend(self._per_member * (len(numbers) + 1))
        return numbers

    def legal(self, slots: Slots) -> list[int]:
        """See `Machine.legal`."""
        with self._bounded():
            return super().legal(slots)

    def play(self, slots: Slots, code: int, seed: str | None) -> None:
        """See `Machine.play`."""
        with self._bounded():
            super().play(slots, code, seed)

    def run(self, slots: Slots, block: int, seed: str | None) -> int:
        """See `Machine.run`."""
        with self._bounded():
            left = super().run(slots, block, seed)
        self._spend(self._most_steps - left)
        return left
