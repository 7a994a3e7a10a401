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
    return _listed(_text(source))


def notion_words(source: Source) -> Mapping[str, tuple[str, ...]]:
    """The words of players for each notion and value of a game, from the tables `words` and `names` of its talk.

    They hold for questions. A search takes one of them for its notion only where nothing has the word itself.

    >>> import hots_rules as hr
    >>> from hots_rules.explain.lookup.synonyms import notion_words
    >>> "flee" in notion_words(hr.load("hots-4.0").source)["retreat"]
    True
    """
    return _notions(_text(source))


def _text(source: Source) -> str:
    return next((layer.talk for layer in reversed(source.layers) if layer.talk), "")


@cache
def _listed(text: str) -> Mapping[str, tuple[str, ...]]:
    listed = tomllib.loads(text).get("search", {})
    return {
        name: tuple(phrase.strip() for phrase in phrases.split(","))
        for name, phrases in listed.items()
    }


@cache
def _notions(text: str) -> Mapping[str, tuple[str, ...]]:
    talk = tomllib.loads(text)
    return {
        name: tuple(phrase.strip() for phrase in phrases.split(","))
        for table in ("words", "names")
        for name, phrases in talk.get(table, {}).items()
        if isinstance(phrases, str)
    }
