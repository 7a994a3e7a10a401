"""Candidates: moments from which two rulesets diverge, which are made small and written as witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from attrs import evolve, frozen

from hots_rules.compile.codes import Slots, codes_of, value_text
from hots_rules.diagnostics import HotsError
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import outcome_at
from hots_rules.rules.typed import value_types as types
from hots_rules.state.position import full_position, read_position
from hots_rules.state.state import State
from hots_rules.witness.lockstep import (
    FAULTS,
    Lockstep,
    PairedMove,
    PairedState,
    PlayedRuleset,
    StepDivergence,
    breaks_invariant,
)
from hots_rules.witness.witnesses import Witness, non_default_settings, played

_SMALL = 4  # values of a cell that shrinking tries, from the lowest one
_MAX_OF_KEY = 4  # cells of one key of which shrinking tries all pairs
_CellChange = tuple[int, int, int, int]
"""The slot of a cell and its code in the first ruleset, the slot and the code in the second."""
RootChange = tuple[_CellChange, ...]
"""Cells of the root of a candidate that are changed together."""


@frozen
class Candidate:
    """A beginning and a path at the end of which the rulesets diverge.

    Attributes:
        root: the states at the beginning, before play runs to the first choice.
        path: the moves from there.
        divergence: how they diverge behind the last move.
        scenario: the scenario that begins so; empty for a position.
    """

    root: PairedState
    path: tuple[PairedMove, ...]
    divergence: StepDivergence
    scenario: str = ""


@frozen(slots=False)
class Shrinker:
    """Makes candidates small.

    Attributes:
        lockstep: the rulesets.
        is_late: whether the time is over; then no smaller candidate is tried.
        confirms: whether a smaller candidate is accepted.
        kept: entries of which at least one must still differ in a smaller candidate; empty if none has to.
    """

    lockstep: Lockstep
    is_late: Callable[[], bool] = lambda: False
    confirms: Callable[[Candidate], bool] = lambda candidate: True
    kept: frozenset[str] = frozenset()

    # -------------------------------------------------------------- replay
    def tried(
        self, root: PairedState, path: Sequence[PairedMove], divergence: StepDivergence
    ) -> Candidate | None:
        """The candidate if the rulesets diverge on the path or at its end, in the same way; it may be shorter."""
        pair, lockstep = root.copy(), self.lockstep
        try:
            if breaks_invariant(pair, lockstep):
                return None
            lockstep.run(pair)
            if not lockstep.are_equal(pair):
                return None
            for number in range(len(path) + 1):
                reached, codes, others = lockstep.compare(pair)
                if reached is not None:
                    reached = lockstep.prefer(reached, divergence, codes, others)
                    same = self._same(root, path[:number], reached, divergence)
                    if same or number == len(path) or reached.kind != "legal":
                        return same
                    # They diverge in another action here, and both allow the one that is played.
                    if path[number].first not in codes or path[number].second not in others:
                        return None
                elif number == len(path) or not lockstep.allows(pair, codes, path[number]):
                    return None
                reached = lockstep.advance(pair, path[number])
                if reached is not None:
                    return self._same(root, path[: number + 1], reached, divergence)
        except FAULTS:
            return None
        return None

    def _same(
        self,
        root: PairedState,
        path: Sequence[PairedMove],
        reached: StepDivergence,
        wanted: StepDivergence,
    ) -> Candidate | None:
        """The candidate, if the rulesets diverge in the wanted way after a choice of a player; else None."""
        is_choice = any(move.first >= 0 for move in path)
        if reached.kind != wanted.kind or not (is_choice or reached.kind == "legal"):
            return None
        if reached.kind == "legal" and (reached.code, reached.is_of_first) != (
            wanted.code,
            wanted.is_of_first,
        ):
            return None
        return Candidate(root, tuple(path), reached)

    # -------------------------------------------------------------- roots
    def rooted(self, candidate: Candidate) -> Iterator[Candidate]:
        """The divergence from later beginnings: moments on the path that both rulesets read from text; last first."""
        for number in reversed(_choices(candidate)):
            root = self._after(candidate, number)
            text = "" if root is None else self.text(root)
            if text and (read := self.read(text)):
                later = self.tried(read, candidate.path[number:], candidate.divergence)
                if later is not None:
                    yield later
        if candidate.scenario:
            yield candidate

    def _after(self, candidate: Candidate, number: int) -> PairedState | None:
        pair = candidate.root.copy()
        if number:
            self.lockstep.run(pair)
        for move in candidate.path[:number]:
            self.lockstep.play(pair, move)
        return pair

    def text(self, pair: PairedState) -> str:
        """The position of a moment, with the variables that both rulesets have; empty if it cannot be written."""
        side, slots = self.lockstep.first, list(pair.first)
        shared = {both.slot for both in self.lockstep.shared.entries}
        for variable, _, slot in side.schema.cells():
            if slot not in shared:
                slots[slot] = variable.initial
        try:
            return full_position(side.machine, State(tuple(slots), side.schema))
        except FAULTS:
            return ""

    def read(self, text: str) -> PairedState | None:
        """Both rulesets at the beginning of a position; None if one cannot read it."""
        try:
            slots = [read_position(side.schema, side.machine, text) for side in self.lockstep.sides]
        except FAULTS:
            return None
        return PairedState(*slots)

    # -------------------------------------------------------------- smaller ones
    def smaller(self, candidate: Candidate) -> Iterator[Candidate]:
        """Ever smaller candidates: with fewer moves and entries and with smaller values, until none is found."""
        yield from evolve(self, kept=self._differing(candidate))._smaller(candidate)

    def _differing(self, candidate: Candidate) -> frozenset[str]:
        """The common entries that differ at the end of the path."""
        pair = candidate.root.copy()
        self.lockstep.run(pair)
        for move in candidate.path:
            self.lockstep.play(pair, move)
        return frozenset(
            name
            for name, slot, type_, other_slot, other_type in self.lockstep.shared.entries
            if self._code_in_other(pair.first[slot], type_, other_type) != pair.second[other_slot]
        )

    def _smaller(self, candidate: Candidate) -> Iterator[Candidate]:
        is_smaller = not candidate.scenario
        while is_smaller and not self.is_late():
            before = candidate
            yield (candidate := self._without_moves(candidate))
            yield (candidate := self._with_changes(candidate, [*self._groups(candidate)]))
            for pair in list(self._pairs(candidate)):
                candidate = self._changed(candidate, pair) or candidate
            yield (candidate := self._with_changes(candidate, [*self._cells(candidate)]))
            for values in self._values(candidate):
                candidate = self._with_first(candidate, values)
            yield candidate
            is_smaller = candidate != before

    def _without_moves(self, candidate: Candidate) -> Candidate:
        at = 0
        while at < len(candidate.path) and not self.is_late():
            path = (*candidate.path[:at], *candidate.path[at + 1 :])
            shorter = self._confirmed(self.tried(candidate.root, path, candidate.divergence))
            candidate, at = (shorter, at) if shorter else (candidate, at + 1)
        return candidate

    def _with_changes(self, candidate: Candidate, changes: list[RootChange]) -> Candidate:
        """The candidate with as many of some changes as possible: all, then halves, then single ones."""
        size = len(changes)
        while size and changes:
            kept: list[RootChange] = []
            for at in range(0, len(changes), size):
                some = changes[at : at + size]
                smaller = self._changed(
                    candidate, tuple(cell for change in some for cell in change)
                )
                if smaller is None:
                    kept += some
                candidate = smaller or candidate
            changes, size = kept, size // 2
        return candidate

    def _with_first(self, candidate: Candidate, values: Iterator[RootChange]) -> Candidate:
        """The candidate with the first of some changes that is possible."""
        changed = (self._changed(candidate, change) for change in values)
        return next(filter(None, changed), candidate)

    def _changed(self, candidate: Candidate, change: RootChange) -> Candidate | None:
        root = candidate.root.copy()
        for slot, code, other_slot, other_code in change:
            root.first[slot], root.second[other_slot] = code, other_code
        if root == candidate.root or self.is_late():
            return None
        self.lockstep.first.schema.reindex(root.first)
        self.lockstep.second.schema.reindex(root.second)
        if breaks_invariant(root, self.lockstep):
            return None
        return self._confirmed(self.tried(root, candidate.path, candidate.divergence))

    def _confirmed(self, candidate: Candidate | None) -> Candidate | None:
        """The candidate, unless `confirms` refuses it or none of the `kept` entries still differs."""
        if candidate is None or not self.confirms(candidate):
            return None
        if candidate.divergence.kind != "outcome" or not self.kept:
            return candidate
        return candidate if self.kept & self._differing(candidate) else None

    # -------------------------------------------------------------- changes
    def _entries(
        self, candidate: Candidate
    ) -> Iterator[tuple[str, int, types.Type, int, types.Type, int]]:
        """The common cells that differ from their initial values, with the initial code."""
        initial = self.lockstep.first.schema.initial
        beside = self._off_map_cells(candidate)
        for name, slot, type_, other_slot, other_type in self.lockstep.shared.entries:
            if candidate.root.first[slot] != initial[slot] and slot not in beside:
                yield name, slot, type_, other_slot, other_type, initial[slot]

    def _off_map_cells(self, candidate: Candidate) -> set[int]:
        """The cells of the places of pieces that are off the map; these stay there."""
        schema = self.lockstep.first.schema
        map_facts = schema.facts.map
        if map_facts is None or map_facts.is_board:
            return set()
        base = schema.variables[map_facts.variable].base
        cells = range(base, base + schema.variables[map_facts.variable].count)
        return {slot for slot in cells if candidate.root.first[slot] not in map_facts.spots}

    def _cells(self, candidate: Candidate) -> Iterator[RootChange]:
        for _, slot, type_, other_slot, other_type, code in self._entries(candidate):
            if (other_code := self._code_in_other(code, type_, other_type)) is not None:
                yield ((slot, code, other_slot, other_code),)

    def _groups(self, candidate: Candidate) -> Iterator[RootChange]:
        """All cells of one key, such as the place, the strength and the side of a piece."""
        groups: dict[str, list[_CellChange]] = {}
        for name, slot, type_, other_slot, other_type, code in self._entries(candidate):
            if (other_code := self._code_in_other(code, type_, other_type)) is not None:
                key = name.partition(" of ")[2]
                groups.setdefault(key, []).append((slot, code, other_slot, other_code))
        yield from map(tuple, groups.values())

    def _pairs(self, candidate: Candidate) -> Iterator[RootChange]:
        """Two cells of one key, which an invariant may tie: what has no place has no strength, though it has a side."""
        for group in self._groups(candidate):
            if 2 < len(group) <= _MAX_OF_KEY:
                yield from combinations(group, 2)

    def _values(self, candidate: Candidate) -> Iterator[Iterator[RootChange]]:
        """For each cell that differs from its initial value, changes to smaller values, the smallest first."""
        for _, slot, type_, other_slot, other_type, _ in self._entries(candidate):
            codes = _lower_codes(candidate.root.first[slot], type_)
            in_other = ((code, self._code_in_other(code, type_, other_type)) for code in codes)
            yield (
                ((slot, code, other_slot, other_code),)
                for code, other_code in in_other
                if other_code is not None
            )

    def _code_in_other(self, code: int, type_: types.Type, other_type: types.Type) -> int | None:
        """The code in the second ruleset of a value of a cell; None if its type lacks the value."""
        if type_ is other_type or type_ == other_type:
            return code
        return self.lockstep.second.codes_by_word(other_type).get(value_text(code, type_))

    # -------------------------------------------------------------- witnesses
    def candidate(self, witness: Witness) -> Candidate | None:
        """The candidate that a witness describes; None if the rulesets do not diverge in its action."""
        first, second = self.lockstep.sides
        try:
            games = witness.games_at_action(first.ruleset, second.ruleset)
            divergence = self._divergence(witness, games)
            if witness.kind != "legal":
                for text in (witness.action, *witness.chance):
                    games = played(games, text)
        except HotsError:
            return None
        root = self.read(witness.position)
        path = [PairedMove(*codes) for codes in zip(*(game.moves for game in games), strict=True)]
        return self.tried(root, path, divergence) if root and divergence else None

    def _divergence(
        self, witness: Witness, games: tuple[BaseGame, BaseGame]
    ) -> StepDivergence | None:
        """How the rulesets diverge, and in which action; None if neither of them allows it."""
        if witness.kind != "legal":
            return StepDivergence(witness.kind)
        for is_of_first, game in zip((True, False), games, strict=True):
            for code in game.legal_codes:
                if game.notation.text(code) == witness.action:
                    return StepDivergence("legal", code, is_of_first)
        return None

    def witness(self, candidate: Candidate, names: tuple[str, str]) -> Witness:
        """The candidate as text, replayed.

        Raises:
            HotsError: the text does not give the same.
        """
        lockstep, path = self.lockstep, candidate.path
        first, second = lockstep.first, lockstep.second
        last = _choices(candidate)[-1] if path or candidate.divergence.kind == "legal" else 0
        texts = self._texts(candidate)
        action = texts[last] if last < len(texts) else ""
        unplayed = Witness(
            candidate.divergence.kind,
            names[0],
            names[1],
            "" if candidate.scenario else self.text(candidate.root),
            action,
            tuple(texts[:last]),
            tuple(texts[last + 1 :]),
            candidate.scenario,
            (
                non_default_settings(first.ruleset, first.settings),
                non_default_settings(second.ruleset, second.settings),
            ),
        )
        return unplayed.replayed(first.ruleset, second.ruleset)

    def _texts(self, candidate: Candidate) -> list[str]:
        """The moves and the action of "legal", as the rulesets write them."""
        side, divergence = self.lockstep.first, candidate.divergence
        texts = []
        pair = candidate.root.copy()
        self.lockstep.run(pair)
        for move in candidate.path:
            texts.append(_text(side, pair.first, move.first))
            self.lockstep.play(pair, move)
        if divergence.code is not None:
            side = side if divergence.is_of_first else self.lockstep.second
            texts.append(side.notation.text(divergence.code))
        return texts


def _choices(candidate: Candidate) -> list[int]:
    """The places on the path where players choose; for "legal" the last one is its end."""
    at_end = [len(candidate.path)] if candidate.divergence.kind == "legal" else []
    return [number for number, move in enumerate(candidate.path) if move.first >= 0] + at_end


def _text(side: PlayedRuleset, slots: Slots, code: int) -> str:
    """A move as text."""
    notation = side.notation
    if code >= 0:
        return notation.text(code)
    return outcome_at(side.machine, slots, notation, -1 - code)


def _lower_codes(code: int, type_: types.Type) -> list[int]:
    """Smaller values than one: lower numbers, sets without a member."""
    if isinstance(type_, types.SetType):
        return [code & ~(1 << bit) for bit in range(code.bit_length()) if code >> bit & 1]
    if isinstance(type_, types.IntType):
        return [smaller for smaller in codes_of(type_)[:_SMALL] if smaller < code]
    return []
