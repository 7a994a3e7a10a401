"""The files of the front end, as they stand in the package."""

from __future__ import annotations

from hots_rules._home import package_home

_KINDS = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
}


def page_files() -> dict[str, tuple[bytes, str]]:
    """Each path of the front end with the content and the media type."""
    folder = package_home().joinpath("web", "static")
    files = {
        f"/{file.name}": (file.read_bytes(), _KINDS[file.name.rpartition(".")[2]])
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
    }
    return {"/": files["/index.html"], **files}
