"""Trials of changes: a state in which some conditions are reversed, and whether an action is legal there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product

from attrs import define, evolve, field

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.evaluate import Budget, Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.explain.action_status import ActionStatus
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr
from hots_rules.rules.typed.visitor import walk
from hots_rules.state.state import State

MAX_STATES = 40  # states in which the engine is asked
MAX_READS = 6_000  # of cells, in search of such states
MAX_WAYS = 4  # in which one condition is reversed
MAX_VALUES = 4  # of a cell that the condition does not name
Change = tuple[int, int]  # a slot and its new code


@define
class ChangeTrial:
    """Searches states that differ from a game in a few cells, for one action.

    Each condition is reversed by one cell that it reads. States beyond the limits are not found. The engine, which
    lists all legal actions, is asked only about states in which the clauses of the action hold.

    Attributes:
        game: the game at the moment that is asked about.
        status: the action.
        budget: the steps of the answer.
    """

    game: BaseGame
    status: ActionStatus
    budget: Budget | None = None
    _states: int = field(default=0, init=False)
    _reads: int = field(default=0, init=False)

    def state_without(self, conditions: Sequence[Expr]) -> State | None:
        """A state in which all the conditions are reversed and the action is legal; None if none was found."""
        own = self.game.state
        here = [self._value(condition, own.slots, {}) for condition in conditions]
        ways = [list(islice(self._reversals(condition), MAX_WAYS)) for condition in conditions]
        for changes in product(*ways):
            if self._states >= MAX_STATES:
                return None
            self._states += 1
            slots = self._changed(changes)
            there = [self._value(condition, slots, {}) for condition in conditions]
            is_reversed = all(
                reached is (not value) for reached, value in zip(there, here, strict=True)
            )
            if is_reversed and self._holds(slots) and self._is_legal(slots):
                return evolve(own, slots=tuple(slots))
        return None

    def _changed(self, changes: Sequence[Change]) -> list[int]:
        slots = list(self.game.state.slots)
        for slot, code in changes:
            slots[slot] = code
        self.game.ruleset.schema.reindex(slots)
        return slots

    def _holds(self, slots: list[int]) -> bool:
        """Whether the clauses of the action hold in a state."""
        # A late import: few questions try a change.
        from hots_rules.compile.codegen.legal_actions import legality_conditions

        evaluator = self._evaluator(self.game.ruleset.schema.reader(slots))
        return all(
            evaluator.value_or_none(condition, self.status.local)
            for condition, _ in legality_conditions(self.status.action)
        )

    def _evaluator(self, load: Callable[[str, tuple[int, ...]], int]) -> Evaluator:
        return self.game.evaluator(load, self.budget)

    def _is_legal(self, slots: list[int]) -> bool:
        try:
            return self.status.code in self.game.machine.legal(slots)
        except (EngineError, LookupError, ArithmeticError):
            return False

    # -------------------------------------------------------------- one condition
    def _reversals(self, condition: Expr) -> Iterator[Change]:
        """The changes of one cell that reverse a condition."""
        named, own = _constants(condition), self.game.state.slots
        cells = dict[tuple[str, tuple[int, ...]], None]()
        here = self._value(condition, own, cells)
        for name, keys in cells:
            variable = self.game.ruleset.schema.variables[name]
            slot = variable.base + variable.offsets[keys]
            slots = list(own)
            for code in _other_codes(slots[slot], variable.type, named):
                slots[slot] = code
                if self._reads > MAX_READS:
                    return
                if self._value(condition, slots, {}) not in (here, None):
                    yield slot, code

    def _value(
        self, condition: Expr, slots: Sequence[int], cells: dict[tuple[str, tuple[int, ...]], None]
    ) -> bool | None:
        """Whether a condition holds in a state, None if it has no value; what it reads is added to `cells`."""
        read = self.game.ruleset.schema.reader(slots)

        def load(name: str, keys: tuple[int, ...]) -> int:
            self._reads += 1
            cells[name, keys] = None
            return read(name, keys)

        value = self._evaluator(load).value_or_none(condition, {})
        return None if value is None else bool(value)


def _constants(condition: Expr) -> Mapping[types.Type, Sequence[int]]:
    """The values that a condition names, by type."""
    named: dict[types.Type, list[int]] = {}
    for node in walk(condition):
        if isinstance(node, tast.Const):
            named.setdefault(node.type, []).append(node.value)
    return named


def _other_codes(
    code: int, type_: types.Type, named: Mapping[types.Type, Sequence[int]]
) -> Iterator[int]:
    """Other values of a cell: those that are named first, then its neighbours, then any."""
    if isinstance(type_, types.SetType):
        members = dict.fromkeys([*named.get(type_.member, ()), *islice(bits(code), MAX_VALUES)])
        yield from (code ^ 1 << member for member in members)
        yield from {0} - {code}
        return
    valid = codes_of(type_)
    if isinstance(type_, types.IntType):
        numbers = [number for codes in named.values() for number in codes]
        first = [number + step for number in (*numbers, code) for step in (0, 1, -1)]
    else:
        first = [*named.get(type_, ())]
    others = dict.fromkeys([*first, *valid[:MAX_VALUES], valid[-1]])
    yield from (candidate for candidate in others if candidate != code and candidate in valid)
