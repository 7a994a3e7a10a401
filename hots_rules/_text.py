"""Texts in the one form in which everything reads them, and sections as everything shows them.

Editors and systems differ in how they end a line, mark the beginning of a file, and write an accented letter. Where
two texts differ in nothing else, they mean the same.
"""

import re
from collections.abc import Iterable
from unicodedata import combining, normalize

MARK = "\ufeff"  # in front of a text, from editors on Windows
MAX_MARKS = 30
"""Accents on one letter. `normalize` takes time that grows with the square of their number."""
_MANY_MARKS = re.compile(rf"[\u0300-\U0010ffff]{{{MAX_MARKS + 1},}}")


def plain_text(text: str) -> str:
    r"""The text without a byte order mark, with line ends as in Python; all else stays in its line and column.

    >>> plain_text("\ufeffyear 1301\r\nFox: place Hill\r")
    'year 1301\nFox: place Hill\n'
    """
    text = text.lstrip(MARK)
    # Most texts have none, and a ruleset is read whenever it is loaded.
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def trimmed_text(text: str) -> str:
    r"""A plain text in which no line ends with blanks, and each letter with its accent is one character.

    >>> trimmed_text("\ufeffHe\u0301rault  \r\n\tFox") == "H\xe9rault\n\tFox"
    True
    """
    return "\n".join(line.rstrip(" \t") for line in composed(plain_text(text)).split("\n"))


def composed(text: str) -> str:
    r"""The text with each letter and its accent as one character (NFC), as keyboards write it and files may not.

    A text with more than 30 accents on a letter stays as it is.

    >>> composed("e\u0301") == "\xe9"
    True
    """
    return text if text.isascii() or _has_many_marks(text) else normalize("NFC", text)


def _has_many_marks(text: str) -> bool:
    for match in _MANY_MARKS.finditer(text):
        run = 0
        for letter in match[0]:
            run = run + 1 if combining(letter) else 0
            if run > MAX_MARKS:
                return True
    return False


def with_signs(sections: Iterable[str]) -> str:
    """Sections as a reader sees them.

    >>> with_signs(("5.6", "5.7"))
    '§5.6 §5.7'
    """
    return " ".join(f"§{section}" for section in sections)
