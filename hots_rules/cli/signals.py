"""Signals: those that end the process, and Ctrl-C in a command that shows what it has when it is interrupted."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread
from types import FrameType

# A closed terminal sends SIGHUP, `kill` SIGTERM, Ctrl-\ SIGQUIT; not every system has all.
_NAMES = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
_ENDING = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


class Terminated(KeyboardInterrupt):
    """A signal that ends the process arrived; what is put in order after Ctrl-C is put in order after it too.

    Attributes:
        number: the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """The exit code by which a shell tells the signal."""
        return 128 + self.number


def _raise(ended: Terminated) -> None:
    raise ended


@contextmanager
def ending_signals(act: Callable[[Terminated], None] = _raise) -> Iterator[None]:
    """Within it, a signal that ends the process raises `Terminated`, or is handed to `act`.

    A signal that is ignored stays ignored. A second one ends the process at once, and so does one to a forked worker.
    """
    owner = os.getpid()
    before: dict[int, signal.Handlers | int | Callable[[int, FrameType | None], object]] = {}

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        if os.getpid() == owner:
            act(Terminated(number))
        else:
            os.kill(os.getpid(), number)

    if current_thread() is main_thread():
        for number in _ENDING:
            handler = signal.getsignal(number)
            if handler is not None and handler is not signal.SIG_IGN:
                before[number] = handler
                signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ending_signals_end() -> None:
    """Let signals end the process at once again, for servers on standard input and output."""
    for number in _ENDING:
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


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
