"""The client in JavaScript: it is made from the description of the table, and its types are those of the answers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folders import HOME
from tests.needs import needs

needs("litestar")
jsonschema = needs("jsonschema")
sys.path.insert(0, str(HOME / "clients"))

import javascript as clients

from tests.table.tables import client_on, new_game, served, url_in


def test_the_client_is_that_of_the_description() -> None:
    assert clients.text() == clients.FILE.read_text("utf-8"), "run: python clients/javascript.py"


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
        }
    for name, answer in answers.items():
        schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
        jsonschema.validate(answer, schema)
        assert set(answer) == set(described["components"]["schemas"][name]["properties"])


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_client_plays_outside_a_browser(tmp_path: Path) -> None:
    program = tmp_path / "play.mjs"
    program.write_text(f"""
      import {{ Refused, Table }} from {json.dumps(clients.FILE.as_uri())};
      const open = new Table(process.argv[2]);
      const made = await open.createGame({{ ruleset: "connect-four-1.0", scenario: "empty-board", seed: "1" }});
      const red = new Table(process.argv[2], {{ key: made.keys.Red, language: "fr" }});
      const state = await red.readGame(made.game, {{ board: false }});
      const action = state.view.actions[2].text;
      const next = await red.playAction(made.game, {{ number: 0, action }}, {{ board: false }});
      const refused = await open.playAction(made.game, {{ number: 1, action: "x" }}).catch((error) => error);
      console.log(JSON.stringify([next.number, next.board, refused instanceof Refused, refused.status, refused.kind]));
    """)
    with served(tmp_path) as (_, address):
        run = subprocess.run(
            ["node", str(program), address],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == [1, "", True, 401, "WrongKey"]


def test_the_page_of_the_documentation_uses_methods_that_there_are() -> None:
    guide = (HOME / "docs/how-to/front-end.md").read_text("utf-8")
    methods = set(re.findall(r"^  (?:async )?(\w+)\(.*\{", clients.text(), re.M))

    assert set(re.findall(r"\btable\.(\w+)\(", guide)) <= methods
