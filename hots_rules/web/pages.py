"""The files of the front end, as they stand in the package, and below a name of their content for browsers to keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING

from attrs import field, frozen

from hots_rules._home import package_home

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_KINDS = {
    "html": "text/html",
    "js": "text/javascript",
    "ts": "text/plain",  # browsers read none of it
    "css": "text/css",
}
FOR_EVER: Mapping[str, str] = MappingProxyType(
    {"cache-control": "public, max-age=31536000, immutable"}
)
"""The header of what never changes under its address."""
_REFERENCE = re.compile(r'((?:href|src)=")(/?)([\w/]+\.(?:css|js)")')


@frozen
class PageFile:
    """A file of the front end, its media type, and headers of its own."""

    content: bytes = field(repr=False)
    kind: str
    headers: Mapping[str, str] = field(factory=dict)


def page_files() -> dict[str, PageFile]:
    """Each path of the front end with its file.

    The page refers to its files below the digest of all of them: scripts import each other by relative addresses, so
    one name is enough for all, and what a browser has of them it keeps.
    """
    files = {
        path: PageFile(file.read_bytes(), _KINDS[path.rpartition(".")[2]])
        for path, file in _files_below(package_home().joinpath("web", "static"))
    }
    home = files["/index.html"]
    digest = blake2b(digest_size=8)
    for path, file in files.items():
        digest.update(f"{path} {len(file.content)}\n".encode() + file.content)
    folder = f"files/{digest.hexdigest()}/"
    text = _REFERENCE.sub(rf"\1\2{folder}\3", home.content.decode())
    kept = {
        f"/{folder.rstrip('/')}{path}": PageFile(file.content, file.kind, FOR_EVER)
        for path, file in files.items()
        if path != "/index.html"
    }
    return {"/": PageFile(text.encode(), home.kind), **files, **kept}


def _files_below(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """The files of a folder and of those in it, by their paths from the folder."""
    for child in sorted(folder.iterdir(), key=lambda file: file.name):
        place = f"{path}/{child.name}"
        if child.is_dir():
            yield from _files_below(child, place)
        else:
            yield place, child
