"""Makes the navigation beside the pages from their titles, which is all that it shows.

For each page Sphinx copies the contents of all pages, every function of the API among them, and then takes nearly all
away: that was two thirds of the time of a build.
"""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

from docutils import nodes
from sphinx.addnodes import toctree
from sphinx.application import Sphinx


def titles_of(contents: nodes.bullet_list) -> nodes.bullet_list:
    """The contents of a page without its headings: its title, and the lists of pages in it."""
    entry = contents.next_node(nodes.list_item)
    if entry is None:
        return contents
    lists = [pages.deepcopy() for pages in contents.findall(toctree)]
    below = [nodes.bullet_list("", *lists)] if lists else []
    return nodes.bullet_list("", nodes.list_item("", entry[0].deepcopy(), *below))


class Navigation:
    """Gives each page a navigation that is made from titles."""

    def collect(self, app: Sphinx, env: object) -> None:
        """Keep the titles of all pages, when all are read."""
        self._titles = {name: titles_of(contents) for name, contents in app.env.tocs.items()}

    def put(
        self,
        app: Sphinx,
        page: str,
        template: str,
        context: dict[str, Callable[..., str]],
        tree: object,
    ) -> None:
        """Put the navigation into what the theme is given of a page."""
        navigation = context.get("toctree")
        if navigation is not None:

            def from_titles(**options: object) -> str:
                with patch.object(app.env, "tocs", self._titles):
                    return navigation(**options)

            context["toctree"] = from_titles


def setup(app: Sphinx) -> dict[str, bool]:
    """Puts it before the theme, which asks for the navigation at the usual priority."""
    navigation = Navigation()
    app.connect("env-check-consistency", navigation.collect)
    app.connect("html-page-context", navigation.put, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
