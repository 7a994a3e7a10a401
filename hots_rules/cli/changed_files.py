"""Commands that run again whenever a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, is_watched

ENDINGS = (".rules", ".md", ".txt", ".csv", ".json", ".toml")
"""The ends of the names of files of rulesets and cases."""

Watch = Annotated[
    bool, typer.Option("--watch", help="Do it again whenever a file changes, until Ctrl-C.")
]


def repeat(paths: Iterable[Path], run: Callable[[], None]) -> None:
    """Run now, and again after each change of a file in the folders of some paths, until Ctrl-C."""
    run()
    for names in changes(paths):
        echo(f"\n{'─' * 30} {', '.join(names)}", "dim")
        run()


def changes(paths: Iterable[Path]) -> Iterator[list[str]]:
    """The names of files that changed, each time that some do.

    Of paths in the current folder the whole folder is watched, as rulesets may be in folders above their cases.
    """
    with needs_extra("cli"):
        from watchfiles import watch
    folders = dict.fromkeys(_watched(path) for path in paths)
    if is_watched():
        echo("waiting for changes; Ctrl-C ends it", "dim")
    for changed in watch(*folders, watch_filter=lambda _, name: name.endswith(ENDINGS)):
        yield sorted({Path(name).name for _, name in changed})


def _watched(path: Path) -> Path:
    """The current folder for a path in it, else the folder of the path."""
    here, folder = Path.cwd(), path.resolve()
    folder = folder if folder.is_dir() else folder.parent
    return here if folder.is_relative_to(here) else folder
