"""How the documentation is built: `python -m sphinx -W -b html docs docs/_build`."""

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "hots_rules"
author = "The hots_rules developers"
copyright = author

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3

html_theme = "alabaster"
html_theme_options = {
    "description": "Rulebooks as data",
    "fixed_sidebar": True,
    "page_width": "62rem",
}


def setup(app: Sphinx) -> None:
    """Texts in the language of the rules show as they are, whatever a test does with them."""
    for fence in ("rules", "rules-edition", "rules-wrong", "rules-right"):
        app.add_lexer(fence, TextLexer)
