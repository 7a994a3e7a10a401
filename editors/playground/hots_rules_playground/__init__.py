"""The playground: a static site in which the library runs in the browser.

Takes: the site that `build.py` has put together, from this folder, the library, and what npm and PyPI have.
Gives: the folder of the site, to be served by any server of files.
Never: needs a server of its own, or loads anything at run time but from the site.
"""

from __future__ import annotations

from pathlib import Path

SITE = "site"


class NotBuilt(Exception):
    """The site has not been built."""


def site_folder() -> Path:
    """The folder of the site.

    Raises:
        NotBuilt: it has not been built; a released package has it.
    """
    folder = Path(__file__).resolve().parent / SITE
    if not (folder / "index.html").is_file():
        raise NotBuilt("the site is not built; run `python editors/playground/build.py`")
    return folder
