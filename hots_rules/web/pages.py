"""The files of the front end, as they stand in the package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hots_rules._home import package_home

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_KINDS = {
    "html": "text/html",
    "js": "text/javascript",
    "ts": "text/plain",  # browsers read none of it
    "css": "text/css",
}


def page_files() -> dict[str, tuple[bytes, str]]:
    """Each path of the front end with the content and the media type."""
    files = {
        path: (file.read_bytes(), _KINDS[path.rpartition(".")[2]])
        for path, file in _files_below(package_home().joinpath("web", "static"))
    }
    return {"/": files["/index.html"], **files}


def _files_below(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """The files of a folder and of those in it, by their paths from the folder."""
    for child in sorted(folder.iterdir(), key=lambda file: file.name):
        place = f"{path}/{child.name}"
        if child.is_dir():
            yield from _files_below(child, place)
        else:
            yield place, child
