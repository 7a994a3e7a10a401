"""Patterns of questions: the notions and values that a sentence has, in any order."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType

from attrs import frozen

from hots_rules.talk.reading.lexicon import Piece

_ELEMENT = re.compile(r"!?\{\w+\}|\[[\w/-]+\]|!?[\w/-]+")
VALUE, NOTION, UNKNOWN, NUMBER, IDLE = 1.5, 1.0, 1.2, 0.4, 0.4
SETTING = 0.5
"""What a word costs that most questions may have beside them, such as `game`."""
MISSING = 0.3
"""What it costs that a sentence lacks the word that asks: `birds in the wood` for `which birds are in the wood`."""
COVERED = 0.62
"""The share of a sentence that a pattern must account for."""
NAMED = 0.7
"""The share that a pattern must account for if it is only a name: more words ask for more than what has this name."""
ASKING = frozenset({"who", "what", "which", "where", "when", "how", "how-many", "can", "must"})
"""Notions that only say how something is asked."""
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
"""Notions that do not tell either what a sentence is about."""
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

    A word is a notion, or one of several; in brackets it may be missing, after `!` it must. A name in braces is
    a value of the type that `types` says; after `!` no other value of the type may be there.

    >>> from hots_rules.talk.reading.lexicon import Piece
    >>> fox = Piece("fox", values=(("Piece", (3,)),))
    >>> where = Piece("where", frozenset({"where"}))
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

    def may_match(self, said: frozenset[str]) -> bool:
        """Whether a sentence with these notions can have all that it requires; found faster than a match."""
        return not any(map(said.isdisjoint, self._needed))

    def match(
        self,
        pieces: Sequence[Piece],
        weights: Mapping[str, float],
        setting: frozenset[str] = frozenset(),
    ) -> Match | None:
        """How a sentence is read by it; None if something is missing.

        Args:
            pieces: the sentence.
            weights: those of notions.
            setting: notions and types that cost little where the pattern does not have them.
        """
        if any(self.banned & piece.notions for piece in pieces):
            return None
        filled = _places([self.types[hole] for hole in self.holes], pieces, ())
        if filled is None:
            return None
        used = dict.fromkeys(filled, VALUE)
        holes = {
            hole: pieces[at].codes(self.types[hole])
            for hole, at in zip(self.holes, filled, strict=True)
        }
        if _is_repeated([(self.types[hole], *codes) for hole, codes in holes.items()]):
            return None
        if any(
            piece.codes(type_)
            for type_ in self.banned_types
            for i, piece in enumerate(pieces)
            if i not in used
        ):
            return None
        missing = 0.0
        telling = sum(bool(piece.notions & self._told) for piece in pieces) + len(self.holes)
        for notions in self.required:
            at = _first(pieces, used, partial(_means, notions))
            if at is None:
                is_said = self._telling > 0 and telling > 1
                if not (notions <= UNSAID and is_said and self._is_free(pieces, notions)):
                    return None
                missing += MISSING
                continue
            said = pieces[at].notions & notions
            used[at] = max(weights.get(notion, NOTION) for notion in said)
        for i, piece in enumerate(pieces):
            if i not in used and piece.notions & self.words:
                used[i] = weight(piece, weights)
        left = (_cost(piece, weights, setting) for i, piece in enumerate(pieces) if i not in used)
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
        """The notions that it requires of every sentence."""
        return tuple(notions for notions in self.required if not notions <= UNSAID)

    @cached_property
    def _telling(self) -> int:
        """How many notions it requires that do more than ask."""
        return sum(not notions <= ASKING for notions in self.required)

    @cached_property
    def _told(self) -> frozenset[str]:
        """The notions that it accounts for and that do more than ask."""
        return self.words - ASKING - SLIGHT

    def _is_free(self, pieces: Sequence[Piece], missing: frozenset[str]) -> bool:
        """Whether a sentence that lacks some words asks for nothing else, nor for a yes or no instead of a number."""
        asked = {notion for piece in pieces for notion in piece.notions & ASKING}
        is_yes_or_no = asked == {"can"} and not missing.isdisjoint(COUNTED)
        is_known = asked <= self.words | VAGUE and not any("why" in p.notions for p in pieces)
        return is_known and not is_yes_or_no

    @cached_property
    def words(self) -> frozenset[str]:
        """The notions that it accounts for, also where they come more than once."""
        return self.optional.union(*self.required)


def _is_repeated(values: Sequence[tuple[str | int, ...]]) -> bool:
    """Whether two holes stand for the same single value of a type, as if a name were said twice."""
    single = [typed for typed in values if len(typed) == 2]
    return len(single) != len(set(single))


def _cost(piece: Piece, weights: Mapping[str, float], setting: frozenset[str]) -> float:
    """What it costs that a piece is not accounted for."""
    if piece.notions & SUBJECTS and not piece.values:
        return NOTION
    return min(weight(piece, weights), SETTING if piece.is_of(setting) else VALUE)


def _places(
    types: Sequence[str], pieces: Sequence[Piece], taken: tuple[int, ...]
) -> tuple[int, ...] | None:
    """The first pieces that name values of some types, each another one; None if there are none.

    A name such as `Shore` may be of a place or of a player, so an earlier choice is given up for a later one.
    """
    if not types:
        return taken
    for at, piece in enumerate(pieces):
        if at not in taken and piece.codes(types[0]):
            found = _places(types[1:], pieces, (*taken, at))
            if found is not None:
                return found
    return None


def _means(notions: frozenset[str], piece: Piece) -> bool:
    return not notions.isdisjoint(piece.notions)


def _first(
    pieces: Sequence[Piece], used: Container[int], fits: Callable[[Piece], bool]
) -> int | None:
    return next((i for i, piece in enumerate(pieces) if i not in used and fits(piece)), None)


def weight(piece: Piece, weights: Mapping[str, float]) -> float:
    """How much a piece says."""
    if piece.values:
        return VALUE
    if piece.notions:
        heaviest = max(weights.get(notion, NOTION) for notion in piece.notions)
        return min(heaviest, IDLE) if piece.is_idle else heaviest
    if piece.is_idle:
        return 0.0
    return NUMBER if any(map(str.isdigit, piece.text)) else UNKNOWN
