"""Signals that end or stop `hots`: the terminal is left as it was, and the game so far is kept."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define

import hots_rules as hr
from tests.cli.test_process import HOTS, TIMEOUT

FULL_SCREEN, PASTED = (b"\x1b[?1049", b"\x1b[?2004")
# A shell with job control: it runs a program as the job of the terminal, and tells when that stops or ends.
SHELL = """
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
job = os.fork()
if not job:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    for name in ("TTOU", "INT", "TSTP", "HUP", "TERM", "QUIT", "USR1", "USR2"):
        signal.signal(signal.Signals[f"SIG{name}"], signal.SIG_DFL)  # a job of CI may inherit that some are ignored
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
    os.execv(sys.argv[2], sys.argv[2:])
tell = os.open(sys.argv[1], os.O_WRONLY)
os.write(tell, b"%d\\n" % job)
while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        os.write(tell, b"stopped\\n")
        os.tcsetpgrp(0, os.getpid())
        signal.sigwait({signal.SIGUSR1})
        os.tcsetpgrp(0, job)
        os.kill(-job, signal.SIGCONT)
    else:
        os.write(tell, b"ended %d\\n" % os.waitstatus_to_exitcode(status))
        break
"""


@define
class Job:
    """A program in a terminal, below a shell."""

    shell: "subprocess.Popen[bytes]"
    terminal: int
    line: int
    told: int
    before: list[object]
    shown: bytearray
    seen: int = 0

    def wait_for(self, wanted: bytes) -> None:
        """Wait until the terminal shows some bytes after those that were waited for before."""
        end = time.monotonic() + TIMEOUT
        while wanted not in self.shown[self.seen :] and time.monotonic() < end:
            if self.told in self._read(1):
                break  # the job has ended
        assert wanted in self.shown[self.seen :], bytes(self.shown[self.seen :])
        self.seen = self.shown.index(wanted, self.seen) + len(wanted)

    def tells(self) -> str:
        """The next line of the shell; what the terminal shows meanwhile is read."""
        line = b""
        end = time.monotonic() + TIMEOUT
        while not line.endswith(b"\n") and time.monotonic() < end:
            if self.told in self._read(1):
                line += os.read(self.told, 1)
        return line.decode().strip()

    def _read(self, seconds: float) -> list[int]:
        ready = select.select([self.terminal, self.told], [], [], seconds)[0]
        if self.terminal in ready:
            try:
                data = os.read(self.terminal, 65_536)
            except OSError:  # nothing has the terminal open any more
                data = b""
            self.shown.extend(data)
            if b"\x1b[6n" in data:  # where is the cursor?
                os.write(self.terminal, b"\x1b[1;1R")
        return ready

    @property
    def is_cooked(self) -> bool:
        """Whether the terminal reads lines and shows what is typed."""
        local = termios.tcgetattr(self.line)[3]
        return bool(local & termios.ICANON and local & termios.ECHO)

    def assert_left(self) -> None:
        """Assert that the terminal is as it was."""
        assert self.before == termios.tcgetattr(self.line)
        for mode in (FULL_SCREEN, PASTED):
            assert self.shown.rfind(mode + b"h") <= self.shown.rfind(mode + b"l"), mode


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "match.rec"


@pytest.fixture
def job(tmp_path: Path, record: Path) -> Iterator[Job]:
    terminal, line = pty.openpty()
    fcntl.ioctl(line, termios.TIOCSWINSZ, b"\x28\0\x78\0\0\0\0\0")
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    before = termios.tcgetattr(line)
    match = ["play", "connect-four-1.0", "empty-board", "--side", "Red", "--save", str(record)]
    shell = subprocess.Popen(
        [sys.executable, "-c", SHELL, str(fifo), *HOTS, *match],
        stdin=line,
        stdout=line,
        stderr=line,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        env={**os.environ, "TERM": "xterm-256color"},
    )
    told = os.open(fifo, os.O_RDONLY)
    made = Job(shell, terminal, line, told, before, bytearray())
    yield made
    shell.kill()
    shell.wait()
    for file in (terminal, line, told):
        os.close(file)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "number, code",
    [
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGQUIT, 131),
        (signal.SIGUSR1, 128 + signal.SIGUSR1),
        (signal.SIGUSR2, 128 + signal.SIGUSR2),
    ],
)
def test_a_signal_that_ends_the_screen_leaves_the_terminal_as_it_was(
    job: Job, record: Path, number: signal.Signals, code: int
) -> None:
    process = int(job.tells())
    job.wait_for(FULL_SCREEN + b"h")
    job.wait_for(b"\x1b[?25h")
    os.kill(process, number)

    assert f"ended {code}" == job.tells()
    job.assert_left()
    assert hr.read(record).moves == ()


@pytest.mark.thorough
def test_the_screen_stops_and_goes_on(job: Job, record: Path) -> None:
    assert job.tells().isdecimal()
    job.wait_for(FULL_SCREEN + b"h")
    job.wait_for(b"\x1b[?25h")
    os.write(job.terminal, b"\x1a")

    assert "stopped" == job.tells()
    assert job.is_cooked
    job.shell.send_signal(signal.SIGUSR1)
    job.wait_for(FULL_SCREEN + b"h")
    job.wait_for(b"\x1b[?25h")
    assert not job.is_cooked
    os.write(job.terminal, b"\x03")
    assert "ended 130" == job.tells()
    job.assert_left()
