"""Progress of long operations, shown on stderr if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING

from hots_rules.cli.output.console import console, sanitize

if TYPE_CHECKING:
    from rich.progress import Progress

DELAY = 2.0  # seconds of work before a bar is shown


def spinner(text: str) -> AbstractContextManager[object]:
    """Show a text with a spinner while the block runs."""
    return console(stderr=True).status(sanitize(text)) if sys.stderr.isatty() else nullcontext()


@contextmanager
def progress_bar(unit: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show the number of items done, once the block has run for `DELAY` seconds.

    The block calls the function that it is given with the items done, and their total where it varies.
    """
    bar: Progress | None = None
    due = monotonic() + DELAY if sys.stderr.isatty() else float("inf")

    def update(done: int, total: int | None = total) -> None:
        nonlocal bar
        if bar is None and monotonic() >= due:
            bar = _start_bar(unit)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()


def _start_bar(unit: str) -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console(stderr=True), transient=True)
    bar.add_task(unit, total=None)
    bar.start()
    return bar
