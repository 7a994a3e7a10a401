"""The client in JavaScript: it is made from the description of the table, as its types are, which are those of the
answers and of the messages of the library."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hots_rules as hr
from tests.folders import HOME
from tests.needs import needs
from tests.programs import NEEDS_NODE, NEEDS_TYPESCRIPT, TSC

needs("litestar")
jsonschema = needs("jsonschema")
sys.path.insert(0, str(HOME / "clients"))

import javascript as clients

from tests.table.tables import client_on, new_game, served, url_in


def test_the_client_and_its_types_are_those_of_the_description() -> None:
    """`python clients/javascript.py` writes them anew."""
    shipped = {path: path.read_text("utf-8") for path in (clients.FILE, clients.TYPES)}
    methods, typed = (
        set(re.findall(r"^  (?:async )?(\w+)(?:<\w+>)?\(", text, re.M)) for text in shipped.values()
    )

    assert clients.files() == shipped
    assert methods == typed and len(methods) > 40


def test_parts_of_answers_that_are_messages_are_described_as_messages() -> None:
    """So the client has the types of `hots export types` for them."""
    view = json.loads(hr.formats.schema(clients.MESSAGE))
    formats = {**view["$defs"], "ViewV4": view}
    described = clients.description()["components"]["schemas"]
    names = {
        name: re.sub(r'Omit<(\w+), "log">', r"\1", of) for name, of in clients.MESSAGES.items()
    }
    messages = {name: dict(formats[of]["properties"]) for name, of in names.items()}
    del messages["ViewOfSeat"]["log"]
    parts = {of: name for name, of in names.items()}

    for name, message in messages.items():
        fields = described[name]["properties"]
        assert {key: plain(value, parts) for key, value in message.items()} == {
            key: plain(value, {}) for key, value in fields.items()
        }
        assert set(described[name]["required"]) == set(fields)


def plain(schema: object, parts: dict[str, str]) -> object:
    """A schema with what matters of it: any value of a ruleset is described as any JSON."""
    match schema:
        case {"const": _}:
            return {"type": "string"}
        case {"$ref": name}:
            last = name.rpartition("/")[2]
            return {} if last == "Value" else {"$ref": parts.get(last, last)}
        case {"anyOf": options} | {"oneOf": options}:
            return {"anyOf": [plain(each, parts) for each in options]}
        case {"type": "array", "items": items}:
            return {"type": "array", "items": plain(items, parts)}
        case {"type": "object", "additionalProperties": values}:
            return {"type": "object", "additionalProperties": plain(values, parts)}
    return {"type": schema["type"]} if "type" in schema else {}


def test_the_types_hide_no_name_of_the_language() -> None:
    """A front end has the types of messages beside `Record` and the like."""
    ours = {
        "Array",
        "Map",
        "Set",
        "Promise",
        "Error",
        "Date",
        "Record",
        "Partial",
        "Pick",
        "Omit",
        "Readonly",
    }
    ours |= {
        "Exclude",
        "Extract",
        "Required",
        "Parameters",
        "ReturnType",
        "Object",
        "Symbol",
        "Iterator",
        "Function",
    }
    texts = (hr.formats.typescript_types(), clients.TYPES.read_text("utf-8"))
    declared = {
        name
        for text in texts
        for name in re.findall(r"^export (?:interface|type|class) (\w+)", text, re.M)
    }

    assert declared & ours == set()
    assert {"GameRecord", "RecordV1", "State", "Action"} <= declared


def test_answers_are_as_they_are_described(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        described = client.app.openapi_schema.to_schema()
        _, seats = new_game(client, "hots-4.0", "braveheart")
        england, spectator = seats["England"], seats[None]
        answers = {
            "RulesetLine": client.get("/api/rulesets").json()[0],
            "RulesetFacts": client.get("/api/rulesets/hots-4.0").json(),
            "SectionRules": client.get("/api/rulesets/hots-4.0/sections/4.1").json(),
            "PageWords": client.get("/api/words").json(),
            "Effects": england.post("/preview", {"words": "England: play Move 3"}).json(),
            "State": england.play(0, "England: play Move 3").json(),
            "Moment": spectator.get("/moments/1").json(),
            "Said": england.post("/about", {"words": "Wallace"}).json(),
            "ChatLine": england.post("/messages", {"text": "hello"}).json(),
            "SharesOfSeed": spectator.get("/shares").json(),
            "NewKey": england.post("/key", {}).json(),
            "SeatsTold": spectator.get("/seats").json(),
        }
    for name, answer in answers.items():
        schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
        jsonschema.validate(answer, schema)
        assert set(answer) == set(described["components"]["schemas"][name]["properties"])


def test_the_outcome_of_a_game_is_as_it_is_described(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        _, seats = new_game(client, "connect-four-1.0", "empty-board")
        for number, cell in enumerate(("a1", "b1", "a2", "b2", "a3", "b3", "a4")):
            player = ("Red", "Yellow")[number % 2]
            state = seats[player].play(number, f"{player}: {cell}").json()
    components = clients.description()["components"]

    assert state["view"]["outcome"]["winner"] == "Red"
    jsonschema.validate(state, {"$ref": "#/components/schemas/State", "components": components})


@pytest.mark.thorough
@NEEDS_NODE
def test_the_client_plays_outside_a_browser(tmp_path: Path) -> None:
    program = tmp_path / "play.mjs"
    program.write_text(f"""
      import {{ Refused, Table }} from {json.dumps(clients.FILE.as_uri())};
      const open = new Table(process.argv[2]);
      const made = await open.createGame({{ ruleset: "connect-four-1.0", scenario: "empty-board", claim: false }});
      const red = new Table(process.argv[2], {{ key: made.keys.Red, language: "fr" }});
      const state = await red.readGame(made.game, {{ board: false }});
      const action = state.view.actions[2].text;
      const next = await red.playAction(made.game, {{ number: 0, action }}, {{ board: false }});
      const refused = await open.playAction(made.game, {{ number: 1, action: "x" }}).catch((error) => error);
      console.log(JSON.stringify([next.number, next.board, refused instanceof Refused, refused.status, refused.kind]));
    """)
    with served(tmp_path) as (_, address):
        played = run(["node", str(program), address], tmp_path)

    assert (played.returncode, played.stderr) == (0, "")
    assert json.loads(played.stdout) == [1, "", True, 401, "WrongKey"]


@pytest.mark.thorough
@NEEDS_TYPESCRIPT
def test_a_program_in_typescript_plays_a_whole_game_without_a_cast(tmp_path: Path) -> None:
    sample = HOME / "clients" / "play.ts"
    for file in (clients.FILE, clients.TYPES, sample):
        shutil.copy(file, tmp_path)
    (tmp_path / "types.ts").write_text(hr.formats.typescript_types(), encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    options = (
        "--strict",
        "--noUncheckedIndexedAccess",
        "--target",
        "es2022",
        "--module",
        "nodenext",
    )
    compiled = run([str(TSC), *options, "play.ts"], tmp_path)
    assert (compiled.returncode, compiled.stdout) == (0, "")
    assert re.findall(r"\bas (?!const)|\bany\b|@ts-|!\.|!;", code_of(sample)) == []
    with served(tmp_path) as (_, address):
        played = run(["node", "play.js", address], tmp_path)

    assert (played.returncode, played.stderr) == (0, "")
    told = json.loads(played.stdout)
    assert told["refusal"] == {"status": 401, "kind": "WrongKey"}
    assert hr.replay(told["record"]).is_over
    assert len(hr.replay(told["record"]).moves) == told["number"]
    assert told["winners"] in (["Red"], ["Yellow"], [])


def code_of(file: Path) -> str:
    """The text of a program without its comments."""
    return re.sub(r"/\*.*?\*/|//.*", "", file.read_text("utf-8"))


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A program that has ended, with what it has printed."""
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_page_of_the_documentation_uses_methods_that_there_are() -> None:
    guide = (HOME / "docs/how-to/front-end.md").read_text("utf-8")
    methods = set(re.findall(r"^  (\w+)\(", clients.TYPES.read_text("utf-8"), re.M))

    assert set(re.findall(r"\btable\.(\w+)\(", guide)) <= methods
