"""Two rulesets in step, on packed states: the same actions and the same outcomes of chance, until they diverge."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from random import Random

from attrs import define, field, frozen

from hots_rules.compare.shared_entries import SharedEntries, SharedEntry
from hots_rules.compile.codes import (
    OUTCOME,
    POINT,
    DecisionPoint,
    DicePoint,
    DrawPoint,
    Slots,
    codes_of,
    value_text,
)
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, HotsError
from hots_rules.play.compiled_ruleset import SettingCodes
from hots_rules.play.game import AnyRuleset
from hots_rules.play.notation import Notation
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.witness.witnesses import Kind, choices_of

FAULTS = (HotsError, LookupError, ArithmeticError, ValueError)
"""What a ruleset may raise in play and, in a position that play never reaches, in what reads its codes."""


@frozen(slots=False, eq=False)
class PlayedRuleset:
    """One of two rulesets under a choice of options and readings."""

    ruleset: AnyRuleset
    settings: SettingCodes

    @classmethod
    def of(cls, ruleset: AnyRuleset, settings: Mapping[str, str]) -> PlayedRuleset:
        """A ruleset under options and readings as text.

        Raises:
            ArgumentError: it lacks an option, a reading or a value.
        """
        return cls(ruleset, ruleset.chosen(*choices_of(ruleset, settings)))

    @cached_property
    def machine(self) -> Machine:
        """Its compiled functions."""
        return self.ruleset.machine(self.settings)

    @cached_property
    def schema(self) -> StateSchema:
        """Its variables."""
        return self.ruleset.schema_under(self.settings)

    @property
    def notation(self) -> Notation:
        """How its actions are written."""
        return self.ruleset.notation

    @cached_property
    def codes_by_word(self) -> Callable[[types.Type], dict[str, int]]:
        """A function from a type to the codes of its values by their texts."""
        return lru_cache(maxsize=None)(_codes_by_word)


@define
class PairedState:
    """The packed states of both rulesets at one moment."""

    first: Slots
    second: Slots

    def copy(self) -> PairedState:
        """The same moment, to be played on."""
        return PairedState(self.first.copy(), self.second.copy())


@frozen
class PairedMove:
    """An action, or an outcome of chance, by its codes in both rulesets; codes of outcomes are -1 - outcome."""

    first: int
    second: int


@frozen
class StepDivergence:
    """Where two rulesets diverge: the kind, and for "legal" the code of an action that one of them allows.

    The code is of the first ruleset if `is_of_first` holds.
    """

    kind: Kind
    code: int | None = None
    is_of_first: bool = True


@frozen
class _Cells:
    """Cells that both states have, for a fast comparison.

    Attributes:
        from_first: reads the cells whose types are equal, and the outcome, from the first state.
        from_second: reads the same cells from the second state; their codes can be compared.
        translated: the slots in both states of each other cell, and a test whether two codes of it mean the same.
    """

    from_first: Callable[[Slots], tuple[int, ...]]
    from_second: Callable[[Slots], tuple[int, ...]]
    translated: tuple[tuple[int, int, Callable[[int, int], bool]], ...]

    @classmethod
    def of(cls, entries: Sequence[SharedEntry]) -> _Cells:
        """The cells of entries that both states have."""
        compare = lru_cache(maxsize=None)(_comparison)
        same = [
            (slot, other_slot)
            for _, slot, type_, other_slot, other_type in entries
            if type_ is other_type
        ]
        translated = (
            (slot, other_slot, compare(type_, other_type))
            for _, slot, type_, other_slot, other_type in entries
            if type_ is not other_type
        )
        # OUTCOME stands twice, since `itemgetter` gives a tuple only for two or more slots.
        return cls(
            itemgetter(OUTCOME, OUTCOME, *(slot for slot, _ in same)),
            itemgetter(OUTCOME, OUTCOME, *(other_slot for _, other_slot in same)),
            tuple(translated),
        )

    def are_equal(self, pair: PairedState) -> bool:
        first, second = pair.first, pair.second
        return self.from_first(first) == self.from_second(second) and all(
            is_same(first[slot], second[other_slot])
            for slot, other_slot, is_same in self.translated
        )


@frozen(slots=False, eq=False)
class Lockstep:
    """Two rulesets of the same game in step; `is_strict` if every common entry of the states is compared.

    Raises:
        BadArgument: the rulesets have other players, or no action in common.
    """

    first: PlayedRuleset
    second: PlayedRuleset
    is_strict: bool = False
    shared: SharedEntries = field(init=False)
    _codes_in_second: dict[int, int | None] = field(factory=dict, init=False)
    _codes_in_first: dict[int, int | None] = field(factory=dict, init=False)

    @shared.default
    def _find_shared(self) -> SharedEntries:
        return SharedEntries.of(self.first.schema, self.second.schema)

    def __attrs_post_init__(self) -> None:
        names = [{action.name for action in side.schema.facts.actions} for side in self.sides]
        if self.first.ruleset.players != self.second.ruleset.players or not names[0] & names[1]:
            name, other_name = (side.ruleset.name for side in self.sides)
            raise BadArgument("ruleset", other_name, f"one of the game of {name}")

    @property
    def sides(self) -> tuple[PlayedRuleset, PlayedRuleset]:
        """Both rulesets."""
        return self.first, self.second

    # -------------------------------------------------------------- states
    @cached_property
    def _all_cells(self) -> _Cells:
        return _Cells.of(self.shared.entries)

    @cached_property
    def _pieces(self) -> _Cells:
        """The cells of pieces: of variables with the keys of the map; all cells without a map."""
        schema = self.first.schema
        if schema.facts.map is None:
            return self._all_cells
        keys = schema.variables[schema.facts.map.variable].keys
        names = {name for name, variable in schema.variables.items() if variable.keys == keys}
        of_pieces = (
            part for part in self.shared.entries if part.name.partition(" of ")[0] in names
        )
        return _Cells.of(tuple(of_pieces))

    def are_equal(self, pair: PairedState) -> bool:
        """Whether the pieces and the outcomes of the games are the same.

        Other entries are notes of the rules: while they differ, play goes on, to see whether it matters.
        """
        return (self._all_cells if self.is_strict else self._pieces).are_equal(pair)

    def are_identical(self, pair: PairedState) -> bool:
        """Whether all common entries of the states and the outcomes of the games are the same."""
        return self._all_cells.are_equal(pair)

    # -------------------------------------------------------------- codes
    def corresponding(self, code: int) -> int | None:
        """The code in the second ruleset of an action of the first one; None if there is none."""
        if code not in self._codes_in_second:
            self._codes_in_second[code] = _translated(code, self.first, self.second)
        return self._codes_in_second[code]

    def corresponding_back(self, code: int) -> int | None:
        """The code in the first ruleset of an action of the second one; None if there is none."""
        if code not in self._codes_in_first:
            self._codes_in_first[code] = _translated(code, self.second, self.first)
        return self._codes_in_first[code]

    # -------------------------------------------------------------- comparison
    def compare(self, pair: PairedState) -> tuple[StepDivergence | None, list[int], list[int]]:
        """How the rulesets diverge at a moment at which the states are equal, and the codes of the actions of each.

        There are no codes unless both rulesets wait for a decision.

        Raises:
            EngineError: a ruleset violates a bound.
        """
        first, second = self.first.machine, self.second.machine
        points = first.point(pair.first), second.point(pair.second)
        if points[0] is None and points[1] is None:
            return None, [], []
        is_choice = [isinstance(point, DecisionPoint) for point in points]
        if all(is_choice):
            codes, others = first.legal(pair.first), second.legal(pair.second)
            return self._compare_actions(codes, others), codes, others
        if None in points:
            return StepDivergence("outcome"), [], []
        if any(is_choice) or self._common_outcomes(pair) is None:
            return StepDivergence("odds"), [], []
        return None, [], []

    def _compare_actions(self, codes: list[int], other_codes: list[int]) -> StepDivergence | None:
        translations = self._codes_in_second
        try:
            translated = [translations[code] for code in codes]
        except KeyError:
            translated = [self.corresponding(code) for code in codes]
        if translated == other_codes:
            return None
        in_first, in_second = set(codes), set(other_codes)
        for code, other_code in zip(codes, translated, strict=True):
            if other_code not in in_second:
                return StepDivergence("legal", code)
        for code in other_codes:
            if self.corresponding_back(code) not in in_first:
                return StepDivergence("legal", code, is_of_first=False)
        return None

    def prefer(
        self,
        reached: StepDivergence,
        wanted: StepDivergence,
        codes: Sequence[int],
        other_codes: Sequence[int],
    ) -> StepDivergence:
        """The wanted divergence if the rulesets also diverge in its action at this moment; else the one reached."""
        if reached.kind != "legal" or wanted.kind != "legal" or wanted.code is None:
            return reached
        corresponding = self.corresponding if wanted.is_of_first else self.corresponding_back
        own, others = (codes, other_codes) if wanted.is_of_first else (other_codes, codes)
        is_wanted = wanted.code in own and corresponding(wanted.code) not in others
        return wanted if is_wanted else reached

    # -------------------------------------------------------------- chance
    def _common_outcomes(
        self, pair: PairedState
    ) -> Mapping[Hashable, tuple[object, PairedMove]] | None:
        """The outcomes of chance by their meaning, with probability and move; None if the rulesets differ in them."""
        first, second = (_outcomes(side.machine, slots) for side, slots in _with_slots(self, pair))
        if first is None or second is None:
            return None
        odds = [{key: chance for key, (chance, _) in side.items()} for side in (first, second)]
        if odds[0] != odds[1]:
            return None
        return {
            key: (chance, PairedMove(-1 - outcome, -1 - second[key][1]))
            for key, (chance, outcome) in first.items()
        }

    def moves(self, pair: PairedState, codes: Sequence[int]) -> list[PairedMove]:
        """What can be played in step at a moment at which the rulesets do not diverge; `codes` are its actions."""
        if codes:
            pairs = ((code, self.corresponding(code)) for code in codes)
            return [PairedMove(code, paired) for code, paired in pairs if paired is not None]
        if pair.first[POINT] == 0:
            return []
        return [move for _, move in (self._common_outcomes(pair) or {}).values()]

    def allows(self, pair: PairedState, codes: Sequence[int], move: PairedMove) -> bool:
        """Whether a move can be played at a moment at which the rulesets do not diverge; `codes` are as in `moves`."""
        return move.first in codes if move.first >= 0 else move in self.moves(pair, ())

    def play(self, pair: PairedState, move: PairedMove) -> None:
        """Play a move in both, in place.

        Raises:
            EngineError: a ruleset violates a bound.
        """
        self.first.machine.move(pair.first, move.first, None)
        self.second.machine.move(pair.second, move.second, None)

    def advance(self, pair: PairedState, move: PairedMove) -> StepDivergence | None:
        """Play a move in both, in place; how the rulesets diverge by it.

        Raises:
            EngineError: a ruleset violates a bound.
        """
        self.play(pair, move)
        return None if self.are_equal(pair) else StepDivergence("outcome")

    # -------------------------------------------------------------- walks
    def walk(
        self,
        pair: PairedState,
        rng: Random,
        max_decisions: int,
        on_moment: Callable[[PairedState], None],
    ) -> tuple[list[PairedMove], StepDivergence | None]:
        """Play random moves, in place, until the rulesets diverge, the game ends, or `max_decisions` are made.

        Calls `on_moment` with each moment. Returns the moves, and how the rulesets diverge.

        Raises:
            EngineError: a ruleset violates a bound.
        """
        path: list[PairedMove] = []
        for _ in range(max_decisions):
            divergence, codes, _ = self.compare(pair)
            if divergence is not None:
                return path, divergence
            on_moment(pair)
            move = self._random_move(pair, codes, rng)
            if move is None:
                return path, None
            path.append(move)
            divergence = self.advance(pair, move)
            if divergence is not None:
                return path, divergence
        return path, None

    def _random_move(self, pair: PairedState, codes: list[int], rng: Random) -> PairedMove | None:
        if codes:
            code = codes[int(rng.random() * len(codes))]
            other_code = self.corresponding(code)
            return None if other_code is None else PairedMove(code, other_code)
        if pair.first[POINT] == 0:
            return None
        outcomes = list((self._common_outcomes(pair) or {}).values())
        if not outcomes:
            return None
        weights = [float(chance) for chance, _ in outcomes]  # type: ignore[arg-type]
        return rng.choices([move for _, move in outcomes], weights)[0]

    # -------------------------------------------------------------- beginnings
    def run(self, pair: PairedState) -> None:
        """Run both, from the block at which they stand to the next decision or chance point."""
        for side, slots in _with_slots(self, pair):
            if slots[POINT] >= 0:
                side.machine.run(slots, slots[POINT], None)


def _outcomes(machine: Machine, slots: Slots) -> dict[Hashable, tuple[object, int]] | None:
    """The outcomes of chance by their meaning, with probability and number; None at another point."""
    point = machine.point(slots)
    if isinstance(point, DicePoint):
        return {
            machine.dice_of(point, outcome): (probability, outcome)
            for outcome, probability in machine.outcomes(slots)
        }
    if isinstance(point, DrawPoint):
        type_ = machine.facts.outcome_type(-1 - slots[POINT])
        return {
            value_text(outcome, type_): (probability, outcome)
            for outcome, probability in machine.outcomes(slots)
        }
    return None


def _comparison(type_: types.Type, other_type: types.Type) -> Callable[[int, int], bool]:
    """A test whether two codes of different types mean the same."""

    @lru_cache(maxsize=1 << 12)
    def is_same(code: int, other_code: int) -> bool:
        return value_text(code, type_) == value_text(other_code, other_type)

    return is_same


def _translated(code: int, of: PlayedRuleset, to: PlayedRuleset) -> int | None:
    """The code of an action in another ruleset: the action with the same name, player and arguments."""
    form = of.notation.form_of(code)
    player, args = form.decode(code, len(of.ruleset.players))
    other_form = next(
        (candidate for candidate in to.notation.forms if candidate.name == form.name), None
    )
    if other_form is None or len(other_form.params) != len(form.params):
        return None
    codes = []
    for arg, (_, type_), (_, other_type) in zip(args, form.params, other_form.params, strict=True):
        code_there = to.codes_by_word(other_type).get(value_text(arg, type_))
        if code_there is None:
            return None
        codes.append(code_there)
    return other_form.encode(player, tuple(codes))


def _codes_by_word(type_: types.Type) -> dict[str, int]:
    """The codes of the values of a type by their texts; none of a type with very many values."""
    if types.size(type_) > types.MAX_TABLE:
        return {}
    return {value_text(code, type_): code for code in codes_of(type_)}


def breaks_invariant(pair: PairedState, lockstep: Lockstep) -> bool:
    """Whether an invariant of one of the rulesets does not hold."""
    return any(_is_broken(side.machine, slots) for side, slots in _with_slots(lockstep, pair))


def _with_slots(lockstep: Lockstep, pair: PairedState) -> Iterator[tuple[PlayedRuleset, Slots]]:
    yield lockstep.first, pair.first
    yield lockstep.second, pair.second


def _is_broken(machine: Machine, slots: Slots) -> bool:
    try:
        return not all(holds(slots) for _, holds in machine.invariants)
    except FAULTS:
        return True
