"""Values of the library as JSON and back."""

import json
from typing import TypeVar, cast

from hots_rules.diagnostics import (
    DEFAULT_LIMITS,
    BadMessage,
    BadRecord,
    HotsError,
    Limits,
    check_kind,
    suggest,
)
from hots_rules.draw.board.geometry import Board
from hots_rules.formats.geometry_messages import geometry_message
from hots_rules.formats.json_text import JSON, parse_json, shown
from hots_rules.formats.messages import StateMessage, refusal
from hots_rules.formats.registry import ACTION, FORMATS, KEY, format_of, upgraded
from hots_rules.formats.ruleset_messages import ruleset_message
from hots_rules.formats.state_messages import decode_state, encode_state
from hots_rules.formats.strict import converter, structure
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.record import Record
from hots_rules.records.recording import record_game
from hots_rules.state.state import State

Kind = TypeVar("Kind")


def to_json(value: object) -> str:
    """A value as JSON: a state, an action, a decision, a step of a trace, a record, a view, a ruleset,
    the board of one, or an error.

    A game is sent as its record, a ruleset as what it declares, a board as its shapes; a list or a tuple as an array.

    Raises:
        TypeError: the value is none of these.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> print(hr.to_json(game.actions[0])[:32])
    {"schema":"hots_rules/action.v2"
    """
    return json.dumps(_encoded(value), ensure_ascii=False, separators=(",", ":"))


def to_data(value: object) -> JSON:
    """What `to_json` writes of a value, as plain data.

    Raises:
        TypeError: the value is none of those.

    >>> import json
    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.formats.to_data(game.actions[0]) == json.loads(hr.to_json(game.actions[0]))
    True
    """
    return _encoded(value)


def _encoded(value: object) -> JSON:
    if isinstance(value, list | tuple):
        return [_encoded(item) for item in value]
    message = _message(value)
    name = format_of(type(message))
    if name is None:
        raise TypeError(f"a message cannot hold a value of type {type(value).__name__}")
    return {KEY: name, **converter().unstructure(message)}


def _message(value: object) -> object:
    """The message that stands for a value."""
    match value:
        case State():
            return encode_state(value)
        case BaseGame():
            return record_game(value)
        case BaseRuleset():
            return ruleset_message(value)
        case Board():
            return geometry_message(value)
        case HotsError():
            return refusal(value)
    return value


def from_json(
    text: str | bytes,
    kind: type[Kind],
    ruleset: AnyRuleset | None = None,
    *,
    limits: Limits | None = None,
) -> Kind:
    """The value of a class that a JSON text holds; a state needs its ruleset.

    An action may be sent as it stands in a view or a decision, without the name of its format.
    Every key must be present, and no other; an integer, a string and a boolean are never taken for one another.
    The content is not checked against the rules: an action may be illegal, and a record may not replay.

    Args:
        text: the message.
        kind: the class of the value.
        ruleset: the ruleset of a state.
        limits: the limits of the message; those of `ruleset`, or the usual ones, if omitted. A record
            may have `record_bytes`, other messages have `message_bytes`.

    Raises:
        BadMessage: the text holds no such value; with the path in it, the cause and a remedy.
        TypeError: values of the class are not sent, or a state is read without its ruleset.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.from_json(hr.to_json(game.actions[0]), hr.Action) == game.actions[0]
    True
    """
    check_kind("ruleset", ruleset, BaseRuleset | None, "a ruleset")
    sent: type = StateMessage if kind is State else kind
    name = format_of(sent)
    if name is None:
        raise TypeError(f"a message cannot hold a value of type {kind!r:.80}")
    if kind is State and ruleset is None:
        raise TypeError("reading a state needs its ruleset; pass `ruleset=`")
    limits = limits or (DEFAULT_LIMITS if ruleset is None else ruleset.limits)
    value = (
        parse_json(text, limits.record_bytes, "record_bytes")
        if sent is Record
        else parse_json(text, limits.message_bytes)
    )
    body = _body(value, name)
    try:
        message: object = structure(body, sent)
    except BadRecord as error:
        raise _unwritable(str(error)) from None
    if isinstance(message, Record):
        _check_writable(message, limits)
    if kind is State and isinstance(message, StateMessage) and ruleset is not None:
        message = decode_state(message, ruleset)
    return cast("Kind", message)


def _body(value: JSON, name: str) -> dict[str, JSON]:
    """The fields of a message without the name of its format, which must be `name`."""
    if not isinstance(value, dict):
        raise BadMessage("$", f"expected an object, got `{shown(value)}`", f"send a {name}")
    if KEY not in value and name == ACTION and "player" in value:
        value = {KEY: name, **value}  # as it stands in a decision or a view
    if KEY not in value:
        raise BadMessage("$", f"missing key `{KEY}`", f'write "{KEY}": "{name}"')
    value = upgraded(value)
    if value[KEY] != name:
        cause = f'expected `"{name}"`, got `{shown(value[KEY])}`'
        raise BadMessage(f"$.{KEY}", cause, _remedy(value[KEY], name))
    return {key: member for key, member in value.items() if key != KEY}


def _remedy(got: JSON, name: str) -> str:
    if isinstance(got, str) and len(got) < 100 and got not in FORMATS:
        return suggest(got, FORMATS).help(f"send a {name} here")
    return f"send a {name} here"


def _check_writable(record: Record, limits: Limits) -> None:
    """Raise unless the text of a record reads back as the same record: no field may hold a line of another."""
    try:
        if Record.parse(str(record), limits=limits) == record:
            return
        cause = "its text reads as another record"
    except BadRecord as error:
        cause = str(error)
    raise _unwritable(cause)


def _unwritable(cause: str) -> BadMessage:
    return BadMessage(
        "$", f"record cannot be written as text: {cause}", "remove line breaks from its fields"
    )
