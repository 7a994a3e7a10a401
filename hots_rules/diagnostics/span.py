"""A part of a text file."""

import attrs


@attrs.frozen
class Span:
    """A part of a file, from its first character up to, but not including, the one at its end.

    Lines and columns count from 1; a column is a character, so a tab is one column. It is not
    checked that the part exists in the file.

    >>> from hots_rules.diagnostics import Span
    >>> print(Span("fox.rules", 3, 1, 3, 4))
    fox.rules:3:1

    Attributes:
        file: the name of the file; empty for a place in no file.
        line: the line of the first character.
        column: the column of the first character.
        end_line: the line of the end.
        end_column: the column after the last character.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def nowhere(cls) -> "Span":
        """The place of something that is in no file."""
        return cls("", 0, 0, 0, 0)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.file else "nowhere"
