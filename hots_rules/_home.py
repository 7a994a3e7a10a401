"""Where the grammar and the rulesets are, in a checkout or in a wheel."""

from __future__ import annotations

from collections.abc import Iterator
from errno import ENAMETOOLONG
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# Some installers make each file a link.
_PACKAGE = Path(__file__).resolve().parent


def grammar_text() -> str:
    """The grammar of the language, as written in `rules.lark`."""
    return _find("grammar").joinpath("rules.lark").read_text(encoding="utf-8")


def rulesets_home() -> Traversable:
    """The folder of the shipped rulesets; in a zipped wheel it is not a path of the file system."""
    return _find("rulesets")


def witnesses_text(old: str, new: str) -> str:
    """The kept witnesses of the differences between two shipped rulesets; empty if there are none."""
    return _kept(f"{old}--{new}.md")


def frequencies_text() -> str:
    """The kept counts of how often declarations come up, as JSON; empty if there are none."""
    return _kept("frequencies.json")


def _kept(name: str) -> str:
    try:
        file = _find("rulesets").joinpath("witnesses", name)
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except OSError as error:
        if error.errno != ENAMETOOLONG:
            raise
        return ""


def agreements_text() -> str:
    """The list of differences between shipped rulesets that had no effect in many games; see `compare.Agreement`."""
    return _find("rulesets").joinpath("agreements.csv").read_text(encoding="utf-8")


def older_digests_text() -> str:
    """The digests of shipped rulesets in older records, with those of today, as CSV; see `records.has_content`."""
    return _find("rulesets").joinpath("older_digests.csv").read_text(encoding="utf-8")


def template_texts(name: str) -> dict[str, str]:
    """The files of a game or a house rule to begin with, by their paths in it."""
    return dict(_texts_in(package_home().joinpath("editing", "templates", name), ""))


def _texts_in(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _texts_in(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_text(encoding="utf-8")


def worths_text() -> str:
    """The list of what differences between shipped rulesets are worth, as CSV; see `study.EffectSize`."""
    return _find("rulesets").joinpath("worths.csv").read_text(encoding="utf-8")


def change_figures_text() -> str:
    """The list of what the changes of shipped editions do in play, as CSV; see `study.ChangeFigure`."""
    file = _find("rulesets").joinpath("changes.csv")
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def page_asset(name: str) -> str:
    """The style sheet or the script of the pages of an atlas."""
    return package_home().joinpath("atlas", name).read_text(encoding="utf-8")


def package_home() -> Traversable:
    """The folder of this package."""
    return _PACKAGE if _PACKAGE.is_dir() else _zipped()


def _find(name: str) -> Traversable:
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    in_zip = _zipped().joinpath("_data", name)
    if in_zip.is_dir():
        return in_zip
    raise FileNotFoundError(
        f"the folder `{name}` of hots_rules is missing; install the package again"
    )


def _zipped() -> Traversable:
    # This import would double the start time.
    from importlib.resources import files

    return files("hots_rules")
