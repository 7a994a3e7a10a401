"""Printing: answers on stdout, everything else on stderr.

Text from rulesets, records and files is not interpreted as markup, and its control characters are replaced.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


@cache
def _console_class() -> type[Console]:
    """The console class; Rich is imported only when something is printed."""
    from rich.console import Console

    class PipeConsole(Console):
        """A console that raises an error when its output pipe is closed, instead of exiting."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return PipeConsole


def console(*, stderr: bool = False) -> Console:
    """The console of a stream; without escape sequences under NO_COLOR or off a terminal."""
    return _console_class()(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=True,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def echo(text: str = "", style: str = "", *, indent: int = 0) -> None:
    """Print text on stdout, line by line."""
    from rich.text import Text

    out = console()
    for line in sanitize(text).split("\n"):
        out.print(Text(" " * indent + line if line else "", style=style))


def echo_error(text: str) -> None:
    """Print a message on stderr."""
    from rich.text import Text

    err = console(stderr=True)
    sys.stdout.flush()
    head, _, rest = text.partition("\n")
    err.print(Text.assemble(("hots: ", "bold red"), sanitize(head)))
    if rest:
        err.print(Text(sanitize(rest)))


def echo_faults(draw: Callable[[bool], str], *, stderr: bool = False) -> None:
    """Print faults; `draw` takes whether to use color, and gives their text."""
    from rich.text import Text

    out = console(stderr=stderr)
    sys.stdout.flush()
    uses_color = out.color_system is not None
    out.print(Text.from_ansi(draw(True)) if uses_color else Text(sanitize(draw(False))))


def echo_side_by_side(left: str, right: str, *, indent: int = 0) -> None:
    """Print two texts side by side."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(expand=True, padding=(0, 2, 0, 0))
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(Text(sanitize(left), style="red"), Text(sanitize(right), style="green"))
    console().print(Padding(grid, (0, 0, 0, indent)), soft_wrap=False)


def echo_json(value: object) -> None:
    """Print one JSON document on stdout."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def sanitize(text: str) -> str:
    """The text with each control character replaced, so that a terminal only displays it."""
    return "".join(char if char == "\n" or char.isprintable() else "\ufffd" for char in text)
