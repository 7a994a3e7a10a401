"""Faults for another program."""

from collections.abc import Iterable
from typing import Any

import attrs

from .fault import Fault, Place


def as_json(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """Each fault, in the order given, as a dictionary of plain JSON values."""
    return [
        {
            "code": fault.code,
            "headline": fault.headline,
            "place": attrs.asdict(fault.place),
            "related": [_place(place) for place in fault.related],
            "help": fault.help,
        }
        for fault in faults
    ]


def _place(place: Place) -> dict[str, Any]:
    return {"place": attrs.asdict(place.span), "note": place.note}
