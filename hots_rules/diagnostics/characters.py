"""Characters of untrusted text that no terminal and no message should get."""

from __future__ import annotations

import re
from reprlib import repr as _abbreviated

# Control characters other than tab and line feed, unpaired surrogates, line separators, and invisible characters: they
# control a terminal, reverse the text around them, or cannot be encoded. The joiners U+200C and U+200D are allowed,
# since some languages need them.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


def printable(text: str) -> str:
    """The text without characters that could control a terminal, deceive a reader, or fail to encode: all are replaced.

    >>> from hots_rules.diagnostics import printable
    >>> printable("Fox\\x1b[2J") == "Fox\\N{REPLACEMENT CHARACTER}[2J"
    True
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def find_unprintable(text: str) -> int | None:
    """The place of the first character that `printable` replaces; None if there is none.

    >>> from hots_rules.diagnostics import find_unprintable
    >>> find_unprintable("Fox"), find_unprintable("F\\x00x")
    (None, 1)
    """
    match = _UNPRINTABLE.search(text)
    return None if match is None else match.start()


def unprintable_headline(character: str) -> str:
    """What is wrong with a character in a ruleset that `printable` replaces.

    >>> from hots_rules.diagnostics import unprintable_headline
    >>> unprintable_headline("\x1b")
    'the character U+001B shows nothing, or controls a terminal'
    """
    return f"the character U+{ord(character):04X} shows nothing, or controls a terminal"


def shortened(text: str, letters: int) -> str:
    """The first letters of a text, with an ellipsis if there are more.

    >>> from hots_rules.diagnostics import shortened
    >>> shortened("Badger", 4), shortened("Fox", 4)
    ('Badg…', 'Fox')
    """
    return text if len(text) <= letters else f"{text[:letters]}…"


def abbreviated(value: object) -> str:
    """A short representation of any value, also of a huge one and of one whose class has none.

    >>> from hots_rules.diagnostics import abbreviated
    >>> abbreviated("fox" * 20)
    "'foxfoxfoxfox...oxfoxfoxfox'"
    """
    try:
        return _abbreviated(value)
    except Exception:
        return f"a value of {type(value).__name__}"


def cropped(text: str, width: int) -> str:
    """A text of at most `width` characters; the last is an ellipsis if something is left out.

    >>> from hots_rules.diagnostics import cropped
    >>> cropped("Badger", 5), cropped("Fox", 5)
    ('Badg…', 'Fox')
    """
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"


def cropped_line(text: str, width: int) -> str:
    """A text on one line of at most `width` characters, made printable.

    >>> from hots_rules.diagnostics import cropped_line
    >>> cropped_line("Badger\\nand Fox", 10)
    'Badger an…'
    """
    return cropped(printable(text.replace("\n", " ")), width)


def printable_value(value: object) -> object:
    """A text, or a tuple with texts in it, made printable; every other value as it is."""
    if isinstance(value, str):
        return printable(value)
    return tuple(map(printable_value, value)) if type(value) is tuple else value
