"""A machine that counts the members of its loops, for rulesets whose worst case says too little."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import local
from types import CodeType
from typing import Any, TypeVar

from hots_rules.compile.codes import Slots
from hots_rules.compile.facts import CompiledFacts
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits

Members = TypeVar("Members", tuple[int, ...], range)


class _ThreadSteps(local):
    """The steps of a thread so far, and the most that it may spend."""

    spent = 0
    most: float = inf


class _Bound:
    """A bound of the steps of a thread, in force within a `with` statement.

    A generator would do; a class takes a third of the time, and every play of odds has one.
    """

    __slots__ = ("_around", "_steps", "_thread")

    def __init__(self, thread: _ThreadSteps, steps: int) -> None:
        self._thread = thread
        self._steps = steps

    def __enter__(self) -> None:
        thread = self._thread
        self._around = thread.most
        thread.most = min(self._around, thread.spent + self._steps)

    def __exit__(self, *_: object) -> None:
        self._thread.most = self._around


class CountingMachine(Machine):
    """Counts each member that a loop goes through, as the most steps for one member.

    Every loop of the module takes its members from `bits` or `range`, so the code is that of any machine. A machine
    `for_conditions` counts a member as the most steps for one in a condition, which is too little for plays.
    """

    def __init__(
        self,
        code: CodeType,
        facts: CompiledFacts,
        source: str,
        limits: Limits = DEFAULT_LIMITS,
        *,
        for_conditions: bool = False,
    ) -> None:
        self._thread = _ThreadSteps()
        self._per_member_of = "PER_MEMBER_IN_CONDITIONS" if for_conditions else "PER_MEMBER"
        super().__init__(code, facts, source, limits)

    def _names(self) -> dict[str, Any]:
        names = super()._names()
        return names | {"bits": self._counted(names["bits"]), "range": self._counted(range)}

    def _steps_of_blocks(self, names: dict[str, Any]) -> tuple[int, ...]:
        self.per_member: int = names[self._per_member_of][0]
        self.invariant_steps: tuple[int, ...] = names["INVARIANT_STEPS"]
        steps: tuple[int, ...] = names["OWN_STEPS"]
        return steps

    @property
    def spent(self) -> int:
        """The steps of this thread so far."""
        return self._thread.spent

    def _spend(self, steps: int) -> None:
        self._thread.spent += steps
        if self._thread.spent > self._thread.most:
            raise self._too_long()

    def is_spent(self, steps: int = 0) -> bool:
        """Spend some steps; return whether more were spent than are allowed now."""
        self._thread.spent += steps
        return self._thread.spent > self._thread.most

    def bounded(self, steps: int) -> _Bound:
        """Allow some steps from now on, or fewer if a bound around this one has fewer left."""
        return _Bound(self._thread, steps)

    def _counted(self, members: Callable[..., Members]) -> Callable[..., Members]:
        """A function that gives the members of a loop, and spends the steps for them."""
        thread = self._thread

        def counted(*bounds: int) -> Members:
            counted_members = members(*bounds)
            thread.spent += self.per_member * (len(counted_members) + 1)
            if thread.spent > thread.most:
                raise self._too_long()
            return counted_members

        return counted

    def legal(self, slots: Slots) -> list[int]:
        """See `Machine.legal`."""
        with self.bounded(self._most_steps):
            return super().legal(slots)

    def play(self, slots: Slots, code: int, seed: str | None) -> None:
        """See `Machine.play`."""
        with self.bounded(self._most_steps):
            super().play(slots, code, seed)

    def run(self, slots: Slots, block: int, seed: str | None) -> int:
        """See `Machine.run`."""
        with self.bounded(self._most_steps):
            left = super().run(slots, block, seed)
        self._spend(self._most_steps - left)
        return left


def counting_machine(
    machine: Machine, limits: Limits, *, for_conditions: bool = False
) -> CountingMachine:
    """A machine of the same functions that counts its steps."""
    return CountingMachine(
        machine.code, machine.facts, machine.source, limits, for_conditions=for_conditions
    )
