"""Elements of a page, built so that no text of a ruleset can become markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from xml.etree.ElementTree import Element, fromstring, tostring

from hots_rules.diagnostics import printable, shortened

Content = Element | str | None
MAX_LETTERS = 20_000  # of one text
_SVG = "{http://www.w3.org/2000/svg}"


def tag(name: str, *content: Content, **attributes: str) -> Element:
    """An element with texts and elements in it; `class_` is the attribute `class`, `data_words` is `data-words`.

    >>> from hots_rules.compare.markup import html, tag
    >>> html(tag("p", "1 < 2 ", tag("b", "<script>"), class_="sum"))
    '<p class="sum">1 &lt; 2 <b>&lt;script&gt;</b></p>'
    """
    names = {key.rstrip("_").replace("_", "-"): printable(text) for key, text in attributes.items()}
    element = Element(name, names)
    add(element, content)
    return element


def add(element: Element, content: Iterable[Content]) -> None:
    """Append texts and elements to an element."""
    for each in content:
        if isinstance(each, Element):
            element.append(each)
        elif each:
            text = shortened(printable(each), MAX_LETTERS)
            if len(element):
                element[-1].tail = (element[-1].tail or "") + text
            else:
                element.text = (element.text or "") + text


def sentence(text: str) -> Iterator[Content]:
    """The content of a sentence, where words between backticks are code.

    >>> from hots_rules.compare.markup import html, sentence, tag
    >>> html(tag("p", *sentence("`wait` is legal in 3 `games")))
    '<p><code>wait</code> is legal in 3 `games</p>'
    """
    parts = text.split("`")
    for number in range(0, len(parts) - 2, 2):
        yield parts[number]
        yield tag("code", parts[number + 1])
    yield "`".join(parts[-2:]) if len(parts) % 2 == 0 else parts[-1]


def picture(svg: str) -> Element:
    """The element of the text of an SVG file."""
    root = fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    return root


def html(element: Element) -> str:
    """The text of an element."""
    return tostring(element, encoding="unicode", method="html")


def document(title: str, body: str, *head: Element, style: str, language: str = "en") -> str:
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
        tag("style", style),
    )
    root = f'<html lang="{escape(language)}">'
    return f"<!doctype html>\n{root}{html(parts)}<body>\n{body}</body></html>\n"
