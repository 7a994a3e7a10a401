"""The formats: which class is sent under which name. A format that changes gets a new number."""

from __future__ import annotations

import types
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import attrs

from hots_rules.explain.causes import CausalTrace
from hots_rules.explain.ruling import Ruling
from hots_rules.formats.game_corpus import Corpus
from hots_rules.formats.messages import Decision, Refusal, StateMessage
from hots_rules.observe.view import View
from hots_rules.play.action import Action
from hots_rules.play.game import Outcome
from hots_rules.play.trace import Step
from hots_rules.records.record import Record

KEY = "schema"
# Fields of these types hold any value of a ruleset.
ANY_VALUE = (Any, object)
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
# Positions in a text are not sent.
_UNSENT = frozenset({("Record", "torn"), ("Entry", "line")})


def format_of(kind: type) -> str | None:
    """The name of the format of a class; None if its values are not sent by themselves."""
    return next((name for name, sent in FORMATS.items() if sent is kind), None)


@cache
def sent_fields(kind: type) -> Mapping[str, object]:
    """The fields of a class that are sent, with their types, in order."""
    # These types are imported for type checkers alone where the classes are defined.
    late = {"Fraction": Fraction, "Mapping": Mapping, "Outcome": Outcome}
    attrs.resolve_types(kind, localns=late)
    return types.MappingProxyType(
        {
            field.name: field.type
            for field in attrs.fields(kind)
            if (kind.__name__, field.name) not in _UNSENT
        }
    )
