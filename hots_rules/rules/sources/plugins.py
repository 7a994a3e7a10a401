"""Entry points of installed packages: those of rulesets, which name a folder each, and others.

A ruleset is data: its folder is found and read, and no code of the package runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn

from hots_rules.diagnostics import PluginWarning, printable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GROUP = "hots_rules.rulesets"


def plugin_folders() -> Iterator[Traversable]:
    """The folders that installed packages name, by the names of their entry points.

    One that is not found is left out, with a `PluginWarning`.
    """
    for entry in entry_points_of(GROUP):
        try:
            folder = _folder(entry)
            if not folder.is_dir():
                raise LookupError("no folder of that name")
        except Exception as error:  # another package may fail in any way
            warn(
                printable(
                    f"the plugin `{entry.name}` has no folder of rulesets at `{entry.value}`: {cause_of(error)}"
                ),
                PluginWarning,
                stacklevel=2,
            )
            continue
        yield folder


def cause_of(error: BaseException) -> str:
    """What went wrong in another package, as one line."""
    lines = str(error).splitlines()[:1] or [type(error).__name__]
    return lines[0] or type(error).__name__


def entry_points_of(group: str) -> list[EntryPoint]:
    """The entry points of a group by name; a package whose list of them is damaged has none, with a `PluginWarning`."""
    entry_points: set[EntryPoint] = set()
    for package in distributions():
        try:
            entry_points.update(package.entry_points.select(group=group))
        except Exception as error:  # another package may be damaged in any way
            warn(
                printable(
                    f"the entry points of the package `{_name_of(package)}` cannot be read: {error}"
                ),
                PluginWarning,
                stacklevel=4,
            )
    return sorted(entry_points, key=lambda entry: (entry.name, entry.value))


def _name_of(package: Distribution) -> str:
    try:
        return str(package.name)
    except Exception:
        return "unknown"


def _folder(entry: EntryPoint) -> Traversable:
    """The folder of an entry point `package` or `package.folder`; the package is not imported."""
    package, *inner = entry.value.partition(":")[0].strip().split(".")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"no package `{package}`")
    folder: Traversable = Path(next(iter(spec.submodule_search_locations)))
    if not folder.is_dir() and spec.loader is not None:
        # It is zipped.
        folder = spec.loader.get_resource_reader(package).files()  # type: ignore[attr-defined]
    for part in inner:
        folder = folder.joinpath(part)
    return folder
