"""A compiled ruleset at work: packed states go in, packed states come out.

A packed state is a list of small integers. Whoever wants to keep one copies it first.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from math import factorial, prod
from traceback import walk_tb
from types import CodeType
from typing import Any

from hots_rules.compile.codes import HALT, OUTCOME, POINT, throws
from hots_rules.diagnostics import EngineError

Slots = list[int]
Blocks = tuple[Callable[[Slots], int], ...]
DECIDE, DICE, DRAW = 0, 1, 2
RNG = "blake2b-keyed-1"
MAX_BLOCKS_PER_STEP = 2_000_000
_NOTHING = "expected something to draw from, got nothing"
_FAULTS = (EngineError, ArithmeticError, LookupError, TypeError, ValueError)


class LoggedSlots(list[int]):
    """A packed state on which the traced module notes what happens."""

    log: list[tuple[Any, ...]]


def _bits(mask: int) -> tuple[int, ...]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def _member(mask: int, number: int) -> int:
    """The member of a set that has so many before it, found by halving."""
    low, width = 0, mask.bit_length()
    while width > 1:
        half = width >> 1
        part = mask & ((1 << half) - 1)
        below = part.bit_count()
        if number < below:
            mask, width = part, half
        else:
            number, mask, low, width = number - below, mask >> half, low + half, width - half
    return low


def _out_of_type(error: Exception) -> str:
    return f"expected values of the declared types, got {type(error).__name__.lower()}: {error}"


class Machine:
    """The functions of one compiled ruleset. Nothing in it changes, so threads may share it."""

    def __init__(self, code: CodeType, facts: Mapping[str, Any], source: str) -> None:
        self.facts = facts
        self.source = source
        self.file = code.co_filename
        self.checks = tuple(facts["checks"])
        self.initial = tuple(facts["initial"])
        self.scenarios: dict[str, int] = dict(facts["scenarios"])
        self.entry: int | None = facts["entry"]
        self.bases = tuple(base for _, base in facts["bases"])
        self._end: int = facts["end"]
        self.player_count = max(len(facts["players"]), 1)
        self._code = code
        names = self.module()
        self.calls: dict[int, Any] = names["CALLS"]
        self.blocks: Blocks = names["BLOCKS"]
        self.sites: tuple[tuple[Any, ...], ...] = names["SITES"]
        self.actions: tuple[tuple[int, Callable[[Slots, int, int], int]], ...] = names["ACTIONS"]
        self.invariants: tuple[tuple[str, Callable[[Slots], Any]], ...] = names["INVARIANTS"]
        self.secrets: tuple[tuple[tuple[Callable[..., int], bool], ...], ...] = names["SECRETS"]
        self.each: tuple[Callable[[Slots, int], Any], ...] = names["EACH"]
        self.dice: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {
            (site[4], site[3]): throws(site[4], site[3])
            for site in self.sites
            if site[0] == DICE and site[4] is not None
        }
        self._dice_codes = {
            key: {dice: code for code, dice in enumerate(rows)} for key, rows in self.dice.items()
        }

    def module(self) -> dict[str, Any]:
        """The names of the module, each time anew."""
        names: dict[str, Any] = {"bits": lru_cache(maxsize=1 << 15)(_bits), "within": self._within, "the": self._the,
                                 "scope": self._scope, "HALT": HALT, "CALLS": {}}  # fmt: skip
        exec(self._code, names)
        return names

    # -------------------------------------------------------------- what the module calls
    def _within(self, value: int, low: int, high: int, check: int) -> int:
        if low <= value <= high:
            return value
        raise EngineError(f"{self.checks[check]}, got {value}")

    def _the(self, mask: int, check: int) -> int:
        if mask and not mask & (mask - 1):
            return mask.bit_length() - 1
        raise EngineError(f"{self.checks[check]}, got {mask.bit_count()}")

    def _scope(
        self, slots: Slots, scope: tuple[str, tuple[tuple[int, Any], ...], int | None] | None
    ) -> str:
        """The names and values on the way to a chance point, the nearest first."""
        text = ""
        while scope is not None:
            name, values, back = scope
            text += f"|{name}"
            for slot, words in values:
                value = slots[slot]
                text += f" {value if words is None else words[value]}"
            scope = self.calls.get(slots[back]) if back is not None else None
        return text

    def _placed(self, error: Exception) -> EngineError:
        """An error of a ruleset in play, with the rule whose line was running.

        The module names the rule above its statements: the nearest such line above is the one.
        """
        message = error.message if isinstance(error, EngineError) else _out_of_type(error)
        lines = self.source.splitlines()
        for frame, number in reversed(list(walk_tb(error.__traceback__))):
            if frame.f_code.co_filename == self.file:
                for line in reversed(lines[:number]):
                    if said := re.search(r"# (\S+) (§.+)$", line):
                        return EngineError(message, said[1], said[2])
        return EngineError(message)

    # -------------------------------------------------------------- beginning
    def begin(self, scenario: str) -> Slots:
        """The state at the start of a scenario, before anything has been asked; `run` goes on from here."""
        slots = list(self.initial)
        slots[POINT] = self.scenarios[scenario]
        return slots

    # -------------------------------------------------------------- who, what
    def site(self, slots: Slots) -> tuple[Any, ...] | None:
        """The site at which play waits, None when the game is over."""
        return self.sites[-1 - slots[POINT]] if slots[POINT] < 0 else None

    def legal(self, slots: Slots) -> list[int]:
        """The codes of all legal actions where players are asked."""
        try:
            found: list[int] = self.sites[-1 - slots[POINT]][1](slots)
        except _FAULTS as error:
            raise self._placed(error) from None
        return found

    def players(self, slots: Slots) -> int:
        """The set of the players who are asked, as a mask."""
        mask: int = self.sites[-1 - slots[POINT]][2](slots)
        return mask

    def action_of(self, code: int) -> int:
        """The number of the action of a code."""
        return bisect_right(self.bases, code) - 1

    # -------------------------------------------------------------- on
    def play(self, slots: Slots, code: int, seed: str | None) -> None:
        """Plays a legal action in place, and goes on until somebody is asked; with a seed, chance answers itself.

        Raises:
            EngineError: a bounded number left its range.
        """
        site = self.sites[-1 - slots[POINT]]
        number = bisect_right(self.bases, code) - 1
        base, choose = self.actions[number]
        if site[3] is not None:
            size = (self.bases[number + 1] if number + 1 < len(self.bases) else self._end) - base
            slots[site[3]] &= ~(1 << (code - base) // (size // self.player_count))
        try:
            block = choose(slots, code, site[4])
        except _FAULTS as error:
            raise self._placed(error) from None
        self.run(slots, block, seed)

    def run(self, slots: Slots, block: int, seed: str | None) -> None:
        """Runs blocks from one on, until a player is asked, or chance without a seed, or the game ends."""
        blocks, sites = self.blocks, self.sites
        left = MAX_BLOCKS_PER_STEP
        try:
            while True:
                while block >= 0:
                    block = blocks[block](slots)
                    left -= 1
                    if not left:
                        raise EngineError(
                            f"expected a decision within {MAX_BLOCKS_PER_STEP} blocks, got none"
                        )
                if block == HALT:
                    slots[POINT] = 0
                    return
                slots[POINT] = block
                site = sites[-1 - block]
                if site[0] == DECIDE or seed is None:
                    return
                outcome = self.sample(slots, site, seed)
                if type(slots) is LoggedSlots:
                    slots.log.append(("chance", -1 - slots[POINT], outcome))
                block = self._resolve(slots, site, outcome)
        except _FAULTS as error:
            raise self._placed(error) from None

    def resume(self, slots: Slots, outcome: int, seed: str | None) -> None:
        """Dictates the outcome of the chance point at which play waits, and goes on."""
        site = self.sites[-1 - slots[POINT]]
        self.run(slots, self._resolve(slots, site, outcome), seed)

    def resolved(self, slots: Slots, outcome: int, blocks: Blocks | None = None) -> int:
        """Dictates an outcome and runs the one block that comes next; the block after that, where `run` goes on.

        `blocks` are those of another run of the same module.
        """
        block = self._resolve(slots, self.sites[-1 - slots[POINT]], outcome)
        try:
            return (blocks or self.blocks)[block](slots)
        except _FAULTS as error:
            raise self._placed(error) from None

    def _resolve(self, slots: Slots, site: tuple[Any, ...], outcome: int) -> int:
        slots[site[-2]] = outcome
        after: int = site[-1]
        return after

    # -------------------------------------------------------------- chance
    def sample(self, slots: Slots, site: tuple[Any, ...], seed: str) -> int:
        """What falls at a chance point: a function of the seed and of where in the rules it falls."""
        number = site[1](slots)
        digest = blake2b(f"{seed}\n{site[2](slots)}".encode(), digest_size=64).digest()
        if site[0] == DICE:
            sides, most = site[3], site[4]
            if most is None:
                return int.from_bytes(digest[:8], "big") % int(sides) + 1
            if number > 8:
                digest += blake2b(digest, digest_size=64).digest()
            dice = sorted(
                int.from_bytes(digest[8 * i : 8 * i + 8], "big") % sides + 1 for i in range(number)
            )
            code: int = self._dice_codes[most, sides][tuple(dice)]
            return code
        if site[3] is None:
            if not number:
                raise EngineError(_NOTHING)
            return _member(number, int.from_bytes(digest[:16], "big") % number.bit_count())
        weights = self._weights(slots, site, number)
        total = sum(weight for _, weight in weights)
        if not total:
            raise EngineError(_NOTHING)
        at = int.from_bytes(digest[:16], "big") % total
        for member, weight in weights:
            at -= weight
            if at < 0:
                return member
        raise AssertionError

    def _weights(self, slots: Slots, site: tuple[Any, ...], mask: int) -> list[tuple[int, int]]:
        weigh = site[3]
        return [
            (member, weigh(slots, member) if weigh is not None else 1) for member in _bits(mask)
        ]

    def outcomes(self, slots: Slots) -> list[tuple[int, Fraction]]:
        """Every outcome of the chance point at which play waits, with its exact probability."""
        site = self.sites[-1 - slots[POINT]]
        number = site[1](slots)
        if site[0] == DICE:
            sides, most = site[3], site[4]
            if most is None:
                return [(side, Fraction(1, sides)) for side in range(1, sides + 1)]
            return [(code, Fraction(orders(dice), sides**number))
                    for code, dice in enumerate(self.dice[most, sides]) if len(dice) == number]  # fmt: skip
        weights = self._weights(slots, site, number)
        total = sum(weight for _, weight in weights)
        if not total:
            raise EngineError(_NOTHING)
        return [(member, Fraction(weight, total)) for member, weight in weights if weight]

    def dice_of(self, site: tuple[Any, ...], code: int) -> tuple[int, ...]:
        """The dice of an outcome, sorted."""
        return (code,) if site[4] is None else self.dice[site[4], site[3]][code]

    def dice_code(self, site: tuple[Any, ...], dice: Sequence[int]) -> int | None:
        """The outcome of some dice, in any order; None if they cannot fall so."""
        if site[4] is None:
            return dice[0] if len(dice) == 1 and 1 <= dice[0] <= site[3] else None
        return self._dice_codes[site[4], site[3]].get(tuple(sorted(dice)))

    # -------------------------------------------------------------- end
    @staticmethod
    def is_over(slots: Slots) -> bool:
        """Whether the game has ended."""
        return slots[POINT] == 0

    @staticmethod
    def outcome(slots: Slots) -> int:
        """0: no outcome; 1: nobody won; 2 + p: player p won."""
        return slots[OUTCOME]


def orders(dice: tuple[int, ...]) -> int:
    """In how many orders dice can have fallen."""
    return factorial(len(dice)) // prod(factorial(dice.count(side)) for side in set(dice))
