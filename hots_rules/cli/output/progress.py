"""Progress of long work, shown on stderr if that is a terminal."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from hots_rules.cli.output.console import console, sanitize

if TYPE_CHECKING:
    from rich.progress import Progress

DELAY = 2.0  # seconds of work before a bar is shown


def spinner(text: str) -> AbstractContextManager[object]:
    """A text with a spinner while the block runs."""
    if not _stderr_is_terminal():
        return nullcontext()
    return console(stderr=True).status(sanitize(text))


class ProgressBar:
    """A bar with the number of items done, shown once the work takes longer than `DELAY`."""

    def __init__(self, unit: str, total: int | None = None) -> None:
        self._unit = unit
        self._total = total
        self._due = monotonic() + DELAY if _stderr_is_terminal() else float("inf")
        self._bar: Progress | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int | None = None) -> None:
        """Show how many items are done, and of how many where that is known."""
        if self._bar is None:
            if monotonic() < self._due:
                return
            self._bar = self._started()
        self._bar.update(self._bar.task_ids[0], completed=done, total=total or self._total)

    def _started(self) -> Progress:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=console(stderr=True), transient=True)
        bar.add_task(self._unit, total=self._total)
        bar.start()
        return bar


def _stderr_is_terminal() -> bool:
    return sys.stderr.isatty()
