"""Rulesets that other packages bring: each names its folder by an entry point of the group `hots_rules.rulesets`.

A ruleset is data: the package is found and its folder read, and none of its code is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import warn

from hots_rules.diagnostics import PluginWarning

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GROUP = "hots_rules.rulesets"


def plugin_folders() -> Iterator[Traversable]:
    """The folders that installed packages name, in the order of the names of their entry points.

    One that cannot be found is warned of, and left out.
    """
    for entry in sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        try:
            folder = _folder(entry)
            if not folder.is_dir():
                raise LookupError("no folder of that name")
        except Exception as error:  # whatever a package of somebody else has wrong
            said = str(error).splitlines()[:1] or [type(error).__name__]
            warn(
                f"expected a folder of rulesets from the plugin `{entry.name}`, "
                f"got none at `{entry.value}`: {said[0]}",
                PluginWarning,
                stacklevel=2,
            )
            continue
        yield folder


def _folder(entry: EntryPoint) -> Traversable:
    """The folder of an entry point `package` or `package.folder`; the package is not imported."""
    package, *inner = entry.value.partition(":")[0].strip().split(".")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"no package `{package}`")
    found: Traversable = Path(next(iter(spec.submodule_search_locations)))
    if not found.is_dir() and spec.loader is not None:
        # It is zipped.
        found = spec.loader.get_resource_reader(package).files()  # type: ignore[attr-defined]
    for part in inner:
        found = found.joinpath(part)
    return found
