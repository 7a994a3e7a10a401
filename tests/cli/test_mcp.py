"""`hots mcp`: the library as tools for an assistant, asked through the in-memory client of the SDK."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from mcp import Client, StdioServerParameters
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import Tool

import hots_rules as hr
from hots_rules.cli.assistant.games import MAX_ACTIONS, MAX_GAMES
from hots_rules.cli.assistant.server import INSTRUCTIONS, make_server
from tests.cli.test_cli import hots
from tests.folders import HOME

Call = tuple[str, Mapping[str, object]]


def talk(server: MCPServer, *calls: Call) -> list[tuple[bool, str]]:
    """The answers of a server to some calls: whether it is an error, and the text."""

    async def ask() -> list[tuple[bool, str]]:
        async with Client(server) as client:
            answers = [await client.call_tool(name, dict(given)) for name, given in calls]
        return [(bool(each.is_error), each.content[0].text) for each in answers]  # type: ignore[union-attr]

    return asyncio.run(ask())


def answer(tool: str, server: MCPServer | None = None, /, **given: object) -> str:
    [(is_error, text)] = talk(server or make_server(), (tool, given))
    assert not is_error, text
    return text


def fault(tool: str, server: MCPServer | None = None, /, **given: object) -> str:
    [(is_error, text)] = talk(server or make_server(), (tool, given))
    assert is_error, text
    return text


ATTACK = [
    "England: play Move 3",
    "Scotland: play Move 2",
    "England: end moves",
    "Scotland: move Wallace Fife-Mentieth",
]
SET_UP: Call = (
    "set_up",
    {"ruleset": "hots-4.0", "scenario": "braveheart", "seed": "1297", "actions": ATTACK},
)


# ---------------------------------------------------------------- the tools
def test_all_tools_only_read_and_say_what_they_do() -> None:
    async def listed() -> list[object]:
        async with Client(make_server()) as client:
            return list((await client.list_tools()).tools)

    tools = asyncio.run(listed())

    assert {
        *("list_rulesets", "search", "look_up", "compare_editions", "battle_odds", "set_up"),
        *("show", "legal_actions", "why", "why_not", "ask", "ask_editions", "odds"),
        "bot_choice",
    } == {tool.name for tool in tools}  # type: ignore[attr-defined]
    for tool in tools:
        assert tool.annotations.read_only_hint is True  # type: ignore[attr-defined]
        assert len(tool.description) > 20  # type: ignore[attr-defined]


def tools_of(server: MCPServer) -> list[Tool]:
    async def listed() -> list[Tool]:
        async with Client(server) as client:
            return list((await client.list_tools()).tools)

    return asyncio.run(listed())


def test_every_parameter_is_described_and_means_the_same_in_every_tool() -> None:
    kinds: dict[str, set[object]] = {}
    for tool in tools_of(make_server()):
        for name, schema in tool.input_schema["properties"].items():
            assert len(schema.get("description", "")) > 8, f"{tool.name}: {name}"
            kinds.setdefault(name, set()).add(schema["type"])
    assert {name for name, types in kinds.items() if len(types) > 1} == set()


def test_examples_name_installed_games() -> None:
    """What stands in back quotes with the name of a ruleset is understood there."""
    texts = [INSTRUCTIONS]
    for tool in tools_of(make_server()):
        properties = tool.input_schema["properties"].values()
        texts += [tool.description or "", *(each["description"] for each in properties)]
    named = {name for text in texts for name in re.findall(r"[a-z]+(?:-[a-z]+)*-\d\.\d", text)}
    assert named and named <= hr.rulesets().keys()
    goofspiel = hr.load("goofspiel-1.0").start("full-hands", seed=1)
    assert "Ann: bid 7" in {action.text for action in goofspiel.actions}
    assert 5 == goofspiel.with_position_changes("prize 5").state["prize"]
    assert 0 == goofspiel.state["score", "Ann"]
    drawing = hr.load("goofspiel-1.0").start("full-hands", seed=1, chance="ask")
    assert "chance: draw 5" in {outcome.text for outcome in drawing.actions}


@pytest.mark.parametrize(
    ("name", "given", "fault_text"),
    [
        ("whynot", {}, "did you mean `why_not`"),
        ("why", {"game": "match"}, "action"),
        ("why", {"game": "match", "action": 3}, "a text"),
        ("why", {"game": "match", "move": "x", "action": "y"}, "unknown parameter `move`"),
        ("ask", {"game": "match", "question": "x" * 5000}, "at most 2000 characters"),
        ("set_up", {"ruleset": "hots-4.0", "actions": 5}, "a list of texts"),
        ("set_up", {"ruleset": "hots-5.0"}, "hots-4.0"),
    ],
)
def test_errors_are_ours(name: str, given: dict[str, object], fault_text: str) -> None:
    game = hr.load("goofspiel-1.0").start("full-hands", seed=1)

    text = fault(name, make_server(game=game), **given)

    assert fault_text in text
    assert not re.search(r"pydantic|Error executing|validation|Traceback|input_value", text)


@pytest.mark.thorough
def test_the_first_answer_comes_within_three_seconds(tmp_path: Path) -> None:
    """In processor time, and with nothing in the cache: no ruleset is compiled to list them."""
    program = (
        "import asyncio, time\n"
        "from mcp import Client\n"
        "from hots_rules.cli.assistant.server import INSTRUCTIONS, make_server\n"
        "async def ask():\n"
        "    async with Client(make_server()) as client:\n"
        "        return await client.call_tool('list_rulesets', {})\n"
        "assert not asyncio.run(ask()).is_error\n"
        "print(time.process_time())\n"
    )
    environment = os.environ | {"HOTS_RULES_CACHE": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert float(ran.stdout) < 3


def test_rulesets_are_listed_with_what_a_game_needs() -> None:
    text = answer("list_rulesets")

    assert "hots-4.0: Hammer of the Scots, rulebook 4.0" in text
    assert "  scenario braveheart: Braveheart, 1297 to 1305" in text
    assert "lords-of-scotland" in text

    text = answer("list_rulesets", ruleset="hots-4.0")

    assert "  players: England, Scotland" in text
    assert "  option schiltroms: " in text
    assert "  scenario braveheart: Braveheart, 1297 to 1305" in text
    assert "lords-of-scotland" not in text


def test_a_rulebook_is_searched_in_any_language() -> None:
    for words, language in (("castle limit winter", "en"), ("limite châteaux hiver", "fr")):
        assert "§7" in answer("search", ruleset="hots-4.0", words=words, language=language)


def test_a_block_and_a_section_are_looked_up() -> None:
    assert "move rating: 3" in answer("look_up", ruleset="hots-4.0", name="Wallace")
    assert "Border Limits" in answer("look_up", ruleset="hots-4.0", name="4.3")


def test_editions_are_compared() -> None:
    given = {"older": "hots-3.x", "newer": "hots-4.0"}

    assert "letter by letter" in answer("compare_editions", **given, section="5.3")
    assert answer("compare_editions", **given).count("\n") < 20


def test_a_battle_is_made_up() -> None:
    text = answer("battle_odds", ruleset="hots-4.0", battle="Fife: Wallace 3 against Edward 4")

    assert "%" in text
    assert "Fife" in text


def test_a_talk_about_a_position() -> None:
    server = make_server()
    texts = talk(
        server,
        SET_UP,
        ("legal_actions", {"game": "game-1", "words": "Wallace"}),
        ("why_not", {"game": "game-1", "action": "Scotland: move Wallace Mentieth-Lanark"}),
        ("why", {"game": "game-1", "action": "Scotland: move Douglas Fife-Mentieth"}),
        ("ask", {"game": "game-1", "question": "where is wallace?"}),
        ("ask", {"game": "game-1", "question": "whose turn is it"}),
        ("ask_editions", {"game": "game-1", "question": "Scotland: move Douglas Fife-Mentieth"}),
        ("set_up", {"game": "game-1", "actions": ["Scotland: end moves"]}),
        (
            "odds",
            {
                "game": "game-2",
                "until": "battle",
                "policy": "fight-on",
                "expression": "strength[Wallace]",
            },
        ),
        ("look_up", {"ruleset": "hots-4.0", "name": "Mentieth", "game": "game-1"}),
    )

    assert [False] * 10 == [is_error for is_error, _ in texts], texts
    first, legal, no, yes, where, turn, editions, second, odds, area = (text for _, text in texts)
    assert first.startswith(
        "game: game-1\nhots-4.0, braveheart, the whole table\nto choose: Scotland"
    )
    assert legal.startswith("0 legal actions")
    assert "(stop-at-the-enemy hots-4.0 §4.0)" in no
    assert "§4.2" in yes
    assert "Mentieth" in where
    assert "to choose: Scotland, in movement" in turn
    assert editions.startswith("all editions agree")
    assert second.startswith("game: game-2")
    assert 0.999 < sum(each["share"] for each in json.loads(odds)["questions"]["strength[Wallace]"])
    assert "castle limit: 3" in area


def test_a_position_is_changed_and_a_record_read() -> None:
    server = make_server()
    changed = answer(
        "set_up", server, ruleset="hots-4.0", changes="Wallace: place Fife, strength 2; year 1300"
    )
    record = str(hr.load("hots-4.0").start("braveheart", seed=5).record)
    read = answer("set_up", server, ruleset="hots-4.0", record=record)

    assert "Wallace: place Fife, strength 2" in changed
    assert "year 1300" in changed
    assert "game: game-2" in read


def test_a_policy_of_the_ruleset_chooses_for_its_side() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    asked = {"game": "match", "bot": "english-attack", "chooser": "England"}

    for player in (None, "England"):
        server = make_server(game=game, player=player)
        assert "England: play Move 3" == answer("bot_choice", server, **asked)


def test_outcomes_of_chance_are_given() -> None:
    server = make_server()
    fire = {
        "actions": [*ATTACK, "Scotland: end moves", "Scotland: fire Wallace"],
        "outcomes": ["roll 6 6 6 6"],
    }
    text = answer("set_up", server, ruleset="hots-4.0", scenario="braveheart", seed="1297", **fire)

    assert "Mentieth: place Mentieth, strength 3" in text  # he was not hit


# ---------------------------------------------------------------- faults and limits
@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("search", {"ruleset": "hots-5.0", "words": "king"}, "hots-4.0"),
        ("search", {"ruleset": "/etc/passwd", "words": "king"}, "`hots-2.3`"),
        ("show", {"game": "game-9"}, "game-9"),
        ("look_up", {"ruleset": "hots-4.0", "name": "Wallice's horse"}, "Wallice"),
        ("set_up", {"ruleset": "hots-4.0", "scenario": "brave"}, "braveheart"),
        ("set_up", {"ruleset": "hots-4.0", "player": "France"}, "Scotland"),
        ("set_up", {"ruleset": "hots-4.0", "actions": ["England: fly"]}, "fly"),
        ("set_up", {"ruleset": "hots-4.0", "position": "x" * 70_000}, "64000"),
        ("set_up", {"ruleset": "hots-4.0", "record": "x" * 8_100_000}, "8000000"),
        ("set_up", {"ruleset": "hots-4.0", "actions": ["x"] * (MAX_ACTIONS + 1)}, "500"),
        ("search", {"ruleset": "hots-4.0", "words": "x" * 3_000}, "2000"),
    ],
)
def test_faults_are_told_with_a_remedy(name: str, given: dict[str, object], told: str) -> None:
    assert told in fault(name, **given)


def test_limits_are_those_of_the_server() -> None:
    server = make_server(hr.Limits(position_bytes=100))

    assert "100 bytes" in fault("set_up", server, ruleset="hots-4.0", changes="year 1300; " * 20)


@pytest.mark.thorough
def test_old_games_are_forgotten() -> None:
    new: Call = ("set_up", {"ruleset": "breakthrough-1.0"})
    *_, (first_failed, _), (last_failed, _) = talk(
        make_server(),
        *[new] * (MAX_GAMES + 1),
        ("show", {"game": "game-1"}),
        ("show", {"game": f"game-{MAX_GAMES + 1}"}),
    )

    assert (True, False) == (first_failed, last_failed)


# ---------------------------------------------------------------- secrecy
ABOUT_A_GAME: tuple[Call, ...] = (
    ("show", {"game": "match"}),
    ("legal_actions", {"game": "match"}),
    ("look_up", {"ruleset": "hots-4.0", "name": "Comyn", "game": "match"}),
    ("look_up", {"ruleset": "hots-4.0", "name": "Edward", "game": "match"}),
    ("look_up", {"ruleset": "hots-4.0", "name": "Badenoch", "game": "match"}),
    ("ask", {"game": "match", "question": "where is Comyn?"}),
    ("ask", {"game": "match", "question": "where is Edward"}),
    ("ask", {"game": "match", "question": "who stands in Mentieth"}),
    ("ask", {"game": "match", "question": "can England move Edward to Teviot?"}),
    ("why_not", {"game": "match", "action": "England: move Edward England-Teviot"}),
    ("why_not", {"game": "match", "action": "Scotland: play Herald"}),
    ("why", {"game": "match", "action": "England: play Move 3"}),
)


@pytest.mark.thorough
def test_a_game_that_a_player_sees_tells_the_same_in_every_world_of_that_player() -> None:
    game, chance = hr.load("hots-4.0").start("braveheart", seed=8), Random(8)
    for _ in range(10):
        game = game.play(chance.choice(game.actions))
    here = talk(make_server(game=game, player="Scotland"), *ABOUT_A_GAME)
    for world in game.worlds("Scotland", 3):
        there = talk(make_server(game=world, player="Scotland"), *ABOUT_A_GAME)
        assert here == there


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("odds", {"game": "match"}),
        ("ask_editions", {"game": "match", "question": "where is Comyn"}),
        ("set_up", {"game": "match", "actions": ["Scotland: play Move 2"]}),
        ("set_up", {"game": "match"}),
    ],
)
def test_what_would_read_hidden_things_is_refused(name: str, given: dict[str, object]) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=8)

    assert "one player only" in fault(name, make_server(game=game, player="Scotland"), **given)


def test_without_a_player_everything_is_told() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=8)
    server = make_server(game=game)

    assert "Comyn: place Badenoch" in answer("show", server, game="match")


# ---------------------------------------------------------------- the page
def test_the_talk_of_the_page_is_what_the_tools_say() -> None:
    page = (HOME / "docs" / "how-to" / "assistants.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n([^`]*)```\s+```text\n([^`]*)```", page, re.DOTALL)
    calls = [json.loads(call) for call, _ in blocks if '"tool"' in call]
    answers = talk(make_server(), *((call["tool"], call["arguments"]) for call in calls))

    assert 4 == len(calls) == len(blocks)
    for (_, shown), (_, said) in zip(blocks, answers, strict=True):
        pattern = ".*".join(re.escape(" ".join(part.split())) for part in shown.split("..."))
        assert re.fullmatch(rf"{pattern}", " ".join(said.split()), re.DOTALL), said


# ---------------------------------------------------------------- the command
@pytest.mark.thorough
def test_the_command_answers_on_standard_input_and_output(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    hr.load("hots-4.0").start("braveheart", seed=8).save(record)
    arguments = ["-m", "hots_rules.cli", "mcp", "--file", str(record), "--side", "scotland"]

    async def ask() -> str:
        parameters = StdioServerParameters(command=sys.executable, args=arguments)
        async with Client(parameters) as client:
            found = await client.call_tool("ask", {"game": "match", "question": "where is Wallace"})
            return found.content[0].text  # type: ignore[union-attr]

    assert "Fife" in asyncio.run(ask())


def test_a_prompt_that_does_not_exist_is_refused_in_a_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def asked() -> None:
        async with Client(make_server()) as client:
            with pytest.raises(MCPError, match="unknown prompt `nothing`"):
                await client.get_prompt("nothing")

    asyncio.run(asked())

    assert not [record for record in caplog.records if record.exc_info]


def test_a_side_needs_a_file() -> None:
    assert "--side needs --file" in hots("mcp", "--side", "Scotland").stderr


def test_without_the_extra_the_command_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; from hots_rules.cli import main; sys.exit(main())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "mcp"], capture_output=True, text=True, check=False
    )

    assert 2 == run.returncode
    assert "hots-rules[mcp]" in run.stderr
