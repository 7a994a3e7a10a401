"""Extras that a command needs."""

from collections.abc import Iterator
from contextlib import contextmanager

from hots_rules.diagnostics import MissingLibrary


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Import what an extra brings.

    Raises:
        MissingLibrary: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hots_rules"):
            raise
        package = (error.name or "").partition(".")[0]
        raise MissingLibrary(package, extra) from None
