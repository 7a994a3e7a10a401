"""Texts at several depths: a sentence, a paragraph or a tree."""

from html import escape
from typing import Protocol

from hots_rules.diagnostics import UnknownName

DEPTHS = ("sentence", "paragraph", "tree")


class PrettyPrinter(Protocol):
    """The part of IPython's pretty printer that is used here."""

    def text(self, text: str, /) -> None:
        """Print a text."""
        ...


class MultiDepthText:
    """An explanation as text, for `print`, consoles and notebooks."""

    __slots__ = ()

    def text(self, depth: str = "paragraph") -> str:
        """The explanation as text: a `sentence`, a `paragraph` or a `tree`.

        Raises:
            UnknownName: no such depth.
        """
        match depth:
            case "sentence":
                return self._sentence()
            case "paragraph":
                return self._paragraph()
            case "tree":
                return self._tree()
        raise UnknownName("depth", depth, DEPTHS)

    def _sentence(self) -> str:
        raise NotImplementedError

    def _paragraph(self) -> str:
        raise NotImplementedError

    def _tree(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def _repr_pretty_(self, printer: PrettyPrinter, cycle: bool) -> None:
        printer.text(self.text())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text('tree'))}</pre>"


def source_text(rule: str, edition: str, sections: tuple[str, ...]) -> str:
    """A rule, its edition and its sections."""
    return " ".join(filter(None, (rule, edition, *(f"§{section}" for section in sections))))
