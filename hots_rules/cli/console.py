"""What is written where: answers on stdout, everything else on stderr.

Nothing that comes from a ruleset, a record or a file is read as markup, or obeyed by a terminal.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.text import Text


class _Console(Console):
    """A console that lets its command end when nobody reads on."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """The console of a stream; without any escape sequence under NO_COLOR, or off a terminal."""
    return _Console(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=True,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def say(text: str = "", style: str = "", *, indent: int = 0) -> None:
    """Text on stdout, line by line as it is."""
    _print(console(), text, style, indent)


def draw(faults: Callable[[bool], str], *, stderr: bool = False) -> None:
    """A drawing of faults, made with or without colour as the terminal has it."""
    where = console(stderr=stderr)
    sys.stdout.flush()
    if where.color_system is None:
        where.print(Text(harmless(faults(False))))
    else:
        where.print(Text.from_ansi(faults(True)))


def complain(text: str) -> None:
    """A message on stderr."""
    err = console(stderr=True)
    sys.stdout.flush()
    head, _, rest = text.partition("\n")
    err.print(Text.assemble(("hots: ", "bold red"), harmless(head)))
    if rest:
        err.print(Text(harmless(rest)))


def say_pair(left: str, right: str, *, indent: int = 0) -> None:
    """Two texts side by side."""
    from rich.padding import Padding
    from rich.table import Table

    grid = Table.grid(expand=True, padding=(0, 2, 0, 0))
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(Text(harmless(left), style="red"), Text(harmless(right), style="green"))
    out = console()
    out.print(Padding(grid, (0, 0, 0, indent)), soft_wrap=False)


def say_json(value: Any) -> None:
    """One JSON document on stdout, and nothing else."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def _print(where: Console, text: str, style: str, indent: int) -> None:
    for line in harmless(text).split("\n"):
        where.print(Text(" " * indent + line if line else "", style=style))


def harmless(text: str) -> str:
    """The text with a mark in the place of everything that a terminal would obey."""
    return "".join(sign if sign == "\n" or sign.isprintable() else "\ufffd" for sign in text)
