"""Messages round-trip and match their schemas; broken ones are refused with their place."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from jsonschema import Draft202012Validator

import hots_rules as hr
from hots_rules.formats.json_schema import make_files
from hots_rules.formats.json_text import MAX_NUMBER, parse_json
from hots_rules.formats.registry import FORMATS, format_of, sent_fields
from hots_rules.formats.samples import SAMPLE
from tests.folders import HOME, TESTS
from tests.playing import TINY, last_of, ruleset_of, texts_of_all

SHIPPED = HOME / "hots_rules" / "formats" / "schemas"


@cache
def shared_small() -> hr.Ruleset:
    return ruleset_of(TINY)


TRIED = int(os.environ.get("HOTS_RULES_DAMAGED", "400"))


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(hr.formats.schema(name)))


def is_valid(text: str) -> bool:
    """Whether a message matches the schema that it names."""
    value = json.loads(text)
    return validator(value["schema"]).is_valid(value)


@cache
def games_of(name: str) -> tuple[hr.Game, ...]:
    """Games of a ruleset at their beginning and some actions on; `tiny` with other options, too."""
    if name == "tiny":
        small = shared_small().start("short", seed=1, chance="ask", options={"fast": True})
        return tuple(last_of(small, Random(seed), 2 * seed) for seed in range(12))
    games, rules = [], hr.load(name)
    for number, scenario in enumerate(rules.scenarios):
        for actions in (0, 40):
            chance = "ask" if number % 2 else "auto"
            game = rules.start(scenario, seed=actions, chance=chance)  # type: ignore[arg-type]
            games.append(last_of(game, Random(actions), actions))
    return tuple(games)


def messages_of(game: hr.Game) -> Iterator[Any]:
    """Everything about a moment that can be sent."""
    yield game.state
    yield hr.formats.decision(game)
    yield from game.actions[:20]
    yield from game.trace
    yield hr.records.record_game(game)
    _, text = next(texts_of_all(game.ruleset, Random(len(game.moves))))
    yield game.why(text)
    if game.trace:
        yield game.explain()
        yield game.explain(game.trace[-1])
    yield from (game.why(action) for action in game.actions[:3])
    for player in (None, game.ruleset.players[0]):
        yield game.view(player, since=max(len(game.moves) - 3, 0))
    for text in (
        "nonsense",
        "Red: rest",
        "chance: roll 1",
        game.actions[0].text if game.actions else "",
    ):
        try:
            game.play(text)
        except hr.HotsError as error:
            yield hr.formats.refusal(error)


# ------------------------------------------------------------------ what is shipped
def test_the_shipped_files_match_the_classes() -> None:
    """`python -m hots_rules.formats` writes it anew."""
    shipped = {path.name: path.read_text(encoding="utf-8") for path in SHIPPED.iterdir()}

    assert make_files() == shipped


@pytest.mark.parametrize("name", FORMATS)
def test_each_schema_is_valid_for_its_draft(name: str) -> None:
    schema = json.loads(hr.formats.schema(name))
    Draft202012Validator.check_schema(schema)

    assert "https://json-schema.org/draft/2020-12/schema" == schema["$schema"]
    assert name == schema["$id"] == schema["properties"]["schema"]["const"]
    assert ["schema", *sent_fields(FORMATS[name])] == schema["required"]
    assert not schema["additionalProperties"]
    assert format_of(FORMATS[name]) == name


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(hr.UnknownName, match=r"did you mean `hots_rules/action\.v2`"):
        hr.formats.schema("hots_rules/action.v3")
    with pytest.raises(hr.BadArgument, match="“Boards” in the reference"):
        hr.formats.schema("hots_rules/board.v1")
    assert tuple(FORMATS) == hr.formats.format_names()


def test_the_typescript_types_have_every_field() -> None:
    types = hr.formats.typescript_types()
    for name, kind in FORMATS.items():
        title = name.partition("/")[2].capitalize().replace(".v", "V")
        body = types.partition(f"export interface {title} {{\n")[2].partition("}\n")[0]
        fields = [line.strip().partition(":")[0] for line in body.splitlines()]
        assert fields[:1] == ["schema"]
        assert fields[1:] == list(sent_fields(kind))
    assert "export type Value = null | boolean | number | string | Value[] | {" in types


# ------------------------------------------------------------------ round trips
@pytest.mark.thorough
@pytest.mark.parametrize("name", ["tiny", *hr.rulesets()])
def test_every_message_round_trips_and_matches_its_schema(name: str) -> None:
    for game in games_of(name):
        for thing in messages_of(game):
            text = hr.to_json(thing)
            again = hr.from_json(text, type(thing), game.ruleset)

            assert thing == again
            assert text == hr.to_json(again)
            assert is_valid(text), text[:200]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("action.v1", "action.v2", hr.Action),
        ("decision.v1", "decision.v3", hr.formats.Decision),
        ("decision.v2", "decision.v3", hr.formats.Decision),
        ("state.v1", "state.v2", hr.State),
        ("view.v1", "view.v4", hr.View),
        ("view.v2", "view.v4", hr.View),
        ("view.v3", "view.v4", hr.View),
        ("corpus.v1", "corpus.v2", hr.formats.Corpus),
    ],
)
def test_a_message_of_an_older_version_is_read(old: str, new: str, kind: type) -> None:
    """The arguments of an action had no names."""
    older, newer = (
        hr.from_json((TESTS / "corpus" / place).read_text(encoding="utf-8"), kind, shared_small())
        for place in (f"older/{old}.json", f"tiny/{new}.json")
    )

    assert without_names(older) == without_names(newer)


@pytest.mark.parametrize("seed", range(4))
def test_an_outcome_of_an_older_version_has_the_winner_alone(seed: int) -> None:
    game, chooser = shared_small().start("short", seed=seed), Random(seed)
    while not game.is_over:
        game = game.play(chooser.choice(game.actions))
    for message, older in (
        (game.view("Red"), "view.v3"),
        (hr.formats.decision(game), "decision.v2"),
    ):
        sent = json.loads(hr.to_json(message))
        winner = sent["outcome"]["winner"]
        assert sent["outcome"].pop("winners") == ([] if winner is None else [winner])
        sent["schema"] = f"hots_rules/{older}"
        assert hr.from_json(json.dumps(sent), type(message)) == message


def without_names(message: object) -> object:
    """A message with the arguments of its actions named by their places, and without its digest."""
    if isinstance(message, hr.Action):
        places = map(str, range(1, len(message.args) + 1))
        return evolve(message, args=dict(zip(places, message.args.values(), strict=True)))
    if isinstance(message, hr.View | hr.formats.Decision):
        actions = tuple(map(without_names, message.actions))
        # The older one has a digest of an older kind.
        kept = {"content": ""} if isinstance(message, hr.formats.Decision) else {}
        return evolve(message, actions=actions, **kept)
    return message


def test_a_ruleset_is_sent_with_what_it_declares() -> None:
    rules = hr.load("hots-4.0").in_language("es")
    message = json.loads(hr.to_json(rules))

    assert message["words"]["Side"] == dict(rules.words["Side"])
    assert {"name": "retreat", "params": {"block": "Block", "to": "Area"}}.items() <= next(
        action for action in message["actions"] if action["name"] == "retreat"
    ).items()
    assert {*message["places"]} == {*rules.words["Area"]}
    assert hr.formats.ruleset_message(rules) == hr.from_json(
        json.dumps(message), hr.formats.RulesetMessage
    )


@pytest.mark.parametrize("name", hr.rulesets())
def test_a_board_is_sent_with_the_shapes_of_its_picture(name: str) -> None:
    rules = hr.load(name)
    board = hr.draw.board_of(rules)
    text = hr.to_json(board)
    sent = hr.from_json(text, hr.formats.GeometryMessage)

    assert hr.formats.geometry_message(board) == sent
    assert {*sent.areas} == {*board.areas} <= {*rules.map.places}
    for place, area in board.areas.items():
        points = zip(area.polygon, sent.areas[place].outline, strict=True)
        assert all(
            abs(10 * a - b) <= 0.5 for own, its in points for a, b in zip(own, its, strict=True)
        )
    assert {frozenset(border.between) for border in sent.borders} == {*board.shared_edges}


@pytest.mark.parametrize("name", ["hots-2.3", "lords-of-scotland", "backgammon-1.0"])
def test_every_argument_has_a_value_of_its_type(name: str) -> None:
    rules = hr.load(name)
    game = rules.start(rules.scenarios[0], seed=5)
    for after in (game, *texts_played(game, 120)):
        for action in after.actions:
            params = rules.actions[action.name].params
            assert [*params] == [*action.args]
            for param, value in action.args.items():
                words = rules.words.get(params[param])
                assert value in words if words is not None else value.lstrip("-").isdigit()


def texts_played(game: hr.Game, plays: int) -> Iterator[hr.Game]:
    """The games after each of some random plays."""
    chooser = Random(7)
    for _ in range(plays):
        if game.is_over:
            return
        game = game.play(chooser.choice(game.actions))
        yield game


def test_an_action_of_a_view_is_read_as_it_stands_there() -> None:
    game = shared_small().start("short", seed=1)
    player = game.to_move[0]
    view = json.loads(hr.to_json(game.view(player)))

    for sent, action in zip(view["actions"], game.view(player).actions, strict=True):
        assert action == hr.from_json(json.dumps(sent), hr.Action)
        assert game.play(action) == game.play(hr.from_json(json.dumps(sent), hr.Action))


def test_a_message_of_an_older_version_is_read_as_strictly() -> None:
    text = (TESTS / "corpus" / "older" / "view.v1.json").read_text(encoding="utf-8")
    with pytest.raises(hr.BadMessage, match=r"^\$: unknown key `undo_flor`"):
        hr.from_json(text.replace("undo_floor", "undo_flor"), hr.View)


def test_a_game_is_sent_as_its_record() -> None:
    game = last_of(shared_small().start("short", seed=1), Random(1), 5)

    assert game == hr.replay(hr.from_json(hr.to_json(game), hr.Record), shared_small())


def test_an_action_from_a_message_can_be_played() -> None:
    game = shared_small().start("short", seed=1)
    action = hr.from_json(hr.to_json(game.actions[3]), hr.Action)

    assert game.play(game.actions[3]) == game.play(action)


def test_a_decision_for_a_player_has_only_the_actions_of_that_player() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    mine = hr.formats.decision(game, "Scotland")

    assert ("England", "Scotland") == game.to_move == mine.to_move
    assert {"Scotland"} == {action.player for action in mine.actions}
    assert len(mine.actions) < len(hr.formats.decision(game).actions)
    assert () == hr.formats.decision(game, "nobody").actions


def test_a_decision_at_the_end_has_the_outcome() -> None:
    game = last_of(shared_small().start("short", seed=1), Random(1))
    decision = hr.from_json(hr.to_json(hr.formats.decision(game)), hr.formats.Decision)

    assert ((), (), game.outcome) == (decision.to_move, decision.actions, decision.outcome)
    assert decision.outcome is not None


def test_chance_has_exact_probabilities() -> None:
    game = shared_small().start("short", chance="ask")
    for text in ("Dog to North", "rest", "throw for Dog"):
        game = game.play(text)
    sent = json.loads(hr.to_json(hr.formats.decision(game)))

    assert {"1/36", "1/18"} == {action["probability"] for action in sent["actions"]}
    assert 1 == sum(Fraction(action["probability"]) for action in sent["actions"])


def test_a_tuple_is_sent_as_an_array() -> None:
    game = shared_small().start("short").play("rest")

    assert list(map(str, game.trace)) == [
        f"{step['text']}" + (f" ({' '.join('§' + s for s in step['sections'])})" if step["sections"] else "")
        for step in json.loads(hr.to_json(game.trace))
    ]  # fmt: skip


@pytest.mark.parametrize("thing", [None, 7, "x", {}, object(), [7]])
def test_other_values_are_not_sent(thing: object) -> None:
    with pytest.raises(TypeError, match="a message cannot hold a value of type"):
        hr.to_json(thing)


def test_each_error_is_data() -> None:
    game = shared_small().start("short", seed=1)
    refused = {}
    for text in ("Red: stay", "Blue: Fox to North"):
        with pytest.raises(hr.HotsError) as error:
            game.play(text)
        refused[text] = hr.formats.refusal(error.value)

    assert ("UnreadableAction", "Red: stay") == (
        refused["Red: stay"].kind,
        refused["Red: stay"].text,
    )
    illegal = refused["Blue: Fox to North"]
    assert "IllegalAction" == illegal.kind
    assert illegal.reasons
    assert str(illegal.reasons[0]) in illegal.message
    with pytest.raises(hr.BadPosition) as bad:
        shared_small().position("turn 99\nFox: at Moon")
    assert 2 == len(hr.formats.refusal(bad.value).faults)
    for error_value in (hr.BadRecord("x"), hr.BadMessage("$.a", "b", "c"), hr.EngineError("m", "rule", "§1"),
                hr.AmbiguousAction("x", ("y", "z")), hr.UnknownName("option", "x", ("y",)),
                hr.BadArgument("x", 7, "a name"), hr.SettledReading("x", "y", "z"),
                hr.IgnoredOption("x", "y", ("z",)), hr.LimitExceeded("answer_steps", 9, "answer"),
                hr.records.BadSecret("x")):  # fmt: skip
        assert hr.formats.refusal(error_value) == hr.from_json(
            hr.to_json(error_value), hr.formats.Refusal
        )


# ------------------------------------------------------------------ what is refused
def _error(text: Any, kind: Any = hr.Action, ruleset: Any = None) -> str:
    with pytest.raises(hr.BadMessage) as error:
        hr.from_json(text, kind, ruleset)
    assert error.value.path.startswith(("$", "line "))
    assert error.value.remedy, "expected a remedy"
    assert len(str(error.value)) < 1000
    assert str(error.value) == str(pickle.loads(pickle.dumps(error.value)))
    str(error.value).encode()
    return str(error.value)


ACTION = hr.to_json(SAMPLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, "$: expected JSON as text, got NoneType"),
        (7, "$: expected JSON as text, got int"),
        ("", "line 1, column 1: invalid JSON: expecting value"),
        ("{", "line 1, column 2: invalid JSON: expecting property name"),
        ("[]", "$: expected an object, got `[]`"),
        ('"x"', '$: expected an object, got `"x"`'),
        ("{}", '$: missing key `schema`\nhelp: write "schema": "hots_rules/action.v2"'),
        (b"\xff", "$: invalid UTF-8 at byte 0"),
        (ACTION + "x", "invalid JSON: extra data"),
        (ACTION.replace("action.v2", "decision.v3"), "help: send a hots_rules/action.v2 here"),
        (ACTION.replace('"code":7', '"code":NaN'), "$: expected an integer, got `NaN`"),
        (ACTION.replace('"code":7', '"code":-Infinity'), "$: expected an integer, got `-Infinity`"),
        (ACTION.replace('"code":7', '"code":1e999999999'), "$: expected an integer, got `1e999999999`"),
        (ACTION.replace('"code":7', '"code":' + "9" * 100), f"$.code: integer out of range -{MAX_NUMBER}"),
        (ACTION.replace('"code":7', '"code":' + "9" * 5000), "$: integer out of range"),
        (ACTION.replace('"code":7', '"code":7,"code":7'), "$: duplicate key `code`"),
        (ACTION.replace('"code":7', '"code":true'), "$.code: expected an integer, got `true`"),
        (ACTION.replace('"code":7', '"cod":7'), "$: unknown key `cod`\nhelp: did you mean `code`?"),
        (ACTION.replace(',"code":7', ""), "$: missing key `code`"),
        (ACTION.replace('"Fox"', "null"), "$.args['piece']: expected a string, got `null`"),
        (ACTION.replace('"Fox"', '"\\udc00"'), "$.args.piece: unpaired surrogate in a string"),
        (ACTION.replace('"args"', '"\\ud800"'), "$: unpaired surrogate in a string"),
        (ACTION.replace('"1/6"', '"1/06"'), '$.probability: expected a fraction, got `"1/06"`'),
        (ACTION.replace('"1/6"', "6"), "$.probability: expected a fraction, got `6`"),
        ("[" * 60_000, "$: nested more than 60 levels deep"),
        ('{"schema":' * 6_000, "$: nested more than 60 levels deep"),
        (ACTION.replace('"Fox"', "[" * 70 + "]" * 70), "nested more than 60 levels deep"),
        (" " * 64_001, "$: message is larger than 64000 bytes"),
    ],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_a_broken_message_is_refused_with_its_place_and_cause(text: Any, expected: str) -> None:
    assert expected in _error(text)


def test_reading_an_unknown_class_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="a message cannot hold a value of type"):
        hr.from_json("{}", int)
    with pytest.raises(TypeError, match="reading a state needs its ruleset"):
        hr.from_json("{}", hr.State)


def _state_with(**changes: Any) -> str:
    value = json.loads(hr.to_json(shared_small().start("short", seed=1).state))
    for path, new in changes.items():
        *above, last = path.split("__")
        inner = value
        for name in above:
            inner = inner[name]
        inner[last] = new
    return json.dumps(value)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"ruleset": "hots-4.0"}, "$.ruleset: expected `tiny-1.0`, got `hots-4.0`"),
        ({"layout": "0" * 32}, "$.layout: expected `"),
        ({"variables": []}, "$.variables: expected an object, got `[]`"),
        ({"variables__turn": 10}, "$.variables.turn: expected a value of 1..9, got `10`"),
        ({"variables__turn": True}, "$.variables.turn: expected a value of 1..9, got `true`"),
        ({"variables__turm": 1}, "$.variables: unknown key `turm`"),
        ({"variables__at": {"Fox": "Away"}}, "$.variables.at: missing key `Hen`"),
        ({"variables__at__Fox": "Moon"}, '$.variables.at.Fox: expected a value of Where, got `"Moon"`'),
        ({"variables__at__Fox": None}, "$.variables.at.Fox: expected a value of Where, got `null`"),
        ({"variables__favourite": "none"}, '$.variables.favourite: expected a value of Piece?, got `"none"`'),
        ({"variables__tired": ["Hen", "Fox"]}, "$.variables.tired: members of a set are repeated or out of order"),
        ({"variables__tired": ["Hen", "Hen"]}, "$.variables.tired: members of a set are repeated"),
        ({"variables__tired": [[]]}, "$.variables.tired[0]: expected a value of Piece, got `[]`"),
        ({"variables__gold__Red__North": 10}, "$.variables.gold.Red.North: expected a value of 0..9"),
        ({"point": ""}, "$.point: expected"),
        ({"point": "1 2 x"}, "$.point: expected"),
        ({"point": 3}, "$.point: expected a string"),
    ],
    ids=str,
)  # fmt: skip
def test_an_impossible_state_is_refused(changes: dict[str, Any], expected: str) -> None:
    assert expected in _error(_state_with(**changes), hr.State, shared_small())


def test_an_impossible_point_is_refused() -> None:
    point = json.loads(_state_with())["point"].split()
    for slot, number in ((0, "1"), (0, "-99"), (1, "4"), (1, "-1"), (2, "9999"), (2, "-1")):
        words = [number if at == slot else word for at, word in enumerate(point)]
        assert f"number {slot} is {number}" in _error(
            _state_with(point=" ".join(words)), hr.State, shared_small()
        )


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": "1\nscenario other"},
        {"scenario": "short\n\nRed: rest"},
        {"options": {"fast no\nreading x": "y"}},
        {"entries": [{"text": "rest\nrest", "digest": "", "comments": [], "variations": []}]},
        {"entries": [{"text": "rest", "digest": "xyz", "comments": [], "variations": []}]},
        {"entries": [{"text": "# rest", "digest": "", "comments": [], "variations": []}]},
        {"entries": [{"text": "rest", "digest": "", "comments": [], "variations": [[]]}]},
        {"seal": "0"},
    ],
    ids=str,
)
def test_a_record_whose_text_reads_differently_is_refused(changes: dict[str, Any]) -> None:
    value = json.loads(hr.to_json(shared_small().start("short", seed=1)))

    assert "record cannot be written as text" in _error(json.dumps({**value, **changes}), hr.Record)


def test_a_comment_of_several_lines_is_several_comments() -> None:
    value = json.loads(hr.to_json(shared_small().start("short", seed=1).record))
    record = hr.from_json(json.dumps({**value, "comments": ["(\n", "a\nstate"]}), hr.Record)

    assert ("(", "a", "state") == record.comments
    assert record == hr.Record.parse(str(record))


# ------------------------------------------------------------------ damaged at random
def _damaged(text: str, chooser: Random) -> bytes:
    """A message with random damage."""
    data = bytearray(text.encode())
    match chooser.randrange(6):
        case 0:
            at = chooser.randrange(len(data))
            data[at] ^= 1 << chooser.randrange(8)
        case 1:
            del data[chooser.randrange(len(data)) :]
        case 2:
            at = chooser.randrange(len(data))
            del data[at : at + chooser.randrange(1, 20)]
        case 3:
            at = chooser.randrange(len(data))
            data[at:at] = data[chooser.randrange(len(data)) :][: chooser.randrange(1, 40)]
        case 4:
            at = chooser.randrange(len(data))
            data[at : at + 1] = chooser.choice(
                [b"NaN", b"1e999", b"9" * 30, b"null", b"[" * 80, b'"\\ud800"', b"{}", b"-0", b"\\", b"\x00"]
            )  # fmt: skip
        case _:
            digits = [at for at, byte in enumerate(data) if 48 <= byte < 58]
            at = chooser.choice(digits or [0])
            data[at : at + 1] = str(chooser.choice([0, -1, 2**31, 2**53, 10**400])).encode()
    return bytes(data)


def read_damaged(count: int, seed: int) -> tuple[int, int]:
    """How many damaged messages were read all the same, and how many were refused; nothing else may happen."""
    chooser, read, refused = Random(seed), 0, 0
    games = [*games_of("tiny"), *games_of("hots-4.0")[:2], *games_of("lords-of-scotland")[-2:]]
    things = [(thing, game) for game in games for thing in messages_of(game)]
    for _ in range(count):
        thing, game = chooser.choice(things)
        text = _damaged(hr.to_json(thing), chooser)
        try:
            again = hr.from_json(text, type(thing), game.ruleset)
        except hr.BadMessage as error:
            assert 5 < len(str(error)) < 2000
            refused += 1
        else:
            assert type(again) is type(thing)
            assert is_valid(hr.to_json(again))
            assert again == hr.from_json(hr.to_json(again), type(thing), game.ruleset)
            read += 1
    return read, refused


def test_damaged_messages_are_read_or_refused() -> None:
    read, refused = read_damaged(TRIED, 1)

    assert TRIED == read + refused
    assert refused > TRIED / 2


def test_the_schema_and_the_reader_agree() -> None:
    """Values in valid messages are exchanged; a message is read if and only if its schema allows it."""
    chooser = Random(7)
    values: list[Any] = [
        None,
        True,
        0,
        -3,
        2**40,
        "",
        "x",
        "1/6",
        [],
        {},
        ["x"],
        [1],
        {"x": "y"},
        [{}],
    ]
    agreed = {True: 0, False: 0}
    game = last_of(shared_small().start("short", seed=1, chance="ask"), Random(1), 5)
    sent = [t for t in messages_of(game) if not isinstance(t, hr.State | hr.Record)]
    for _ in range(TRIED):
        thing = chooser.choice(sent)
        value = json.loads(hr.to_json(thing))
        places = list(_members(value))
        inner, key = chooser.choice(places)
        if key == "schema":
            continue
        if chooser.random() < 0.2 and isinstance(inner, dict):
            del inner[key]
        else:
            inner[key] = chooser.choice(values)
        allowed = is_valid(json.dumps(value))
        try:
            hr.from_json(json.dumps(value), type(thing))
            taken = True
        except hr.BadMessage:
            taken = False
        assert allowed == taken, json.dumps(value)
        agreed[taken] += 1

    assert agreed[True] > TRIED / 20
    assert agreed[False] > TRIED / 3


def _members(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _members(value[key])


def test_hostile_messages_are_refused_in_time() -> None:
    began = time.process_time()
    for text in (
        '{"a":' * 1_000_000,
        "[" + "[],".join([""] * 500_000) + "[]",
        '{"schema":"hots_rules/action.v2","args":[' + '"x",' * 1_000_000 + '"x"]}',
        "{" + ",".join(f'"k{n}":0' for n in range(300_000)) + "}",
        '"' + "\\u0000" * 1_000_000 + '"',
        "[" + "1," * 2_000_000 + "1]",
    ):
        _error(text)

    assert time.process_time() - began < 60


def test_the_largest_portable_numbers_are_read() -> None:
    assert [MAX_NUMBER, -MAX_NUMBER] == parse_json(f"[{MAX_NUMBER}, -{MAX_NUMBER}]", 100)


# ------------------------------------------------------------------ at the start
def test_a_game_starts_and_is_saved_without_loading_formats(tmp_path: Path) -> None:
    code = """
import sys, hots_rules as hr
game = hr.load("hots-4.0").start("braveheart", seed=1)
game = game.play(game.actions[0])
game.save(sys.argv[1]); hr.read(sys.argv[1])
print([name for name in sys.modules if name.split(".")[0] in ("cattrs", "lark", "jsonschema")
       or name.startswith("hots_rules.formats")])
"""
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "game")],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "[]" == run.stdout.strip()
