"""The pictures of an atlas in one script, in which shared parts such as the map stand once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from hots_rules.atlas.collection import Collection

PICTURES = "pictures.js"
MAX_PART = 2000
"""Letters of an element that is not divided into those within it."""
_TAG = re.compile(r"<(/?)[^<>]*?(/?)>")


def picture_keys(shown: Collection) -> dict[str, str]:
    """The key of each picture by its text; equal pictures have one."""
    svgs = dict.fromkeys(exhibit.svg for exhibit in shown.exhibits.values() if exhibit.svg)
    return {svg: str(number) for number, svg in enumerate(svgs)}


def pictures_script(shown: Collection) -> str:
    """The script with all pictures; `atlas.js` puts them where the pages have their keys. Empty if there are none.

    It defines one value and runs nothing: a page in a folder may load it without a server.

    >>> import hots_rules as hr
    >>> hr.atlas.pictures_script(hr.atlas.Collection())
    ''
    """
    numbers: dict[str, int] = {}
    by_key = {
        key: [numbers.setdefault(part, len(numbers)) for part in _parts(svg)]
        for svg, key in picture_keys(shown).items()
    }
    if not by_key:
        return ""
    value = {"parts": [*numbers], "pictures": by_key}
    return (
        f"window.atlasPictures = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n"
    )


def _parts(svg: str) -> Iterator[str]:
    """The parts of a picture, in order: its tags and elements, large ones divided."""
    opening = _TAG.search(svg)
    if opening is None or not svg.rstrip().endswith("</svg>"):
        yield svg
        return
    end = svg.rindex("</svg>")
    yield svg[: opening.end()]
    for element in _elements(svg[opening.end() : end]):
        if len(element) <= MAX_PART:
            yield element
            continue
        yield from _divided(element)
    yield svg[end:]


def _divided(element: str) -> Sequence[str]:
    """An element as its first tag, the elements within it, and its last tag; whole, if nothing is within it."""
    tags = [*_TAG.finditer(element)]
    if len(tags) < 2:
        return [element]
    inner = element[tags[0].end() : tags[-1].start()]
    within = [*_elements(inner)]
    return [element[: tags[0].end()], *within, element[tags[-1].start() :]]


def _elements(text: str) -> Iterator[str]:
    """The outermost elements of a text, with what stands between them."""
    depth, start = 0, 0
    for match in _TAG.finditer(text):
        depth += -1 if match[1] else 0 if match[2] else 1
        if depth == 0:
            yield text[start : match.end()]
            start = match.end()
    if start < len(text):
        yield text[start:]
