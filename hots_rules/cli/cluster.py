"""A Dask cluster that plays the games of a study."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager

import typer

from hots_rules._version import __version__
from hots_rules.cli.extras import needs_extra

SECONDS = 10
"""The longest time in which a scheduler has to answer."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a scheduler, which all have this version of the library.

    Raises:
        typer.BadParameter: no scheduler answers, it has no workers, they have another version, or it is lost later.
    """
    with needs_extra("cluster"):
        from distributed import Client
        from distributed.scheduler import KilledWorker
    try:
        client = Client(address, timeout=SECONDS)
    except (OSError, ValueError, RuntimeError):
        raise _fault(f"no scheduler answers at `{address}`") from None
    with client:
        check_versions(client.run(versions, on_error="return"))
        try:
            yield client.get_executor(retries=3)
        except KilledWorker:
            raise _fault("several workers died playing the same games") from None
        except (CancelledError, TimeoutError):
            raise _fault(f"the connection to `{address}` was lost") from None


def versions() -> tuple[str, str]:
    """The versions of the library and of Python in this process."""
    return __version__, ".".join(map(str, sys.version_info[:2]))


def check_versions(answers: dict[str, tuple[str, str] | Exception]) -> None:
    """Make sure that all workers play by the same version as this program.

    Args:
        answers: for each worker its versions, or what kept it from telling them.

    Raises:
        typer.BadParameter: no worker answers, or one has another version.
    """
    by_worker: dict[str, tuple[str, str]] = {}
    for worker, answer in answers.items():
        if isinstance(answer, ImportError):
            raise _fault(f"the worker {worker} has no hots_rules: {answer}")
        if not isinstance(
            answer, Exception
        ):  # a worker that was lost before it answered plays no game
            by_worker[worker] = answer
    if not by_worker:
        raise _fault("the scheduler has no workers")
    for worker, theirs in by_worker.items():
        for name, here, there in zip(("hots_rules", "Python"), versions(), theirs, strict=True):
            if here != there:
                raise _fault(f"the worker {worker} has {name} {there}, this program {here}")


def _fault(text: str) -> typer.BadParameter:
    return typer.BadParameter(text, param_hint="--cluster")
