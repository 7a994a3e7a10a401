"""The layout of a vector, for machine code that writes it."""

from __future__ import annotations

from math import prod

from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.formats.slot_encoding import VariableEncoder
from hots_rules.formats.view_encoding import VariableBlock, ViewEncoding
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.layout import (
    Attribute,
    Kind,
    Naming,
    ObservationLayout,
    ObservedVariable,
    PiecesInKeys,
    PiecesInValues,
    SecretPieces,
)
from hots_rules.observe.observer import Observer
from hots_rules.observe.stacks import ObservableFeatures
from hots_rules.rules.typed import value_types as types


def vector_layout(encoding: ViewEncoding, machine: Machine) -> ObservationLayout:
    """The layout of the vectors of an encoding.

    Raises:
        NotLowered: machine code cannot write them.

    >>> import hots_rules as hr
    >>> from hots_rules.formats.training.vector_layout import vector_layout
    >>> game = hr.load("goofspiel-1.0").start("full-hands", seed=1)
    >>> encoding = hr.formats.ViewEncoding.of(game)
    >>> vector_layout(encoding, game.machine).size == encoding.size
    True
    """
    observer = encoding.observer
    features = [
        ObservableFeatures(observer, number) for number in range(len(observer.secret_types))
    ]
    return ObservationLayout(
        encoding.size,
        tuple(encoding.phases.index(point.phase) for point in machine.facts.points),
        encoding.turn_index(0),
        encoding.player_index(0),
        tuple(_variable(observer, block) for block in encoding.blocks),
        tuple(map(_pieces, features)),
    )


def _secret_of(observer: Observer, variable: Variable) -> int | None:
    """The number of the secret that hides cells of a variable."""
    secret = observer.secret_variables.get(variable.name)
    return None if secret is None else observer.secrets.index(secret)


# -------------------------------------------------------------- variables
def _variable(observer: Observer, block: VariableBlock) -> ObservedVariable:
    variable, numbers = block.variable, block.value
    type_ = variable.type
    kind: Kind = "word"
    low, span = types.lowest_code(type_), 0
    if numbers.is_scaled:
        kind, span = "number", types.size(type_) - 1
    elif isinstance(type_, types.SetType):
        kind, low = "set", types.lowest_code(type_.member)
    return ObservedVariable(
        variable.base,
        block.base,
        numbers.size,
        kind,
        low,
        span,
        VariableEncoder(block).rows,
        _secret_of(observer, variable),
        _keys(observer, block),
        _values(observer, block),
    )


def _values(observer: Observer, block: VariableBlock) -> PiecesInValues | None:
    axis = block.value.axis
    if not observer.may_be_hidden(block.variable.type):
        return None
    number, of_code = _pieces_of(observer, axis.type)
    return PiecesInValues(number, of_code, axis.first_back(number))


def _keys(observer: Observer, block: VariableBlock) -> PiecesInKeys | None:
    variable = block.variable
    hiding = [at for at, key in enumerate(variable.keys) if observer.may_be_hidden(key)]
    if not hiding:
        return None
    if len(hiding) > 1:
        raise NotLowered("a variable with two keys that may be hidden pieces", variable.name)
    (at,) = hiding
    number, of_code = _pieces_of(observer, variable.keys[at])
    axis, stride = block.keys[at], prod(key.size for key in block.keys[at + 1 :])
    rows = zip(VariableEncoder(block).rows, variable.key_codes, strict=True)
    return PiecesInKeys(
        number,
        tuple(of_code[keys[at]] for keys in variable.key_codes),
        tuple(row - stride * axis.place(keys[at]) for row, keys in rows),
        stride,
        axis.first_back(number),
    )


def _pieces_of(observer: Observer, type_: types.Type) -> tuple[int, tuple[int, ...]]:
    """The secret type of which a type has pieces, and the piece that each code is, or -1."""
    if not isinstance(type_, types.WordType):
        raise NotLowered("pairs of hidden pieces", str(type_))
    pieces = observer.pieces_in(type_)
    numbers = {piece[0] for piece in pieces if piece is not None}
    if len(numbers) != 1:
        raise NotLowered("hidden pieces of two types in one", str(type_))
    return numbers.pop(), tuple(-1 if piece is None else piece[1] for piece in pieces)


# -------------------------------------------------------------- features
def _pieces(features: ObservableFeatures) -> SecretPieces:
    observer = features.observer
    secret = observer.secret_types[features.type_number]
    count = len(secret.piece_type.values)
    attributes = [
        _attribute(observer, variable, offsets)
        for variable, by_piece in features.keyed
        for offsets in _columns(variable, by_piece)
    ]
    namings = [
        naming for holding in features.holding for naming in _namings(observer, holding[0], count)
    ]
    return SecretPieces(
        observer.secrets.index(secret),
        count,
        tuple(attributes),
        tuple(sorted(namings, key=lambda naming: naming.slot)),
    )


def _columns(variable: Variable, by_piece: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """The cells of all pieces, of the first one that each has, of the second, and so on."""
    if len({len(offsets) for offsets in by_piece}) > 1:
        raise NotLowered("a variable of some pieces only", variable.name)
    return list(zip(*by_piece, strict=True))


def _attribute(observer: Observer, variable: Variable, offsets: tuple[int, ...]) -> Attribute:
    if observer.may_be_hidden(variable.type):
        raise NotLowered("hidden pieces that have hidden pieces", variable.name)
    return Attribute(
        tuple(variable.base + offset for offset in offsets),
        types.lowest_code(variable.type),
        types.size(variable.type),
        _secret_of(observer, variable),
        offsets,
    )


def _namings(observer: Observer, variable: Variable, piece_count: int) -> list[Naming]:
    if any(map(observer.may_be_hidden, variable.keys)):
        raise NotLowered("hidden pieces that have hidden pieces", variable.name)
    is_set = isinstance(variable.type, types.SetType)
    member = variable.type.member if isinstance(variable.type, types.SetType) else variable.type
    of_code = _pieces_of(observer, member)[1]
    if set(range(piece_count)) - set(of_code):
        raise NotLowered("a variable for some pieces only", variable.name)
    secret = _secret_of(observer, variable)
    return [
        Naming(variable.base + offset, is_set, of_code, secret, offset)
        for offset in range(variable.count)
    ]
