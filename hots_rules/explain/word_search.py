"""Words, as a reader types them to find a rule.

`atlas/atlas.js` has the same rules for a page in a browser.
"""

from __future__ import annotations

import re

from hots_rules.diagnostics import fold

_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=\w{3})(ies|es|s|ing|ed|y|e)$")
# Words of a question that say nothing of its subject, in English, French and Spanish.
_IDLE = """
    a about all an and any are at be by can change changed changes de del des did difference differences
    different do does edition editions el en es est et for from has have how in is it la las le les los
    matter may of on or other qu que quoi rule rules say section since sobre sur the there to un una une
    was were what when where which who why with
    """
IDLE_WORDS = frozenset(_IDLE.split())


def plain(text: str) -> str:
    """A text in lower case, without accents.

    >>> plain("Où est l’Écossais ?")
    "ou est l'ecossais ?"
    """
    return fold(text.replace("’", "'")).replace("œ", "oe")


def words_of(text: str) -> frozenset[str]:
    """The words of a text, without accents, in lower case.

    >>> from hots_rules.explain.word_search import words_of
    >>> sorted(words_of("Frontière anglo-écossaise"))
    ['anglo', 'ecossaise', 'frontiere']
    """
    return frozenset(_WORD.findall(fold(text)))


def matches(query: str, words: frozenset[str]) -> bool:
    """Whether each word of a query that matters begins one of the words, endings aside.

    >>> from hots_rules.explain.word_search import matches, words_of
    >>> matches("What changed about retreats?", words_of("Who retreats goes home."))
    True
    >>> matches("what?", words_of("what")), matches("", words_of("a text"))
    (False, False)
    """
    asked = [_ENDING.sub("", word) for word in words_of(query) - IDLE_WORDS]
    return bool(asked) and all(any(word.startswith(each) for word in words) for each in asked)
