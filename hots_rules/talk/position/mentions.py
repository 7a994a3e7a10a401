"""Which pieces a sentence brings where, whatever the verb: `can Fox and Hen march to Shore`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.play.game import BaseGame
from hots_rules.talk.position.reach import PASSIVE
from hots_rules.talk.reading.acts import THROUGH, binds
from hots_rules.talk.reading.lexicon import Token, stems_of
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    GRANTING,
    HEADING,
    OTHER_WAYS,
    SOURCES,
    TARGETS,
    WITH_WORDS,
    is_speaker,
    owners_of,
    place_of,
    place_types,
    players_named,
)
from hots_rules.talk.reading.verbs import KnownVerbs, verbs_of
from hots_rules.talk.reading.ways import seen_by
from hots_rules.talk.retrieval.passages import retrieval_of

REACHING, JOINING, TOGETHER = "reaching", "joining", "together"
"""Kinds of words: for coming to a place, and to another piece; and those that say that all do it."""
MAX_PIECES = 6
ASIDE = frozenset(
    {"can", "i", "to", "from", "is", "turn", "now", "as-it-is", "and", "enemy", "legal"}
)
"""Concepts of words that say nothing of what is done."""
AGAINST = frozenset(
    {"if", "or", "not", "must", "why", "will"}
    | {"when", "how", "how-many", "where", "who", "which", "what", "odds"}
)
"""Concepts of words that ask for more, also where they are idle otherwise."""
FROM, TO, IN, STANDING, VERB, ATTACKED, JOINED, WITH, FREE = (
    *("from", "to", "in", "standing", "verb", "attacked", "joined", "with", ""),
)
"""How a name stands in a sentence: behind which word."""
PERSONAL = "a"
"""The Spanish word before somebody, which also says where something goes."""


@frozen
class Mention:
    """A name in a sentence: how it stands there, and what it may mean.

    Attributes:
        role: behind which word it stands.
        piece: the code of the piece; None if it names none.
        place: the code of the place; None if it names none.
    """

    role: str
    piece: int | None
    place: int | None


@frozen
class Asked:
    """That some pieces come to a place.

    Attributes:
        pieces: their codes.
        place: the code of the place.
        is_attack: whether it is said to be an attack.
    """

    pieces: tuple[int, ...]
    place: int
    is_attack: bool


@frozen
class ArrivalSentence:
    """A sentence about pieces that come to a place, with the types of pieces and places."""

    game: BaseGame
    reader: Reader
    tokens: tuple[Token, ...]
    player: str | None
    piece_type: str
    place_type: str

    @classmethod
    def of(
        cls, game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
    ) -> ArrivalSentence | None:
        """A sentence about a game with pieces of one type in places of one type, which is no board; else None."""
        located, places = game.ruleset.schema.location_maps, sorted(place_types(game))
        drawn = game.ruleset.schema.facts.map
        is_board = drawn is not None and drawn.is_board
        if game.is_over or game.is_chance or is_board or len(located) != 1 or len(places) != 1:
            return None
        return cls(game, reader, (*tokens,), player, str(located[0].keys[0]), places[0])

    @property
    def _verbs(self) -> KnownVerbs:
        return verbs_of(self.reader, self.game.ruleset)

    # -------------------------------------------------------------- what is asked
    def asked(self) -> Asked | None:
        """Which pieces come where; None if any word says something else."""
        mentions = self._mentions()
        if mentions is None or not self._is_accounted_for():
            return None
        own = self._pieces(mentions)
        if not own or len(own) > MAX_PIECES:
            return None
        sides = {*self.sides(own[0])}
        names = self.game.ruleset.players
        if len(sides) != 1 or any({*self.sides(piece)} != sides for piece in own):
            return None
        if self.player is not None and sides != {names.index(self.player)}:
            return None
        place = self._target(mentions, own)
        if place is None or any(self.place(piece) in {None, place} for piece in own):
            return None
        is_attack = any(mention.role == ATTACKED for mention in mentions)
        return Asked(own, place, is_attack)

    def _mentions(self) -> list[Mention] | None:
        """The names of the sentence; None if one of them is neither one piece nor one place."""
        mentions: list[Mention] = []
        for at, token in enumerate(self.tokens):
            if not token.values:
                continue
            pieces, places = token.codes(self.piece_type), token.codes(self.place_type)
            if len(pieces) > 1 or len(places) > 1 or not (pieces or places):
                if players_named(self.game, token):
                    continue
                return None
            role = self._role(at, mentions)
            piece, place = (codes[0] if codes else None for codes in (pieces, places))
            mentions.append(Mention(role, piece, place))
        goes_on = any(
            mention.role in {TO, IN} and mention.place is not None for mention in mentions
        )
        is_said = any(mention.role in {FREE, WITH, VERB} for mention in mentions)
        moved = {VERB} if is_said else {VERB, JOINED}  # `can Fox and Hen meet in Shore`
        return [
            evolve(mention, role=VERB, place=None)
            if mention.role in moved and mention.piece is not None and goes_on
            else mention
            for mention in mentions
        ]

    def _role(self, at: int, before: Sequence[Mention]) -> str:
        """Behind which word a name stands."""
        tokens, beside = self.tokens, self.reader.kinds_beside
        for back in range(at - 1, -1, -1):
            token = tokens[back]
            last = token.text.split()[-1] if token.text else ""
            if token.values:
                return before[-1].role if before else FREE
            if "and" in token.concepts and back and before:
                return before[-1].role
            if last in WITH_WORDS:
                telling = (word for word in reversed(tokens[:back]) if not word.is_idle)
                verb = next(telling, Token(""))
                return JOINED if self._by_verb(verb) == JOINED else WITH
            if "from" in token.concepts or last in SOURCES or "leave" in token.concepts:
                return FROM
            if last == PERSONAL and back and self._is_of_somebody(tokens[back - 1]):
                continue
            if last in HEADING or "to" in token.concepts:
                return TO
            if last in TARGETS:
                if back and last == "at":
                    return self._by_verb(tokens[back - 1])
                return IN if self._is_reached(at, before) else STANDING
            if (role := self._by_verb(token)) != FREE:
                return role
            if not (token.is_idle or token.concepts & beside or is_speaker(token)):
                return FREE
            if token.concepts & GRANTING:
                return FREE
        return FREE

    def _is_reached(self, at: int, before: Sequence[Mention]) -> bool:
        """Whether `in` before a place says where something comes, not only where it is."""
        for token in reversed(self.tokens[:at]):
            if token.values:
                return bool(before) and before[-1].role in {TO, VERB, ATTACKED, JOINED}
            if self._by_verb(token) != FREE:
                return True
        return False

    def _is_of_somebody(self, token: Token) -> bool:
        """Whether `a` behind a word stands before somebody, not before where something goes."""
        is_verb = self._by_verb(token) != FREE
        return is_verb or "and" in token.concepts or bool(token.concepts & GRANTING)

    def _by_verb(self, token: Token) -> str:
        """How a name stands directly behind a word."""
        if token.values:
            return FREE
        if token.concepts & self._verbs.attacks:
            return ATTACKED
        if not stems_of(token).isdisjoint(_stems_for_kind(JOINING)):
            return JOINED
        return VERB if self._is_reaching(token) else FREE

    def _is_reaching(self, token: Token) -> bool:
        """Whether a word is a verb for coming to a place."""
        stems = _stems_for_kind(REACHING)
        is_verb = token.text in words_for_kind(REACHING) or not stems.isdisjoint(stems_of(token))
        return is_verb or bool(token.concepts & _coming(self._verbs))

    def is_coming(self, token: Token) -> bool:
        """Whether a word is a verb for coming to a place, or for an attack on it."""
        is_attack = bool(token.concepts & self._verbs.attacks)
        return not token.values and (is_attack or self._is_reaching(token))

    def _is_accounted_for(self) -> bool:
        """Whether every word is a part of what is asked; one that is not known may be a verb before `to`."""
        unknown: list[int] = []
        passive, together = words_for_kind(PASSIVE), words_for_kind(TOGETHER)
        if any(
            not passive.isdisjoint(token.text.split()) and after.values
            for token, after in pairwise(self.tokens)
        ):
            return False
        for at, token in enumerate(self.tokens):
            if token.values:
                continue
            words = {*token.text.split()}
            if words & OTHER_WAYS or token.concepts & AGAINST or THROUGH in token.concepts:
                return False
            if words <= together or self.is_coming(token):
                continue
            if token.concepts & {"leave"} or token.concepts & {"from", "to"}:
                continue
            if binds(token) and not (words <= TARGETS or self._is_particle(at)):
                return False
            is_aside = token.is_idle or token.concepts & (ASIDE | self.reader.kinds_beside)
            if not is_aside and not self._is_of_no_rule(token):
                unknown.append(at)
        return not unknown or (len(unknown) == 1 and self._leads_to_a_place(unknown[0]))

    def _is_of_no_rule(self, token: Token) -> bool:
        """Whether neither the ruleset nor its talk has a word, so that it changes nothing: `poor`, `nervous`."""
        search = retrieval_of(self.game.ruleset)
        return not token.concepts and not search.knows(token.text)

    def _is_particle(self, at: int) -> bool:
        """Whether a word such as `across` stands before one that says where something goes."""
        token, after = self.tokens[at], self.tokens[at + 1 : at + 2]
        return token.is_idle and any(word.text in HEADING for word in after)

    def _leads_to_a_place(self, at: int) -> bool:
        """Whether a word that is not known stands behind who acts, and leads to where something goes."""
        token, before, rest = self.tokens[at], self.tokens[:at], self.tokens[at + 1 :]
        if token.concepts or not any(word.values or "can" in word.concepts for word in before):
            return False
        last = ""
        for word in rest:
            if word.values:
                if last in HEADING and word.codes(self.place_type):
                    return True
                if not word.codes(self.piece_type) or last in HEADING:
                    return False
            elif not (word.is_idle or word.concepts & {"to", "from"}):
                return False
            last = word.text.split()[-1]
        return False

    # -------------------------------------------------------------- who, and where
    def sides(self, piece: int) -> Iterator[int]:
        """The codes of the players who have a piece."""
        return owners_of(self.game, self.piece_type, piece)

    def place(self, piece: int) -> int | None:
        """Where a piece is; None if it is in no place."""
        type_ = self.reader.types[self.place_type]
        return place_of(self.game, self.piece_type, piece, type_)

    def _pieces(self, mentions: Sequence[Mention]) -> tuple[int, ...]:
        """The pieces that are to come there, all of one player, in their order."""
        acting = [
            mention.piece
            for mention in mentions
            if mention.piece is not None and mention.role in {FREE, WITH, VERB, JOINED}
            if mention.place is None or mention.role in {FREE, WITH}
        ]
        joined = {mention.piece for mention in mentions if mention.role == JOINED}
        first = next((piece for piece in acting if piece not in joined), None)
        if first is None or (mentions[0].role == WITH and mentions[0].piece == first):
            return ()
        sides = {*self.sides(first)}
        own = (piece for piece in acting if piece not in joined and {*self.sides(piece)} == sides)
        return tuple(dict.fromkeys(own))

    def _target(self, mentions: Sequence[Mention], own: Sequence[int]) -> int | None:
        """The only place where they are to come; None if there is none, or if what is said of another is not so."""
        goals, claims = set[int](), set[int]()
        hidden = list[int]()
        here = {self.place(piece) for piece in own}
        for mention in mentions:
            if mention.piece in own and (mention.place is None or mention.role in {FREE, WITH}):
                continue
            if mention.place is not None:
                is_plain = (
                    mention.role == FREE and mention.piece is None
                )  # `Fox de Moor vers Shore`
                if here == {mention.place} and (is_plain or mention.role in {FROM, IN, STANDING}):
                    continue
                if mention.role in {FROM, STANDING, FREE, WITH}:
                    return None
                claims.add(mention.place)
            elif mention.piece is not None:
                if mention.role not in {TO, IN, VERB, ATTACKED, JOINED}:
                    return None
                sides = {*self.sides(mention.piece)}
                if mention.role == ATTACKED and sides == {*self.sides(own[0])}:
                    return None
                names = self.game.ruleset.players
                if self.player is None or sides == {names.index(self.player)}:
                    place = self.place(mention.piece)
                    if place is None:
                        return None
                    goals.add(place)
                else:
                    hidden.append(mention.piece)
        both = goals | claims
        if len(both) != 1:
            return None
        [place] = both
        return place if all(self._may_stand(piece, place) for piece in hidden) else None

    def _may_stand(self, piece: int, place: int) -> bool:
        """Whether one of the owner of a piece is seen in a place, so that nothing is told of where the piece is."""
        seen = seen_by(self.game, self.player)
        sides = {*self.sides(piece)}
        type_ = self.reader.types[self.place_type]
        count = len(self.reader.types[self.piece_type].values)
        return any(
            place_of(seen, self.piece_type, code, type_) == place
            and {*owners_of(seen, self.piece_type, code)} == sides
            for code in range(count)
        )


@cache
def _stems_for_kind(kind: str) -> frozenset[str]:
    """The stems of the words of a kind in all languages."""
    return frozenset(stem for word in words_for_kind(kind) for stem in stems_of(Token(word)))


def _coming(verbs: KnownVerbs) -> frozenset[str]:
    """The concepts of verbs for all by which pieces come to places."""
    every = {*verbs.concepts.get("move", ())}
    return frozenset(
        concept for concept, names in verbs.concepts.items() if every and every <= {*names}
    ) | {"move"}
