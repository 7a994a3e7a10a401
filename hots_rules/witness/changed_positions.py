"""Positions made from the moments of games, in which some cells are changed."""

from __future__ import annotations

from functools import cached_property
from random import Random

from attrs import frozen

from hots_rules.compile.codes import codes_of, value_text
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.positions import KEPT
from hots_rules.witness.lockstep import Lockstep, PairedState, breaks_invariant

_FAVOURED, _PLACES = 0.4, 0.75  # how often a change is of a preferred cell, and of the map
_CELLS = 4  # most cells that are changed at once
_Cell = tuple[int, types.Type, int]
"""A slot in the first ruleset, its type, and the slot in the second one."""


@frozen(slots=False, eq=False)
class PositionChanger:
    """Changes moments of two rulesets in step.

    Attributes:
        lockstep: the rulesets.
        words: the names that changes prefer.
    """

    lockstep: Lockstep
    words: frozenset[str]

    def changed(self, pair: PairedState, rng: Random) -> PairedState | None:
        """A copy with some cells changed in both; None if it breaks an invariant."""
        changed = pair.copy()
        for _ in range(rng.randint(1, _CELLS)):
            self._change_one(changed, rng)
        self.lockstep.first.schema.reindex(changed.first)
        self.lockstep.second.schema.reindex(changed.second)
        return None if breaks_invariant(changed, self.lockstep) else changed

    def _change_one(self, pair: PairedState, rng: Random) -> None:
        """Change a cell that the preferred words name, or the place of a piece, or any cell."""
        favoured, places, variables = self._cells
        share = rng.random()
        if favoured and share < _FAVOURED:
            cells = favoured
        else:
            cells = places if places and share < _PLACES else rng.choice(variables)
        slot, type_, other_slot = rng.choice(cells)
        if isinstance(type_, types.SetType):
            code = pair.first[slot] ^ 1 << rng.randrange(types.size(type_.member))
        else:
            named = [code for code in codes_of(type_) if value_text(code, type_) in self.words]
            code = rng.choice(named if named and rng.random() < 0.5 else codes_of(type_))
        pair.first[slot] = pair.second[other_slot] = code

    @cached_property
    def _cells(self) -> tuple[list[_Cell], list[_Cell], list[list[_Cell]]]:
        """The cells that can be changed: those of preferred words, those of the map, those of each variable."""
        by_variable: dict[str, list[_Cell]] = {}
        favoured: list[_Cell] = []
        for name, slot, type_, other_slot, other_type in self.lockstep.shared.entries:
            variable, _, keys = name.partition(" of ")
            # What is kept for `repeated` are numbers of positions that were played, out of two thousand million.
            if type_ is other_type and types.size(type_) > 1 and variable not in KEPT:
                by_variable.setdefault(variable, []).append((slot, type_, other_slot))
                if self.words & {variable, *keys.split(", ")}:
                    favoured.append((slot, type_, other_slot))
        map_facts = self.lockstep.first.schema.facts.map
        places = by_variable.get(map_facts.variable, []) if map_facts else []
        return favoured, places, list(by_variable.values())
