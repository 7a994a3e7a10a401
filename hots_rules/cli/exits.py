"""How a command ends: its exit code, and one clear message instead of a traceback."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar

import typer

from hots_rules import HotsError, PluginWarning, RulesetError, UnknownOption, UnknownRule
from hots_rules.cli.console import complain, draw
from hots_rules.diagnostics import draw_all

FINE = 0
FAULTY = 1
DIFFERENT = 1
WRONG_USE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

Command = TypeVar("Command", bound=Callable[..., None])


def guarded(command: Command) -> Command:
    """A command that ends with an exit code, whatever happens in it."""

    @wraps(command)
    def run_guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            _stop_writing()
            raise typer.Exit(BROKEN_PIPE) from None
        except KeyboardInterrupt:
            complain("stopped")
            raise typer.Exit(INTERRUPTED) from None
        except HotsError as error:
            raise typer.Exit(tell(error)) from None
        except OSError as error:
            complain(f"expected a file that can be used, got {_reason(error)}")
            raise typer.Exit(WRONG_USE) from None

    return run_guarded  # type: ignore[return-value]


def tell(error: HotsError) -> int:
    """Says what is wrong on stderr; the exit code."""
    if isinstance(error, RulesetError):
        draw(lambda colour: draw_all(error.faults, error.sources, colour=colour), stderr=True)
        return WRONG_USE if is_missing(error) else FAULTY
    complain(str(error))
    return WRONG_USE if isinstance(error, UnknownOption | UnknownRule) else FAULTY


def comparing(command: Command) -> Command:
    """A command that ends as `diff` does: 0 alike, 1 different, 2 where nothing can be compared."""

    @wraps(command)
    def run_comparing(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except HotsError as error:
            tell(error)
            raise typer.Exit(WRONG_USE) from None

    return run_comparing  # type: ignore[return-value]


def is_missing(error: RulesetError) -> bool:
    """Whether there is no ruleset at all under the name or path that was given."""
    return not error.sources and all(fault.code == "missing-ruleset" for fault in error.faults)


def _reason(error: OSError) -> str:
    said = (error.strerror or type(error).__name__).lower()
    return f"{said}: `{error.filename}`" if error.filename else said


def run(app: Callable[..., Any]) -> int:
    """Runs the whole command line; the exit code of the process."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("once", PluginWarning)
            warnings.showwarning = lambda message, *_, **__: complain(str(message))
            code = _code_of(app)
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_writing()
        return BROKEN_PIPE
    return code


def _code_of(app: Callable[..., Any]) -> int:
    try:
        app(prog_name="hots")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        return end.code if isinstance(end.code, int) else FINE if end.code is None else WRONG_USE
    return FINE


def _stop_writing() -> None:
    """Nobody reads on: what is still in the buffers goes nowhere, and Python does not complain."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
