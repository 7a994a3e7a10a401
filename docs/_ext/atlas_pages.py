"""The directive `atlas`, which shows all differences between editions, and a page for each of them.

The pages are made while the documentation is built, from the rulesets and the witnesses and counts that are kept
beside them; the repository contains none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import hots_rules as hr

EDITIONS = ("hots-player-aid", "hots-2.3", "hots-3.x", "hots-4.0")
FOLDER, FRONT, PICTURES = "atlas", "index", "pictures.js"


@cache
def collected() -> tuple[hr.atlas.Atlas, hr.atlas.Collection]:
    """The atlas, and what its pages show."""
    rulesets = [hr.load(name) for name in EDITIONS]
    atlas = hr.atlas.atlas(*rulesets)
    with ProcessPoolExecutor() as executor:
        return atlas, hr.atlas.collect(atlas, rulesets, executor=executor)


@cache
def pages() -> dict[str, hr.atlas.Page]:
    """The pages by their names without `.html`."""
    return {page.name.removesuffix(".html"): page for page in hr.atlas.pages_of(*collected())}


def with_pictures(page: hr.atlas.Page) -> str:
    """The content of a page; before it the script with its pictures, if it has any."""
    has_any = "data-picture" in page.html
    return f'<script src="../_static/{PICTURES}"></script>\n{page.html}' if has_any else page.html


class AtlasDirective(SphinxDirective):
    """`{atlas}`: the table of all editions."""

    def run(self) -> list[nodes.Node]:
        """The content of the front page, without its title."""
        return [nodes.raw("", with_pictures(pages()[FRONT]), format="html")]


def other_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, object], str]]:
    """The pages that no file of the documentation stands for."""
    for name, page in pages().items():
        if name != FRONT:
            body = f"<h1>{escape(page.title)}</h1>\n{with_pictures(page)}"
            context: dict[str, object] = {"title": escape(page.title), "body": body}
            yield f"{FOLDER}/{name}", context, "page.html"


def add_assets(app: Sphinx) -> None:
    """Adds the style sheet, the script and the pictures of the pages to those of the documentation."""
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / "atlas.css").write_text(hr.atlas.style_sheet(), encoding="utf-8")
    (static / "atlas.js").write_text(hr.atlas.script(), encoding="utf-8")
    (static / PICTURES).write_text(hr.atlas.pictures_script(collected()[1]), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the directive and the pages."""
    app.add_directive("atlas", AtlasDirective)
    app.connect("html-collect-pages", other_pages)
    app.connect("builder-inited", add_assets)
    app.add_css_file("atlas.css")
    app.add_js_file("atlas.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
