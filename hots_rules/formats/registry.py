"""The formats: which class is sent under which name. A format that changes gets a new number."""

import types
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import attrs

from hots_rules._home import package_home
from hots_rules.diagnostics import BadArgument, UnknownName, check_kind
from hots_rules.explain.causes import CausalTrace
from hots_rules.explain.ruling import Ruling
from hots_rules.formats.game_corpus import Corpus
from hots_rules.formats.geometry_messages import GeometryMessage
from hots_rules.formats.json_text import JSON
from hots_rules.formats.messages import Decision, Refusal, StateMessage
from hots_rules.formats.ruleset_messages import RulesetMessage
from hots_rules.observe.view import View
from hots_rules.play.action import Action
from hots_rules.play.outcome import Outcome
from hots_rules.play.trace import Step
from hots_rules.records.record import Record

KEY = "schema"
ACTION = "hots_rules/action.v2"
# Fields of these types hold any value of a ruleset.
ANY_VALUE = (Any, object)
BOARD = "hots_rules/board.v1"
"""The format of files of authors, which is no message and has no schema."""
FORMATS: Mapping[str, type] = types.MappingProxyType(
    {
        "hots_rules/account.v1": CausalTrace,
        ACTION: Action,
        "hots_rules/corpus.v2": Corpus,
        "hots_rules/decision.v3": Decision,
        "hots_rules/event.v1": Step,
        "hots_rules/explanation.v1": Ruling,
        "hots_rules/geometry.v1": GeometryMessage,
        "hots_rules/record.v1": Record,
        "hots_rules/refusal.v1": Refusal,
        "hots_rules/ruleset.v1": RulesetMessage,
        "hots_rules/state.v2": StateMessage,
        "hots_rules/view.v4": View,
    }
)
# Positions in a text are not sent; rulings for other players are messages of their own.
_UNSENT = frozenset(
    {("Record", "torn"), ("Entry", "line"), ("Ruling", "others"), ("CausalTrace", "outcome")}
)
_RENAMED = types.MappingProxyType({"undo_floor": "undo_limit"})
TYPES = "hots_rules.d.ts"


def upgraded(message: dict[str, JSON]) -> dict[str, JSON]:
    """A message of an older version as one of today; others are unchanged."""
    match message.get(KEY):
        case "hots_rules/state.v1":  # of the default options and readings
            return {"options": {}, "readings": {}, **message, KEY: "hots_rules/state.v2"}
        case "hots_rules/action.v1":
            return {**_with_named_arguments(message), KEY: ACTION}
        case "hots_rules/decision.v1" | "hots_rules/decision.v2":
            return {**_with_winners(_with_named_actions(message)), KEY: "hots_rules/decision.v3"}
        case "hots_rules/view.v1" | "hots_rules/view.v2" | "hots_rules/view.v3":
            renamed = {_RENAMED.get(key, key): value for key, value in message.items()}
            return {**_with_winners(_with_named_actions(renamed)), KEY: "hots_rules/view.v4"}
        case "hots_rules/corpus.v1":
            return {**_with_winners(message), KEY: "hots_rules/corpus.v2"}
    return message


def _with_winners(message: dict[str, JSON]) -> dict[str, JSON]:
    """A message whose outcome had one winner at most."""
    outcome = message.get("outcome")
    if not isinstance(outcome, dict):
        return message
    winner = outcome.get("winner")
    return {**message, "outcome": {**outcome, "winners": [] if winner is None else [winner]}}


def _with_named_actions(message: dict[str, JSON]) -> dict[str, JSON]:
    actions = message.get("actions")
    if not isinstance(actions, list):
        return message
    named = [
        _with_named_arguments(action) if isinstance(action, dict) else action for action in actions
    ]
    return {**message, "actions": named}


def _with_named_arguments(action: dict[str, JSON]) -> dict[str, JSON]:
    """An action whose arguments had no names: they are named by their places."""
    args = action.get("args")
    if not isinstance(args, list):
        return action
    return {**action, "args": {str(place): arg for place, arg in enumerate(args, 1)}}


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


def schema_file(name: str) -> str:
    """The name of the file that holds the schema of a format.

    >>> schema_file("hots_rules/state.v2")
    'state.v2.json'
    """
    return f"{name.removeprefix('hots_rules/')}.json"


def format_names() -> tuple[str, ...]:
    """The names of all formats.

    >>> import hots_rules as hr
    >>> hr.formats.format_names()[:2]
    ('hots_rules/account.v1', 'hots_rules/action.v2')
    """
    return tuple(FORMATS)


def schema(name: str) -> str:
    """The JSON Schema of a format, as text.

    Raises:
        UnknownName: there is no such format.
        BadArgument: it is that of a file `board.json`.

    >>> import hots_rules as hr
    >>> hr.formats.schema("hots_rules/state.v2").splitlines()[2]
    '  "$id": "hots_rules/state.v2",'
    """
    check_kind("name", name, str, "a name")
    if name == BOARD:
        raise BadArgument(
            "format", name, "a format of messages; “Boards” in the reference describes a board"
        )
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return _shipped(schema_file(name))


def typescript_types() -> str:
    """The TypeScript types of all messages, as text.

    >>> import hots_rules as hr
    >>> "export interface ActionV2 {" in hr.formats.typescript_types()
    True
    """
    return _shipped(TYPES)


def _shipped(file: str) -> str:
    return package_home().joinpath("formats", "schemas", file).read_text(encoding="utf-8")
