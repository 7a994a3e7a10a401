"""`hots diff`: rulesets side by side, as a table, or as a folder of pages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

import typer
from attrs import asdict, evolve, fields, frozen

import hots_rules as hr
from hots_rules._files import write_folder
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.comparison import echo_groups
from hots_rules.cli.output.console import (
    echo,
    echo_error,
    echo_json,
    echo_report,
    progress_bar,
    spinner,
)


class Format(StrEnum):
    """How differences are printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"
    SITE = "site"


@frozen(kw_only=True)
class DiffPlan:
    """What is compared, and what of it is shown."""

    old: str = argument(NEEDED, "Ruleset to compare from: a name, file or folder.", "A")
    new: tuple[str, ...] = argument(
        NEEDED, "Rulesets to compare to, each with the one before it.", "B"
    )
    section: str | None = option(
        None, "Show only differences in this section and its parts.", metavar="N"
    )
    about: str | None = option(
        None, "Show only differences about a theme, such as `winter` or `sea`.", metavar="WORDS"
    )
    every: bool = option(
        False,
        "Show each declaration that differs, with its parts, instead of the changes.",
        "--all",
    )
    plays_only: bool = option(False, "Show only differences that can change play.")
    sources: bool = option(False, "Show the rules as they are written.")
    groups: bool = option(False, "Show the smallest sets of differences that work alone instead.")
    form: Format = option(
        Format.TEXT,
        "Form of the output; a site is a folder of pages to search.",
        "--format",
        parser=args.choice_of(Format),
        metavar=args.choices(Format),
        show_default=True,
    )

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The rulesets, as they are given."""
        return self.old, *self.new

    @property
    def is_whole(self) -> bool:
        """Whether all differences are shown, as in a table."""
        parts = (self.section, self.about)
        return parts == (None, None) and not (self.plays_only or self.is_by_declaration)

    @property
    def is_by_declaration(self) -> bool:
        """Whether each declaration has a row, rather than each change of the rulebook."""
        return self.every or self.sources or self.groups


@frozen
class SitePlan:
    """What the pages have, and where they are written."""

    out: Path | None = option(
        None, "Folder to write the pages of a site to.", "-o", "--out", metavar="DIR"
    )
    games: int = option(
        50,
        "For a site: random games in which to count how often rules come up, for a ruleset without kept counts.",
        metavar="N",
        min=0,
        max=100_000,
    )
    seconds: float = option(
        60.0,
        "For a site: longest time for the search of positions where the library keeps none.",
        metavar="S",
        min=0.0,
    )
    worths: Path | None = option(
        None,
        "For a site: what differences are worth, as `hots attribute A B --orders 0 -o FILE` keeps it.",
        metavar="FILE",
    )
    force: bool = option(False, "Write a site into a folder that is not empty.")


def diff(plan: DiffPlan, site: SitePlan, output: args.Output, reader: args.Reader) -> None:
    """Show how rulesets differ, in a table by section.

    A summary comes first. Each ruleset has a column. Each page of a site has the texts of all rulesets, a position
    that shows the difference where one is known, and how often the rule comes up.

    Exit status: 0 if nothing differs or a site is written, 1 if something differs, 2 on error.
    """
    if plan.form is Format.SITE:
        _write_site(plan, site, reader)
        return
    for attribute in fields(SitePlan):
        if getattr(site, attribute.name) != attribute.default:
            raise typer.BadParameter("only with --format site", param_hint=f"--{attribute.name}")
    for name, is_given in (("--sources", plan.sources), ("--groups", plan.groups)):
        if is_given and plan.form is not Format.TEXT:
            raise typer.BadParameter("leave out --format", param_hint=name)
    names, as_json = plan.rulesets, output.as_json
    number = None if plan.section is None else _parse_section(reader, plan.section, *names)
    rulesets = [args.resolve_ruleset(name) for name in names]
    with spinner(f"comparing {' and '.join(names)}"):
        changes = hr.atlas.change_table(*rulesets, language=output.language, limits=reader.limits)
    if number is not None:
        changes = changes.within(number)
    if plan.about is not None:
        changes = _about(changes, plan.about)
        if not changes and not as_json:
            return
    table = changes.differences.playing() if plan.plays_only else changes.differences
    changes = evolve(changes, differences=table)
    if plan.groups:
        _show_groups(rulesets, {row.id for row in table.rows}, as_json=as_json)
        fail_if(table)
        return
    report = table.report(sources=plan.sources) if plan.is_by_declaration else changes.report()
    match Format.JSON if as_json else plan.form:
        case Format.TEXT:
            echo_report(report)
        case Format.MARKDOWN:
            sys.stdout.write(report.markdown())
        case Format.HTML:
            sys.stdout.write(report.page())
        case Format.JSON:
            echo_json({**_as_json(table), "changes": changes.as_json()})
    fail_if(table)


def _about(changes: hr.atlas.ChangeTable, theme: str) -> hr.atlas.ChangeTable:
    """The changes about a theme; where there is none, standard error says so, and which themes come nearest."""
    about = hr.talk.changes_about(changes, theme)
    if not about.names:
        offered = ", ".join(f"`{heading}`" for heading in about.nearest)
        help_ = f"\nhelp: try one of these: {offered}" if offered else ""
        echo_error(f"no difference is about `{theme}`{help_}")
    return changes.only(about.names)


def _show_groups(rulesets: list[str | Path], ids: set[str], *, as_json: bool) -> None:
    """Print the groups of each ruleset and the next one that have one of some differences."""
    by_rulesets = {}
    for old, new in pairwise(rulesets):
        with spinner(f"checking what {old} can take over from {new} alone"):
            by_rulesets[str(old), str(new)] = [
                group for group in hr.compare.groups(old, new) if ids & {*group.differences}
            ]
    if as_json:
        echo_json(
            [
                {"old": old, "new": new, "groups": [asdict(group) for group in groups]}
                for (old, new), groups in by_rulesets.items()
            ]
        )
        return
    for (old, new), groups in by_rulesets.items():
        echo_groups(old, new, groups)


def _as_json(table: hr.compare.DiffTable) -> dict[str, object]:
    """The differences of two rulesets with both sides, or the table of more."""
    if len(table.editions) > 2:
        return table.as_json()
    (differences,) = table.differences
    kept = {row.id for row in table.rows}
    return evolve(
        differences, differences=tuple(e for e in differences.differences if e.id in kept)
    ).as_json()


def _parse_section(reader: args.Reader, text: str, *rulesets: str) -> str:
    """The number of a section that one of the rulesets has, or parts of it.

    Raises:
        UnknownName: no ruleset has the section.
    """
    section = text.strip().lstrip("§").strip()
    headings = [hr.explain.section_headings(reader.load_ruleset(name)) for name in rulesets]
    numbers = dict.fromkeys(number for listed in headings for number in listed)
    if all(headings) and not (section and any(number.startswith(section) for number in numbers)):
        raise hr.UnknownName("section", text, numbers)
    return section


# ---------------------------------------------------------------- site
def _write_site(plan: DiffPlan, site: SitePlan, reader: args.Reader) -> None:
    """Write the pages of a site."""
    if not plan.is_whole:
        raise typer.BadParameter("a site has all differences", param_hint="--format")
    if site.out is None:
        raise typer.BadParameter("name the folder of the site", param_hint="--out")
    args.check_new_folder(site.out, force=site.force)
    loaded = [reader.load_ruleset(name) for name in plan.rulesets]
    result = hr.atlas.atlas(*loaded)
    frequencies = _count(loaded, site.games)
    with progress_bar("positions") as update:
        shown = hr.atlas.collect(
            result,
            loaded,
            frequencies=frequencies,
            seconds=site.seconds,
            effects_text=None if site.worths is None else reader.read_text(site.worths),
            on_witness=update,
            on_search=update,
        )
    total = 2 + sum(difference.plays for difference in result.entries)
    with progress_bar("pages", total) as update:
        count = write_folder(site.out, _counted(hr.atlas.documents(result, shown), update))
    echo(f"{count} pages written; open `{site.out / 'index.html'}` in a browser", "dim")


def _counted(
    pages: Iterator[tuple[str, str]], update: Callable[..., None]
) -> Iterator[tuple[str, str]]:
    """The pages; after each, `update` is called with the number of pages so far."""
    for number, page in enumerate(pages, 1):
        yield page
        update(number)


def _count(rulesets: list[hr.Ruleset], games: int) -> dict[str, hr.analysis.Frequencies]:
    """How often declarations come up in each ruleset of which the library keeps no counts."""
    kept, counted = hr.analysis.kept_frequencies(), {}
    uncounted = [ruleset for ruleset in rulesets if ruleset.name not in kept] if games else []
    for ruleset in uncounted:
        counter = hr.analysis.FrequencyCounter(ruleset)
        with progress_bar(f"games of {ruleset.name}", games) as update:
            for number in range(1, games + 1):
                counter.play_one()
                update(number)
        counted[ruleset.name] = counter.result()
    return counted
