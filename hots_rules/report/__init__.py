"""Reports as values, shown in three forms.

Takes: headings, paragraphs, tables, figures and code as values.
Gives: the same for a terminal, as Markdown and as HTML.
Never: computes what it shows.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
