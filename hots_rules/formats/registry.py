"""Which formats there are. A format that changes gets a new number; what is sent names both."""

from __future__ import annotations

import types
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import attrs

from hots_rules.explain.causes import CausalTrace
from hots_rules.explain.ruling import Ruling
from hots_rules.formats.corpus import Corpus
from hots_rules.formats.messages import Decision, Refusal, StateMessage
from hots_rules.observe.view import View
from hots_rules.play.action import Action
from hots_rules.play.game import Outcome
from hots_rules.play.trace import Step
from hots_rules.records.record import Record

KEY = "schema"
FORMATS: Mapping[str, type] = types.MappingProxyType(
    {
        "hots_rules/account.v1": CausalTrace,
        "hots_rules/action.v1": Action,
        "hots_rules/corpus.v1": Corpus,
        "hots_rules/decision.v1": Decision,
        "hots_rules/event.v1": Step,
        "hots_rules/explanation.v1": Ruling,
        "hots_rules/record.v1": Record,
        "hots_rules/refusal.v1": Refusal,
        "hots_rules/state.v1": StateMessage,
        "hots_rules/view.v1": View,
    }
)
# Where in a text something stood is not sent.
_LEFT_OUT = frozenset({("Record", "torn"), ("Entry", "line")})


def name_of(kind: type) -> str | None:
    """The format of a class; None where it is no message by itself."""
    return next((name for name, known in FORMATS.items() if known is kind), None)


@cache
def fields_of(kind: type) -> Mapping[str, Any]:
    """What of a class is sent, with the types, in its order."""
    # Some types are imported for type checkers alone, so that a start does not wait for them.
    late = {"Fraction": Fraction, "Mapping": Mapping, "Outcome": Outcome}
    attrs.resolve_types(kind, localns=late)
    return types.MappingProxyType(
        {
            field.name: field.type
            for field in attrs.fields(kind)
            if (kind.__name__, field.name) not in _LEFT_OUT
        }
    )
