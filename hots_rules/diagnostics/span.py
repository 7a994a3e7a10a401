"""A stretch of a text file."""

import attrs


@attrs.frozen
class Span:
    """A stretch of a file, from a first character up to, but not with, the one at its end.

    Lines and columns count from 1; a column counts characters, so a tab is one.
    Nothing checks that the stretch exists in the file.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def nowhere(cls) -> "Span":
        """The place of something that no file says."""
        return cls("", 0, 0, 0, 0)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.file else "nowhere"
