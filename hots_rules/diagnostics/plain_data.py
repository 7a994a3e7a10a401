"""Faults as JSON for another program."""

from collections.abc import Iterable

import attrs

from .fault import Fault, RelatedPlace


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
            "place": attrs.asdict(fault.place),
            "related": [_related(place) for place in fault.related],
            "help": fault.help,
        }
        for fault in faults
    ]


def _related(place: RelatedPlace) -> dict[str, object]:
    return {"place": attrs.asdict(place.span), "note": place.note}
