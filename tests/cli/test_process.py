"""`hots` as a process: pipes, signals, terminals, missing packages."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from tests.compare.test_compare import house
from tests.folders import TESTS

HOTS = [sys.executable, "-m", "hots_rules.cli"]
MISTAKES = TESTS / "mistakes"
TINY_RULES, OLDER_RULES = MISTAKES / "tiny-1.0.rules", MISTAKES / "tiny-0.9.rules"
TIMEOUT = 600.0  # seconds; every test waits for an event, and this only ends one that never comes


def started(*words: object, **how: object) -> "subprocess.Popen[bytes]":
    env = {
        key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "FORCE_COLOR"}
    }
    return subprocess.Popen(
        [*HOTS, *map(str, words)],
        env={**env, "TERM": "xterm"},
        # A test run in the background ignores Ctrl-C, and a child would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **{
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            **how,
        },  # type: ignore[call-overload]
    )


def wait_for(terminal: int, wanted: bytes, *, is_certain: bool = True) -> bytes:
    """Wait until a terminal shows some words, or its process ends; what it showed until then."""
    shown = b""
    while wanted not in shown and select.select([terminal], [], [], TIMEOUT)[0]:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the process has ended
            break
    assert wanted in shown or not is_certain, shown
    return shown


@pytest.mark.thorough
def test_a_match_is_played_through_a_pipe(tiny: Path) -> None:
    process = started("play", tiny, "skirmish", "--seed", 1, "--side", "Red", stdin=subprocess.PIPE)
    out, err = process.communicate(b"1\n1\n1\n1\n", timeout=TIMEOUT)

    assert (0, b"") == (process.returncode, err)
    assert out.decode().endswith("Red wins: Who has more pieces on the field wins. (§4)\n")
    assert b"\x1b" not in out


def interrupted(*words: object, once: bytes, until: bytes) -> tuple[dict[str, Any], bytes]:
    """What a command that Ctrl-C ends gives as JSON, and what it shows on a terminal from the words `once` on."""
    terminal, theirs = pty.openpty()
    process = started(*words, "--json", stderr=theirs)
    os.close(theirs)
    wait_for(terminal, once)
    process.send_signal(signal.SIGINT)
    shown = wait_for(terminal, until)
    out, _ = process.communicate(timeout=TIMEOUT)
    os.close(terminal)

    assert 130 == process.returncode
    return json.loads(out), shown


@pytest.mark.thorough
def test_ctrl_c_leaves_a_simulation_with_what_is_counted(tiny: Path) -> None:
    command = ("simulate", tiny, "skirmish", "--games", 10_000_000)
    # The progress bar: games are being counted.
    found, shown = interrupted(*command, once=b"/10000000", until=b"interrupted after")

    assert 0 < found["games"] < 10_000_000
    assert found["games"] == found["finished"] == sum(found["wins"].values())
    assert b"\x1b[?25h" in shown  # the cursor is back
    assert b"Traceback" not in shown


@pytest.mark.thorough
def test_ctrl_c_leaves_a_search_for_a_witness_with_what_was_tried(tmp_path: Path) -> None:
    other = house(tmp_path, "repeal rule castles-hold §2.2\n")
    command = ("witness", TINY_RULES, other, "--kind", "odds")
    # The search is watched.
    search, shown = interrupted(*command, once=b"differences, walks", until=b"walks were compared")

    assert (search["found"], search["exhausted"]) == (False, False)
    assert search["positions"]
    assert search["walks"] < 4000
    assert f"interrupted: {search['positions']} positions" in " ".join(shown.decode().split())
    assert b"\x1b[?25h" in shown  # the cursor is back


@pytest.mark.thorough
def test_ctrl_c_at_the_prompt_restores_the_terminal(tiny: Path, tmp_path: Path) -> None:
    terminal, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    record = tmp_path / "record.txt"
    process = started("play", tiny, "skirmish", "--seed", 1, "--side", "Red", "--prompt",
                      "--save", record, stdin=theirs, stdout=theirs, stderr=theirs)  # fmt: skip
    wait_for(terminal, b"Red>")
    os.write(terminal, b"lay Low\r")
    wait_for(terminal, b"march Pawn")
    wait_for(terminal, b"Red>")
    os.write(terminal, b"\x03")
    shown = wait_for(terminal, b"interrupted")
    process.wait(timeout=TIMEOUT)
    after = termios.tcgetattr(theirs)
    os.close(theirs)
    os.close(terminal)

    assert 130 == process.returncode
    assert b"Traceback" not in shown
    assert before == after
    assert "Red: lay Low #" in record.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_a_killed_game_is_recorded_up_to_its_last_action(tiny: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    process = started("play", tiny, "skirmish", "--seed", 1, "--side", "Red", "--save", record,
                      stdin=subprocess.PIPE)  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(b"lay Low\n")
    process.stdin.flush()
    until = time.monotonic() + TIMEOUT
    while not (record.exists() and b"Red: lay Low #" in record.read_bytes()):
        assert time.monotonic() < until
        time.sleep(0.05)
    process.kill()
    process.communicate(timeout=TIMEOUT)
    replayed = started("replay", record, "--ruleset", tiny, "--json")
    out, err = replayed.communicate(timeout=TIMEOUT)

    assert (0, b"") == (replayed.returncode, err)
    assert 1 <= json.loads(out)["decisions"]
    assert b"state" not in record.read_bytes()


PARSING = {"lark", "hots_rules.syntax", "hots_rules.rules.resolve", "hots_rules.rules.checks"}


def run_with_modules(*words: object, cache: Path | None = None) -> tuple[str, set[str]]:
    """What a command prints, and the packages that it loads."""
    code = (
        "import sys; from hots_rules.cli import main; main(); print(*sys.modules, file=sys.stderr)"
    )
    env = os.environ | ({"HOTS_RULES_CACHE": str(cache)} if cache else {})
    command = [sys.executable, "-c", code, *map(str, words)]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return run.stdout, set(run.stderr.split())


def test_the_rulesets_are_listed_without_a_compiler() -> None:
    """The list is there at once, because neither the parser nor a compiled ruleset is loaded for it."""
    listed, loaded = run_with_modules("list")

    assert "hots-4.0  Hammer" in listed
    heavy = {"compile", "play", "explain", "compare", "analysis", "formats"}
    assert set() == loaded & (PARSING | {"cattrs"} | {f"hots_rules.{name}" for name in heavy})


@pytest.mark.thorough
def test_rules_are_shown_and_compared_without_the_parser_the_second_time(tmp_path: Path) -> None:
    """What is shown of the declarations, and what they are compared by, is kept in the cache."""
    is_read_first: dict[tuple[object, ...], bool] = {
        ("show", TINY_RULES, "2"): True,
        ("show", TINY_RULES): False,
        ("show", OLDER_RULES, "no-peeking", "--history"): True,
        ("diff", TINY_RULES, OLDER_RULES): False,
    }
    for command, is_first in is_read_first.items():
        first, parsed = run_with_modules(*command, cache=tmp_path)
        again, loaded = run_with_modules(*command, cache=tmp_path)

        assert first == again
        assert len(first) > 100
        assert set() == loaded & PARSING, command
        assert (parsed >= PARSING) == is_first, command


@pytest.mark.thorough
def test_a_line_wider_than_the_terminal_breaks_between_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # pytest-xdist sets it
    monkeypatch.chdir(tmp_path)  # a path is one word, and is told from the current folder
    words = " ".join(["longish"] * 40)
    file = tmp_path / "long.rules"
    text = TINY_RULES.read_text("utf-8").replace("Look under the table.", words)
    file.write_text(text, "utf-8")
    (tmp_path / "sections.csv").write_text((MISTAKES / "sections.csv").read_text("utf-8"), "utf-8")
    terminal, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 60))
    process = started("show", file, "peek", "--code", stdout=theirs)
    os.close(theirs)
    shown = wait_for(terminal, b"\0", is_certain=False).decode()
    process.wait(timeout=TIMEOUT)
    os.close(terminal)
    rows = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).splitlines()

    assert max(map(len, rows)) <= 60
    assert 80 == sum(
        row.split().count("longish") + row.count('"longish') + row.count('longish"') for row in rows
    )


@pytest.mark.thorough
def test_a_closed_pipe_is_no_traceback(tiny: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    commands = (["show", tiny, "--compiled"], ["play", tiny, "skirmish", "--json"], ["--help"])
    processes = [started(*words, stdout=writer) for words in commands]
    os.close(writer)
    ended = [(process.communicate(timeout=TIMEOUT)[1], process.returncode) for process in processes]

    assert [(b"", 141)] * 3 == ended


def test_a_missing_extra_is_reported_in_one_line() -> None:
    code = (
        "import sys; sys.modules['typer'] = None; from hots_rules.cli import main; sys.exit(main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert 2 == ended.returncode
    assert (
        "hots: the package `typer` is not installed; run: pip install 'hots-rules[cli]'\n"
    ) == ended.stderr
