"""Exit codes, and errors reported as messages instead of tracebacks."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from functools import wraps
from types import MappingProxyType
from typing import ParamSpec

import typer

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.output.console import echo_error, echo_faults
from hots_rules.cli.signals import Terminated, ending_signals
from hots_rules.cli.streams import discard_unwritten
from hots_rules.diagnostics import MissingLibrary, draw_all

P = ParamSpec("P")


class Exit(IntEnum):
    """Exit codes of the process."""

    SUCCESS = 0
    FAILURE = 1
    USAGE = 2
    HUNG_UP = 129
    INTERRUPTED = 130
    QUIT = 131
    BROKEN_PIPE = 141
    TERMINATED = 143


EXIT_CODES = MappingProxyType(
    {
        Exit.SUCCESS: "success",
        Exit.FAILURE: "error in a ruleset, record, position or action",
        Exit.USAGE: "unknown command, option, name or file",
        Exit.HUNG_UP: "terminal closed (SIGHUP)",
        Exit.INTERRUPTED: "interrupted by Ctrl-C (SIGINT)",
        Exit.QUIT: "ended by Ctrl-\\ (SIGQUIT)",
        Exit.BROKEN_PIPE: "output pipe closed (SIGPIPE)",
        Exit.TERMINATED: "ended by kill (SIGTERM)",
    }
)
COMPARISON_EXIT_CODES = (
    "diff, witness, ask, replay --under: 0 no difference, 1 a difference, 2 any error"
)


def with_exit_code(command: Callable[P, None], *, compares: bool = False) -> Callable[P, None]:
    """A command that reports errors on stderr and ends with an exit code.

    A command that compares exits with 1 if it finds a difference, so all its errors exit with 2.
    """

    @wraps(command)
    def run_command(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            if not sys.stdout.closed:  # as a language server leaves it
                sys.stdout.flush()
        except BrokenPipeError:
            raise typer.Exit(Exit.BROKEN_PIPE) from None
        except Terminated as ended:
            raise typer.Exit(ended.exit_code) from None
        except KeyboardInterrupt:
            echo_error("interrupted")
            raise typer.Exit(Exit.INTERRUPTED) from None
        except hr.HotsError as error:
            code = report(error)
            raise typer.Exit(Exit.USAGE if compares else code) from None
        except OSError as error:
            echo_error(describe_os_error(error))
            raise typer.Exit(Exit.USAGE) from None
        except BaseExceptionGroup as errors:
            raise typer.Exit(_code_of_group(errors)) from None

    return run_command


def _code_of_group(errors: BaseExceptionGroup[BaseException]) -> int:
    """The exit code for the first error of tasks that ran at the same time, after a message."""
    first: BaseException = errors
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    if isinstance(first, BrokenPipeError):
        return Exit.BROKEN_PIPE
    if isinstance(first, Terminated):
        return first.exit_code
    if not isinstance(first, OSError):
        raise errors
    echo_error(describe_os_error(first))
    return Exit.USAGE


@contextmanager
def usage_errors() -> Iterator[None]:
    """Errors in the block exit with 2, as a command that compares exits with 1 if it finds a difference."""
    try:
        yield
    except hr.HotsError as error:
        report(error)
        raise typer.Exit(Exit.USAGE) from None


def report(error: hr.HotsError) -> Exit:
    """Print an error on stderr; return the exit code."""
    if isinstance(error, hr.RulesetError):
        echo_faults(lambda color: draw_all(error.faults, error.sources, colour=color), stderr=True)
        return Exit.USAGE if is_missing(error) else Exit.FAILURE
    if isinstance(error, MissingLibrary):
        fault = f"the package `{error.library}` is not installed"
        echo_error(f"{fault}; run: pip install 'hots-rules[{error.extra}]'")
        return Exit.USAGE
    echo_error(str(error))
    return Exit.USAGE if isinstance(error, hr.ArgumentError) else Exit.FAILURE


def fail_if(condition: object) -> None:
    """End the command with the exit code of a failure if a condition holds."""
    if condition:
        raise typer.Exit(Exit.FAILURE)


def is_missing(error: hr.RulesetError) -> bool:
    """Whether there is no ruleset at all under the given name or path."""
    return not error.sources and all(fault.code == "missing-ruleset" for fault in error.faults)


def describe_os_error(error: OSError, language: str = "en") -> str:
    """The message of an operating system error, with the file concerned."""
    reason = (error.strerror or type(error).__name__).lower()
    if not error.filename:
        return reason
    t = translator(language)
    return t.gettext("cannot use the file `{file}`: {reason}", file=error.filename, reason=reason)


def run(app: Callable[..., object]) -> int:
    """Run the whole command line; return the exit code of the process."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        with warnings.catch_warnings():
            diagnostics = hr.diagnostics
            for category in (
                diagnostics.CacheWarning,
                diagnostics.PluginWarning,
                diagnostics.ResultsPlayedAgain,
                diagnostics.RulesetChanged,
            ):
                warnings.simplefilter("once", category)
            warnings.showwarning = lambda message, *_, **__: echo_error(str(message))
            with ending_signals():
                code = _exit_code(app)
        if not sys.stdout.closed:  # the language server closes it when its editor leaves
            sys.stdout.flush()
    except BrokenPipeError:
        code = Exit.BROKEN_PIPE
    except Terminated as ended:
        code = ended.exit_code
    except OSError as error:
        echo_error(describe_os_error(error))
        code = Exit.USAGE
    discard_unwritten()
    return code


def _exit_code(app: Callable[..., object]) -> int:
    try:
        app(prog_name="hots")
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):
            raise error.__context__ from None
        if isinstance(error.code, int):
            return error.code
        return Exit.SUCCESS if error.code is None else Exit.USAGE
    return Exit.SUCCESS
