"""Commands that run again whenever a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, is_watched

# Of the files that rulesets and cases consist of.
ENDINGS = (".rules", ".md", ".txt", ".csv", ".json", ".toml")

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

    The folders above cases are watched as well, where their rulesets may be.
    """
    with needs_extra("cli"):
        from watchfiles import watch
    folders = dict.fromkeys(_watched(path) for path in paths)
    if is_watched():
        echo("waiting for changes; Ctrl-C ends it", "dim")
    for changed in watch(*folders, watch_filter=lambda _, name: name.endswith(ENDINGS)):
        yield sorted({Path(name).name for _, name in changed})


def _watched(path: Path) -> Path:
    """The folder of a ruleset and its cases, if it is below the folder one is in; else that of the path."""
    here, folder = Path.cwd(), path.resolve()
    folder = folder if folder.is_dir() else folder.parent
    return here if folder.is_relative_to(here) else folder
