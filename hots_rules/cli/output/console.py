"""Printing: answers on stdout, everything else on stderr.

Text from rulesets, records and files is not interpreted as markup, and its control characters are replaced.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from textwrap import wrap
from time import monotonic
from typing import TYPE_CHECKING

from hots_rules.diagnostics import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from hots_rules.report import Report


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
    for line in printable(text).split("\n"):
        for row in _rows(" " * indent + line if line else "", out):
            out.print(Text(row, style=style))


def _rows(line: str, out: Console) -> list[str]:
    """The rows of a line: on a terminal it is wrapped between words, elsewhere it is one row."""
    if not out.is_terminal or len(line) <= out.width:
        return [line]
    lead = " " * (len(line) - len(line.lstrip()) + 2)
    return wrap(
        line, out.width, subsequent_indent=lead, break_long_words=False, break_on_hyphens=False
    )


def echo_error(text: str) -> None:
    """Print a message on stderr."""
    from rich.text import Text

    err = console(stderr=True)
    head, _, rest = text.partition("\n")
    first, *others = _rows(f"hots: {printable(head)}", err)
    with suppress(OSError):  # the exit code tells of the error where nobody reads it
        sys.stdout.flush()
        err.print(Text.assemble(("hots: ", "bold red"), first.removeprefix("hots: ")))
        for line in [*others, *printable(rest).split("\n")] if rest else others:
            for row in _rows(line, err):
                err.print(Text(row))


def echo_note(text: str) -> None:
    """Print on stderr a note about the answer on stdout."""
    from rich.text import Text

    with suppress(OSError):
        sys.stdout.flush()
        console(stderr=True).print(Text(printable(text), style="dim"))


def echo_faults(draw: Callable[[bool], str], *, stderr: bool = False) -> None:
    """Print faults; `draw` takes whether to use color, and gives their text."""
    from rich.text import Text

    out = console(stderr=stderr)
    sys.stdout.flush()
    uses_color = out.color_system is not None
    out.print(Text.from_ansi(draw(True)) if uses_color else Text(printable(draw(False))))


def echo_report(report: Report, *, pipes_markdown: bool = False) -> None:
    """Print a report in columns; with `pipes_markdown`, as Markdown where the output is no terminal."""
    out = console()
    if pipes_markdown and not out.is_terminal:
        sys.stdout.write(report.markdown())
    else:
        sys.stdout.write(report.terminal(out.width, has_colors=out.color_system is not None))


def echo_json(value: object) -> None:
    """Print one JSON document on stdout."""
    sys.stdout.write(json_text(value))


def json_text(value: object) -> str:
    """A JSON document as it is printed."""
    return json.dumps(value, indent=2) + "\n"


DELAY = 2.0  # seconds of work before a bar is shown


def spinner(text: str) -> AbstractContextManager[object]:
    """Show a text with a spinner while the block runs."""
    return console(stderr=True).status(printable(text)) if is_watched() else nullcontext()


def is_watched() -> bool:
    """Whether somebody may look at the messages of a command as they come."""
    return sys.stderr.isatty()


@contextmanager
def progress_bar(unit: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show the number of items done, once the block has run for `DELAY` seconds.

    The block calls the function that it is given with the items done, and their total and the unit where they vary.
    """
    bar: Progress | None = None
    due = monotonic() + DELAY if is_watched() else float("inf")

    def update(done: int, total: int | None = total, unit: str = unit) -> None:
        nonlocal bar
        is_due = bar is None and monotonic() >= due
        if is_due:
            bar = _new_bar(unit)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done, total=total, description=unit)
        if is_due and bar is not None:
            bar.start()  # Ctrl-C may come while it is drawn first, and then, too, it is stopped below

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()


def _new_bar(unit: str) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console(stderr=True), transient=True)
    bar.add_task(unit, total=None)
    return bar
