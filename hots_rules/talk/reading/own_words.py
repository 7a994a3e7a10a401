"""The library's own words in its languages, such as `where`: what they mean and how much they say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

from attrs import frozen

from hots_rules._toml import read_toml
from hots_rules._translate import LANGUAGES, language_words
from hots_rules.explain.talk_file import listed_phrases

LIGHT, FAINT = 0.4, 0.15
"""How much a word of a question says, such as `where`, and a word such as `my`; others say 1."""


@frozen(slots=False)
class OwnWords:
    """The words of the library: concepts, words that say nothing, contractions, and the concepts that say little.

    Attributes:
        words: concepts with their phrases.
        idle: words that say nothing.
        contractions: short forms with what they stand for.
        weights: how much the concepts say that say less than others.
        numbers: the words for small numbers.
        game: concepts of most games, for a game whose talk has no words of its own.
        phrases: for each kind the phrases that are read without the concepts.
    """

    words: Mapping[str, tuple[str, ...]]
    idle: Mapping[str, bool]
    contractions: Mapping[str, str]
    weights: Mapping[str, float]
    numbers: Mapping[str, int]
    game: Mapping[str, tuple[str, ...]]
    phrases: Mapping[str, tuple[str, ...]]

    @cached_property
    def silent(self) -> frozenset[str]:
        """The words that say nothing, or only how something is asked."""
        asking = (phrase for name in self.weights for phrase in self.words.get(name, ()))
        return frozenset((*self.idle, *asking))


@cache
def words_for_kind(kind: str) -> frozenset[str]:
    """The phrases of a kind in all languages, such as `inside`."""
    return frozenset(own_words().phrases[kind])


@cache
def own_words() -> OwnWords:
    """The words of the library in all its languages."""
    read = read_toml(language_words())
    tables: dict[str, dict[str, tuple[str, ...]]] = {"words": {}, "game": {}, "phrases": {}}
    idle: dict[str, bool] = {}
    numbers: dict[str, int] = {}
    contractions: dict[str, str] = {}
    for language in LANGUAGES:
        for kind, listed in tables.items():
            for name, phrases in read[language][kind].items():
                listed[name] = listed.get(name, ()) + listed_phrases(phrases)
        idle |= dict.fromkeys(read[language]["idle"].split(), True)
        numbers |= {word: n for n, word in enumerate(read[language]["numbers"].split())}
        for pair in filter(None, map(str.strip, read[language]["contractions"].split(";"))):
            short, _, long = pair.partition("=")
            contractions[short] = long
    weights = {word: LIGHT for word in read["light"].split()}
    weights |= {word: FAINT for word in read["faint"].split()}
    return OwnWords(
        tables["words"], idle, contractions, weights, numbers, tables["game"], tables["phrases"]
    )
