"""A part of a text file."""

import attrs


@attrs.frozen
class Span:
    """A part of a file, from its first character up to, but not including, the one at its end.

    Lines and columns count from 1; a column is a character, so a tab is one column. It is not
    checked that the part exists in the file.
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
