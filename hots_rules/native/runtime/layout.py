"""What an observation vector holds, as values from which machine code is made that writes it."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Kind = Literal["number", "word", "set"]


@frozen
class PiecesInValues:
    """The hidden pieces that the values of a variable may name.

    Attributes:
        type_number: the number of their type among the secret types.
        of_code: by code, counted from the lowest one: the piece, or -1.
        first_back: the place of the first hidden piece in the numbers of a value.
    """

    type_number: int
    of_code: tuple[int, ...]
    first_back: int


@frozen
class PiecesInKeys:
    """The pieces that are keys of a variable.

    Attributes:
        type_number: the number of their type among the secret types.
        of_cell: for each cell the piece that is its key, or -1.
        rests: for each cell its row without the part of the piece.
        stride: how many rows a piece has.
        first_back: the number of the first hidden piece among the places of the key.
    """

    type_number: int
    of_cell: tuple[int, ...]
    rests: tuple[int, ...]
    stride: int
    first_back: int


@frozen
class ObservedVariable:
    """The numbers of one variable in the vector.

    Attributes:
        slot: its first slot.
        first: the index of its first number.
        size: how many numbers a value has.
        kind: a `number` has a mark and a scaled number, a `word` a mark, a `set` a mark for each member, then one more.
        low: the lowest code.
        span: of numbers, the difference between the highest and the lowest.
        rows: for each cell, its row where all its keys are known.
        secret: the number of the secret that hides cells.
        keys: the pieces among its keys.
        values: the pieces among its values.
    """

    slot: int
    first: int
    size: int
    kind: Kind
    low: int
    span: int
    rows: tuple[int, ...]
    secret: int | None = None
    keys: PiecesInKeys | None = None
    values: PiecesInValues | None = None


@frozen
class Attribute:
    """A value that belongs to each piece of a secret type.

    Attributes:
        slots: for each piece, the slot.
        low: the lowest code.
        many: how many codes there are.
        secret: the number of the secret that may hide it.
        offsets: for each piece, the cell of the variable.
    """

    slots: tuple[int, ...]
    low: int
    many: int
    secret: int | None
    offsets: tuple[int, ...]


@frozen
class Naming:
    """A cell in which pieces of a secret type may be named; `of_code` as in `PiecesInValues`.

    Attributes:
        slot: the slot.
        is_set: whether it holds a set.
        of_code: by code, the piece, or -1.
        secret: the number of the secret that may hide the cell.
        offset: the cell of the variable.
    """

    slot: int
    is_set: bool
    of_code: tuple[int, ...]
    secret: int | None
    offset: int


@frozen
class SecretPieces:
    """A secret type: what a player sees of its hidden pieces, by which they are told apart.

    Attributes:
        secret: its number among the secrets.
        many: how many pieces it has.
        attributes: what each piece has, in the order in which pieces are compared.
        namings: the cells that may name a piece, in the order of their slots.
    """

    secret: int
    many: int
    attributes: tuple[Attribute, ...]
    namings: tuple[Naming, ...]


@frozen
class ObservationLayout:
    """The vector of a player's view, as `hots_rules.formats.ViewEncoding` has it, in parts of 255.

    Attributes:
        size: the length of the vector.
        phases: for each suspension point, the index of its phase.
        first_turn: the index that is set while the first player is to choose.
        first_player: the index that is set in the views of the first player.
        variables: the parts of the variables.
        pieces: the secret types.
    """

    size: int
    phases: tuple[int, ...]
    first_turn: int
    first_player: int
    variables: tuple[ObservedVariable, ...]
    pieces: tuple[SecretPieces, ...]


Form = Literal["dense", "sparse", "none"]
"""How observations are written: all bytes, or those that are not 0 with their indexes."""


@frozen
class Stepping:
    """A program that plays games decision by decision.

    Attributes:
        games: how many games a memory has.
        layout: what observations hold.
        form: how they are written.
    """

    games: int
    layout: ObservationLayout
    form: Form
