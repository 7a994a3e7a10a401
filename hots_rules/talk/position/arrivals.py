"""Whether pieces of one player can all come to a place, whatever the verb: `can Fox and Hen march to Shore`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.explain.explain_action import explain_codes
from hots_rules.play.game import BaseGame
from hots_rules.talk.position.by_way import Way, ways_by, without_way
from hots_rules.talk.position.mentions import AGAINST, ArrivalSentence, Asked
from hots_rules.talk.position.reach import TO, card_supposed
from hots_rules.talk.reading.acts import PERMITS, act_meant, asked_of, filled_forms, nearest_of_all
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.plays import Played, plays_of
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import Roles, place_of
from hots_rules.talk.reading.told_acts import Act
from hots_rules.talk.reading.verbs import ATTACK, verbs_of
from hots_rules.talk.reading.ways import Walk, next_moments, seen_by, walk

AGREED, ARRIVING = "agreed", "arriving"
"""Kinds of words that ask whether it is legal: behind a sentence, and by themselves."""
WHY_NOT = frozenset({"why", "not"})
MAX_TAG = 6
CAN_TOKEN = Token("can", concepts=frozenset({"can"}))


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
    tokens = _without_tag(game, reader, tokens)
    if not is_asked or not _asks(tokens):
        return None

    def answered(after: BaseGame, rest: Sequence[Token]) -> str | None:
        act = _act(after, reader, rest, player)
        return None if act is None else act.text()

    return after_choice(game, reader, tokens, player, answered)


def names_a_way(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> bool:
    """Whether a sentence says by which places something is to come somewhere."""
    sentence = ArrivalSentence.of(game, reader, _without_why(tokens), player)
    way = None if sentence is None else without_way(sentence)
    return way is not None and bool(way.through)


def after_choice(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    answered: Callable[[BaseGame, Sequence[Token]], str | None],
) -> str | None:
    """What is answered after the choice that a sentence supposes, such as a card, or why it cannot be made now."""
    choice = None if game.is_over or game.is_chance else card_supposed(game, reader, tokens, player)
    if choice is None:
        return answered(game, tokens)
    rest, supposed = choice
    legal = [code for code in supposed if code in game.legal_code_set]
    if legal:
        return answered(game.play_code(legal[0]), rest)
    text = answered(game, rest)
    refusal = explain_codes(game, supposed, player).text("sentence")
    no = game.ruleset.labels.translator.gettext("no").capitalize()
    return text and (f"{text}\n{refusal}" if text.startswith(no) else refusal)


def _act(game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None) -> Act | None:
    plain = _without_why([*_with_and(reader, tokens)])
    sentence = ArrivalSentence.of(game, reader, plain, player)
    way = None if sentence is None else without_way(sentence)
    if sentence is None or way is None:
        return None
    asked = evolve(sentence, tokens=way.tokens).asked()
    if asked is None or not way.fits(sentence, asked):
        return None
    acts = _Acts(sentence)
    return acts.by_way(asked, way) if way.through else acts.act(asked)


def _with_and(reader: Reader, tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a sentence, where `y a` before a name is Spanish."""
    for token, after in pairwise((*tokens, Token(""))):
        words = token.text.split()
        singles = [each for word in words for each in reader.lexicon.read(word, corrects=False)]
        if len(words) > 1 and after.values and singles[:1] and "and" in singles[0].concepts:
            yield from singles
        else:
            yield token


def _without_tag(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> Sequence[Token]:
    """A sentence without an end such as `or is that too far`, which names nothing and no other act."""
    at = max((at for at, token in enumerate(tokens) if "or" in token.concepts), default=0)
    tag = tokens[at:]
    acts = verbs_of(reader, game.ruleset).concepts.keys()
    is_tag = 0 < at and len(tag) <= MAX_TAG
    if not is_tag or any(token.values or token.concepts & acts for token in tag):
        return tokens
    return tokens[:at]


def _without_why(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """`can Fox go` for `why can Fox not go`, since the answer to either tells why not."""
    concepts = {concept for token in tokens for concept in token.concepts if not token.values}
    if not concepts >= WHY_NOT:
        return (*tokens,)
    return tuple(token for token in tokens if token.values or not token.concepts & WHY_NOT)


def _asks(tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks if something can be done, by a verb or by a word such as `ok?`."""
    concepts = asked_of(tokens) | {word for token in tokens for word in token.concepts & AGAINST}
    if concepts & PERMITS - {"why"} or concepts >= WHY_NOT:
        return True
    agreed, arriving = words_for_kind(AGREED), words_for_kind(ARRIVING)
    return any(not agreed.isdisjoint(token.text.split()) for token in tokens[-3:]) or any(
        not arriving.isdisjoint(token.text.split()) for token in tokens
    )


@frozen
class _Acts:
    """What is legal of what a sentence asks about."""

    sentence: ArrivalSentence

    @property
    def _game(self) -> BaseGame:
        return self.sentence.game

    def act(self, asked: Asked) -> Act | None:
        """What is legal of it, or why it is not; None if that was not found out."""
        acts = list[Act]()
        for piece in asked.pieces:
            act = self._single(piece, asked)
            if act is None:
                return None
            if not act.is_possible:
                return act
            acts.append(act)
        return acts[0] if len(acts) == 1 else self._of_all(asked, acts[0])

    def _single(self, piece: int, asked: Asked) -> Act | None:
        """What is legal of a single piece."""
        sentence = self.sentence
        return act_meant(self._game, sentence.reader, self._told(piece, asked), sentence.player)

    def _told(self, piece: int, asked: Asked) -> tuple[Token, ...]:
        """The plain question whether a piece can come to the place."""
        sentence = self.sentence
        verbs = verbs_of(sentence.reader, self._game.ruleset)
        offered = {action.name for action in self._game.actions}
        moving = "go" if offered & {*verbs.concepts.get("go", ())} else "move"
        verb = ATTACK if asked.is_attack and ATTACK in verbs.concepts else moving
        verb_tokens = (Token(verb, concepts=frozenset({verb})),) if verb in verbs.concepts else ()
        when = (token for token in sentence.tokens if "now" in token.concepts and not token.values)
        named = (
            self._name(sentence.piece_type, piece),
            self._name(sentence.place_type, asked.place),
        )
        return (CAN_TOKEN, named[0], *verb_tokens, TO, named[1], *when)

    def _name(self, kind: str, code: int) -> Token:
        type_ = self.sentence.reader.types[kind]
        return Token(type_.values[code][1].lower(), values=((kind, (code,)),))

    def _moments(self, asked: Asked, names: Sequence[str]) -> Iterator[BaseGame | None]:
        """The moments at which the player of some pieces can choose actions of some names next."""
        sentence = self.sentence
        actors = {*sentence.sides(asked.pieces[0])}
        seen = seen_by(self._game, sentence.player)
        return next_moments(seen, {*names}, actors, by_numbers=True)

    # -------------------------------------------------------------- by a way
    def by_way(self, asked: Asked, way: Way) -> Act | None:
        """What is legal of it by the places of a way, or why no way leads by them; of one piece alone."""
        first = self.act(asked)
        if first is None or len(asked.pieces) != 1:
            return None
        refused = None if first.is_possible else first
        sentence, names = self.sentence, first.verbs
        furthest: list[tuple[int, BaseGame]] = []
        is_whole = True
        for later in self._moments(asked, names):
            ways = (None,) if later is None else ways_by(sentence, later, asked, names, way.through)
            for step in ways:
                if step is None:
                    is_whole = False
                elif step.is_there:
                    return _with_legal(first, step.actions)
                else:
                    furthest.append((step.passed, step.game))
        if refused is None and not is_whole:
            return None
        passed = max((number for number, _ in furthest), default=0)
        stops = tuple(game for number, game in furthest if number == passed)
        if passed < len(way.through):
            asked = evolve(asked, place=way.through[passed], is_attack=False)
        if passed:
            walked = Walk((), stops, frozenset(), is_whole=True)
            return self._refused(first, asked, walked) or refused
        short = self.act(asked)
        return short if short is not None and not short.is_possible else refused

    # -------------------------------------------------------------- of several
    def _of_all(self, asked: Asked, first: Act) -> Act | None:
        """What is legal for all of them, one after the other, or why the one that is left cannot come."""
        sentence = self.sentence
        verbs = verbs_of(sentence.reader, self._game.ruleset)
        names = frozenset(first.verbs)
        pieces = frozenset((sentence.piece_type, piece) for piece in asked.pieces)
        [actor] = {*sentence.sides(asked.pieces[0])}

        def missing(after: BaseGame) -> list[int]:
            type_ = sentence.reader.types[sentence.place_type]
            return [
                piece
                for piece in asked.pieces
                if place_of(after, sentence.piece_type, piece, type_) != asked.place
            ]

        best: Played | None = None
        for later in self._moments(asked, first.verbs):
            if later is None:
                return None
            for played in plays_of(later, pieces, names, actor, lambda after: len(missing(after))):
                if played is None:
                    return None
                left = missing(played.game)
                if not left:
                    return _with_legal(first, played.actions)
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
        rulings = nearest_of_all([first_step], goals, roles, sentence.player)
        if any(reason.kind != "forbid" for ruling in rulings for reason in ruling.against):
            rulings = nearest_of_all([walked], goals, roles, sentence.player)
        if not rulings:
            return None
        refused = evolve(first, legal=(), ruling=rulings[0], more=rulings[1:], is_later=False)
        return evolve(refused, next=None)

    def _refused(self, first: Act, asked: Asked, walked: Walk) -> Act | None:
        """Why the only piece cannot come to the place from where it has come to."""
        sentence = self.sentence
        verbs = verbs_of(sentence.reader, self._game.ruleset)
        tokens = self._told(asked.pieces[0], asked)
        roles = Roles.of(walked.stops[0], tokens, verbs.read(tokens), None)
        if roles is None:
            return None
        goals = filled_forms(walked.stops[0], verbs, first.verbs, roles.as_goal())
        rulings = nearest_of_all([walked], goals, roles, sentence.player)
        if not rulings:
            return None
        refused = evolve(first, legal=(), ruling=rulings[0], more=rulings[1:], is_later=False)
        return evolve(refused, next=None, reach=())


def _with_legal(first: Act, actions: tuple[str, ...]) -> Act:
    """The answer with the actions of which all is legal in a row, now or when that can be chosen next."""
    if first.legal:
        return evolve(first, legal=actions)
    return evolve(first, next=evolve(first, legal=actions, ruling=None, is_later=False))
