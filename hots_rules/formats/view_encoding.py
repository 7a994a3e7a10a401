"""A view as a vector of numbers from 0 to 1, of the same length for all views of a ruleset.

A value that a view shows has its own places in the vector. Face-down pieces have places too, as many
as there are pieces of their type; stacks fill them in the order of their numbers. Hidden values are 0 everywhere. The
how-to guide on adapters has the layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod
from typing import Any

from attrs import frozen

from hots_rules.compile.codes import codes_of, value_text
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import check_kind
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import SPECTATOR, Observer
from hots_rules.observe.view import View
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.data_text import UNKNOWN

# The rows of each stack among the pieces of its type.
Rows = Mapping[str, tuple[int, ...]]
# A value as a view has it.
Plain = Any
# A number of the vector that is not 0, with its index.
Cell = tuple[int, float]


@frozen(slots=False)
class ViewEncoding:
    """The vector layout for the views of one ruleset, the same for all players.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> encoding = hr.formats.ViewEncoding.of(game)
    >>> index, number = next(encoding.cells(game.view(game.to_move[0])))
    >>> 0 <= index < encoding.size, number
    (True, 1.0)
    """

    observer: Observer
    """What a spectator can see, with the variables of the ruleset."""
    phases: tuple[str, ...]
    """The phases in which players choose, sorted."""

    @classmethod
    def of(cls, game: BaseGame) -> ViewEncoding:
        """The encoding for a game, and for all games with its ruleset and settings."""
        check_kind("game", game, BaseGame, "a game")
        phases = {point.phase for point in game.machine.facts.points}
        return cls(tracker_of(game, SPECTATOR).observer, tuple(sorted(phases)))

    @cached_property
    def size(self) -> int:
        """The length of a vector."""
        return self.head_size + sum(block.size for block in self.blocks)

    @property
    def _players(self) -> tuple[str, ...]:
        return self.observer.schema.players

    @property
    def head_size(self) -> int:
        """The length of the part before the variables: the phase, who is to choose, and whose view it is."""
        return len(self.phases) + 2 * len(self._players)

    @cached_property
    def blocks(self) -> tuple[VariableBlock, ...]:
        """The parts of the variables, in their order."""
        blocks, base = [], self.head_size
        for variable in self.observer.schema.shown:
            blocks.append(VariableBlock(self.observer, variable, base))
            base += blocks[-1].size
        return tuple(blocks)

    def turn_index(self, player: int) -> int:
        """The index that is 1 while a player is to choose."""
        return len(self.phases) + player

    def player_index(self, player: int) -> int:
        """The index that is 1 in the views of a player."""
        return len(self.phases) + len(self._players) + player

    def cells(self, view: View) -> Iterator[Cell]:
        """The indexes of a view's vector that are not 0, each with its number."""
        if view.phase:
            yield self.phases.index(view.phase), 1.0
        for number, player in enumerate(self._players):
            if player in view.to_move:
                yield self.turn_index(number), 1.0
            if player == view.player:
                yield self.player_index(number), 1.0
        rows = _stack_rows(view)
        for block in self.blocks:
            yield from block.cells(view.state[block.variable.name], rows)


def _stack_rows(view: View) -> dict[str, tuple[int, ...]]:
    """The rows of each stack by its name: stacks of one type take the rows of that type one after the other."""
    rows: dict[str, tuple[int, ...]] = {}
    used: dict[str, int] = {}
    for stack in view.stacks:
        first = used.get(stack.type, 0)
        rows[stack.name] = tuple(range(first, first + stack.count))
        used[stack.type] = first + stack.count
    return rows


@frozen(slots=False)
class VariableBlock:
    """The numbers of one variable: for each of its keys those of its value."""

    observer: Observer
    variable: Variable
    base: int

    @cached_property
    def keys(self) -> tuple[Axis, ...]:
        return tuple(Axis(self.observer, type_) for type_ in self.variable.keys)

    @cached_property
    def value(self) -> ValueBlock:
        return ValueBlock(self.observer, self.variable.type)

    @cached_property
    def size(self) -> int:
        return self.value.size * prod(key.size for key in self.keys)

    def cells(self, plain: Plain, rows: Rows) -> Iterator[Cell]:
        """The cells of the variable, given as a view has it."""
        for row, value in _keyed_values(plain, self.keys, rows):
            if value != UNKNOWN:
                first = self.base + row * self.value.size
                for place, number in self.value.cells(value, rows):
                    yield first + place, number


def _keyed_values(plain: Plain, keys: tuple[Axis, ...], rows: Rows) -> Iterator[tuple[int, object]]:
    """Every value with the number of its keys; the value of a stack once for each of its pieces."""
    if not keys:
        yield 0, plain
        return
    stride = prod(key.size for key in keys[1:])
    for word, inner in plain.items():
        for place in keys[0].places(word, rows):
            for below, value in _keyed_values(inner, keys[1:], rows):
                yield place * stride + below, value


@frozen(slots=False)
class ValueBlock:
    """The numbers of one value: a scaled number with a mark that it is known, or a mark for each word."""

    observer: Observer
    type: types.Type

    @property
    def is_scaled(self) -> bool:
        return isinstance(self.type, types.IntType | types.BoolType)

    @cached_property
    def axis(self) -> Axis:
        member = self.type.member if isinstance(self.type, types.SetType) else self.type
        return Axis(self.observer, member)

    @cached_property
    def size(self) -> int:
        if self.is_scaled:
            return 2
        return self.axis.size + isinstance(self.type, types.SetType)

    def cells(self, plain: Plain, rows: Rows) -> Iterator[Cell]:
        if self.is_scaled:
            yield 0, 1.0
            yield 1, self.scaled(plain)
        elif isinstance(self.type, types.SetType):
            for member in plain:
                yield from ((place, 1.0) for place in self.axis.places(member, rows))
            yield self.size - 1, 1.0
        else:
            yield from ((place, 1.0) for place in self.axis.places(plain, rows))

    def scaled(self, plain: int) -> float:
        if not isinstance(self.type, types.IntType):
            return float(plain)
        return float(plain - self.type.low) / max(self.type.high - self.type.low, 1)


@frozen(slots=False)
class Axis:
    """A place for each value of a type, then one for each piece that may be face-down."""

    observer: Observer
    type: types.Type

    @cached_property
    def size(self) -> int:
        if self.sides is not None:
            return self.sides[0].size * self.sides[1].size
        return types.size(self.type) + sum(count for _, count in self._backs.values())

    @cached_property
    def sides(self) -> tuple[Axis, Axis] | None:
        """The axes of both values of a pair, if one of them may be face-down."""
        if isinstance(self.type, types.PairType) and self.observer.may_be_hidden(self.type):
            return Axis(self.observer, self.type.left), Axis(self.observer, self.type.right)
        return None

    @cached_property
    def _backs(self) -> dict[str, tuple[int, int]]:
        """The first place and the number of places of each secret type among the values."""
        backs: dict[str, tuple[int, int]] = {}
        if isinstance(self.type, types.WordType):
            first = types.size(self.type)
            pieces = self.observer.pieces_in(self.type)
            for number in sorted({piece[0] for piece in pieces if piece}):
                kind = self.observer.secret_types[number]
                assert kind.type is not None
                backs[kind.name] = first, types.size(kind.type)
                first += types.size(kind.type)
        return backs

    @cached_property
    def _known(self) -> dict[object, int]:
        """The place of each value by its form in a view, as a value and as a key."""
        to_python = self.observer.schema.to_python
        places = {code: self.place(code) for code in codes_of(self.type)}
        keys = {value_text(code, self.type): place for code, place in places.items()}
        return keys | {
            _hashable(to_python(code, self.type)): place for code, place in places.items()
        }

    def place(self, code: int) -> int:
        """The place of a value that is known."""
        if self.sides is not None and isinstance(self.type, types.PairType):
            (left, right), (left_axis, right_axis) = types.pair_parts(self.type, code), self.sides
            return left_axis.place(left) * right_axis.size + right_axis.place(right)
        return code - types.lowest_code(self.type)

    def first_back(self, number: int) -> int:
        """The first place of the face-down pieces of a secret type, by its number."""
        return self._backs[self.observer.secret_types[number].name][0]

    def places(self, plain: Plain, rows: Rows) -> tuple[int, ...]:
        """The place of a value as a view has it; for the name of a stack those of all its pieces."""
        if self.sides is not None and isinstance(plain, list):
            left_axis, right_axis = self.sides
            return tuple(
                left * right_axis.size + right
                for left in left_axis.places(plain[0], rows)
                for right in right_axis.places(plain[1], rows)
            )
        place = self._known.get(_hashable(plain))
        if place is not None:
            return (place,)
        first, _ = self._backs[plain.partition("#")[0]]
        return tuple(first + row for row in rows[plain])


def _hashable(plain: Plain) -> object:
    """A plain value as a key of a dictionary; the word `None` differs from the value `None`."""
    return plain if isinstance(plain, str) else (repr(plain),)
