"""The bodies of requests, on every route that has one: strict JSON of their form, and what a refusal tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")

from hots_rules.web.application import PARTS
from hots_rules.web.bodies import NewGame
from hots_rules.web.body_faults import MAX_FAULTS, body_faults
from tests.table.tables import client_on, url_in

JSON = {"Content-Type": "application/json"}
FORMS = {
    (method, path): handler.parsed_fn_signature.parameters["data"].annotation
    for part in PARTS
    for handler in part.ROUTES
    if "data" in handler.parsed_fn_signature.parameters
    for path in handler.paths
    for method in handler.http_methods
}
"""The forms of all bodies, by method and path."""
GIVEN = {
    "str": "a text",
    "int": 0,
    "bool": True,
    "str | None": "a text",
    "int | None": 0,
    "Clock | None": {"seconds": 60, "increment": 1, "days": 0},
    "dict[str, str]": {"Red": "random"},
    "dict[str, bool | int | str]": {"a": True, "b": 1, "c": "d"},
}
"""A value of each type of a field."""
OTHERS = {
    "str": [0, 1.5, True, None, [], {}],
    "int": ["0", 0.0, 1e3, True, None, [], {}],
    "bool": ["true", 0, 1, 1.0, None, [], {}],
    "str | None": [0, False, [], {}],
    "int | None": ["0", 0.0, False, [], {}],
    "Clock | None": ["60", 60, True, [], {"seconds": "60"}, {"seconds": 60.0}, {"second": 60}],
    "dict[str, str]": ["a", 0, None, [], {"Red": 1}, {"Red": None}],
    "dict[str, bool | int | str]": ["a", 0, None, [], {"a": 1.0}, {"a": None}, {"a": {}}],
}
"""Values that it cannot have."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with client_on(url_in(tmp_path_factory.mktemp("table"))) as made:
        yield made


def told(client: Any, method: str, path: str, content: str) -> str:
    """What a request is told that is refused for its body."""
    for part in ("{name:str}", "{plays:int}"):
        path = path.replace(part, "0" * 16 if "name" in part else "0")
    answer = client.request(method, path, content=content, headers=JSON)
    assert (answer.status_code, answer.json()["kind"]) == (400, "BadRequest"), answer.text
    return answer.json()["message"]


def whole(form: type) -> dict[str, Any]:
    """A body of a form, with all its fields."""
    return {each.name: GIVEN[each.type] for each in attrs.fields(form)}


ALL_ROUTES = pytest.mark.parametrize(
    ("method", "path", "form"), [(*route, form) for route, form in FORMS.items()]
)


def test_the_routes_with_bodies_are_found() -> None:
    assert len(FORMS) > 20
    assert FORMS["POST", "/api/games"] is NewGame


@ALL_ROUTES
def test_a_request_without_a_body_is_told_what_it_is_to_hold(client, method, path, form) -> None:
    message = told(client, method, path, "")

    assert message.startswith("the request has no body; send an object of JSON with ")
    for each in attrs.fields(form):
        assert (f"`{each.name}`" in message) == (each.default is attrs.NOTHING)


@ALL_ROUTES
@pytest.mark.parametrize("body", ["[]", "null", "3", '"{}"', "true"])
def test_a_body_that_is_no_object_is_refused(client, method, path, form, body: str) -> None:
    assert told(client, method, path, body).startswith("the body: expected an object of JSON with")


@ALL_ROUTES
def test_what_is_missing_is_told_by_its_name(client, method, path, form) -> None:
    for each in attrs.fields(form):
        if each.default is attrs.NOTHING:
            body = whole(form)
            del body[each.name]
            message = told(client, method, path, json.dumps(body))
            assert message.startswith(f"`{each.name}` is missing (")


@ALL_ROUTES
def test_a_value_of_another_type_is_refused_with_its_path(client, method, path, form) -> None:
    for each in attrs.fields(form):
        for other in OTHERS[each.type]:
            message = told(client, method, path, json.dumps({**whole(form), each.name: other}))
            assert each.name in message.partition(": expected")[0], (other, message)


@ALL_ROUTES
def test_an_unknown_field_is_refused_with_the_nearest(client, method, path, form) -> None:
    first = attrs.fields(form)[0].name
    misspelt = f"{first}x"
    message = told(client, method, path, json.dumps({**whole(form), misspelt: 1}))
    assert message == f"unknown field `{misspelt}` (did you mean `{first}`?)"


@pytest.mark.parametrize("form", dict.fromkeys(FORMS.values()), ids=lambda form: form.__name__)
def test_a_body_of_its_form_has_no_fault(form: type) -> None:
    needed = {each.name for each in attrs.fields(form) if each.default is attrs.NOTHING}
    least = {name: value for name, value in whole(form).items() if name in needed}
    may_be_null = [each.name for each in attrs.fields(form) if "None" in each.type]
    for body in (whole(form), least, {**whole(form), **dict.fromkeys(may_be_null)}):
        assert body_faults(body, form) == ""


def test_a_refusal_is_short_and_repeats_no_value() -> None:
    secret = "0123456789abcdef" * 2
    many = {f"{'x' * 10_000}\n{number}": secret for number in range(10_000)}
    told_of = body_faults({"ruleset": 1, "scenario": [secret], **many}, NewGame)

    assert told_of.count(";") == MAX_FAULTS - 1
    assert len(told_of) < 2_000
    assert secret not in told_of
    assert "\n" not in told_of


def test_the_description_says_that_there_are_no_other_fields(client) -> None:
    described = client.get("/api/openapi.json").json()["components"]["schemas"]
    for form in FORMS.values():
        assert described[form.__name__]["additionalProperties"] is False
