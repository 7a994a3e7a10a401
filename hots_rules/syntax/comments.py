"""The comments of a text, and the text without comments and quoted texts."""

from __future__ import annotations

import re

from attrs import frozen

_COMMENT_OR_TEXT = re.compile(r'#[^\n]*|"[^"\n]*(?:\n[ \t]+(?=[^\s"])[^"\n]*)*"')


@frozen
class Comment:
    """A comment: where it begins, the number of its line, its column, and whether it has the line alone."""

    start: int
    line: int
    column: int
    text: str
    own_line: bool


def comments_of(text: str) -> list[Comment]:
    """The comments of a text, in order."""
    comments = []
    for match in _COMMENT_OR_TEXT.finditer(text):
        if match[0].startswith("#"):
            start = match.start()
            begin = text.rfind("\n", 0, start) + 1
            line, own = text.count("\n", 0, start) + 1, not text[begin:start].strip()
            comments.append(Comment(start, line, start - begin, match[0].rstrip(), own))
    return comments


def blank_texts(text: str) -> str:
    """A text with its comments and quoted texts replaced by blanks of the same length."""
    return _COMMENT_OR_TEXT.sub(lambda match: _blanks(match[0]), text)


def _blanks(text: str) -> str:
    is_plain = "\n" not in text and "\t" not in text
    return " " * len(text) if is_plain else re.sub(r"\S", " ", text)


def texts_over_lines(text: str) -> list[re.Match[str]]:
    """The quoted texts that run over several lines."""
    return [match for match in _COMMENT_OR_TEXT.finditer(text) if "\n" in match[0]]
