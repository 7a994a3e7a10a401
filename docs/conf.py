"""How the documentation is built: `python -m sphinx -W -b html docs docs/_build`."""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer  # type: ignore[import-untyped]
from sphinx.application import Sphinx

HERE = Path(__file__).parent
# The API is that of this checkout, installed or not.
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

from rules_lexer import RulesLexer  # noqa: E402

project = "hots_rules"
author = "The hots_rules developers"
copyright = author

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "api_pages",
    "atlas_pages",
    "navigation",
    "pictures",
]
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_ext"]

# In docstrings a word in single backticks is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
suppress_warnings = ["ref.python"]  # a builtin such as `type` that is also an attribute of ours
napoleon_numpy_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "hots_rules"
html_static_path = ["_static"]
html_css_files = ["front.css"]
html_copy_source = False

# Fenced blocks that are shown as they are.
PLAIN = ("csv", "case")


def setup(app: Sphinx) -> None:
    """Colours the language of rulesets."""
    for alias in RulesLexer.aliases:
        app.add_lexer(alias, RulesLexer)
    for fence in PLAIN:
        app.add_lexer(fence, TextLexer)
