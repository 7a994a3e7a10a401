"""What one player can see of a state, from the `secret` declarations of the ruleset alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import product
from typing import Final

from attrs import field, frozen

from hots_rules.compile.codes import bits, codes_of, has_several
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import BOUND_FAULTS, Audience
from hots_rules.diagnostics import UnknownName
from hots_rules.observe.last_value import LastValue
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema

SPECTATOR = -1
Piece = tuple[int, int]
"""A value of a secret type: the number of the type among the secret types, and the value's code in it."""
HIDDEN_VALUE: Final = -(1 << 40)
"""In place of a hidden value where states are compared: no code is as low."""


def viewer_of(game: BaseGame, player: str | None) -> int:
    """The number of a player of a game, or of a spectator if no player is given.

    Raises:
        UnknownName: no such player.
    """
    if player is None:
        return SPECTATOR
    if player not in game.ruleset.players:
        raise UnknownName("player", player, game.ruleset.players)
    return game.ruleset.players.index(player)


@frozen(slots=False, eq=False)
class SecretDeclaration:
    """One `secret` declaration: of the values of a variable, or of the identity of a type's pieces.

    Exactly one of `type` and `variable` is set. With `is_vectorized`, an audience decides a mask of
    pieces or cells at once.
    """

    name: str
    audiences: tuple[Audience, ...]
    is_vectorized: bool
    depends_on: frozenset[str]
    type: types.WordType | None
    variable: Variable | None

    @property
    def piece_type(self) -> types.WordType:
        """The type whose pieces are secret."""
        assert self.type is not None
        return self.type

    def owners(self, slots: Sequence[int], players: int, among: int) -> list[int]:
        """For each player, the part of the mask `among` that this player knows, and not everybody."""
        owned = [0] * players
        for audience, is_public in self.audiences:
            for player in range(0 if is_public else players):
                owned[player] |= _known_mask(audience, slots, player, among, (), self.is_vectorized)
        return owned

    def known(self, slots: Sequence[int], viewer: int, among: int, keys: tuple[int, ...]) -> int:
        """The part of the mask `among` that a viewer knows; 0 or 1 if the secret is not vectorized."""
        mask = 0
        for audience, is_public in self.audiences:
            if viewer != SPECTATOR or is_public:
                mask |= _known_mask(audience, slots, viewer, among, keys, self.is_vectorized)
        return mask


def _known_mask(
    audience: Callable[..., int], slots: Sequence[int], viewer: int, among: int,
    keys: tuple[int, ...], is_vectorized: bool,
) -> int:  # fmt: skip
    """The part of `among` that an audience includes; a condition that cannot be evaluated is false."""
    try:
        return audience(slots, viewer, among, *keys)
    except BOUND_FAULTS:
        if not is_vectorized or not has_several(among):
            return 0
        return sum(
            _known_mask(audience, slots, viewer, 1 << bit, keys, True) for bit in bits(among)
        )


def secrets_of(
    schema: StateSchema, audiences: tuple[tuple[Audience, ...], ...]
) -> tuple[SecretDeclaration, ...]:
    """The secrets of a ruleset, with the compiled functions of their audiences."""
    return tuple(
        SecretDeclaration(
            fact.name,
            compiled,
            fact.is_vectorized,
            frozenset(fact.depends_on),
            fact.type if isinstance(fact.type, types.WordType) else None,
            schema.variables[fact.name] if fact.type is None else None,
        )
        for fact, compiled in zip(schema.facts.secrets, audiences, strict=True)
    )


@frozen(slots=False, eq=False)
class Observer:
    """A player, by number, or a spectator, who sees states of one ruleset."""

    schema: StateSchema
    secrets: tuple[SecretDeclaration, ...]
    viewer: int
    texts_of_hidden: dict[tuple[str, int, tuple[int, ...]], str] = field(
        factory=dict, init=False, repr=False
    )
    """For `RedactedFormatter`: hidden pieces in words, by the language, the secret type, and who can identify them."""
    # By the id of a type, which the entry keeps alive: hashing a long type costs more than this.
    _pieces: dict[int, tuple[types.WordType, tuple[Piece | None, ...]]] = field(
        factory=dict, init=False, repr=False
    )
    _holds_secrets: dict[int, tuple[types.WordType, bool]] = field(
        factory=dict, init=False, repr=False
    )

    @cached_property
    def secret_types(self) -> tuple[SecretDeclaration, ...]:
        """The secrets of the identity of a type's pieces; a `Piece` refers to them by number."""
        return tuple(secret for secret in self.secrets if secret.type is not None)

    @cached_property
    def secret_variables(self) -> dict[str, SecretDeclaration]:
        """The secrets of the values of a variable, by the variable's name."""
        return {secret.name: secret for secret in self.secrets if secret.variable is not None}

    @cached_property
    def depends_on(self) -> frozenset[str]:
        """The variables on which the audiences of the secrets depend."""
        return frozenset().union(*(secret.depends_on for secret in self.secrets))

    @cached_property
    def secret_value_types(self) -> frozenset[types.Type]:
        """The types that secret variables hold or have as keys, without players and secret types."""
        variables = [self.schema.variables[name] for name in self.secret_variables]
        held = {element_type(type_) for v in variables for type_ in (*v.keys, v.type)}
        piece_types = {secret.type for secret in self.secret_types}
        return frozenset(
            type_
            for type_ in held - piece_types
            if isinstance(type_, types.WordType) and not self.schema.is_of_players(type_)
        )

    def has_secret_values(self, type_: types.Type) -> bool:
        """Whether a type is one of `secret_value_types`."""
        if not isinstance(type_, types.WordType):
            return False
        kept = self._holds_secrets.get(id(type_))
        if kept is None:
            kept = self._holds_secrets[id(type_)] = type_, type_ in self.secret_value_types
        return kept[1]

    def pieces_in(self, type_: types.WordType) -> tuple[Piece | None, ...]:
        """For each code of a type, the piece that it names; None for values of no secret type."""
        kept = self._pieces.get(id(type_))
        if kept is None:
            kept = type_, tuple(self._piece(value) for value in type_.values)
            self._pieces[id(type_)] = kept
        return kept[1]

    def _piece(self, value: types.Value) -> Piece | None:
        for number, secret in enumerate(self.secret_types):
            if value in secret.piece_type.codes:
                return number, secret.piece_type.codes[value]
        return None

    def may_be_hidden(self, type_: types.Type) -> bool:
        """Whether a value of a type may be, or contain, a piece of a secret type."""
        match type_:
            case types.WordType():
                return any(self.pieces_in(type_))
            case types.SetType():
                return self.may_be_hidden(type_.member)
            case types.PairType():
                return self.may_be_hidden(type_.left) or self.may_be_hidden(type_.right)
        return False

    def visibility(self, slots: Sequence[int]) -> Visibility:
        """What is hidden in a state."""
        pieces = tuple(self._hidden(secret, slots) for secret in self.secret_types)
        cells = {
            name: self._hidden(secret, slots) for name, secret in self.secret_variables.items()
        }
        return Visibility(self, pieces, cells)

    @cached_property
    def _audience_slots(self) -> dict[str, tuple[slice, ...]]:
        """The slots on which the audiences of each secret depend, by its name."""
        return {secret.name: self.schema.slots_of(secret.depends_on) for secret in self.secrets}

    @cached_property
    def _last_hidden(self) -> dict[str, LastValue[list[tuple[int, ...]], int]]:
        return {secret.name: LastValue() for secret in self.secrets}

    def _hidden(self, secret: SecretDeclaration, slots: Sequence[int]) -> int:
        """What of a secret is hidden, as a mask; kept until something changes on which its audience depends."""
        key = [tuple(slots[part]) for part in self._audience_slots[secret.name]]
        last = self._last_hidden[secret.name]
        hidden = last.get(key)
        if hidden is None:
            is_type = secret.type is not None
            hidden = (self._hidden_pieces if is_type else self._hidden_cells)(secret, slots)
            last.put(key, hidden)
        return hidden

    def _hidden_pieces(self, secret: SecretDeclaration, slots: Sequence[int]) -> int:
        everything = (1 << len(secret.piece_type.values)) - 1
        return everything & ~secret.known(slots, self.viewer, everything, ())

    def _hidden_cells(self, secret: SecretDeclaration, slots: Sequence[int]) -> int:
        """The offsets of the hidden cells of a variable, as a mask."""
        variable = secret.variable
        assert variable is not None
        everything = (1 << variable.count) - 1
        if not secret.is_vectorized:
            visible = sum(
                bool(secret.known(slots, self.viewer, 1, keys)) << offset
                for offset, keys in enumerate(variable.key_codes)
            )
            return everything & ~visible
        last = types.size(variable.keys[-1])
        row, visible = (1 << last) - 1, 0
        for number, keys in enumerate(product(*map(codes_of, variable.keys[:-1]))):
            visible |= secret.known(slots, self.viewer, row, keys) << number * last
        return everything & ~visible


@frozen
class Visibility:
    """What is hidden from an observer in one state.

    Attributes:
        observer: the observer.
        pieces: for each secret type, the mask of the pieces that the observer cannot identify.
        cells: for each secret variable, by name, the mask of the offsets of its hidden cells.
        owners: for each secret type, when it is known, who can identify its hidden pieces: a mask for each player.
    """

    observer: Observer = field(eq=False, repr=False)
    pieces: tuple[int, ...]
    cells: dict[str, int]
    owners: dict[int, list[int]] = field(factory=dict, init=False, eq=False, repr=False)

    def hides(self, variable: Variable, offset: int) -> bool:
        """Whether the value of a cell is hidden."""
        return bool(self.cells.get(variable.name, 0) >> offset & 1)

    def hidden_piece(self, code: int, type_: types.Type) -> Piece | None:
        """The piece that a code of a type names, if the observer cannot identify it."""
        if not isinstance(type_, types.WordType) or not self.observer.secret_types:
            return None
        piece = self.observer.pieces_in(type_)[code]
        return piece if piece is not None and self.pieces[piece[0]] >> piece[1] & 1 else None

    def reveals(self, before: Visibility) -> bool:
        """Whether anything is visible that was hidden at an earlier moment."""
        if any(old & ~new for old, new in zip(before.pieces, self.pieces, strict=True)):
            return True
        return any(old & ~self.cells[name] for name, old in before.cells.items())


def element_type(type_: types.Type) -> types.Type:
    """A type without `none`; of a set, the type of its members."""
    if isinstance(type_, types.SetType):
        return type_.member
    if isinstance(type_, types.WordType) and types.NONE in type_.codes:
        return types.WordType(type_.name, tuple(v for v in type_.values if v != types.NONE))
    return type_
