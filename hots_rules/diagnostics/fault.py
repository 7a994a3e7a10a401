"""What is wrong in a text, as data."""

from collections.abc import Iterable

import attrs

from .codes import CODES
from .span import Span
from .suggestions import closest_match


@attrs.frozen
class Place:
    """Another place that has to do with a fault, and why."""

    span: Span
    note: str = ""


def _expect_known(_: object, __: object, code: str) -> None:
    if code not in CODES:
        hint = closest_match(code, CODES)
        mend = f"; did you mean {hint!r}?" if hint else ""
        raise ValueError(f"expected a code of `CODES`, got {code!r}{mend}")


def _as_tuple(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(places)


@attrs.frozen
class Fault:
    """One thing wrong in one place of a text.

    The headline is lower case, with names in backticks and no word of severity;
    the help is one way to mend it.

    Raises:
        ValueError: the code is not in `CODES`.
    """

    code: str = attrs.field(validator=_expect_known)
    headline: str
    place: Span
    related: tuple[Place, ...] = attrs.field(default=(), converter=_as_tuple)
    help: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.code}: {self.headline}"
