"""The words that a game takes for the same thing when it is searched."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules.explain.talk_file import Tables, talk_tables
from hots_rules.rules import Source


def search_words(source: Source) -> Mapping[str, tuple[str, ...]]:
    """The table `search` of the talk files of a game: phrases of all its languages, by a name for them.

    >>> import hots_rules as hr
    >>> from hots_rules.talk.lookup.synonyms import search_words
    >>> search_words(hr.load("hots-4.0").source)["regroup"][:3]
    ('regroup', 'regrouping', 'regroupement')
    """
    return _phrases(talk_tables(source), "search")


def notion_words(source: Source) -> Mapping[str, tuple[str, ...]]:
    """The words of players for each notion and value of a game, from the tables `words` and `names` of its talk.

    They hold for questions. A search takes one of them for its notion only where nothing has the word itself.

    >>> import hots_rules as hr
    >>> from hots_rules.talk.lookup.synonyms import notion_words
    >>> "flee" in notion_words(hr.load("hots-4.0").source)["retreat"]
    True
    """
    return _phrases(talk_tables(source), "words", "names")


def card_rules(source: Source) -> Mapping[str, tuple[str, ...]]:
    """The table `cards` of the talk of a game: by type, rules of which a card tells one.

    >>> import hots_rules as hr
    >>> from hots_rules.talk.lookup.synonyms import card_rules
    >>> card_rules(hr.load("hots-4.0").source)["Block"][-2:]
    ('capture', 'elimination')
    """
    listed = talk_tables(source).get("cards", {})
    return {owner: tuple(names) for owner, names in listed.items()}


def _phrases(talk: Tables, *tables: str) -> Mapping[str, tuple[str, ...]]:
    return {
        name: tuple(phrase.strip() for phrase in phrases.split(","))
        for table in tables
        for name, phrases in talk.get(table, {}).items()
    }
