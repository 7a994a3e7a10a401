"""The library's own words in its languages, such as `where`: what they mean, how much they say, and what is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from hashlib import blake2b
from typing import TypeVar

from attrs import frozen

from hots_rules._toml import read_toml
from hots_rules._translate import LANGUAGES, language_words
from hots_rules.compile.cache import engine_hash
from hots_rules.explain.talk_file import listed_phrases
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules import Source
from hots_rules.talk.lookup.stems import stemming
from hots_rules.talk.reading.words import words_in

LIGHT, FAINT = 0.4, 0.15
"""How much a word of a question says, such as `where`, and a word such as `my`; others say 1."""

T = TypeVar("T")
IN_A_ROW, AT_THE_START, LISTED_TOO = "in-a-row", "at-the-start", "listed-too"
"""Kinds of phrases that say no more than the rest of a question, such as `in one move`."""
BEGINNING = "beginning"
"""The kind of verbs that say no more than `is` of something that is named when nothing was played yet."""


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


def without_asides(game: BaseGame, sentence: str, *kinds: str) -> str:
    """A sentence without phrases of some kinds; empty if it has none of them, or nothing else.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> without_asides(game, "Who holds Fife at the start?", AT_THE_START)
    'who holds fife ?'
    """
    words = " ".join(words_in(sentence, own_words().contractions))
    left = words
    for kind in kinds:
        if kind not in {AT_THE_START, BEGINNING} or not any(move >= 0 for move in game.moves):
            left = _phrases(kind).sub(" ", left)
    left = " ".join(left.split())
    return f"{left} ?" if left and left != words else ""


@cache
def _phrases(kind: str) -> re.Pattern[str]:
    """The phrases of a kind, the longest first."""
    phrases = {" ".join(words_in(phrase, {})) for phrase in own_words().phrases[kind]}
    listed = "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))
    end = "$" if kind == LISTED_TOO else r"\b"
    return re.compile(rf"\b(?:{listed}){end}")


def kept_words(
    ruleset: AnyRuleset, kind: type[T], parts: tuple[type, ...], make: Callable[[], T]
) -> T:
    """What is computed from the words, from the cache if it was computed before.

    It is of the class `kind`, its parts are of the other classes.
    """
    return ruleset.compiled.kept(kind, parts, lambda _: make(), beside=_beside(ruleset.source))


def _beside(source: Source) -> str:
    """A digest of all that such words depend on beside the rules."""
    talk = (f"{layer.talk}\0{layer.statements}" for layer in source.layers)
    digest = blake2b(digest_size=16)
    for text in (language_words(), *LANGUAGES, engine_hash(("state",)), stemming(), *talk):
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
