"""Faults of a text, as data."""

from collections.abc import Iterable

import attrs

from .characters import printable
from .codes import CODES
from .fixes import Fix
from .span import Span
from .suggestions import suggest


@attrs.frozen
class RelatedPlace:
    """Another place that has to do with a fault, with a note.

    >>> from hots_rules.diagnostics import RelatedPlace, Span
    >>> RelatedPlace(Span("fox.rules", 3, 1, 3, 5), "first declared here").note
    'first declared here'

    Attributes:
        span: where it is.
        note: how it is related; may be empty.
    """

    span: Span
    note: str = attrs.field(default="", converter=printable)


def _expect_known(_: object, __: object, code: str) -> None:
    if code not in CODES:
        remedy = suggest(code, CODES).hint()
        raise ValueError(f"expected a code of `CODES`, got `{code}`{remedy}")


def _as_tuple(places: Iterable[RelatedPlace]) -> tuple[RelatedPlace, ...]:
    return tuple(places)


def _as_fixes(fixes: Iterable[Fix]) -> tuple[Fix, ...]:
    return tuple(fixes)


@attrs.frozen
class Fault:
    """One fault in one place of a text.

    The headline is lower case, with names in backticks and without a word of severity.

    >>> from hots_rules.diagnostics import Fault, Span
    >>> print(Fault("unknown-name", "no value `Fix`", Span("fox.rules", 3, 1, 3, 4)))
    fox.rules:3:1: unknown-name: no value `Fix`

    Attributes:
        code: a key of `CODES`, such as `unknown-name`.
        headline: the fault in a sentence.
        place: where it is.
        related: other places that have to do with it.
        help: one way to correct it; may be empty.
        fixes: changes of the texts, each of which corrects it, the best first; may be empty. They follow from the
            rest, so faults that differ in nothing else are equal.

    Raises:
        ValueError: the code is not in `CODES`.
    """

    code: str = attrs.field(validator=_expect_known)
    headline: str = attrs.field(converter=printable)
    place: Span
    related: tuple[RelatedPlace, ...] = attrs.field(default=(), converter=_as_tuple)
    help: str = attrs.field(default="", converter=printable)
    fixes: tuple[Fix, ...] = attrs.field(default=(), converter=_as_fixes, eq=False, repr=False)

    def __str__(self) -> str:
        return f"{printable(str(self.place))}: {self.code}: {self.headline}"


def as_json(faults: Iterable[Fault]) -> list[dict[str, object]]:
    """The faults, in the order given, as dictionaries of JSON values.

    >>> from hots_rules.diagnostics import Fault, Span, as_json
    >>> fault = Fault("unknown-name", "no value `Fix`", Span("fox.rules", 1, 1, 1, 4))
    >>> as_json([fault])[0]["code"]
    'unknown-name'
    """
    return [
        {
            "code": fault.code,
            "headline": fault.headline,
            "place": _place_as_json(fault.place),
            "related": [
                {"place": _place_as_json(place.span), "note": place.note} for place in fault.related
            ],
            "help": fault.help,
            "fixes": [_fix_as_json(fix) for fix in fault.fixes],
        }
        for fault in faults
    ]


def _fix_as_json(fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "is_safe": fix.is_safe,
        "edits": [
            {"place": _place_as_json(edit.span), "text": printable(edit.text)} for edit in fix.edits
        ],
    }


def _place_as_json(place: Span) -> dict[str, object]:
    return {**attrs.asdict(place), "file": printable(place.file)}
