"""What words and phrases mean: concepts, such as `where`, and values of a ruleset, such as a piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from attrs import field, frozen

from hots_rules._translate import LANGUAGES
from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.reading.words import nearest, words_in

ANY_ENDING = "*"
SHORTEST_STEM = 4
SHORTEST_IDLE = 7
ASKING_TO_ACT = frozenset({"can", "must", "i"})
"""Concepts of words behind which a verb may stand."""
DIRECTIONS = frozenset({"to", "from"})
Meanings = tuple[tuple[str, tuple[int, ...]], ...]
"""By type, in the order of the ruleset, the codes of the values that a phrase may name."""


@frozen
class Token:
    """A word or a phrase of a sentence.

    Attributes:
        text: as it was read.
        concepts: what it may mean.
        values: which values it may name, by type.
        is_idle: whether it says nothing, such as an article.
    """

    text: str
    concepts: frozenset[str] = frozenset()
    values: Meanings = ()
    is_idle: bool = False

    def codes(self, type_: str) -> tuple[int, ...]:
        """The values of a type that it may name."""
        return dict(self.values).get(type_, ())

    def is_of(self, setting: frozenset[str]) -> bool:
        """Whether it names nothing but concepts, or values of types, of a setting."""
        types = [name for name, _ in self.values]
        return bool(self.concepts & setting or types) and setting.issuperset(types)


@frozen
class KnownStems:
    """The known words by their stems, each with the language that it is of."""

    words: Mapping[str, str]


def known_stems(known: Iterable[str]) -> KnownStems:
    """The stems of known words; of several words the first has a stem."""
    found: dict[str, str] = {}
    for word in known:
        for stem in _stems(word):
            found.setdefault(stem, word)
    return KnownStems(found)


@frozen(slots=False, eq=False)
class Lexicon:
    """The phrases that are known, with their meanings; a word that ends in `*` has any ending.

    `find_stems` gives the stems of all known words, perhaps from a cache: to find them takes a second.

    >>> lexicon = Lexicon({"go": ("go*", "set out"), "where": ("where",)}, {"the": True}, {}, {})
    >>> [(each.text, *each.concepts) for each in lexicon.read("Where is he going?")]
    [('where', 'where'), ('is',), ('he',), ('going', 'go')]
    """

    concepts: Mapping[str, tuple[str, ...]]
    idle: Mapping[str, bool]
    names: Mapping[str, Meanings]
    contractions: Mapping[str, str]
    numbers: Mapping[str, int] = field(factory=dict)
    find_stems: Callable[[Iterable[str]], KnownStems] = known_stems
    _nearest: dict[str, str | None] = field(factory=dict, init=False)

    @cached_property
    def _phrases(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """The phrases with their concepts, by the first word, or by two letters and a star if that has any ending."""
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for concept, phrases in self.concepts.items():
            for phrase in phrases:
                words = tuple(phrase.split())
                first = words[0]
                key = first[:-1][:2] + ANY_ENDING if first.endswith(ANY_ENDING) else first
                found.setdefault(key, []).append((words, concept))
        return found

    @cached_property
    def _names(self) -> dict[tuple[str, ...], Meanings]:
        return {tuple(name.split()): meanings for name, meanings in self.names.items()}

    @cached_property
    def _longest_name(self) -> int:
        return max(map(len, self._names), default=0)

    @cached_property
    def _known(self) -> tuple[str, ...]:
        """Every word of a phrase or a name, in the order of their declaration."""
        phrases: Iterable[str] = (phrase for listed in self.concepts.values() for phrase in listed)
        words = (word for phrase in (*self.names, *phrases) for word in phrase.split())
        return tuple(dict.fromkeys(word.rstrip(ANY_ENDING) for word in words))

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        """The words that may have any ending."""
        listed = (phrase for phrases in self.concepts.values() for phrase in phrases)
        return tuple(
            dict.fromkeys(p[:-1] for p in listed if p.endswith(ANY_ENDING) and " " not in p)
        )

    @cached_property
    def _by_stem(self) -> Mapping[str, str]:
        return self.find_stems(self._known).words

    @cached_property
    def _long_idle(self) -> tuple[str, ...]:
        """The words that say nothing and are long enough that a slip in them is known as one."""
        return tuple(word for word in self.idle if len(word) >= SHORTEST_IDLE)

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(self._known)

    # -------------------------------------------------------------- reading
    def read(self, sentence: str, *, corrects: bool = True) -> tuple[Token, ...]:
        """The tokens of a sentence, each as long as possible; of a text without slips only endings are read over."""
        typed = self.words(sentence)
        words = [*map(self._spelled if corrects else self._ended, typed)]
        for at, word in enumerate(typed):
            if not self._may_be_a_slip(word, words[at]) and self._is_place_of_a_verb(words, at):
                words[at] = word
        return self._tokens(words)

    def _tokens(self, words: list[str]) -> tuple[Token, ...]:
        tokens: list[Token] = []
        while words:
            length, token = self._first_token(words)
            tokens.append(token)
            words = words[length:]
        return tuple(tokens)

    def _may_be_a_slip(self, word: str, corrected: str) -> bool:
        """Whether a word where a verb stands may be meant as the known one: no name, and with the same beginning."""
        if word == corrected or self.knows(word):
            return True
        return (corrected,) not in self._names and corrected[:2] == word[:2]

    def _is_place_of_a_verb(self, words: list[str], at: int) -> bool:
        """Whether a verb stands there: behind who acts or `can`, before the words for a direction and a name."""
        before = self._tokens(words[:at])
        telling = next((token for token in reversed(before) if not token.is_idle), None)
        if telling is None or not (telling.values or telling.concepts & ASKING_TO_ACT):
            return False
        after = self._tokens(words[at + 1 :])
        if after and after[0].values and not telling.values:  # `¿puede saltar Fox a Shore?`
            after = after[1:]
        name = next((place for place, token in enumerate(after) if token.values), 0)
        between = after[:name]
        return name > 0 and all(token.is_idle or token.concepts & DIRECTIONS for token in between)

    def words(self, sentence: str) -> list[str]:
        """The words of a sentence as they are typed."""
        return words_in(sentence, self.contractions)

    def _spelled(self, word: str) -> str:
        """A word as it is known, if it is near to a known one."""
        if self.knows(word):
            return word
        if word not in self._nearest:
            if len(self._nearest) > 2000:
                self._nearest.clear()
            self._nearest[word] = self.inflected(word) or self.nearest(word)
        return self._nearest[word] or word

    def nearest(self, word: str) -> str | None:
        """The known word that is spelled nearly so."""
        return nearest(word, self._known, self._stems) or nearest(word, self._long_idle)

    def _ended(self, word: str) -> str:
        """A word with the ending with which it is known."""
        return word if self.knows(word) else self.inflected(word) or word

    def knows(self, word: str) -> bool:
        """Whether a word needs no correction."""
        known = (
            word in self._exact or word in self.idle or word in self.numbers or word[0].isdigit()
        )
        return known or bool(self._concepts([word]))

    def inflected(self, word: str) -> str | None:
        """The known word of which a word is another form."""
        return next((self._by_stem[s] for s in _stems(word) if s in self._by_stem), None)

    def _first_token(self, words: list[str]) -> tuple[int, Token]:
        found = self._concepts(words)
        names = {
            length: self._names[key]
            for length in range(1, self._longest_name + 1)
            if len(key := tuple(words[:length])) == length and key in self._names
        }
        length = max((*found, *names, 1))
        text = " ".join(words[:length])
        concepts, values = frozenset(found.get(length, ())), names.get(length, ())
        return length, Token(text, concepts, values, text in self.idle)

    def _concepts(self, words: list[str]) -> dict[int, set[str]]:
        """The concepts of the phrases that the words begin with, by the length of the phrase."""
        found: dict[int, set[str]] = {}
        first = words[0]
        starts = dict.fromkeys((first, first[:2] + ANY_ENDING, first[:1] + ANY_ENDING))
        for start in starts:
            for phrase, concept in self._phrases.get(start, ()):
                if len(phrase) <= len(words) and all(map(_is, words, phrase)):
                    found.setdefault(len(phrase), set()).add(concept)
        return found


Stems = frozenset[str]


def stems_of(token: Token) -> Stems:
    """The stems of the words of a token, in each language."""
    return frozenset(
        f"{language}:{stem}"
        for word in token.text.split()
        for language in LANGUAGES
        for stem in stems(word, language)
    )


def _is(word: str, known: str) -> bool:
    if known.endswith(ANY_ENDING):
        return word.startswith(known[:-1])
    return word == known


def _stems(word: str) -> tuple[str, ...]:
    """The stems of a word in each language that are long enough to tell it from others."""
    return tuple(
        f"{language} {stem}"
        for language in LANGUAGES
        for stem in stems(word, language)
        if len(stem) >= SHORTEST_STEM
    )
