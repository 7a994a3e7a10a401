"""Highlighting of the line typed at the prompt."""

import re
from collections.abc import Callable, Iterator, Sequence

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer


class KnownWordLexer(Lexer):
    """Shows a known first word in bold, and other known words and numbers in color."""

    def __init__(self, completions: Sequence[str]) -> None:
        self._first = {text.split(" ")[0].casefold() for text in completions if text}
        self._known = {
            word.casefold().strip(":,") for text in completions for word in text.split(" ")
        }

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """A function from the number of a line to its styled fragments."""
        return lambda number: list(self.styled(document.lines[number]))

    def styled(self, line: str) -> Iterator[tuple[str, str]]:
        """The fragments of a line as pairs of style and text."""
        for index, piece in enumerate(re.split(r"([\s:,-]+)", line)):
            folded = piece.casefold()
            if index == 0 and folded in self._first:
                yield "bold ansiblue", piece
            elif piece.isdecimal():
                yield "ansimagenta", piece
            else:
                yield ("ansicyan" if folded in self._known else ""), piece
