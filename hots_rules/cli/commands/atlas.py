"""`hots atlas`: the differences between rulesets as a folder of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from errno import ENOTEMPTY
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._files import check_unused, write_folder
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo, progress_bar


def atlas(
    rulesets: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [C…]",
            help="Rulesets to compare, as a rule the oldest first: names, files or folders.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write the pages to.")
    ],
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=100_000,
            help="Random games in which to count how often rules come up, for a ruleset without kept counts.",
        ),
    ] = 50,
    seconds: Annotated[
        float,
        typer.Option(
            metavar="S",
            min=0.0,
            help="Longest time for the search of positions where the library keeps none.",
        ),
    ] = 60.0,
    worths: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What differences are worth, as `hots attribute A B --orders 0 -o FILE` keeps it.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that is not empty.")
    ] = False,
) -> None:
    """Write the differences between rulesets as pages to search.

    Each page has the texts of all rulesets, a position that shows the difference where one is known, and how often
    the rule comes up.
    """
    if len(rulesets) < 2:
        raise typer.BadParameter("expected two or more rulesets", param_hint="A B")
    _check_folder(out, force=force)
    loaded = [args.load_ruleset(name) for name in rulesets]
    result = hr.atlas.atlas(*loaded)
    frequencies = _count(loaded, games)
    with progress_bar("positions") as update:
        shown = hr.atlas.collect(
            result,
            loaded,
            frequencies=frequencies,
            seconds=seconds,
            worth_file=None if worths is None else args.read_text(worths),
            on_witness=update,
            on_search=update,
        )
    total = 2 + sum(entry.plays for entry in result.entries)
    with progress_bar("pages", total) as update:
        count = write_folder(out, _told(hr.atlas.documents(result, shown), update))
    echo(f"{count} pages written; open `{out / 'index.html'}` in a browser", "dim")


def _check_folder(folder: Path, *, force: bool) -> None:
    """Raise for a folder that holds files of the user, unless they are to stay beside the pages.

    Raises:
        typer.BadParameter: it is not empty.
    """
    try:
        check_unused(folder)
    except OSError as error:
        if error.errno != ENOTEMPTY:
            raise
        if not force:
            raise typer.BadParameter(
                f"the folder `{folder}` is not empty; name a new one, or write into it with --force",
                param_hint="--out",
            ) from None


def _told(
    pages: Iterator[tuple[str, str]], update: Callable[..., None]
) -> Iterator[tuple[str, str]]:
    """The pages, with the number of those made shown."""
    for number, page in enumerate(pages, 1):
        yield page
        update(number)


def _count(rulesets: list[hr.Ruleset], games: int) -> dict[str, hr.analysis.Frequencies]:
    """How often declarations come up in each ruleset of which the library keeps no counts."""
    kept, found = hr.analysis.kept_frequencies(), {}
    for ruleset in rulesets:
        if ruleset.name not in kept and games:
            counter = hr.analysis.FrequencyCounter(ruleset)
            with progress_bar(f"games of {ruleset.name}", games) as update:
                for number in range(1, games + 1):
                    counter.play_one()
                    update(number)
            found[ruleset.name] = counter.result()
    return found
