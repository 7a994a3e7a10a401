"""Elements of HTML and SVG, built so that no text of a ruleset can become markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape

from hots_rules.diagnostics import printable, shortened

MAX_LETTERS = 20_000  # of one text
_NONCHARACTERS = re.compile("[\ufffe\uffff]")  # XML forbids them, too
_LINE_ENDS = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}  # an attribute keeps them only so
_PLAIN = re.compile("[ !#-%'-;=?-~]*")  # what stands in an attribute as it is
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Markup(str):
    """HTML or SVG as text: what was written by others is escaped in it already."""

    __slots__ = ()


Content = Markup | str | None


def escaped(text: str) -> str:
    """A text as the content of an element.

    >>> from hots_rules.report.markup import escaped
    >>> escaped("1 < 2 & 3")
    '1 &lt; 2 &amp; 3'
    """
    if (
        not text.isprintable()
    ):  # most texts are, and this costs less than to look for what is to be replaced
        text = _NONCHARACTERS.sub("\N{REPLACEMENT CHARACTER}", printable(text))
    return escape(text, quote=False)


def attributes_text(attributes: Mapping[str, str | None]) -> str:
    """Attributes as they stand in a tag, with a space before each; one that is None is left out.

    >>> from hots_rules.report.markup import attributes_text
    >>> attributes_text({"class_": "small", "stroke_width": "2", "hidden": None})
    ' class="small" stroke-width="2"'
    """
    return "".join(
        f' {_attribute_name(name)}="{_attribute_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )


@cache
def _attribute_name(word: str) -> str:
    """The name of an attribute: `stroke_width` is `stroke-width`, `class_` is `class`."""
    return word.rstrip("_").replace("_", "-")


def _attribute_value(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    value = escaped(text).replace('"', "&quot;")
    for character, reference in _LINE_ENDS.items():
        value = value.replace(character, reference)
    return value


def tag(name: str, *content: Content, **attributes: str | None) -> Markup:
    """An element with texts and elements in it; `class_` is the attribute `class`, `data_words` is `data-words`.

    >>> from hots_rules.report.markup import tag
    >>> tag("p", "1 < 2 ", tag("b", "<script>"), class_="sum")
    '<p class="sum">1 &lt; 2 <b>&lt;script&gt;</b></p>'
    """
    start = f"<{name}{attributes_text(attributes)}>"
    return Markup(start if name in _VOID else f"{start}{joined(*content)}</{name}>")


def joined(*content: Content, between: str = "") -> Markup:
    """Texts and elements one after the other.

    >>> from hots_rules.report.markup import joined, tag
    >>> joined("a < b", tag("i", "c"), between=", ")
    'a &lt; b, <i>c</i>'
    """
    parts = (part for part in content if part)
    return Markup(
        between.join(
            part if isinstance(part, Markup) else escaped(shortened(part, MAX_LETTERS))
            for part in parts
        )
    )


def sentence(text: str) -> Iterator[Content]:
    """The content of a sentence, where words between backticks are code.

    >>> from hots_rules.report.markup import sentence, tag
    >>> tag("p", *sentence("`wait` is legal in 3 `games"))
    '<p><code>wait</code> is legal in 3 `games</p>'
    """
    parts = text.split("`")
    for number in range(0, len(parts) - 2, 2):
        yield parts[number]
        yield tag("code", parts[number + 1])
    yield "`".join(parts[-2:]) if len(parts) % 2 == 0 else parts[-1]


def document(title: str, body: str, *head: Markup, style: str, language: str = "en") -> str:
    """The text of a page that stands alone.

    Args:
        title: its title.
        body: its content, as HTML.
        head: more elements for its head.
        style: its style sheet.
        language: the language of its texts.
    """
    parts = tag(
        "head",
        tag("meta", charset="utf-8"),
        *head,
        tag("meta", name_="viewport", content="width=device-width"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    root = f"<html{attributes_text({'lang': language})}>"
    return f"<!doctype html>\n{root}{parts}<body>\n{body}</body></html>\n"
