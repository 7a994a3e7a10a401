"""Nothing in a message is converted: a value that only resembles what its place holds is refused, in every format."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import attrs
import pytest

import hots_rules as hr
from hots_rules.formats.registry import FORMATS, sent_fields
from hots_rules.formats.strict import structure
from tests.folders import TESTS
from tests.playing import TINY, ruleset_of
from tests.sizes import sample_size

CORPUS = TESTS / "corpus" / "tiny"


def lookalikes(value: Any) -> Iterator[Any]:
    """Values of other types that a lax reader would convert to a value."""
    if isinstance(value, bool):
        yield from (int(value), str(value).lower(), str(value), [value])
    elif isinstance(value, int):
        yield from (str(value), f" {value} ", [value], bool(value), {"value": value})
    elif isinstance(value, str):
        yield from (list(value), [value], {value: value}, 5, True)
    elif isinstance(value, list):
        yield from ("ab", "", {"0": "a"}, 0, False)
    elif isinstance(value, dict):
        yield from ([*value.items()], [*value], "ab", "", 0)
    else:
        yield from (0, False, {}, 1)


def places(value: Any, type_: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Each place in a message whose type is declared: its container, its key, and its type."""
    if attrs.has(type_):
        members = [(name, inner) for name, inner in sent_fields(type_).items()]
    elif isinstance(value, list):
        members = [(index, get_args(type_)[0]) for index in range(len(value))]
    elif isinstance(value, dict):
        members = [(key, get_args(type_)[1]) for key in value]
    else:
        members = []
    for key, inner in members:
        if inner in (Any, object):
            continue  # any value of a ruleset
        yield value, key, inner
        if value[key] is not None:
            declared = [arg for arg in get_args(inner) if arg is not type(None)]
            optional = type(None) in get_args(inner)
            yield from places(value[key], declared[0] if optional else inner)


def every_few(items: list[Any]) -> list[Any]:
    return items[:: len(items) // 100 + 1]


@pytest.mark.thorough
@pytest.mark.parametrize("name", FORMATS)
def test_no_value_is_converted_in_any_place_of_a_format(name: str) -> None:
    rules = ruleset_of(TINY)
    text = (CORPUS / f"{name.removeprefix('hots_rules/')}.json").read_text(encoding="utf-8")
    sent = FORMATS[name]
    kind = hr.State if name == "hots_rules/state.v2" else sent
    message = json.loads(text)
    tried = 0
    for container, key, _ in every_few(list(places(message, sent))):
        kept = container[key]
        for other in lookalikes(kept):
            container[key] = other
            with pytest.raises(hr.BadMessage) as error:
                hr.from_json(json.dumps(message), kind, rules)
            assert str(key) in error.value.path, f"{error.value} for {other!r}"
            assert error.value.remedy
            tried += 1
        container[key] = kept
    hr.from_json(json.dumps(message), kind, rules)

    assert tried > 10


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("variables", "turn"), "1"),
        (("variables", "turn"), True),
        (("variables", "tired"), "Fox"),
        (("variables", "tired"), {"Fox": True}),
        (("variables", "at"), [["Fox", "North"]]),
    ],
)
def test_no_value_of_a_variable_is_converted(place: tuple[str, str], value: Any) -> None:
    rules = ruleset_of(TINY)
    message = json.loads(hr.to_json(rules.start("short", seed=1).state))
    message[place[0]][place[1]] = value
    with pytest.raises(hr.BadMessage, match=rf"\$\.{'.'.join(place)}: expected "):
        hr.from_json(json.dumps(message), hr.State, rules)


# ------------------------------------------------------------------ one class with every type
@attrs.frozen
class Sample:
    integer: int = 1
    boolean: bool = True
    string: str = "a"
    real: float = 0.5
    nothing: None = None
    choice: Literal["on", 1] = 1
    optional: int | None = None
    items: tuple[str, ...] = ()
    rows: list[int] = attrs.field(factory=list)
    members: Mapping[str, int] = attrs.field(factory=dict)
    parts: tuple[Sample, ...] = ()


def sample(**changes: Any) -> dict[str, Any]:
    return {**attrs.asdict(Sample()), "items": [], "parts": [], **changes}


def test_a_class_with_every_type_is_read() -> None:
    part = sample(items=["a"], rows=[2], members={"x": 3}, choice="on", optional=4)
    value = structure(sample(parts=[part]), Sample)

    assert 4 == value.parts[0].optional
    assert (("a",), [2], {"x": 3}) == (
        value.parts[0].items,
        value.parts[0].rows,
        value.parts[0].members,
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"integer": "5"}, '$.integer: expected an integer, got `"5"`'),
        ({"integer": True}, "$.integer: expected an integer, got `true`"),
        ({"integer": 5.0}, "$.integer: expected an integer, got `5.0`"),
        ({"boolean": 1}, "$.boolean: expected `true` or `false`, got `1`"),
        ({"boolean": "true"}, '$.boolean: expected `true` or `false`, got `"true"`'),
        ({"boolean": None}, "$.boolean: expected `true` or `false`, got `null`"),
        ({"string": 5}, "$.string: expected a string, got `5`"),
        ({"string": ["a"]}, '$.string: expected a string, got `["a"]`'),
        ({"real": 1}, "$.real: expected a number with a fraction, got `1`"),
        ({"real": "0.5"}, '$.real: expected a number with a fraction, got `"0.5"`'),
        ({"nothing": 0}, "$.nothing: expected `null`, got `0`"),
        ({"nothing": ""}, '$.nothing: expected `null`, got `""`'),
        ({"choice": True}, '$.choice: expected `"on"` or `1`, got `true`'),
        ({"choice": "1"}, '$.choice: expected `"on"` or `1`, got `"1"`'),
        ({"choice": []}, '$.choice: expected `"on"` or `1`, got `[]`'),
        ({"optional": "5"}, '$.optional: expected an integer, got `"5"`'),
        ({"optional": False}, "$.optional: expected an integer, got `false`"),
        ({"items": "ab"}, '$.items: expected an array, got `"ab"`'),
        ({"items": {"a": "b"}}, '$.items: expected an array, got `{"a": "b"}`'),
        ({"items": ["a", 5]}, "$.items[1]: expected a string, got `5`"),
        ({"rows": "12"}, '$.rows: expected an array, got `"12"`'),
        ({"rows": [1, "2"]}, '$.rows[1]: expected an integer, got `"2"`'),
        ({"members": [["x", 1]]}, '$.members: expected an object, got `[["x", 1]]`'),
        ({"members": {"x": "1"}}, "$.members['x']: expected an integer, got `\"1\"`"),
        ({"members": {"k" * 9999: "1"}}, f"$.members['{'k' * 60}']: expected an integer"),
        ({"parts": [sample(integer="5")]}, '$.parts[0].integer: expected an integer, got `"5"`'),
        ({"parts": [5]}, "$.parts[0]: expected an object, got `5`"),
        ({"parts": [{}]}, "$.parts[0]: missing key `integer`"),
        ({"other": 5}, "$: unknown key `other`\nhelp: remove it"),
        ({"strin": 5}, "$: unknown key `strin`\nhelp: did you mean `string`?"),
    ],
    ids=repr,
)
def test_a_value_of_another_type_is_refused_with_its_place(changes: Any, said: str) -> None:
    with pytest.raises(hr.BadMessage) as error:
        structure(sample(**changes), Sample)

    assert str(error.value).startswith(said)
    assert error.value.remedy


@pytest.mark.parametrize(
    "type_", [set[str], frozenset[str], tuple[int, str], dict[int, str], int | str, type]
)
def test_a_type_without_a_strict_hook_is_a_mistake_of_the_program(type_: Any) -> None:
    kind = attrs.make_class("Kind", {"field": attrs.field(type=type_)})
    with pytest.raises(TypeError, match="messages have no values of type"):
        structure({"field": None}, kind)


# ------------------------------------------------------------------ bounds
FAULTS = sample_size(50_000, 300_000)


@pytest.mark.thorough
@pytest.mark.parametrize("item", ["1", '{"a":1}', "[]"])
def test_many_faults_are_refused_in_bounded_time_and_memory(item: str) -> None:
    """A reader that collected every fault would take 1.3 kB for each of them."""
    head, _, tail = hr.to_json(hr.Action("Red", "move", {"piece": ""}, "", 1, None)).partition(
        '{"piece":""}'
    )
    members = ",".join(f'"{n}":{item}' for n in range(FAULTS))
    text = f"{head}{{{members}}}{tail}"
    began = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(hr.BadMessage, match=r"\$\.args\['0'\]: expected a string"):
            hr.from_json(text, hr.Action, limits=hr.Limits(message_bytes=10_000_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert time.process_time() - began < FAULTS / 10_000
    assert peak < 500 * FAULTS
