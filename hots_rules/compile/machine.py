"""The machine: it runs a compiled ruleset on packed states.

A packed state is a list of small integers. It is changed in place: copy it first to keep it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any

from hots_rules.compile.codes import (
    HALT,
    OUTCOME,
    POINT,
    ChancePoint,
    DecisionPoint,
    DicePoint,
    DrawPoint,
    Slots,
    SuspensionPoint,
    bits,
    dice_rolls,
    value_text,
)
from hots_rules.compile.facts import CompiledFacts
from hots_rules.compile.sampling import (
    chance_digest,
    draw_weights,
    outcomes,
    sample_dice,
    sample_draw,
)
from hots_rules.diagnostics import DEFAULT_LIMITS, EngineError, Limits, how_to_raise

if TYPE_CHECKING:
    from fractions import Fraction

Blocks = tuple[Callable[[Slots], int], ...]
Audience = tuple[Callable[..., int], bool]
"""A function that gives the members of a set that a viewer knows, and whether everybody knows them."""
FrameData = tuple[str, tuple[tuple[int, tuple[str, ...] | None], ...], int | None]
"""The name of a procedure, the slots of its values with their words, and the slot of the return block."""
BOUND_FAULTS = (EngineError, ArithmeticError, LookupError, TypeError, ValueError)
"""What a compiled function raises where a ruleset violates one of its bounds."""


class PassingSlots(list[int]):
    """A packed state that notes what it is at each chance point that a seed answers."""

    def __init__(self, slots: Sequence[int]) -> None:
        super().__init__(slots)
        self.passed: list[tuple[int, ...]] = []


class Machine:
    """The functions of one compiled ruleset. It never changes, so threads may share it."""

    def __init__(
        self, code: CodeType, facts: CompiledFacts, source: str, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.facts = facts
        self.source = source
        self.limits = limits
        self._most_steps, self._most_actions = limits.play_steps, limits.actions
        self.initial = facts.initial
        self.bases = tuple(action.base for action in facts.actions)
        self.player_count = max(len(facts.players), 1)
        self._sizes = tuple(action.size for action in facts.actions)
        self.code = code
        names = self.namespace()
        self.callers: dict[int, FrameData] = names["CALLERS"]
        self.blocks: Blocks = names["BLOCKS"]
        self.steps = self._steps_of_blocks(names)
        self.points: tuple[SuspensionPoint, ...] = names["POINTS"]
        # By the number in slot POINT: the hot paths test no classes.
        self._decisions: dict[int, DecisionPoint] = {
            -1 - number: point
            for number, point in enumerate(self.points)
            if isinstance(point, DecisionPoint)
        }
        self._chances: dict[int, ChancePoint] = {
            -1 - number: point
            for number, point in enumerate(self.points)
            if not isinstance(point, DecisionPoint)
        }
        self.actions: tuple[tuple[int, Callable[[Slots, int, int], int]], ...] = names["ACTIONS"]
        self.invariants: tuple[tuple[str, Callable[[Slots], int]], ...] = names["INVARIANTS"]
        self.secrets: tuple[tuple[Audience, ...], ...] = names["SECRETS"]
        self.claims: tuple[Callable[[Slots, int], int], ...] = names["CLAIMS"]
        self.dice: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {
            (point.most, point.sides): dice_rolls(point.most, point.sides)
            for point in self.points
            if isinstance(point, DicePoint) and point.most is not None
        }
        self._dice_codes = {
            key: {dice: code for code, dice in enumerate(rolls)} for key, rolls in self.dice.items()
        }

    def namespace(self) -> dict[str, Any]:
        """The names of the module, from a new run of its code."""
        names = self._names()
        exec(self.code, names)
        return names

    def _names(self) -> dict[str, Any]:
        """The names that the module uses without defining them."""
        return {
            "bits": lru_cache(maxsize=1 << 15)(bits),
            "within": self._within,
            "the": self._the,
            "scope": self._scope,
            "HALT": HALT,
            "CALLERS": {},
            "DecisionPoint": DecisionPoint,
            "DicePoint": DicePoint,
            "DrawPoint": DrawPoint,
        }

    def _steps_of_blocks(self, names: dict[str, Any]) -> tuple[int, ...]:
        """The most steps that each block can take."""
        steps: tuple[int, ...] = names["STEPS"]
        return steps

    # -------------------------------------------------------------- functions that the module calls
    def _within(self, value: int, low: int, high: int, check: int) -> int:
        if low <= value <= high:
            return value
        raise self._failed(check, value)

    def _the(self, mask: int, check: int) -> int:
        if mask and not mask & (mask - 1):
            return mask.bit_length() - 1
        raise self._failed(check, mask)

    def _failed(self, check: int, value: int) -> EngineError:
        text, type_ = self.facts.checks[check]
        return EngineError(text if type_ is None else f"{text}, got {value_text(value, type_)}")

    def _scope(self, slots: Slots, frame: FrameData | None) -> str:
        """The names and values of the procedures around a chance point, the innermost first."""
        text = ""
        while frame is not None:
            name, values, return_slot = frame
            text += f"|{name}"
            for slot, words in values:
                value = slots[slot]
                text += f" {value if words is None else words[value]}"
            frame = self.callers.get(slots[return_slot]) if return_slot is not None else None
        return text

    def _too_long(self) -> EngineError:
        return EngineError(
            f"no decision within {self._most_steps} steps: bound the loops of the phase, or "
            f"{how_to_raise('play_steps')}"
        )

    def _with_rule(self, error: Exception, point: ChancePoint | None = None) -> EngineError:
        """An error of a ruleset in play, with the rule that was running, or the rule of a chance point.

        In the source of the module, a comment above the statements of a rule names it, and a comment at the head of a
        function its declaration. A function that several declarations share has no comment; then its caller is named.
        """
        if isinstance(error, EngineError) and error.rule:
            return error
        message = error.message if isinstance(error, EngineError) else _out_of_type(error)
        lines = self.source.splitlines()
        passed = list(_lines_in(self.code.co_filename, error.__traceback__))
        if point is not None:
            passed.insert(0, point.key.__code__.co_firstlineno)
        for number in reversed(passed):
            for line in reversed(lines[:number]):
                if comment := re.search(r"# (\S+)(?: (§.+))?$", line):
                    return EngineError(message, comment[1], comment[2] or "")
                if line.startswith("def "):
                    break
        return EngineError(message)

    # -------------------------------------------------------------- the start
    def begin(self, scenario: str) -> Slots:
        """The state at the start of a scenario; `run` plays on to the first suspension point."""
        slots = list(self.initial)
        slots[POINT] = self.facts.scenarios[scenario].entry
        return slots

    # -------------------------------------------------------------- choices
    def point(self, slots: Slots) -> SuspensionPoint | None:
        """The suspension point at which play waits, None when the game is over."""
        return self.points[-1 - slots[POINT]] if slots[POINT] < 0 else None

    def legal(self, slots: Slots) -> list[int]:
        """The codes of the legal actions at a decision.

        Raises:
            EngineError: a condition violates a bound of the ruleset, or there are too many.
        """
        try:
            codes = self._decisions[slots[POINT]].legal(slots)
        except BOUND_FAULTS as error:
            raise self._with_rule(error) from None
        if len(codes) > self._most_actions:
            raise EngineError(
                f"expected at most {self._most_actions} legal actions, got {len(codes)}; "
                f"{how_to_raise('actions')}"
            )
        return codes

    def players(self, slots: Slots) -> int:
        """The players who choose at a decision, as a mask."""
        return self._decisions[slots[POINT]].players(slots)

    def action_of(self, code: int) -> int:
        """The number of the action to which a code belongs."""
        return bisect_right(self.bases, code) - 1

    def player_of(self, code: int) -> int:
        """The number of the player to whom a code belongs."""
        number = self.action_of(code)
        return (code - self.bases[number]) // (self._sizes[number] // self.player_count)

    # -------------------------------------------------------------- play
    def play(self, slots: Slots, code: int, seed: str | None) -> None:
        """Play a legal action in place, on to the next suspension point; with a seed, chance points are sampled.

        Raises:
            EngineError: the ruleset violates one of its bounds.
        """
        point = self._decisions[slots[POINT]]
        if point.waiting is not None:
            slots[point.waiting] &= ~(1 << self.player_of(code))
        _, choose = self.actions[bisect_right(self.bases, code) - 1]
        try:
            block = choose(slots, code, point.after)
        except BOUND_FAULTS as error:
            raise self._with_rule(error) from None
        self.run(slots, block, seed)

    def run(self, slots: Slots, block: int, seed: str | None) -> int:
        """Run blocks until a decision, a chance point without a seed, or the end of the game.

        Each block counts as the most steps that it can take. Play does not stop at chance that a seed answers.
        Returns the steps that are left.
        """
        blocks, chances, steps = self.blocks, self._chances, self.steps
        left = self._most_steps
        try:
            while True:
                while block >= 0:
                    left -= steps[block]
                    if left < 0:
                        raise self._too_long()
                    block = blocks[block](slots)
                if block == HALT:
                    slots[POINT] = 0
                    return left
                slots[POINT] = block
                point = chances.get(block)
                if point is None or seed is None:
                    return left
                block = self._answer(slots, point, seed)
        except BOUND_FAULTS as error:
            raise self._with_rule(error) from None

    def _answer(self, slots: Slots, point: ChancePoint, seed: str) -> int:
        """Sample a chance point; returns the next block."""
        if isinstance(slots, PassingSlots):
            slots.passed.append(tuple(slots))
        slots[point.into] = self.sample(slots, point, seed)
        return point.after

    def resume(self, slots: Slots, outcome: int, seed: str | None) -> None:
        """Play an outcome of the chance point at which play waits, on to the next suspension point."""
        point = self._chances[slots[POINT]]
        slots[point.into] = outcome
        self.run(slots, point.after, seed)

    def move(self, slots: Slots, move: int, seed: str | None) -> None:
        """Play a move of a game: a legal action, or -1 - outcome for an outcome of chance."""
        if move < 0:
            self.resume(slots, -1 - move, seed)
        else:
            self.play(slots, move, seed)

    def passed_states(
        self, before: Sequence[int], move: int, seed: str | None
    ) -> tuple[tuple[int, ...], ...]:
        """The packed states of a play at each chance point that the seed answers, and the one after it."""
        slots = PassingSlots(before)
        self.move(slots, move, seed)
        return (*slots.passed, tuple(slots))

    def resume_one_block(self, slots: Slots, outcome: int, blocks: Blocks | None = None) -> int:
        """Play an outcome and the one block after it; returns the block from which `run` continues.

        `blocks` may come from another namespace of the same module.
        """
        point = self._chances[slots[POINT]]
        slots[point.into] = outcome
        try:
            return (blocks or self.blocks)[point.after](slots)
        except BOUND_FAULTS as error:
            raise self._with_rule(error) from None

    # -------------------------------------------------------------- chance
    def sample(self, slots: Slots, point: ChancePoint, seed: str) -> int:
        """The outcome of a chance point: a function of the seed and of the point's key alone."""
        digest = chance_digest(seed, point.key(slots))
        if isinstance(point, DrawPoint):
            try:
                return sample_draw(slots, point, digest)
            except BOUND_FAULTS as error:
                raise self._with_rule(error, point) from None
        if point.most is None:
            return sample_dice(1, point.sides, digest)[0]
        dice = sample_dice(point.number(slots), point.sides, digest)
        return self._dice_codes[point.most, point.sides][dice]

    def weights(self, slots: Slots, point: DrawPoint) -> list[tuple[int, int]]:
        """The members of the set of a draw, with their weights.

        Raises:
            EngineError: there is nothing to draw.
        """
        try:
            return draw_weights(slots, point)
        except BOUND_FAULTS as error:
            raise self._with_rule(error, point) from None

    def outcomes(self, slots: Slots) -> list[tuple[int, Fraction]]:
        """Every outcome of the chance point at which play waits, with its exact probability.

        Raises:
            EngineError: there is nothing to draw.
        """
        point = self._chances[slots[POINT]]
        try:
            return outcomes(slots, point, self.dice)
        except BOUND_FAULTS as error:
            raise self._with_rule(error, point) from None

    def dice_of(self, point: DicePoint, code: int) -> tuple[int, ...]:
        """The dice of an outcome, sorted."""
        return (code,) if point.most is None else self.dice[point.most, point.sides][code]

    def dice_code(self, point: DicePoint, dice: Sequence[int]) -> int | None:
        """The outcome of some dice, in any order; None if this point cannot roll them."""
        if point.most is None:
            return dice[0] if len(dice) == 1 and 1 <= dice[0] <= point.sides else None
        return self._dice_codes[point.most, point.sides].get(tuple(sorted(dice)))

    # -------------------------------------------------------------- end
    @staticmethod
    def is_over(slots: Slots) -> bool:
        """Whether the game has ended."""
        return slots[POINT] == 0

    @staticmethod
    def outcome(slots: Slots) -> int:
        """The code of how a game ended, as `outcome_of` has it; 0 for no outcome."""
        return slots[OUTCOME]


def _lines_in(file: str, traceback: TracebackType | None) -> Iterator[int]:
    """The lines of a file on a traceback, the outermost first."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            yield traceback.tb_lineno
        traceback = traceback.tb_next


def _out_of_type(error: Exception) -> str:
    return f"a value is outside its declared type ({type(error).__name__}: {error})"
