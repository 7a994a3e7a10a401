"""Bots by their names: that of the guide, from an installed package, wherever bots play; and broken ones."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.study import StudyPlan, StudyRun, StudySide
from tests.cli.test_cli import hots
from tests.folders import HOME
from tests.needs import needs

GUIDE = (HOME / "docs" / "how-to" / "bots.md").read_text(encoding="utf-8")
[MODULE] = re.findall(r"```python\n(import hots_rules as hr\n[^`]*)```", GUIDE)
[ENTRY] = re.findall(r'```toml\n\[project.entry-points."hots_rules.bots"\]\n([^`]*)```', GUIDE)
GAME, SCENARIO = "breakthrough-1.0", "two-ranks"
BROKEN = {
    "absent": ("absent = no_such_module:bot", "", "No module named 'no_such_module'"),
    "exits": ("exits = bad_bots:bot", "raise SystemExit('bye')", "bye"),
    "nothing": ("nothing = bad_bots:bot", "", "bot"),
    "no-bot": ("no-bot = bad_bots:bot", "bot = lambda seed, budget: 7", "no method `choose`"),
    "no-maker": ("no-maker = bad_bots:bot", "bot = 7", "not callable"),
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """What installs a package with a module and entry points."""

    def install(name: str, module: str, entries: str) -> None:
        (tmp_path / f"{name}.py").write_text(module, encoding="utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[hots_rules.bots]\n{entries}\n")

    monkeypatch.syspath_prepend(str(tmp_path))
    modules = {"brief_bots", "bad_bots"}
    yield install
    for name in modules:
        sys.modules.pop(name, None)


@pytest.fixture
def brief(installed: Callable[..., None]) -> None:
    """The package of the guide."""
    installed("brief_bots", MODULE, ENTRY.replace('"', ""))


def started() -> hr.Game:
    return hr.load(GAME).start(SCENARIO, seed=1)


def briefest(game: hr.Game, player: str) -> str:
    return min((action.text for action in game.view(player).actions), key=len)


def test_the_bot_of_the_guide_is_found_by_its_name(brief: None) -> None:
    game = started()

    assert len(MODULE.splitlines()) <= 12
    assert hr.analysis.bot_names() == ("random", "monte-carlo", "ismcts", "brief")
    for name in ("brief", "brief:50"):
        assert briefest(game, "White") == hr.analysis.make_bot(name, 1).choose(game, "White").text


def test_the_bot_of_the_guide_plays_a_match(brief: None) -> None:
    asked = ("play", GAME, SCENARIO, "--seed", 1, "--side", "White", "--against", "brief")
    played = hots(*asked, typed="1\n")
    after = started()
    after = after.play(after.actions[0])

    assert 0 == played.exit_code, played.stderr
    last = after.play(briefest(after, "Black")).trace[0]
    assert str(last.text) in played.stdout


def test_the_bot_of_the_guide_plays_in_a_study(brief: None) -> None:
    sides = [StudySide("as printed", hr.load(GAME))]
    study_run = StudyRun(sides, StudyPlan(("as printed",), SCENARIO, 1, "7", ("White=brief",)))
    list(study_run.play())
    result = study_run.result().results[0]
    game = study_run.game(result.policy, result.sample_games[0])
    replayed = game.ruleset.start(SCENARIO, seed=game.seed)
    for code in game.moves:
        if replayed.to_move == ("White",):
            assert briefest(replayed, "White") == replayed.notation.action(code).text
        replayed = replayed.play_code(code)


def test_the_bot_of_the_guide_sits_at_the_table(brief: None) -> None:
    needs("litestar")
    from hots_rules.web.games.bots import BotPool, choice
    from hots_rules.web.storage.rows import GameRow

    rules = hr.load(GAME)
    row = GameRow("a", rules.name, rules.content_hash, SCENARIO, "{}", "1")

    assert BotPool().kinds == ("random", "monte-carlo", "brief")
    assert {"text": briefest(started(), "White")} == choice("brief", row, [], "White", 2.0)


@pytest.mark.thorough
def test_the_bot_of_the_guide_answers_an_assistant(brief: None) -> None:
    from hots_rules.cli.assistant.server import make_server
    from tests.cli.test_mcp import answer, fault

    game = hr.load("goofspiel-1.0").start("full-hands", seed=1)
    for player in (None, "Ann"):
        server = make_server(game=game, player=player)
        assert briefest(game, "Ann") == answer("bot_choice", server, game="match", bot="brief")
    assert "`Ann`" in fault("bot_choice", server, game="match", bot="brief", chooser="Ben")
    assert "did you mean `brief`" in fault("bot_choice", server, game="match", bot="brif")


# ---------------------------------------------------------------- faults
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bot_is_named_and_breaks_nothing_else(
    brief: None, installed: Callable[..., None], name: str
) -> None:
    entry, module, told = BROKEN[name]
    installed("bad_bots", module, entry)

    with pytest.raises(hr.BadArgument, match=f"`{name} \\(.*{re.escape(told)}") as error:
        hr.analysis.make_bot(name)
    assert "the package" in str(error.value)
    assert {"brief", name} < {*hr.analysis.bot_names()}
    assert hr.analysis.make_bot("brief")
    refused = hots("play", GAME, SCENARIO, "--side", "White", "--against", name)
    assert 2 == refused.exit_code
    assert name in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("1 / 0", "the bot `bad` failed: division by zero"),
        ("return None", "the bot of White chose `NoneType`, which is not legal; it is `bad`"),
        ("return 'move a1-a2'", "chose `str`, which is not legal"),
        ("return game.play(game.actions[0]).actions[0]", "which is not legal; it is `bad`"),
    ],
)
def test_a_bot_that_fails_in_a_game_is_named(
    installed: Callable[..., None], body: str, told: str
) -> None:
    module = f"class Bad:\n    def choose(self, game, player):\n        {body}\n"
    installed(
        "bad_bots", f"{module}def bot(seed, budget):\n    return Bad()\n", "bad = bad_bots:bot"
    )

    with pytest.raises(hr.EngineError, match=told):
        hr.analysis.make_bot("bad").choose(started(), "White")
    played = hots("play", GAME, SCENARIO, "--side", "Black", "--against", "bad", typed="1\n")
    assert 1 == played.exit_code
    assert told.partition(";")[0] in played.stderr


def test_a_bot_of_the_table_that_fails_chooses_at_random(
    installed: Callable[..., None], caplog: pytest.LogCaptureFixture, monkeypatch: Any
) -> None:
    needs("litestar")
    from hots_rules.web.games.bots import BotPool
    from hots_rules.web.refusals import NotComputed
    from hots_rules.web.storage.rows import GameRow
    from hots_rules.web.workers import Worker

    installed("bad_bots", "bot = 7", "bad = bad_bots:bot")
    rules = hr.load(GAME)
    row = GameRow("a", rules.name, rules.content_hash, SCENARIO, "{}", "1")
    bot_pool = BotPool()

    async def run(_: object, work: Callable[..., object], *args: object) -> object:
        try:
            return work(*args)
        except hr.HotsError as error:  # as a process tells it
            raise NotComputed(str(error)) from None

    monkeypatch.setattr(Worker, "run", run)
    text = asyncio.run(bot_pool.choose("bad", row, [], "White", "me"))

    assert text in {action.text for action in started().actions}
    assert "the bot `bad` chooses at random" in caplog.text


def test_a_bot_that_nobody_has_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(hr.UnknownName, match="unknown bot `clever`"):
        hr.analysis.make_bot("clever")
    assert "unknown" not in str(hots("play", GAME, "--against", "clever", "--side", "White").stdout)
