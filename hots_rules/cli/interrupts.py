"""Ctrl-C in a command that ends well when it is interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


@contextmanager
def interrupt_event() -> Iterator[Event]:
    """An event that the first Ctrl-C sets; a second one raises KeyboardInterrupt."""
    interrupted = Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, previous)
