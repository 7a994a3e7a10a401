"""Standard streams that are closed, full or broken."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from errno import EINVAL, EMSGSIZE
from io import TextIOWrapper

MAX_LINE = 65_536
"""Characters of a line of standard input; a device such as `/dev/zero` has no line end."""
_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_closed_streams() -> None:
    """Open the null device in place of each standard stream that is closed.

    Otherwise the next file that is opened takes its number, and would get what is printed. A line of the input may end
    as on Windows or old Macs.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            _redirect(number)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(newline=None)  # the line ends of every system


def refuse_endless_input() -> None:
    """Refuse a device such as `/dev/zero` as standard input of a server, which would read it for ever.

    Raises:
        OSError: it is a device, but no terminal and not the null device.
    """
    status = os.fstat(0)
    is_null = status.st_rdev == os.stat(os.devnull).st_rdev
    if stat.S_ISCHR(status.st_mode) and not is_null and not os.isatty(0):
        raise OSError(EINVAL, "standard input is a device; give it messages of a client")


def read_line() -> str:
    """The next line of standard input with its end; empty at the end of the input.

    Raises:
        OSError: the line is too long.
    """
    line = sys.stdin.readline(MAX_LINE)
    if len(line) == MAX_LINE:
        raise OSError(EMSGSIZE, f"a line of the input has {MAX_LINE:,} characters or more")
    return line


def discard_unwritten() -> None:
    """Flush standard output and error; what cannot be written is lost, without an error at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:  # as a language server leaves it
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError, AttributeError):
                _redirect(stream.fileno())


def _redirect(number: int) -> None:
    """Make a file descriptor one of the null device."""
    null = os.open(os.devnull, os.O_RDWR)
    if null != number:
        os.dup2(null, number)
        os.close(null)
