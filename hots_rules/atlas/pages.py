"""The pages of an atlas: the changes first, the declarations, a page for each of those in play, and one for wording."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from hots_rules.atlas.change_page import change_page
from hots_rules.atlas.collection import Collection
from hots_rules.atlas.declarations_page import declarations_page, wording_page
from hots_rules.atlas.entries import Atlas
from hots_rules.atlas.entry_page import entry_page, neighbours
from hots_rules.atlas.pictures import picture_keys
from hots_rules.atlas.words import DECLARATIONS, FRONT, WORDING, title_of
from hots_rules.report.markup import tag


@frozen
class Page:
    """A page of an atlas.

    >>> import hots_rules as hr
    >>> hr.atlas.Page("index.html", "Differences", "<p>none</p>").title
    'Differences'

    Attributes:
        name: its file name.
        title: its title.
        html: its content without the title, for the body of a document.
    """

    name: str
    title: str
    html: str


def pages_of(atlas: Atlas, shown: Collection) -> Iterator[Page]:
    """All pages of an atlas, the front page first; `documents` makes documents of them.

    >>> import hots_rules as hr
    >>> front, *_ = hr.atlas.pages_of(hr.atlas.atlas("hots-3.x", "hots-4.0"), hr.atlas.Collection())
    >>> front.title
    'Differences between hots-3.x and hots-4.0'
    """
    playing = [entry for entry in atlas.entries if entry.plays]
    yield Page(FRONT, _front_title(atlas), change_page(atlas, shown))
    yield Page(DECLARATIONS, "Declarations that differ in play", declarations_page(atlas, shown))
    keys = picture_keys(shown)
    yield Page(WORDING, "Differences of wording", wording_page(atlas))
    for before, entry, after in zip([None, *playing], playing, [*playing[1:], None], strict=False):
        parts = entry_page(atlas, entry, shown, keys)
        body = tag("article", *parts, neighbours(before, after), class_="atlas")
        yield Page(entry.page, title_of(entry), body)


def _front_title(atlas: Atlas) -> str:
    return f"Differences between {', '.join(atlas.rulesets[:-1])} and {atlas.rulesets[-1]}"
