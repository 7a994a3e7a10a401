"""`hots debug` and `Stepper`: play step by step, with breakpoints and the state before and after each effect."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.compile import traced
from hots_rules.play.trace import Step
from hots_rules.records.ruleset_texts import pack
from tests.playing import TINY, last_of, ruleset_of

CASES = """# Cases
## A long rest
```case
like: scenario short
play:
  Red: rest
expect:
  state: turn 1
```
"""


@pytest.fixture(scope="module")
def game() -> hr.Game:
    """A random game of the newest rulebook."""
    return last_of(hr.load("hots-4.0").start("braveheart", seed=1297), Random(5), 120)


@pytest.fixture
def record(game: hr.Game, tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(str(game.record), encoding="utf-8")
    return path


def debug(*words: object, lines: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["debug", *map(str, words)], input=lines)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


# ---------------------------------------------------------------- the stepper
@pytest.mark.thorough
def test_the_steps_of_all_plays_are_those_of_their_traces(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    expected = []
    for number in range(1, len(game.moves) + 1):
        expected += [(number, step) for step in hr.replay(game.record.up_to(number)).trace]
    found = []
    while (moment := stepper.step()) is not None:
        found.append((moment.play, moment.step))

    assert expected == found
    backwards = []
    while (moment := stepper.back()) is not None:
        backwards.append((moment.play, moment.step))
    assert expected == backwards[::-1]


def test_the_state_after_the_last_step_of_a_play_is_that_of_the_game(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    for number in (1, 2, 33, 64, 100):
        stepper.go_to(number + 1)
        stepper.back()
        assert hr.replay(game.record.up_to(number)).position == stepper.position()


def test_a_change_has_the_value_before_and_after(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    stepper.add_break("year")
    moment = stepper.run()
    assert moment is not None
    assert (("year", "1297", "1298"),) == moment.changes
    assert ("1298", "1297") == (stepper.value("year"), stepper.value("year", before=True))


def test_next_goes_past_what_a_step_leads_to(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    stepper.add_break("winter")
    first = stepper.run()
    after = stepper.next()
    assert first is not None
    assert after is not None
    assert after.depth <= first.depth or after.play > first.play


def test_a_condition_stops_where_it_becomes_true_and_not_again(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    stepper.add_break("if year > 1297")
    assert stepper.run() is not None
    assert stepper.value("year > 1297") == "yes"
    assert stepper.run() is None
    assert stepper.is_at_end


def test_internal_variables_change_though_no_step_shows_it() -> None:
    text = TINY.replace(
        "  favourite    : Piece?", "  favourite    : Piece?\n  rests : 0..9 internal"
    )
    text = text.replace(
        'action rest §1 "Nothing."\n  permit',
        'action rest §1 "Nothing."\n  permit\n  rests := rests + 1',
    )
    game = ruleset_of(text).start("short", seed=1)
    for _ in range(2):
        game = game.play(next(action for action in game.actions if action.name == "rest"))
    stepper = hr.explain.Stepper(game)
    stepper.go_to(2)
    stepper.back()
    assert (stepper.value("rests"), str(game.state["rests"])) == ("1", "2")
    while stepper.step() is not None:
        last = stepper.value("rests")
    assert last == "2"
    stopping = hr.explain.Stepper(game)
    stopping.add_break("if rests = 2")
    moment = stopping.run()
    assert moment is not None
    assert moment.play == 2


def test_a_section_stops_at_the_rules_below_it(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    stepper.add_break("§7.0")
    moment = stepper.run()
    assert moment is not None
    assert "7.0" in moment.step.sections


def test_a_section_stops_at_parts_whose_numbers_have_no_further_point() -> None:
    rules = hr.load("hots-4.0")
    cited = {
        section
        for origin in rules.compiled.default_machine.facts.origins
        for section in origin.sections
    }
    assert "2.11" in cited
    assert "2.1" not in cited
    stepper = hr.explain.Stepper(rules.start("braveheart", seed=1297))
    step = Step("rule", "move-rating", {}, "", "move-rating", "hots-4.0", ("2.11",))
    assert stepper.add_break("§2.1").stops_at(step, None)


def test_the_names_around_a_step_stand_in_expressions(game: hr.Game) -> None:
    stepper = hr.explain.Stepper(game)
    stepper.step()
    names = stepper.names()
    assert names["actor"] == stepper.value("actor")
    assert stepper.value("actor = England") == ("yes" if names["actor"] == "England" else "no")


@pytest.mark.parametrize("text", ["wintre", "if year", "if", "if 1 +", "", "§"])
def test_a_breakpoint_that_means_nothing_is_refused(game: hr.Game, text: str) -> None:
    with pytest.raises(hr.HotsError):
        hr.explain.Stepper(game).add_break(text)


def test_a_game_without_plays_has_no_steps() -> None:
    stepper = hr.explain.Stepper(ruleset_of(TINY).start("short", seed=1))
    assert (stepper.step(), stepper.back(), stepper.next(), stepper.run()) == (None,) * 4
    assert stepper.position() == stepper.game.position
    with pytest.raises(hr.BadArgument):
        stepper.go_to(1)


# ---------------------------------------------------------------- the command
def test_words_that_no_line_of_the_position_has_are_answered(record: Path) -> None:
    code, said = debug(record, lines="step\nstate nowhere\n")

    assert 0 == code
    assert "no line of the position has these words" in said


def test_a_script_goes_through_a_record(record: Path) -> None:
    code, said = debug(record, lines="step\nwhere\nbreak year\nc\np year\nstate year\nlist\nb\nq\n")
    assert 0 == code
    assert "1298 (before: 1297)" in said
    assert "year += 1" in said


def test_an_unknown_command_fails_and_the_rest_goes_on(record: Path) -> None:
    code, said = debug(record, lines="jump\nprint\nprint 1 +\nstep x\ndelete 7\nstep\n")
    assert 1 == code
    assert "choose one of `step`" in said
    assert "\n   1  " in said


def test_each_line_of_json_is_a_reply(record: Path) -> None:
    lines = "step\nwhere\nprint year\nstate\nbreak winter\ncontinue\nlist\nfoo\nhelp\nback 2\n"
    code, said = debug(record, "--json", lines=lines)
    replies = [json.loads(line) for line in said.splitlines()]
    assert 1 == code
    assert len(lines.splitlines()) == len(replies)
    assert "1297" == replies[2]["value"]
    assert "winter" == replies[5]["moment"]["step"]["name"]
    assert "foo" in replies[7]["error"]


def test_it_begins_at_a_play_and_with_breakpoints(record: Path) -> None:
    _, said = debug(record, "--at", 7, "--break", "year", lines="where\nc\n")
    assert "\n   7  " in said
    assert "year: 1297 → 1298" in said
    assert 2 == debug(record, "--at", 100_000, lines="")[0]
    assert 2 == debug(record, "--break", "wintre", lines="")[0]


def test_a_case_is_gone_through(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY, encoding="utf-8")
    (tmp_path / "cases.md").write_text(CASES, encoding="utf-8")
    code, said = debug(tmp_path / "cases.md", "--case", "A long rest", lines="step\nstep\n")
    assert 0 == code, said
    assert "\n   1  Red: rest" in said
    assert 2 == debug(tmp_path / "cases.md", "--case", "A short rest", lines="")[0]
    assert 2 == debug(tmp_path / "cases.md", lines="")[0]


@pytest.mark.thorough
def test_ctrl_c_ends_a_command_and_ctrl_d_the_debugger(record: Path) -> None:
    command = [sys.executable, "-m", "hots_rules.cli", "debug", str(record)]
    run = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdin is not None
    assert run.stdout is not None
    run.stdin.write("step\n")
    run.stdin.flush()
    while "   1  " not in run.stdout.readline():
        pass
    run.send_signal(signal.SIGINT)
    time.sleep(0.3)
    run.stdin.write("step\n")
    said, complaint = run.communicate(timeout=60)  # closes the input
    assert 0 == run.returncode, complaint
    assert "   1    " in said
    assert "" == complaint


# ---------------------------------------------------------------- strangers
def test_a_play_that_does_too_much_has_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ruleset_of(TINY).start("short", seed=1)
    after = game.play(game.actions[0])
    monkeypatch.setattr(traced, "MAX_NOTES", 1)
    with pytest.raises(hr.EngineError, match="too many for a trace"):
        _ = after.trace
    with pytest.raises(hr.EngineError, match="too many for a trace"):
        hr.explain.Stepper(after).step()


def test_a_ruleset_in_a_record_is_gone_through_within_its_limits(tmp_path: Path) -> None:
    rules = ruleset_of(TINY)
    game = rules.start("short", seed=1)
    game = game.play(game.actions[0])
    text = str(game.record).replace("\n\n", f"\ntext {pack(rules.source)}\n\n", 1)
    (tmp_path / "game.txt").write_text(text, encoding="utf-8")
    code, said = debug(tmp_path / "game.txt", "--content", "pinned", lines="step\nstep\n")
    assert 0 == code, said
    code, said = debug(
        tmp_path / "game.txt", "--content", "pinned", "--limit", "record_bytes=10", lines=""
    )
    assert 2 == code


def test_conditions_have_a_budget(game: hr.Game) -> None:
    limits = hr.Limits(record_steps=1)
    compiled = evolve(game.ruleset.compiled, limits=limits)
    slow = evolve(game, ruleset=evolve(game.ruleset, compiled=compiled))
    stepper = hr.explain.Stepper(slow)
    stepper.add_break("if (sum b in Block: strength[b]) < 3")
    with pytest.raises(hr.LimitExceeded):
        stepper.run()
