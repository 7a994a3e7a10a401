"""What a command says of the fields of a plan: kept beside the field, and read by the command line alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import NOTHING, field, frozen

T = TypeVar("T")
KEY = "hots_rules command line"
NEEDED: Any = NOTHING
"""The default of a field that has none."""


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
    details: dict[str, Any]
    given_as: Any = None
    is_argument: bool = False


def option(
    default: T,
    help: str,
    *names: str,
    given_as: Any = None,
    converter: Callable[[Any], Any] | None = None,
    **details: Any,
) -> T:
    """A field of an attrs class that a command has as an option.

    Args:
        default: its default; `NEEDED` if there is none.
        help: what it is.
        names: as in `FieldHelp`.
        given_as: the type in which the command line has it, if that is another one; `converter` takes both.
        converter: as in `attrs.field`.
        details: as in `FieldHelp`.
    """
    told = FieldHelp(help, names, details, given_as)
    given: Any = field(default=default, converter=converter, metadata={KEY: told})
    return given  # type: ignore[no-any-return]


def argument(default: T, help: str, metavar: str, **details: Any) -> T:
    """A field of an attrs class that a command takes by its place; without a default if that is `NEEDED`."""
    told = FieldHelp(help, (), {"metavar": metavar, **details}, is_argument=True)
    given: Any = field(default=default, metadata={KEY: told})
    return given  # type: ignore[no-any-return]
