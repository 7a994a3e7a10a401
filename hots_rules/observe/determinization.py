"""Whole states that a player cannot tell from the game: what an honest bot may think of.

A world is made of what the player sees alone, and of a seed. Every hidden thing of a secret type gets one of
the places at which backs are seen, every hidden value one that the ruleset's invariants allow. What
the places are worth by the play so far is not weighed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
from itertools import product
from random import Random
from typing import Generic, TypeVar

from attrs import frozen

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.compile.points import DecisionPoint, Slots
from hots_rules.diagnostics import HotsError, NoConsistentWorld
from hots_rules.observe.information_state import (
    InformationState,
    information_state,
    tracker_of,
)
from hots_rules.observe.observer import Visibility, viewer_of
from hots_rules.observe.permute import Permuter
from hots_rules.observe.tracking import StackTracker
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.state import State

G = TypeVar("G", bound=BaseGame)
MAX_TRIES = 60
FEW = 4
MAX_STEPS = 4000
MIXING = 8
MAX_DOMAIN = 256
_FAULTS = (HotsError, ArithmeticError, LookupError, TypeError, ValueError)


def worlds_of(game: G, player: str | None, n: int, seed: int | str) -> Iterator[G]:
    """So many worlds, one after the other.

    Raises:
        NoConsistentWorld: none was found in bounded time.
    """
    imagining = sampler_of(game, viewer_of(game, player))
    chance = Random(f"worlds/{seed}")
    for number in range(n):
        yield imagining.world(chance, f"{seed}/{number}")


def sampler_of(game: G, viewer: int) -> DeterminizationSampler[G]:
    """The sampler of worlds for a player; what it derived from its moment is kept with the game."""
    key = (DeterminizationSampler, viewer)
    sampler: DeterminizationSampler[G] | None = game.memo.get(key)
    if sampler is None:
        sampler = game.memo.setdefault(key, DeterminizationSampler(game, viewer))
    return sampler.afresh()


def consistent_worlds(game: G, viewer: int) -> tuple[G, ...]:
    """A few worlds, always the same at one moment: what stands in all of them a player may be told.

    Raises:
        NoConsistentWorld: none was found in bounded time.
    """
    imagining = sampler_of(game, viewer)
    if not imagining.few:
        chance = Random("a few")
        imagining.few += [imagining.world(chance, f"a few/{number}") for number in range(FEW)]
    return tuple(imagining.few)


@frozen
class HiddenSlot:
    """A place at which a back is seen: `kind` and `thing` say where the state tells of it."""

    kind: int
    thing: int
    stack: int


class DeterminizationSampler(Generic[G]):
    """Makes worlds for one player at one moment; nothing in them follows from what is hidden."""

    def __init__(self, game: G, viewer: int) -> None:
        self.game = game
        self.viewer = viewer
        self.looking = tracker_of(game, viewer)
        self.eyes = self.looking.eyes
        self.schema = self.eyes.schema
        self.machine = game.machine
        self.memory = information_state(game, viewer)
        self.look: Visibility = self.eyes.look(game.state.slots)
        self.permuter = Permuter(self.eyes)
        self._first = self._first_holders()
        self._holders = self._first
        self._loose: dict[int, int] | None = None
        self.few: list[G] = []

    def afresh(self) -> DeterminizationSampler[G]:
        """The same before anything was thought of."""
        found = copy(self)
        found._holders, found._loose = list(self._first), None
        return found

    # -------------------------------------------------------------- what is known
    @cached_property
    def seats(self) -> tuple[HiddenSlot, ...]:
        """The places of backs, in an order that tells nothing."""
        return tuple(
            HiddenSlot(kind, thing, number)
            for kind, backs in enumerate(self.memory.backs)
            for thing, number in sorted(
                backs.numbers.items(),
                key=lambda row: (row[1], self.permuter.marks(self.game.state.slots, kind, row[0])),
            )
        )

    @cached_property
    def _erased(self) -> Slots:
        """The state with every hidden value blank, and hidden things at the seats in their own order."""
        slots = list(self.game.state.slots)
        for variable, offset in self._hidden_cells:
            slots[variable.base + offset] = types.blank_code(variable.type)
        holders = self._in_order()
        places: list[dict[int, int]] = [{} for _ in self.eyes.kinds]
        for seat, thing in zip(self.seats, holders, strict=True):
            places[seat.kind][seat.thing] = thing
        return self.permuter.permuted(slots, places)

    @cached_property
    def _hidden_cells(self) -> tuple[tuple[Variable, int], ...]:
        return tuple(
            (self.schema.variables[name], offset)
            for name, mask in self.look.cells.items()
            for offset in bits(mask)
        )

    def _in_order(self) -> list[int]:
        """The hidden things of each kind in the order of their type: who sits where to begin with."""
        return [thing for mask in self.look.things for thing in bits(mask)]

    # -------------------------------------------------------------- hidden values of things
    @cached_property
    def _claims(self) -> tuple[tuple[int, ...], ...]:
        """The functions that speak of the things of each kind, by number."""
        return tuple(
            tuple(n for n, type_ in enumerate(self.machine.facts.claims) if type_ == kind.type)
            for kind in self.eyes.kinds
        )

    @cached_property
    def _about(self) -> tuple[tuple[Variable, ...], ...]:
        """The secret variables that have the things of each kind as their only key."""
        kept = [self.schema.variables[name] for name in self.eyes.kept]
        return tuple(
            tuple(variable for variable in kept if variable.keys == (kind.type,))
            for kind in self.eyes.kinds
        )

    def _domain(self, slots: Slots, kind: int, thing: int, at: int) -> list[tuple[int, ...]]:
        """The hidden values that a thing can have at a seat; none if it cannot be there at all."""
        dark = [v for v in self._about[kind] if self.look.hides(v, at)]
        found = []
        size = 1
        for variable in dark:
            size *= types.size(variable.type)
        if size > MAX_DOMAIN:
            return []
        for values in product(*(codes_of(variable.type) for variable in dark)):
            for variable, value in zip(dark, values, strict=True):
                slots[variable.base + thing] = value
            self.schema.reindex(slots, (variable.name for variable in dark))
            if all(self._holds(number, slots, thing) for number in self._claims[kind]):
                found.append(values)
        return found

    def _holds(self, number: int, slots: Slots, thing: int) -> bool:
        try:
            return bool(self.machine.claims[number](slots, thing))
        except _FAULTS:
            return False

    @cached_property
    def _domains(self) -> Mapping[tuple[int, int, int], list[tuple[int, ...]]]:
        """For a kind, a thing and a stack: the values that the thing can have there."""
        found: dict[tuple[int, int, int], list[tuple[int, ...]]] = {}
        first = self._in_order()
        for seat, holder in zip(self.seats, first, strict=True):
            for other in bits(self.look.things[seat.kind]):
                key = seat.kind, other, seat.stack
                if key not in found:
                    places: list[dict[int, int]] = [{} for _ in self.eyes.kinds]
                    places[seat.kind] = {holder: other, other: holder}
                    slots = self.permuter.permuted(self._erased, places)
                    fits = self._looks_like(slots, seat, other)
                    found[key] = self._domain(slots, *key[:2], seat.thing) if fits else []
        return found

    def _looks_like(self, slots: Slots, seat: HiddenSlot, thing: int) -> bool:
        """Whether a thing at a seat is hidden there from the viewer, and known to the same players."""
        kind, bit = self.eyes.kinds[seat.kind], 1 << thing
        owners = kind.owners(slots, len(self.schema.players), bit)
        face = self.memory.backs[seat.kind].faces[seat.thing]
        return not kind.known(slots, self.viewer, bit, ()) and face[0] == tuple(
            owner >> thing & 1 for owner in owners
        )

    @cached_property
    def _known_things(self) -> tuple[tuple[int, int, list[tuple[int, ...]]], ...]:
        """The things that are known but have hidden values, with what those can be."""
        found = []
        for kind, mask in enumerate(self.look.things):
            type_ = self.eyes.kinds[kind].type
            assert type_ is not None
            for thing in range(len(type_.values)):
                dark = any(self.look.hides(variable, thing) for variable in self._about[kind])
                if dark and not mask >> thing & 1:
                    domain = self._domain(list(self._erased), kind, thing, thing)
                    found.append((kind, thing, domain))
        return tuple(found)

    def _can_sit(self, seat: HiddenSlot, thing: int) -> bool:
        return bool(self._domains[seat.kind, thing, seat.stack])

    # -------------------------------------------------------------- who sits where
    def _first_holders(self) -> list[int]:
        """Who sits where, so that each can be there: found by making room (augmenting paths)."""
        taken: dict[int, int] = {}  # by seat the thing
        for kind, mask in enumerate(self.look.things):
            for thing in bits(mask):
                if not self._seated(kind, thing, taken, set()):
                    raise NoConsistentWorld("expected a place for every hidden thing, got fewer")
        return [taken[number] for number in range(len(self.seats))]

    def _seated(self, kind: int, thing: int, taken: dict[int, int], tried: set[int]) -> bool:
        fit = [
            number
            for number, seat in enumerate(self.seats)
            if seat.kind == kind and number not in tried and self._can_sit(seat, thing)
        ]
        for number in sorted(fit, key=lambda number: number in taken):
            if number not in tried:
                tried.add(number)
                if number not in taken or self._seated(kind, taken[number], taken, tried):
                    taken[number] = thing
                    return True
        return False

    def _mix(self, chance: Random) -> None:
        """Things change seats two by two, wherever both can sit."""
        many = len(self.seats)
        for _ in range(MIXING * many if many > 1 else 0):
            one, other = chance.randrange(many), chance.randrange(many)
            here, there = self.seats[one], self.seats[other]
            a, b = self._holders[one], self._holders[other]
            if here.kind == there.kind and self._can_sit(here, b) and self._can_sit(there, a):
                self._holders[one], self._holders[other] = b, a

    # -------------------------------------------------------------- hidden values of their own
    @cached_property
    def _free_names(self) -> set[str]:
        """The variables with hidden cells that belong to no thing."""
        owned = {variable.name for variables in self._about for variable in variables}
        return {variable.name for variable, _ in self._hidden_cells} - owned

    def _index(self, slots: Slots) -> None:
        """Makes the indexes agree with the free cells."""
        self.schema.reindex(slots, self._free_names)

    @cached_property
    def _free_slots(self) -> tuple[tuple[int, types.Type], ...]:
        """The hidden cells that belong to no thing, with their types."""
        return tuple(
            (variable.base + offset, variable.type)
            for variable, offset in self._hidden_cells
            if variable.name in self._free_names
        )

    @cached_property
    def _checks(self) -> tuple[int, ...]:
        """The invariants that look at variables with such cells, by number."""
        names = self._free_names
        invariants = self.machine.facts.invariants
        return tuple(n for n, fact in enumerate(invariants) if names & set(fact.variables))

    def _broken(self, slots: Slots, numbers: tuple[int, ...]) -> int:
        """How many of some invariants do not hold."""
        return sum(not self._is_kept(slots, number) for number in numbers)

    def _is_kept(self, slots: Slots, number: int) -> bool:
        try:
            return bool(self.machine.invariants[number][1](slots))
        except _FAULTS:
            return False

    def _settle(self, slots: Slots, chance: Random) -> None:
        """Gives the free cells values, step by step: until nothing is broken, then on for a while."""
        free, checks = self._free_slots, self._checks
        if not free:
            return
        for slot, _ in free:
            slots[slot] = self._loose[slot] if self._loose is not None else slots[slot]
        self._index(slots)
        broken = self._broken(slots, checks)
        left = MIXING * len(free)
        for _ in range(MAX_STEPS):
            if not broken:
                left -= 1
                if left < 0:
                    break
            before = {slot: slots[slot] for slot, _ in free}
            self._nudge(slots, chance)
            self._index(slots)
            now = self._broken(slots, checks)
            if now <= broken:
                broken = now
            else:
                for slot, value in before.items():
                    slots[slot] = value
                self._index(slots)

    def _nudge(self, slots: Slots, chance: Random) -> None:
        """One cell takes another value, or one number passes to another cell."""
        slot, type_ = chance.choice(self._free_slots)
        if isinstance(type_, types.IntType):
            step = chance.choice((-1, 1))
            numbers = [s for s, other in self._free_slots if other == type_ and s != slot]
            if numbers and chance.random() < 0.7:
                to = chance.choice(numbers)
                if type_.low <= slots[to] - step <= type_.high:
                    self._step(slots, slot, step, type_)
                    self._step(slots, to, -step, type_)
                return
            self._step(slots, slot, step, type_)
        elif isinstance(type_, types.SetType):
            slots[slot] ^= 1 << chance.choice(codes_of(type_.member))
        else:
            slots[slot] = chance.choice(codes_of(type_))

    @staticmethod
    def _step(slots: Slots, slot: int, step: int, type_: types.IntType) -> None:
        if type_.low <= slots[slot] + step <= type_.high:
            slots[slot] += step

    # -------------------------------------------------------------- a world
    def world(self, chance: Random, seed: str) -> G:
        """One world.

        Raises:
            NoConsistentWorld: none was found in bounded time.
        """
        for _ in range(MAX_TRIES):
            self._mix(chance)
            places = self._places()
            slots = self._filled(chance, places)
            if self._is_sound(slots, chance, seed):
                self._loose = {slot: slots[slot] for slot, _ in self._free_slots}
                return self._game(slots, places, seed)
            self._loose = None
        raise NoConsistentWorld(
            f"expected a state that fits what is known, got none in {MAX_TRIES} tries"
        )

    def twin(self, chance: Random, seed: str) -> tuple[G, list[dict[int, int]]]:
        """A world with a seed of its own, and what each hidden thing of the game is there.

        For tests alone: what a thing is there tells which it is in the game.
        """
        world = self.world(chance, seed)
        places: list[dict[int, int]] = [{} for _ in self.eyes.kinds]
        for seat, thing in zip(self.seats, self._holders, strict=True):
            places[seat.kind][seat.thing] = thing
        return world, places

    def _places(self) -> list[dict[int, int]]:
        """From the things as they sit to begin with to those that sit there in this world."""
        places: list[dict[int, int]] = [{} for _ in self.eyes.kinds]
        for seat, first, thing in zip(self.seats, self._in_order(), self._holders, strict=True):
            places[seat.kind][first] = thing
        return places

    def _filled(self, chance: Random, places: list[dict[int, int]]) -> Slots:
        slots = self.permuter.permuted(self._erased, places)
        for seat, thing in zip(self.seats, self._holders, strict=True):
            values = chance.choice(self._domains[seat.kind, thing, seat.stack])
            self._give(slots, seat.kind, thing, seat.thing, values)
        for kind, thing, domain in self._known_things:
            if domain:
                self._give(slots, kind, thing, thing, chance.choice(domain))
        self.schema.reindex(slots)
        self._settle(slots, chance)
        return slots

    def _give(self, slots: Slots, kind: int, thing: int, at: int, values: tuple[int, ...]) -> None:
        dark = [v for v in self._about[kind] if self.look.hides(v, at)]
        for variable, value in zip(dark, values, strict=True):
            slots[variable.base + thing] = value

    def _is_sound(self, slots: Slots, chance: Random, seed: str) -> bool:
        """Whether invariants hold, the player sees and may do the same, and play can go on."""
        if self._broken(slots, tuple(range(len(self.machine.invariants)))):
            return False
        if not self._hides_the_same(self.eyes.look(slots)):
            return False
        try:
            return self._goes_on(slots, chance, seed)
        except _FAULTS:
            return False

    def _hides_the_same(self, look: Visibility) -> bool:
        """Whether as many things are hidden, and the same free cells."""
        things = zip(look.things, self.look.things, strict=True)
        return all(one.bit_count() == other.bit_count() for one, other in things) and all(
            look.cells[name] == mask
            if name in self._free_names
            else look.cells[name].bit_count() == mask.bit_count()
            for name, mask in self.look.cells.items()
        )

    def _goes_on(self, slots: Slots, chance: Random, seed: str) -> bool:
        point = self.machine.point(slots)
        if point is None:
            return True
        if not isinstance(point, DecisionPoint):
            outcome, _ = chance.choice(self.machine.outcomes(slots))
            self.machine.resume(slots.copy(), outcome, seed)
            return True
        legal = self.machine.legal(slots)
        if self._own(legal) != self._own(self.game.legal_codes):
            return False
        self.machine.play(slots.copy(), chance.choice(legal), seed)
        return True

    def _own(self, codes: tuple[int, ...] | list[int]) -> list[int]:
        return [code for code in codes if self.machine.player_of(code) == self.viewer]

    def _game(self, slots: Slots, places: list[dict[int, int]], seed: str) -> G:
        game, packed = self.game, tuple(slots)
        backs = tuple(
            StackTracker(
                {thing: seat.stack for seat, thing in self._sitting(kind)},
                {thing: old.faces[seat.thing] for seat, thing in self._sitting(kind)},
                old.free,
            )
            for kind, old in enumerate(self.memory.backs)
        )
        memory = InformationState(packed, 0, self.memory.plays, self.memory.floor, backs)
        return type(game)(
            game.ruleset,
            game.scenario,
            seed,
            game.settings,
            game.chance,
            State(packed, game.state.schema),
            (),
            game.initial_position,
            None,
            packed,
            {(InformationState, self.viewer): memory},
        )

    def _sitting(self, kind: int) -> Iterator[tuple[HiddenSlot, int]]:
        for seat, thing in zip(self.seats, self._holders, strict=True):
            if seat.kind == kind:
                yield seat, thing
