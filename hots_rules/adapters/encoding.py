"""A view as a row of numbers from 0 to 1, of one length for all views of a ruleset.

What a view shows by name has places of its own. Things seen from behind have places too, as many as there are
things of their type: they fill them stack by stack, in the order of the stacks' numbers. What is hidden
is 0 everywhere; docs/adapters.md has the layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from hots_rules.compile.codes import codes_of
from hots_rules.compile.facts import Variable
from hots_rules.game import Game
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import SPECTATOR, Observer
from hots_rules.observe.view import View
from hots_rules.observe.view_data import UNKNOWN
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.values import value_text

Rows = Mapping[str, tuple[int, ...]]


@frozen(slots=False)
class Encoding:
    """How the views of one ruleset become numbers; the same for all its players."""

    eyes: Observer
    phases: tuple[str, ...]

    @classmethod
    def of(cls, game: Game) -> Encoding:
        """The encoding for a game and all that have its ruleset and settings."""
        phases = {point.phase for point in game.machine.facts.points}
        return cls(tracker_of(game, SPECTATOR).eyes, tuple(sorted(phases)))

    @property
    def schema(self) -> StateSchema:
        """The schema of the ruleset."""
        return self.eyes.schema

    @cached_property
    def size(self) -> int:
        """How many numbers a view has."""
        return self._head + sum(one.size for one in self._parts)

    @property
    def _head(self) -> int:
        return len(self.phases) + 2 * len(self.schema.players)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        found, base = [], self._head
        for variable in self.schema.variables.values():
            found.append(Part(self.eyes, variable, base))
            base += found[-1].size
        return tuple(found)

    def ones(self, view: View) -> Iterator[tuple[int, float]]:
        """The places of a view that are not 0, with what they hold."""
        players = self.schema.players
        if view.phase:
            yield self.phases.index(view.phase), 1.0
        for number, player in enumerate(players):
            if player in view.to_move:
                yield len(self.phases) + number, 1.0
            if player == view.player:
                yield len(self.phases) + len(players) + number, 1.0
        rows = stack_rows(view)
        for part in self._parts:
            yield from part.ones(view.state[part.variable.name], rows)


def stack_rows(view: View) -> dict[str, tuple[int, ...]]:
    """For the name of each stack the places that its things fill among those of their type."""
    rows: dict[str, tuple[int, ...]] = {}
    taken: dict[str, int] = {}
    for stack in view.stacks:
        first = taken.get(stack.type, 0)
        rows[stack.name] = tuple(range(first, first + stack.count))
        taken[stack.type] = first + stack.count
    return rows


@frozen(slots=False)
class Part:
    """The numbers of one variable: for each key those of its value."""

    eyes: Observer
    variable: Variable
    base: int

    @cached_property
    def keys(self) -> tuple[Axis, ...]:
        """The places of each key."""
        return tuple(Axis(self.eyes, type_) for type_ in self.variable.keys)

    @cached_property
    def value(self) -> Value:
        """How a value is written."""
        return Value(self.eyes, self.variable.type)

    @cached_property
    def size(self) -> int:
        """How many numbers it has."""
        size = self.value.size
        for key in self.keys:
            size *= key.size
        return size

    def ones(self, plain: Any, rows: Rows) -> Iterator[tuple[int, float]]:
        """The places that are not 0, of the variable as a view has it."""
        for at, value in _cells(plain, self.keys, rows):
            if value != UNKNOWN:
                first = self.base + at * self.value.size
                for place, number in self.value.ones(value, rows):
                    yield first + place, number


def _cells(plain: Any, keys: tuple[Axis, ...], rows: Rows) -> Iterator[tuple[int, Any]]:
    """Every value with the number of its keys; the value of a stack once for each of its things."""
    if not keys:
        yield 0, plain
        return
    rest = 1
    for key in keys[1:]:
        rest *= key.size
    for word, inner in plain.items():
        for at in keys[0].places(word, rows):
            for below, value in _cells(inner, keys[1:], rows):
                yield at * rest + below, value


@frozen(slots=False)
class Value:
    """How the values of a type are written: a number with a mark that it is known, a mark for each word."""

    eyes: Observer
    type: types.Type

    @property
    def is_number(self) -> bool:
        """Whether it is one number on a scale, not a mark among many."""
        return isinstance(self.type, types.IntType | types.BoolType)

    @cached_property
    def axis(self) -> Axis:
        """The places of the marks."""
        of = self.type.member if isinstance(self.type, types.SetType) else self.type
        return Axis(self.eyes, of)

    @cached_property
    def size(self) -> int:
        """How many numbers a value has."""
        if self.is_number:
            return 2
        return self.axis.size + isinstance(self.type, types.SetType)

    def ones(self, plain: Any, rows: Rows) -> Iterator[tuple[int, float]]:
        """The places that are not 0."""
        if self.is_number:
            yield 0, 1.0
            yield 1, self._scaled(plain)
        elif isinstance(self.type, types.SetType):
            for member in plain:
                yield from ((place, 1.0) for place in self.axis.places(member, rows))
            yield self.size - 1, 1.0
        else:
            yield from ((place, 1.0) for place in self.axis.places(plain, rows))

    def _scaled(self, plain: Any) -> float:
        if not isinstance(self.type, types.IntType):
            return float(plain)
        return float(plain - self.type.low) / max(self.type.high - self.type.low, 1)


@frozen(slots=False)
class Axis:
    """A place for each value of a type, and after them one for each thing that may be seen from behind."""

    eyes: Observer
    type: types.Type

    @cached_property
    def size(self) -> int:
        """How many places there are."""
        if self._sides is not None:
            return self._sides[0].size * self._sides[1].size
        return types.size(self.type) + sum(many for _, many in self._backs.values())

    @cached_property
    def _sides(self) -> tuple[Axis, Axis] | None:
        """Both values of a pair, where one of them may be seen from behind."""
        if isinstance(self.type, types.PairType) and self.eyes.may_be_hidden(self.type):
            return Axis(self.eyes, self.type.left), Axis(self.eyes, self.type.right)
        return None

    @cached_property
    def _backs(self) -> dict[str, tuple[int, int]]:
        """For each secret type whose things a value may be: where their places begin, and how many there are."""
        found: dict[str, tuple[int, int]] = {}
        if isinstance(self.type, types.WordType):
            at = types.size(self.type)
            for number in sorted({thing[0] for thing in self.eyes.things_in(self.type) if thing}):
                kind = self.eyes.kinds[number]
                assert kind.type is not None
                found[kind.name] = at, types.size(kind.type)
                at += types.size(kind.type)
        return found

    @cached_property
    def _known(self) -> dict[Any, int]:
        """The place of each value by what a view has for it, as a value and as a key."""
        plain = self.eyes.schema.to_python
        codes = codes_of(self.type)
        places = [self._place(code) for code in codes]
        said = {value_text(code, self.type): at for code, at in zip(codes, places, strict=True)}
        return said | {
            _name(plain(code, self.type)): at for code, at in zip(codes, places, strict=True)
        }

    def _place(self, code: int) -> int:
        if self._sides is not None and isinstance(self.type, types.PairType):
            (left, right), (one, other) = types.pair_parts(self.type, code), self._sides
            return one._place(left) * other.size + other._place(right)
        return code - types.lowest_code(self.type)

    def places(self, plain: Any, rows: Rows) -> tuple[int, ...]:
        """The place of what a view has; those of all its things for the name of a stack."""
        if self._sides is not None and isinstance(plain, list):
            one, other = self._sides
            return tuple(
                left * other.size + right
                for left in one.places(plain[0], rows)
                for right in other.places(plain[1], rows)
            )
        place = self._known.get(_name(plain))
        if place is not None:
            return (place,)
        first, _ = self._backs[plain.partition("#")[0]]
        return tuple(first + row for row in rows[plain])


def _name(plain: Any) -> Any:
    """A plain value as a key of a dictionary; `None` is no word."""
    return plain if isinstance(plain, str) else (repr(plain),)
