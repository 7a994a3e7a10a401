"""What one player may know of a state, from the `secret` declarations of the ruleset alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import product

from attrs import field, frozen

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Audience
from hots_rules.diagnostics import EngineError, UnknownOption
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema

SPECTATOR = -1
_FAULTS = (EngineError, ArithmeticError, LookupError, TypeError, ValueError)


def viewer_of(game: BaseGame, player: str | None) -> int:
    """The number of a player of a game; without a player, that of a spectator.

    Raises:
        UnknownOption: no such player.
    """
    if player is None:
        return SPECTATOR
    if player not in game.ruleset.players:
        raise UnknownOption("player", game.ruleset.players, str(player))
    return game.ruleset.players.index(player)


@frozen(slots=False, eq=False)
class Secret:
    """One secret of a ruleset: of a variable, or of which value of a type something is."""

    name: str
    audiences: tuple[Audience, ...]
    is_vectorized: bool
    depends: frozenset[str]
    type: types.WordType | None
    variable: Variable | None

    def owners(self, slots: Sequence[int], players: int, among: int) -> list[int]:
        """For each player those of `among` that this player knows otherwise than everybody does."""
        found = [0] * players
        for asks, is_open in self.audiences:
            for player in range(0 if is_open else players):
                found[player] |= _asked(asks, slots, player, among, (), self.is_vectorized)
        return found

    def known(self, slots: Sequence[int], viewer: int, among: int, keys: tuple[int, ...]) -> int:
        """Those of `among` that a viewer knows; a truth where the secret is not asked by masks."""
        found = 0
        for asks, is_open in self.audiences:
            if viewer != SPECTATOR or is_open:
                found |= _asked(asks, slots, viewer, among, keys, self.is_vectorized)
        return found


def _asked(
    asks: Callable[..., int], slots: Sequence[int], viewer: int, among: int, keys: tuple[int, ...],
    is_vectorized: bool,
) -> int:  # fmt: skip
    """An audience's answer; a condition that cannot be asked lets nobody know."""
    try:
        return asks(slots, viewer, among, *keys)
    except _FAULTS:
        if not is_vectorized or not among & (among - 1):
            return 0
        return sum(_asked(asks, slots, viewer, 1 << one, keys, True) for one in bits(among))


def secrets_of(
    schema: StateSchema, audiences: tuple[tuple[Audience, ...], ...]
) -> tuple[Secret, ...]:
    """The secrets of a ruleset, with the compiled functions of their audiences."""
    found = []
    for fact, asked in zip(schema.facts.secrets, audiences, strict=True):
        found.append(
            Secret(
                fact.name,
                asked,
                fact.is_vectorized,
                frozenset(fact.depends_on),
                fact.type if isinstance(fact.type, types.WordType) else None,
                schema.variables[fact.name] if fact.type is None else None,
            )
        )
    return tuple(found)


@frozen(slots=False, eq=False)
class Observer:
    """The eyes of one player, by number, or of a spectator; `look` says what they see of a state."""

    schema: StateSchema
    secrets: tuple[Secret, ...]
    viewer: int

    @cached_property
    def kinds(self) -> tuple[Secret, ...]:
        """The secrets of which value of a type something is."""
        return tuple(secret for secret in self.secrets if secret.type is not None)

    @cached_property
    def kept(self) -> dict[str, Secret]:
        """The secrets of variables, by name."""
        return {secret.name: secret for secret in self.secrets if secret.variable is not None}

    @cached_property
    def depends(self) -> frozenset[str]:
        """The variables on which it hangs what is known."""
        return frozenset().union(*(secret.depends for secret in self.secrets))

    def things_in(self, type_: types.WordType) -> tuple[tuple[int, int] | None, ...]:
        """For each code of a type the secret type that its value belongs to, by number, and its code there."""
        # Hashing a long type costs more than looking it up by what it is.
        found = self._things.get(id(type_))
        if found is None:
            found = type_, tuple(self._thing(value) for value in type_.values)
            self._things[id(type_)] = found
        return found[1]

    def _thing(self, value: types.Value) -> tuple[int, int] | None:
        for number, kind in enumerate(self.kinds):
            if kind.type is not None and value in kind.type.codes:
                return number, kind.type.codes[value]
        return None

    @cached_property
    def _things(self) -> dict[int, tuple[types.WordType, tuple[tuple[int, int] | None, ...]]]:
        return {}

    def may_be_hidden(self, type_: types.Type) -> bool:
        """Whether a value of a type may be, or hold, a thing of a secret type."""
        match type_:
            case types.WordType():
                return any(self.things_in(type_))
            case types.SetType():
                return self.may_be_hidden(type_.member)
            case types.PairType():
                return self.may_be_hidden(type_.left) or self.may_be_hidden(type_.right)
        return False

    def look(self, slots: Sequence[int]) -> Visibility:
        """What is hidden in a state."""
        things = tuple(self._hidden_things(kind, slots) for kind in self.kinds)
        cells = {name: self._hidden_cells(secret, slots) for name, secret in self.kept.items()}
        return Visibility(self, things, cells)

    def _hidden_things(self, kind: Secret, slots: Sequence[int]) -> int:
        assert kind.type is not None
        everything = (1 << len(kind.type.values)) - 1
        return everything & ~kind.known(slots, self.viewer, everything, ())

    def _hidden_cells(self, secret: Secret, slots: Sequence[int]) -> int:
        """The offsets of the hidden cells of a variable, as a mask."""
        variable = secret.variable
        assert variable is not None
        everything = (1 << len(variable.key_codes)) - 1
        if not secret.is_vectorized:
            known = sum(
                bool(secret.known(slots, self.viewer, 1, keys)) << offset
                for offset, keys in enumerate(variable.key_codes)
            )
            return everything & ~known
        last = types.size(variable.keys[-1])
        row, known = (1 << last) - 1, 0
        for number, keys in enumerate(product(*map(codes_of, variable.keys[:-1]))):
            known |= secret.known(slots, self.viewer, row, keys) << number * last
        return everything & ~known


@frozen
class Visibility:
    """What is hidden from somebody at one moment: values of types, and cells of variables, as masks."""

    eyes: Observer = field(eq=False, repr=False)
    things: tuple[int, ...]
    cells: dict[str, int]

    def hides(self, variable: Variable, offset: int) -> bool:
        """Whether the value of a cell is hidden."""
        return bool(self.cells.get(variable.name, 0) >> offset & 1)

    def hidden_thing(self, code: int, type_: types.Type) -> tuple[int, int] | None:
        """What a code of a type stands for, if the viewer may not know which it is."""
        if not isinstance(type_, types.WordType) or not self.eyes.kinds:
            return None
        found = self.eyes.things_in(type_)[code]
        return found if found is not None and self.things[found[0]] >> found[1] & 1 else None

    def newly_known(self, before: Visibility) -> bool:
        """Whether anything is known that was hidden at an earlier moment."""
        if any(old & ~new for old, new in zip(before.things, self.things, strict=True)):
            return True
        return any(old & ~self.cells[name] for name, old in before.cells.items())
