"""`hots export wasm`: the games that Node plays by the exported module are those that Python plays."""

import json
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.cli.app import app
from hots_rules.native.lowering.lower import lower
from tests.play.test_spelling import RULES
from tests.playing import TINY, ruleset_of
from tests.teams import PARTNERS

Node = Callable[[hr.Ruleset, str], object]
PLAY = """
let game = rules.start(%s, %s)
const texts = []
for (let step = 0; step < 60 && !game.isOver; step++) {
  const actions = game.actions
  texts.push(actions.map((action) => action.text))
  game = game.play(actions[(7 * step) %% actions.length].text)
}
return [texts, [...game.state].map(String)]
"""


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """What a function of a ruleset returns in Node."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")

    def run(ruleset: hr.Ruleset, body: str) -> object:
        for name, content in hr.formats.wasm_files(ruleset).items():
            (tmp_path / name).write_bytes(content)
        script = (
            'import { load } from "./rules.mjs"; import { createHash } from "node:crypto";'
            f"const run = async (rules) => {{ {body} }};"
            "console.log(JSON.stringify(await run(await load())))"
        )
        (tmp_path / "test.mjs").write_text(script, encoding="utf-8")
        done = subprocess.run(
            [program, tmp_path / "test.mjs"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.stderr == ""
        return json.loads(done.stdout)

    return run


def final_digest(ruleset: hr.Ruleset, scenario: str, games: int) -> str:
    """The digest of the last states of random games, as words of eight bytes."""
    machine = ruleset.machine(ruleset.chosen({}, {}))
    slots, digest = lower(machine).slots, sha256()
    for seed in (f"0/{game}" for game in range(games)):
        state = machine.begin(scenario)
        play_in_python(machine, state, seed)
        digest.update(slots.pack(state))
    return digest.hexdigest()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "scenario", "games"),
    [
        ("hots-4.0", "braveheart", 5),
        ("lords-of-scotland", "5-players", 10),
        ("connect-four-1.0", "empty-board", 5),
    ],
)
def test_random_games_end_as_in_python(node: Node, name: str, scenario: str, games: int) -> None:
    ruleset = hr.load(name)
    body = f"""
    const digest = createHash("sha256")
    const options = {{ games: {games} }}
    for await (const end of rules.playouts("{scenario}", options)) digest.update(new Uint8Array(end.state.buffer))
    return digest.digest("hex")"""
    assert final_digest(ruleset, scenario, games) == node(ruleset, body)


def test_statistics_are_those_of_python(node: Node) -> None:
    ruleset = hr.load("lords-of-scotland")
    told = node(ruleset, 'return rules.simulate("2-players", { games: 70, seed: "s" })')
    meant = hr.simulate(ruleset, "2-players", games=70, seed="s")
    assert told == {
        "games": 70,
        "finished": meant.finished,
        "wins": meant.wins,
        "reasons": meant.reasons,
        "decisions": meant.decisions,
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "scenario", "language"),
    [
        ("hots-4.0", "braveheart", "fr"),
        ("lords-of-scotland", "3-players", "en"),
        ("connect-four-1.0", "empty-board", "en"),
    ],
)
def test_actions_have_the_texts_of_python(
    node: Node, name: str, scenario: str, language: str
) -> None:
    ruleset = hr.load(name).in_language(language)
    told = node(ruleset, PLAY % (json.dumps(scenario), "'1297'"))
    game, texts = ruleset.start(scenario, seed=1297), []
    for step in range(60):
        if not game.is_over:
            actions = game.actions
            texts.append([action.text for action in actions])
            game = game.play(actions[7 * step % len(actions)])
    machine = ruleset.machine(ruleset.chosen({}, {}))
    words = lower(machine).slots.words(game.state.slots)
    signed = [word - (1 << 64) if word >> 63 else word for word in words]
    assert told == [texts, [str(word) for word in signed]]


@pytest.mark.thorough
def test_actions_that_differ_in_case_alone_keep_their_texts(node: Node) -> None:
    game = ruleset_of(RULES).start("plain", seed=1)
    told = node(game.ruleset, 'return rules.start("plain", "1").actions.map((each) => each.text)')

    assert told == [action.text for action in game.actions]
    assert {"Ann: ask J", "Ann: ask j"} <= set(told)


@pytest.mark.thorough
def test_an_ended_game_has_its_outcome(node: Node) -> None:
    ruleset = hr.load("connect-four-1.0")
    told = node(
        ruleset,
        """let game = rules.start("empty-board", 1)
        while (!game.isOver) game = game.play(game.actions[0].text)
        return [game.outcome, game.actions, game.toMove]""",
    )
    game = ruleset.start("empty-board", seed=1)
    while not game.is_over:
        game = game.play(game.actions[0])
    assert game.outcome is not None
    winners, reason = list(game.outcome.winners), game.outcome.reason
    assert told == [{"winner": winners[0], "winners": winners, "reason": reason}, [], []]


def test_several_win_together_as_in_python(node: Node) -> None:
    ruleset = ruleset_of(PARTNERS)
    told = node(
        ruleset,
        """const found = await rules.simulate("table", { games: 70, seed: "s" })
        const outcomes = []
        for await (const { state } of rules.playouts("table", { games: 70 })) outcomes.push(rules.outcome(state))
        return [found.wins, outcomes.map(({ winner, winners }) => [winner, ...winners])]""",
    )
    outcomes = []
    machine = ruleset.machine(ruleset.chosen({}, {}))
    for seed in (f"0/{number}" for number in range(70)):
        state = machine.begin("table")
        play_in_python(machine, state, seed)
        winners = machine.facts.winners(machine.outcome(state))
        one = {0: "nobody", 1: "".join(winners)}.get(len(winners))
        outcomes.append([one, *winners])
    assert told == [hr.simulate(ruleset, "table", games=70, seed="s").wins, outcomes]
    assert {len(names) for names in outcomes} >= {1, 3}


def test_what_is_wrong_is_said_in_words(node: Node) -> None:
    attempts = ['rules.start("nowhere", 1)', 'rules.start("braveheart", 1).play("sing")']
    attempts.append('rules.start("braveheart", "x".repeat(200))')
    body = "const told = [];" + "".join(
        f"try {{ {attempt} }} catch (error) {{ told.push(error.message) }};" for attempt in attempts
    )
    assert node(hr.load("hots-4.0"), body + "return told") == [
        "no scenario nowhere; there are braveheart, the-bruce, campaign",
        "sing is not legal",
        "expected a seed of at most 126 bytes",
    ]


def test_a_broken_bound_of_the_ruleset_is_a_fault(node: Node) -> None:
    ruleset = ruleset_of(
        TINY.replace('"Nothing."\n  permit', '"Nothing."\n  permit\n  gold[actor, North] += 5')
    )
    told = node(
        ruleset,
        """let game = rules.start("short", 1)
        try { for (;;) game = game.play(`${game.toMove}: rest`) }
        catch (error) { return [error.constructor.name, error.message] }""",
    )
    game = ruleset.start("short", seed=1)
    with pytest.raises(hr.EngineError) as caught:
        for _ in range(9):
            game = game.play(f"{game.to_move[0]}: rest")
    name, message = told
    assert name == "RulesetFault"
    assert message and caught.value.message.startswith(message)


@pytest.mark.thorough
def test_the_command_writes_the_files(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY, encoding="utf-8")
    out = tmp_path / "out"
    words = ["export", "wasm", str(tmp_path / "tiny.rules"), "-o", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in out.iterdir()) == sorted(
        hr.formats.wasm_files(hr.load("lords-of-scotland"))
    )
    assert (out / "rules.wasm").read_bytes()[:4] == b"\0asm"
