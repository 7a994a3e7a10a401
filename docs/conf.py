"""How the documentation is built: `python -m sphinx -W -b html docs docs/_build`."""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer  # type: ignore[import-untyped]
from sphinx.application import Sphinx

# The API is that of this checkout, installed or not.
sys.path.insert(0, str(Path(__file__).parent.parent))

project = "hots_rules"
author = "The hots_rules developers"
copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3

# Docstrings are plain sentences: what stands in backticks is a name as it is written.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True}

html_theme = "alabaster"
html_theme_options = {
    "description": "Rulebooks as data",
    "fixed_sidebar": True,
    "page_width": "62rem",
}

# Languages of fenced blocks that show as they are, whatever a test does with them.
PLAIN = ("csv", "rules", "rules-edition", "rules-wrong", "rules-right", "rules-file", "case")


def fields(
    _app: Sphinx, _what: str, _name: str, _it: object, _options: object, lines: list[str]
) -> None:
    """The errors under `Raises:` as fields, in place."""
    if "Raises:" not in lines:
        return
    at = lines.index("Raises:")
    found: list[str] = []
    for line in lines[at + 1 :]:
        if line.startswith("    ") and not line.startswith("     "):
            found.append(f":raises {line.strip()}")
        elif line.strip():
            found[-1] += f" {line.strip()}"
    lines[at:] = [*found, ""]


def setup(app: Sphinx) -> None:
    """Texts in the language of the rules are not coloured as another one's."""
    for fence in PLAIN:
        app.add_lexer(fence, TextLexer)
    app.connect("autodoc-process-docstring", fields)
