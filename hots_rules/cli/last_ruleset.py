"""The ruleset that a command used last, for commands that name none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import hots_rules as hr
from hots_rules._files import atomic_write, read_file

_MAX_BYTES = 4096  # of a path


def remember(ruleset: hr.Ruleset, given: str) -> None:
    """Keep the newest edition of the game of a ruleset as the one that was used last.

    What cannot be written is not kept: no command fails for it.

    Args:
        ruleset: the ruleset that is used.
        given: its name, or its path.
    """
    newest = ruleset.source.layers[0].name
    name = newest if newest in hr.rulesets() else str(Path(given).absolute())
    with suppress(OSError, RuntimeError):  # no home folder is a RuntimeError
        if name != _kept():
            _file().parent.mkdir(parents=True, exist_ok=True)
            atomic_write(_file(), f"{name}\n")


def last_ruleset() -> str | None:
    """The name or the path of the ruleset that was used last; None if there is none, or it is gone."""
    with suppress(OSError, RuntimeError):
        name = _kept()
        if name and (name in hr.rulesets() or Path(name).exists()):
            return name
    return None


def _kept() -> str:
    try:
        return read_file(_file(), _MAX_BYTES).decode("utf-8", "replace").strip()
    except FileNotFoundError:
        return ""


def _file() -> Path:
    # A late import: it is slow.
    from platformdirs import user_state_path

    return user_state_path("hots_rules", appauthor=False) / "last-ruleset"
