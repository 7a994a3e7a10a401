"""The rules of which a card tells one."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules.explain.talk_file import talk_tables
from hots_rules.rules import Source


def card_rules(source: Source) -> Mapping[str, tuple[str, ...]]:
    """The table `cards` of the talk of a game: by type, rules of which a card tells one.

    >>> import hots_rules as hr
    >>> from hots_rules.talk.lookup.synonyms import card_rules
    >>> card_rules(hr.load("hots-4.0").source)["Block"][-2:]
    ('capture', 'elimination')
    """
    listed = talk_tables(source).get("cards", {})
    return {owner: tuple(names) for owner, names in listed.items()}
