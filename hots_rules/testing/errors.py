"""The errors of cases."""

from __future__ import annotations

from hots_rules.diagnostics import HotsError


class BadCase(HotsError, ValueError):
    """A case that cannot be read or played; the message has its file and title.

    >>> import hots_rules as hr
    >>> hr.testing.coverage(hr.load("hots-4.0"), "no-such-folder")
    Traceback (most recent call last):
    hots_rules.testing.errors.BadCase: no folder of cases at `no-such-folder`

    Attributes:
        line: the line of the file that is at fault; 0 if it is not known.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
