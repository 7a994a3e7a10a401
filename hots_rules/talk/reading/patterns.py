"""Patterns of questions: the concepts and values that a sentence has, in any order."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType

from attrs import frozen

from hots_rules.talk.reading.lexicon import Token

_ELEMENT = re.compile(r"!?\{\w+\}|\[[\w/-]+\]|!?[\w/-]+")
VALUE, CONCEPT, UNKNOWN, NUMBER, IDLE = 1.5, 1.0, 1.2, 0.4, 0.4
SETTING = 0.5
"""What a word costs that most questions may have beside them, such as `game`."""
MISSING = 0.3
"""What it costs that a sentence lacks the word that asks: `birds in the wood` for `which birds are in the wood`."""
COVERED = 0.62
"""The share of a sentence that a pattern must account for."""
NAMED = 0.7
"""The share that a pattern must account for if it is only a name: more words ask for more than what has this name."""
ASKING = frozenset({"who", "what", "which", "where", "when", "how", "how-many", "can", "must"})
"""Concepts that only say how something is asked."""
UNSAID = ASKING - {"must"}
"""Those that a sentence may lack: who asks what must be does not leave it out."""
SLIGHT = frozenset(
    {
        "i",
        "you",
        "to",
        "from",
        "and",
        "or",
        "have",
        "now",
        "not",
        "if",
        "enemy",
        "first",
        "there-is",
    }
)
"""Concepts that do not tell either what a sentence is about."""
SUBJECTS = frozenset({"who", "where", "when", "how-many"})
"""Those that ask for something of a kind: what tells something else is no answer."""
COUNTED = frozenset({"how-many"})
"""Those that a sentence does not leave out if it asks what may be done: `can birds stay` asks for no number."""
VAGUE = frozenset({"what", "which", "how"})
"""Those that may stand for others: `what block fires first` for `who fires first`."""


@frozen
class Match:
    """A sentence read by a pattern.

    Attributes:
        pattern: the pattern.
        holes: the values that the sentence names, by hole; several where the name is ambiguous.
        gain: how much of the sentence the pattern accounts for.
        cost: how much it leaves.
    """

    pattern: Pattern
    holes: Mapping[str, tuple[int, ...]]
    gain: float
    cost: float

    @property
    def rank(self) -> tuple[float, int]:
        """By which matches are compared: the higher, the better."""
        return round(self.gain - self.cost, 3), self.pattern.size

    @property
    def is_likely(self) -> bool:
        """Whether the pattern accounts for half of a sentence, and for two words that tell something."""
        return self.gain >= self.cost and self.pattern.is_telling

    @property
    def is_close(self) -> bool:
        """Whether the sentence says little that the pattern does not account for."""
        return self.share >= (NAMED if self.pattern.is_only_a_name else COVERED)

    @property
    def share(self) -> float:
        """How much of the sentence the pattern accounts for, from 0 to 1."""
        return self.gain / (self.gain + self.cost) if self.gain else 0.0


@frozen(slots=False, eq=False)
class Pattern:
    """What a sentence must have: `where/place {b} [now] !why`, in any order.

    A word is a concept, or one of several; in brackets it may be missing, after `!` it must. A name in braces is
    a value of the type that `types` says; after `!` no other value of the type may be there.

    >>> from hots_rules.talk.reading.lexicon import Token
    >>> fox = Token("fox", values=(("Piece", (3,)),))
    >>> where = Token("where", frozenset({"where"}))
    >>> pattern = Pattern.parse("where {p}", {"p": "Piece"})
    >>> pattern.match((where, fox), {}).holes
    {'p': (3,)}
    >>> pattern.match((fox,), {}) is None
    True
    """

    text: str
    types: Mapping[str, str]
    required: tuple[frozenset[str], ...]
    optional: frozenset[str]
    banned: frozenset[str]
    banned_types: frozenset[str]
    holes: tuple[str, ...]

    @classmethod
    def parse(
        cls,
        text: str,
        types: Mapping[str, str],
        beside: Mapping[str, frozenset[str]] = MappingProxyType({}),
    ) -> Pattern:
        """The pattern of a text; `types` are those of its holes, `beside` what may stand beside them."""
        elements = _ELEMENT.findall(text)
        holes = tuple(e[1:-1] for e in elements if e[0] == "{")
        optional = {word for e in elements if e[0] == "[" for word in e[1:-1].split("/")}
        return cls(
            text,
            types,
            tuple(frozenset(e.split("/")) for e in elements if e[0] not in "{[!"),
            frozenset(optional.union(*(beside.get(hole, ()) for hole in holes))),
            frozenset(e[1:] for e in elements if e[0] == "!" and e[1] != "{"),
            frozenset(types[e[2:-1]] for e in elements if e[:2] == "!{"),
            holes,
        )

    @property
    def size(self) -> int:
        """How much it requires."""
        return len(self.required) + 2 * len(self.holes)

    def may_match(self, concepts: frozenset[str]) -> bool:
        """Whether a sentence with these concepts can have all that it requires; found faster than a match."""
        return not any(map(concepts.isdisjoint, self._needed))

    def match(
        self,
        tokens: Sequence[Token],
        weights: Mapping[str, float],
        setting: frozenset[str] = frozenset(),
    ) -> Match | None:
        """How a sentence is read by it; None if something is missing.

        Args:
            tokens: the sentence.
            weights: those of concepts.
            setting: concepts and types that cost little where the pattern does not have them.
        """
        if any(self.banned & token.concepts for token in tokens):
            return None
        filled = _places([self.types[hole] for hole in self.holes], tokens, ())
        if filled is None:
            return None
        used = dict.fromkeys(filled, VALUE)
        holes = {
            hole: tokens[at].codes(self.types[hole])
            for hole, at in zip(self.holes, filled, strict=True)
        }
        if _is_repeated([(self.types[hole], *codes) for hole, codes in holes.items()]):
            return None
        if any(
            token.codes(type_)
            for type_ in self.banned_types
            for i, token in enumerate(tokens)
            if i not in used
        ):
            return None
        missing = 0.0
        telling = sum(bool(token.concepts & self._told) for token in tokens) + len(self.holes)
        for concepts in self.required:
            at = _first(tokens, used, partial(_means, concepts))
            if at is None:
                is_said = self._telling > 0 and telling > 1
                if not (concepts <= UNSAID and is_said and self._is_free(tokens, concepts)):
                    return None
                missing += MISSING
                continue
            matching = tokens[at].concepts & concepts
            used[at] = max(weights.get(concept, CONCEPT) for concept in matching)
        for i, token in enumerate(tokens):
            if i not in used and token.concepts & self.words:
                used[i] = weight(token, weights)
        left = (_cost(token, weights, setting) for i, token in enumerate(tokens) if i not in used)
        return Match(self, holes, sum(used.values()), sum(left) + missing)

    @property
    def is_telling(self) -> bool:
        """Whether it requires at least two words that tell what a sentence is about."""
        return self._telling + len(self.holes) > 1

    @property
    def is_only_a_name(self) -> bool:
        """Whether all that it has to tell is one name."""
        return len(self.holes) == 1 and self._telling == 0

    @cached_property
    def _needed(self) -> tuple[frozenset[str], ...]:
        """The concepts that it requires of every sentence."""
        return tuple(concepts for concepts in self.required if not concepts <= UNSAID)

    @cached_property
    def _telling(self) -> int:
        """How many concepts it requires that do more than ask."""
        return sum(not concepts <= ASKING for concepts in self.required)

    @cached_property
    def _told(self) -> frozenset[str]:
        """The concepts that it accounts for and that do more than ask."""
        return self.words - ASKING - SLIGHT

    def _is_free(self, tokens: Sequence[Token], missing: frozenset[str]) -> bool:
        """Whether a sentence that lacks some words asks for nothing else, nor for a yes or no instead of a number."""
        asked = {concept for token in tokens for concept in token.concepts & ASKING}
        is_yes_or_no = asked == {"can"} and not missing.isdisjoint(COUNTED)
        is_known = asked <= self.words | VAGUE and not any("why" in p.concepts for p in tokens)
        return is_known and not is_yes_or_no

    @cached_property
    def words(self) -> frozenset[str]:
        """The concepts that it accounts for, also where they come more than once."""
        return self.optional.union(*self.required)


def _is_repeated(values: Sequence[tuple[str | int, ...]]) -> bool:
    """Whether two holes stand for the same single value of a type, as if a name were said twice."""
    single = [typed for typed in values if len(typed) == 2]
    return len(single) != len(set(single))


def _cost(token: Token, weights: Mapping[str, float], setting: frozenset[str]) -> float:
    """What it costs that a token is not accounted for."""
    if token.concepts & SUBJECTS and not token.values:
        return CONCEPT
    return min(weight(token, weights), SETTING if token.is_of(setting) else VALUE)


def _places(
    types: Sequence[str], tokens: Sequence[Token], taken: tuple[int, ...]
) -> tuple[int, ...] | None:
    """The first tokens that name values of some types, each another one; None if there are none.

    A name such as `Shore` may be of a place or of a player, so an earlier choice is given up for a later one.
    """
    if not types:
        return taken
    for at, token in enumerate(tokens):
        if at not in taken and token.codes(types[0]):
            found = _places(types[1:], tokens, (*taken, at))
            if found is not None:
                return found
    return None


def _means(concepts: frozenset[str], token: Token) -> bool:
    return not concepts.isdisjoint(token.concepts)


def _first(
    tokens: Sequence[Token], used: Container[int], fits: Callable[[Token], bool]
) -> int | None:
    return next((i for i, token in enumerate(tokens) if i not in used and fits(token)), None)


def weight(token: Token, weights: Mapping[str, float]) -> float:
    """How much a token says."""
    if token.values:
        return VALUE
    if token.concepts:
        heaviest = max(weights.get(concept, CONCEPT) for concept in token.concepts)
        return min(heaviest, IDLE) if token.is_idle else heaviest
    if token.is_idle:
        return 0.0
    return NUMBER if any(map(str.isdigit, token.text)) else UNKNOWN
