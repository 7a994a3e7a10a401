"""Whether pieces of one player can all come to a place, whatever the verb: `can Fox and Hen march to Shore`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.explain.explain_action import explain_codes
from hots_rules.play.game import BaseGame
from hots_rules.talk.position.reach import PASSIVE, card_supposed
from hots_rules.talk.reading.acts import (
    PERMITS,
    THROUGH,
    Act,
    act_meant,
    asked_of,
    binds,
    filled_forms,
    nearest_of_all,
)
from hots_rules.talk.reading.lexicon import Token, stems_of
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.plays import Played, plays_of
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    GRANTING,
    HEADING,
    OTHER_WAYS,
    SOURCES,
    TARGETS,
    Roles,
    is_speaker,
    owners_of,
    place_of,
    place_types,
    players_named,
)
from hots_rules.talk.reading.verbs import ATTACK, KnownVerbs, verbs_of
from hots_rules.talk.reading.ways import next_moments, seen_by, walk

REACHING, JOINING, ARRIVING = "reaching", "joining", "arriving"
"""Kinds of words: for coming to a place, and to another piece; those that ask by themselves whether it is possible."""
TOGETHER, AGREED = "together", "agreed"
"""Kinds of words that say that all do it, and that ask behind a sentence whether it is legal."""
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
WITH_WORDS = frozenset({"with", "avec", "con"})
PERSONAL = "a"
"""The Spanish word before somebody, which also says where something goes."""
CAN_TOKEN = Token("can", concepts=frozenset({"can"}))
TO_TOKEN = Token("to", concepts=frozenset({"to"}))


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


def arrival_meant(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    *,
    is_asked: bool,
) -> str | None:
    """Whether all pieces can come to the place that a sentence names, or the first reason against it.

    A choice that the sentence supposes, such as a card, is made first. None if it asks for something else, or more.
    """
    located, places = game.ruleset.schema.location_maps, sorted(place_types(game))
    drawn = game.ruleset.schema.facts.map
    is_board = drawn is not None and drawn.is_board
    if game.is_over or game.is_chance or is_board or len(located) != 1 or len(places) != 1:
        return None
    kinds = str(located[0].keys[0]), places[0]
    if not is_asked or not _asks(tokens):
        return None
    choice = card_supposed(game, reader, tokens, player)
    if choice is None:
        return _answered(game, reader, tokens, player, kinds)
    rest, supposed = choice
    legal = [code for code in supposed if code in game.legal_code_set]
    if legal:
        return _answered(game.play_code(legal[0]), reader, rest, player, kinds)
    text = _answered(game, reader, rest, player, kinds)
    refusal = explain_codes(game, supposed, player).text("sentence")
    no = game.ruleset.labels.translator.gettext("no").capitalize()
    return text and (f"{text}\n{refusal}" if text.startswith(no) else refusal)


def _answered(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    kinds: tuple[str, str],
) -> str | None:
    sentence = _Sentence(game, reader, tuple(_with_and(reader, tokens)), player, *kinds)
    asked = sentence.asked()
    act = None if asked is None else sentence.act(asked)
    return None if act is None else act.text()


def _with_and(reader: Reader, tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a sentence, where `y a` before a name is Spanish."""
    for token, after in pairwise((*tokens, Token(""))):
        words = token.text.split()
        singles = [each for word in words for each in reader.lexicon.read(word, corrects=False)]
        if len(words) > 1 and after.values and singles[:1] and "and" in singles[0].concepts:
            yield from singles
        else:
            yield token


def _asks(tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks if something can be done, by a verb or by a word such as `ok?`."""
    concepts = asked_of(tokens) | {word for token in tokens for word in token.concepts & AGAINST}
    if concepts & PERMITS - {"why"}:
        return True
    agreed, arriving = words_for_kind(AGREED), words_for_kind(ARRIVING)
    return any(not agreed.isdisjoint(token.text.split()) for token in tokens[-3:]) or any(
        not arriving.isdisjoint(token.text.split()) for token in tokens
    )


@frozen
class _Sentence:
    """A sentence about pieces that come to a place, with the types of pieces and places."""

    game: BaseGame
    reader: Reader
    tokens: tuple[Token, ...]
    player: str | None
    piece_type: str
    place_type: str

    # -------------------------------------------------------------- what is asked
    def asked(self) -> Asked | None:
        """Which pieces come where; None if any word says something else."""
        verbs = verbs_of(self.reader, self.game.ruleset)
        mentions = self._mentions(verbs)
        if mentions is None or not self._is_accounted_for(verbs):
            return None
        own = self._pieces(mentions)
        if not own or len(own) > MAX_PIECES:
            return None
        sides = {*self._sides(own[0])}
        names = self.game.ruleset.players
        if len(sides) != 1 or any({*self._sides(piece)} != sides for piece in own):
            return None
        if self.player is not None and sides != {names.index(self.player)}:
            return None
        place = self._target(mentions, own)
        if place is None or any(self._place(piece) in {None, place} for piece in own):
            return None
        is_attack = any(mention.role == ATTACKED for mention in mentions)
        return Asked(own, place, is_attack)

    def _mentions(self, verbs: KnownVerbs) -> list[Mention] | None:
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
            role = self._role(at, verbs, mentions)
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

    def _role(self, at: int, verbs: KnownVerbs, before: Sequence[Mention]) -> str:
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
                return JOINED if self._by_verb(verb, verbs) == JOINED else WITH
            if "from" in token.concepts or last in SOURCES or "leave" in token.concepts:
                return FROM
            if last == PERSONAL and back and self._is_of_somebody(tokens[back - 1], verbs):
                continue
            if last in HEADING or "to" in token.concepts:
                return TO
            if last in TARGETS:
                if back and last == "at":
                    return self._by_verb(tokens[back - 1], verbs)
                return IN if self._is_reached(at, verbs, before) else STANDING
            if (role := self._by_verb(token, verbs)) != FREE:
                return role
            if not (token.is_idle or token.concepts & beside or is_speaker(token)):
                return FREE
            if token.concepts & GRANTING:
                return FREE
        return FREE

    def _is_reached(self, at: int, verbs: KnownVerbs, before: Sequence[Mention]) -> bool:
        """Whether `in` before a place says where something comes, not only where it is."""
        for token in reversed(self.tokens[:at]):
            if token.values:
                return bool(before) and before[-1].role in {TO, VERB, ATTACKED, JOINED}
            if self._by_verb(token, verbs) != FREE:
                return True
        return False

    def _is_of_somebody(self, token: Token, verbs: KnownVerbs) -> bool:
        """Whether `a` behind a word stands before somebody, not before where something goes."""
        is_verb = self._by_verb(token, verbs) != FREE
        return is_verb or "and" in token.concepts or bool(token.concepts & GRANTING)

    def _by_verb(self, token: Token, verbs: KnownVerbs) -> str:
        """How a name stands directly behind a word."""
        if token.values:
            return FREE
        if token.concepts & verbs.attacks:
            return ATTACKED
        if not stems_of(token).isdisjoint(_stems_for_kind(JOINING)):
            return JOINED
        return VERB if self._is_reaching(token, verbs) else FREE

    def _is_reaching(self, token: Token, verbs: KnownVerbs) -> bool:
        stems = _stems_for_kind(REACHING)
        return bool(token.concepts & _coming(verbs)) or not stems.isdisjoint(stems_of(token))

    def _is_accounted_for(self, verbs: KnownVerbs) -> bool:
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
            if (
                words <= together
                or self._is_reaching(token, verbs)
                or token.concepts & verbs.attacks
            ):
                continue
            if token.concepts & {"leave"} or token.concepts & {"from", "to"}:
                continue
            if binds(token) and not (words <= TARGETS or self._is_particle(at)):
                return False
            if not (token.is_idle or token.concepts & (ASIDE | self.reader.kinds_beside)):
                unknown.append(at)
        return not unknown or (len(unknown) == 1 and self._leads_to_a_place(unknown[0]))

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
    def _sides(self, piece: int) -> Iterator[int]:
        return owners_of(self.game, self.piece_type, piece)

    def _place(self, piece: int) -> int | None:
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
        sides = {*self._sides(first)}
        own = (piece for piece in acting if piece not in joined and {*self._sides(piece)} == sides)
        return tuple(dict.fromkeys(own))

    def _target(self, mentions: Sequence[Mention], own: Sequence[int]) -> int | None:
        """The only place where they are to come; None if there is none, or if what is said of another is not so."""
        goals, claims = set[int](), set[int]()
        hidden = list[int]()
        here = {self._place(piece) for piece in own}
        for mention in mentions:
            if mention.piece in own and (mention.place is None or mention.role in {FREE, WITH}):
                continue
            if mention.place is not None:
                if here == {mention.place} and mention.role in {FROM, IN, STANDING}:
                    continue
                if mention.role in {FROM, STANDING, FREE, WITH}:
                    return None
                claims.add(mention.place)
            elif mention.piece is not None:
                if mention.role not in {TO, IN, VERB, ATTACKED, JOINED}:
                    return None
                sides = {*self._sides(mention.piece)}
                if mention.role == ATTACKED and sides == {*self._sides(own[0])}:
                    return None
                names = self.game.ruleset.players
                if self.player is None or sides == {names.index(self.player)}:
                    place = self._place(mention.piece)
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
        sides = {*self._sides(piece)}
        type_ = self.reader.types[self.place_type]
        count = len(self.reader.types[self.piece_type].values)
        return any(
            place_of(seen, self.piece_type, code, type_) == place
            and {*owners_of(seen, self.piece_type, code)} == sides
            for code in range(count)
        )

    # -------------------------------------------------------------- whether they can
    def act(self, asked: Asked) -> Act | None:
        """What is legal of it, or why it is not; None if that was not found out."""
        acts = list[Act]()
        for piece in asked.pieces:
            act = act_meant(self.game, self.reader, self._told(piece, asked), self.player)
            if act is None:
                return None
            if not _is_legal(act):
                return act
            acts.append(act)
        return acts[0] if len(acts) == 1 else self._of_all(asked, acts[0])

    def _told(self, piece: int, asked: Asked) -> tuple[Token, ...]:
        """The plain question whether a piece can come to the place."""
        verbs = verbs_of(self.reader, self.game.ruleset)
        offered = {action.name for action in self.game.actions}
        moving = "go" if offered & {*verbs.concepts.get("go", ())} else "move"
        verb = ATTACK if asked.is_attack and ATTACK in verbs.concepts else moving
        verb_tokens = (Token(verb, concepts=frozenset({verb})),) if verb in verbs.concepts else ()
        when = (token for token in self.tokens if "now" in token.concepts and not token.values)
        named = (
            self._name(self.piece_type, piece),
            self._name(self.place_type, asked.place),
        )
        return (CAN_TOKEN, named[0], *verb_tokens, TO_TOKEN, named[1], *when)

    def _name(self, kind: str, code: int) -> Token:
        type_ = self.reader.types[kind]
        return Token(type_.values[code][1].lower(), values=((kind, (code,)),))

    def _of_all(self, asked: Asked, first: Act) -> Act | None:
        """What is legal for all of them, one after the other, or why the one that is left cannot come."""
        verbs = verbs_of(self.reader, self.game.ruleset)
        names = frozenset(first.verbs)
        pieces = frozenset((self.piece_type, piece) for piece in asked.pieces)
        [actor] = {*self._sides(asked.pieces[0])}
        type_ = self.reader.types[self.place_type]

        def missing(after: BaseGame) -> list[int]:
            return [
                piece
                for piece in asked.pieces
                if place_of(after, self.piece_type, piece, type_) != asked.place
            ]

        best: Played | None = None
        for later in next_moments(seen_by(self.game, self.player), names, {actor}, by_numbers=True):
            if later is None:
                return None
            for played in plays_of(later, pieces, names, actor, lambda after: len(missing(after))):
                if played is None:
                    return None
                left = missing(played.game)
                if not left:
                    if first.legal:
                        return evolve(first, legal=played.actions)
                    following = evolve(first, legal=played.actions, ruling=None, is_later=False)
                    return evolve(first, next=following)
                if best is None or len(left) < len(missing(best.game)):
                    best = played
        if best is None:
            return None
        tokens = self._told(missing(best.game)[0], asked)
        roles = Roles.of(best.game, tokens, verbs.read(tokens), None)
        if roles is None:
            return None
        goals = filled_forms(best.game, verbs, first.verbs, roles.as_goal())
        walked = walk(best.game, goals, roles, None)
        first_step = evolve(walked, stops=walked.stops[:1])
        rulings = nearest_of_all([first_step], goals, roles, self.player)
        if any(reason.kind != "forbid" for ruling in rulings for reason in ruling.against):
            rulings = nearest_of_all([walked], goals, roles, self.player)
        if not rulings:
            return None
        refused = evolve(first, legal=(), ruling=rulings[0], more=rulings[1:], is_later=False)
        return evolve(refused, next=None)


def _is_legal(act: Act) -> bool:
    return bool(act.legal) or (act.next is not None and bool(act.next.legal))


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
