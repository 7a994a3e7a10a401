"""The pages of an atlas as documents for a browser, which need no server and nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache

from hots_rules._home import page_asset
from hots_rules.atlas.collection import Collection
from hots_rules.atlas.entries import Atlas
from hots_rules.atlas.pages import Page, pages_of
from hots_rules.atlas.pictures import PICTURES, pictures_script
from hots_rules.report.markup import Markup, document, tag

_PLAIN = "body { font-family: sans-serif; max-width: 75em; margin: 1em auto; padding: 0 1em; }\n"


def documents(atlas: Atlas, shown: Collection | None = None) -> Iterator[tuple[str, str]]:
    """The file name and the text of each page, the front page `index.html` first, and of the script with the pictures.

    The pages run no script but the one that searches the tables and shows the pictures.

    >>> import hots_rules as hr
    >>> [name for name, _ in hr.atlas.documents(hr.atlas.atlas("hots-3.x", "hots-4.0"))][:2]
    ['index.html', 'declarations.html']

    Args:
        atlas: the atlas.
        shown: its witnesses and counts, as `collect` gives them.
    """
    shown = shown or Collection()
    for page in pages_of(atlas, shown):
        yield page.name, _document(page)
    if drawn := pictures_script(shown):
        yield PICTURES, drawn


def style_sheet() -> str:
    """The style sheet of the pages.

    >>> import hots_rules as hr
    >>> ".atlas" in hr.atlas.style_sheet()
    True
    """
    return page_asset("atlas.css")


def script() -> str:
    """The script of the pages, which searches the tables.

    >>> import hots_rules as hr
    >>> ".atlas-find" in hr.atlas.script()
    True
    """
    return page_asset("atlas.js")


def _document(page: Page) -> str:
    """A page whose policy lets no script run but our own."""
    # A page that is opened from a folder has no origin that `self` could name.
    scripts = f"'self' file: '{_digest(script())}'"
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}"
    parts = tag("h1", page.title), page.html, tag("script", Markup(script()))
    body = "\n".join(parts)
    guard = tag("meta", http_equiv="Content-Security-Policy", content=policy)
    return document(page.title, body, guard, style=_PLAIN + style_sheet())


@cache
def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
