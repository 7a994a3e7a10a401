"""What a command says of the fields of a plan: kept beside the field, and read by the command line alone."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import NOTHING, field, frozen

if TYPE_CHECKING:
    from attrs import NothingType

T = TypeVar("T")
KEY = "hots_rules command line"
NEEDED: NothingType = cast("NothingType", NOTHING)
"""The default of a field that has none."""
READ = MappingProxyType({"exists": True, "dir_okay": False, "readable": True})


@frozen
class FieldHelp:
    """How a field of a plan is given on the command line.

    Attributes:
        help: what it is.
        names: its options, such as `-o`; `--` and the name of the field if there are none.
        details: further arguments of `typer.Option` or `typer.Argument`, such as `metavar` and `min`.
        given_as: the type in which it is given, if that is not its own.
        is_argument: whether it is given by its place.
    """

    help: str
    names: tuple[str, ...]
    details: dict[str, object]
    given_as: type | None = None
    is_argument: bool = False


def option(
    default: T | NothingType,
    help: str,
    *names: str,
    given_as: type | None = None,
    converter: Callable[..., object] | None = None,
    is_file: bool = False,
    **details: object,
) -> T:
    """A field of an attrs class that a command has as an option.

    Args:
        default: its default; `NEEDED` if there is none.
        help: what it is.
        names: as in `FieldHelp`.
        given_as: the type in which the command line has it, if that is another one; `converter` takes both.
        converter: as in `attrs.field`.
        is_file: whether it is a file that is read.
        details: as in `FieldHelp`.
    """
    field_help = FieldHelp(help, names, {**details, **(READ if is_file else {})}, given_as)
    return field(default=cast(T, default), converter=converter, metadata={KEY: field_help})


def argument(
    default: T | NothingType, help: str, metavar: str, *, is_file: bool = False, **details: object
) -> T:
    """A field of an attrs class that a command takes by its place; without a default if that is `NEEDED`."""
    field_help = FieldHelp(
        help, (), {"metavar": metavar, **details, **(READ if is_file else {})}, is_argument=True
    )
    return field(default=cast(T, default), metadata={KEY: field_help})
