"""A report as a whole, and its three forms."""

from __future__ import annotations

from attrs import frozen

from hots_rules.report.blocks import Block
from hots_rules.report.html_printer import html, page
from hots_rules.report.markdown_printer import markdown
from hots_rules.report.terminal_printer import terminal_text


@frozen
class Report:
    """What is shown of a result, as values; each printer shows the same.

    >>> import hots_rules as hr
    >>> report = hr.report.Report("Wins", (hr.report.Table.of(("player", "wins"), [("Fox", "3")]),))
    >>> print(report.markdown(), end="")
    | player | wins |
    | --- | --- |
    | Fox | 3 |

    Attributes:
        title: the title of its page; a heading of the first level in `blocks` shows it in the report itself.
        blocks: its parts.
        language: the language of its texts.
    """

    title: str
    blocks: tuple[Block, ...]
    language: str = "en"

    def markdown(self) -> str:
        """The report as Markdown, without its figures."""
        return markdown(self.blocks)

    def html(self) -> str:
        """The report as an element of HTML without styles."""
        return f"<div>{html(self.blocks)}</div>\n"

    def page(self) -> str:
        """The report as a page that stands alone, which prints well."""
        return page(self.title, self.blocks, self.language)

    def terminal(self, width: int = 80, *, has_colors: bool = False) -> str:
        """The report for a terminal of `width` columns, without its figures.

        Raises:
            MissingLibrary: Rich is not installed.
        """
        return terminal_text(self.blocks, width, has_colors=has_colors)

    def _repr_html_(self) -> str:
        return self.html()
