"""Every command with standard streams that are closed, full, broken or endless: no traceback, a documented status."""

import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from hots_rules.cli.app import app
from hots_rules.cli.exits import EXIT_CODES
from tests.cli.test_process import HOTS

COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]
REAL = (
    ("show", "hots-4.0", "5.7"),
    ("list",),
    ("check", "connect-four-1.0"),
    ("repl", "connect-four-1.0"),
    ("play", "connect-four-1.0", "empty-board", "--side", "Red"),
    ("why", "nothing"),
    ("mcp",),
    ("lsp",),
)
STREAMS = {
    "no output": "</dev/null >&-",
    "no input, no errors": "<&- 2>&-",
    "nothing": "<&- >&- 2>&-",
    "a full disk": "</dev/null >/dev/full",
    "a full disk for errors": "<&- 2>/dev/full",
    "a full disk for both": "</dev/null >/dev/full 2>&1",
    "a reader that has gone": "</dev/null | true",
    "endless input": "</dev/full >/dev/null",
    "a folder as input": "<. >/dev/null",
}


def status_of(words: tuple[str, ...], streams: str, folder: Path) -> int:
    """The exit code of `hots` under a shell's redirections; it may end by no traceback."""
    told = folder / "status"
    command = f'sh -c \'"$@" {streams.replace("| true", "")}; echo $? >{told}\' sh "$@"'
    if "|" in streams:
        command = f"{command} | true"
    run = subprocess.run(
        ["sh", "-c", command, "sh", *HOTS, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert b"Traceback" not in run.stderr + run.stdout, run.stderr.decode()
    assert b"Exception ignored" not in run.stderr, run.stderr.decode()
    return int(told.read_text())


@pytest.mark.thorough
@pytest.mark.parametrize("streams", STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("words", REAL, ids=lambda words: words[0])
def test_a_stream_that_fails_is_no_traceback(
    words: tuple[str, ...], streams: str, tmp_path: Path
) -> None:
    assert status_of(words, streams, tmp_path) in EXIT_CODES


@pytest.mark.nightly
@pytest.mark.parametrize("streams", STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("options", [(), ("--help",), ("no-such-thing",)], ids=str)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_ends_well(
    name: str, options: tuple[str, ...], streams: str, tmp_path: Path
) -> None:
    if not options and name in {"serve", "playground"}:
        pytest.skip("serves until it is stopped")
    assert status_of((name, *options), streams, tmp_path) in EXIT_CODES


@pytest.mark.thorough
@pytest.mark.parametrize("end", [b"\r\n", b"\r"], ids=["Windows", "old Macs"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "a mark"])
def test_lines_for_the_prompt_may_end_as_on_any_system(end: bytes, mark: bytes) -> None:
    lines = (b"# a comment", b"help", b"find column", b"")

    def printed(text: bytes) -> bytes:
        command = [*HOTS, "repl", "connect-four-1.0"]
        ended = subprocess.run(command, input=text, capture_output=True, check=False, timeout=120)
        return ended.stdout

    assert printed(mark + end.join(lines)) == printed(b"\n".join(lines))
