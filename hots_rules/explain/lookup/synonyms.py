"""The words that a game takes for the same thing when it is searched."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from hots_rules.rules import Source


def search_words(source: Source) -> Mapping[str, tuple[str, ...]]:
    """The table `search` of the file `talk.toml` of a game: phrases of all its languages, by a name for them.

    >>> import hots_rules as hr
    >>> from hots_rules.explain.lookup.synonyms import search_words
    >>> search_words(hr.load("hots-4.0").source)["regroup"][:3]
    ('regroup', 'regrouping', 'regroupement')
    """
    text = next((layer.talk for layer in reversed(source.layers) if layer.talk), "")
    return _listed(text)


@cache
def _listed(text: str) -> Mapping[str, tuple[str, ...]]:
    listed = tomllib.loads(text).get("search", {})
    return {
        name: tuple(phrase.strip() for phrase in phrases.split(","))
        for name, phrases in listed.items()
    }
