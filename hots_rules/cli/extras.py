"""Extras that a command needs."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Import what an extra brings.

    Raises:
        typer.BadParameter: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hots_rules"):
            raise
        fault = f"the package `{error.name}` is not installed"
        raise typer.BadParameter(f"{fault}; run: pip install 'hots-rules[{extra}]'") from None
