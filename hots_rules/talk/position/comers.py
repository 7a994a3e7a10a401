"""Which pieces, or how many of them, can come to a place: `who can reach Shore`, `how many of mine can go to Shore`.

The pieces are a set that the words before the verb describe; what they can do is tried by legal plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from attrs import evolve, frozen

from hots_rules._text import with_signs
from hots_rules._translate import translator
from hots_rules.diagnostics import LimitExceeded, NoConsistentWorld
from hots_rules.explain.explain_action import explain_codes
from hots_rules.observe.observer import viewer_of
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.position import mentions
from hots_rules.talk.position.arrivals import after_choice
from hots_rules.talk.position.asked_sets import INSIDE, AskedSet
from hots_rules.talk.position.counts import says_nothing, with_heads
from hots_rules.talk.position.mentions import ArrivalSentence
from hots_rules.talk.position.reach import counts_pieces
from hots_rules.talk.reading.acts import THROUGH, binds, going, number_before, split_phrases
from hots_rules.talk.reading.choices import sections_of
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.plays import Played, plays_of
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    HEADING,
    SOURCES,
    WITH_WORDS,
    country_of,
    is_speaker,
    owners_of,
    place_of,
    place_types,
    players_named,
)
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.reading.told_acts import other_moment
from hots_rules.talk.reading.verbs import verbs_of
from hots_rules.talk.reading.ways import legal_actions, next_moments, seen_by

HOW_MANY, LISTING, CAN = "how-many", frozenset({"who", "which"}), "can"
AGAINST = mentions.AGAINST - LISTING - {HOW_MANY, "what"}
"""Concepts of sentences that ask for more."""
ASIDE = frozenset({"now", "turn", "as-it-is", "to", "from"})
"""Concepts of words that say when it is, or where a name behind them stands."""
GREATEST = "most"
"""The kind of words that say that a number is the greatest, or that all is done at once."""
MAX_PIECES = 40
MAX_TOLD = 6


@frozen
class Comers:
    """Pieces of one player that are to come to one of some places.

    Attributes:
        game: the game at the moment from which on it is asked.
        player: the player who asks; None for who sees everything.
        piece: the type of the pieces.
        place: the type of the places.
        pieces: their codes.
        goals: the codes of the places.
        owner: the number of the player who has them.
        names: the names of the actions that bring something to a place.
    """

    game: BaseGame
    player: str | None
    piece: types.WordType
    place: types.WordType
    pieces: tuple[int, ...]
    goals: frozenset[int]
    owner: int
    names: frozenset[str]

    def moments(self) -> Iterator[BaseGame | None]:
        """The moments at which such an action can be chosen next; None at the end says that not all were found."""
        seen = seen_by(self.game, self.player)
        return next_moments(seen, self.names, {self.owner}, by_numbers=True)

    def is_there(self, game: BaseGame, piece: int) -> bool:
        """Whether a piece is in one of the places."""
        return place_of(game, self.piece.name, piece, self.place) in self.goals

    def number_there(self, game: BaseGame) -> int:
        """How many of the pieces are in these places."""
        return sum(self.is_there(game, piece) for piece in self.pieces)

    @property
    def is_of_now(self) -> bool:
        """Whether such an action can be chosen now."""
        return any(
            form.name in self.names and who == self.owner
            for _code, form, who, _args in legal_actions(self.game)
        )

    def reaching(self) -> Mapping[int, Played] | None:
        """Those of the pieces that can come there, each for itself, and how; None if that was not found out."""
        reachable, is_whole = dict[int, Played](), True
        for later in self.moments():
            for piece in self.pieces:
                if later is None:
                    is_whole = False
                elif piece not in reachable:
                    reached = self._plays(later, (piece,), 1)
                    if reached is None:
                        is_whole = False
                    elif self.is_there(reached.game, piece):
                        reachable[piece] = reached
        if not is_whole and len(reachable) < len(self.pieces):
            return None
        return {piece: reachable[piece] for piece in self.pieces if piece in reachable}

    def most(self, enough: int | None = None) -> Played | None:
        """The plays that bring the most of them there, or enough; None if that was not found out."""
        best: Played | None = None
        enough = len(self.pieces) if enough is None else enough
        for later in self.moments():
            if later is None:
                return None
            played = self._plays(later, self.pieces, enough)
            if played is None:
                return None
            if self.number_there(played.game) >= enough:
                return played
            if best is None or self.number_there(played.game) > self.number_there(best.game):
                best = played
        return best

    def _plays(self, game: BaseGame, pieces: Sequence[int], enough: int) -> Played | None:
        """The plays after which the most of some pieces are there; None if not all plays were tried."""
        best: Played | None = None
        about = frozenset((self.piece.name, piece) for piece in pieces)

        def missing(after: BaseGame) -> int:
            return -sum(self.is_there(after, piece) for piece in pieces)

        def stays(after: BaseGame) -> frozenset[tuple[str, int]]:
            there = (piece for piece in pieces if self.is_there(after, piece))
            return frozenset((self.piece.name, piece) for piece in there)

        for played in plays_of(game, about, self.names, self.owner, missing, stays):
            if played is None:
                return None
            if best is None or missing(played.game) < missing(best.game):
                best = played
            if -missing(best.game) >= enough:
                break
        return best


def comers_meant(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
) -> str | None:
    """Which of some pieces can come to a place, or how many at once; None if it asks for something else, or more."""
    concepts = {concept for token in tokens if not token.values for concept in token.concepts}
    heads = concepts & (LISTING | {HOW_MANY})
    if CAN not in concepts or not heads:
        return None

    def answered(after: BaseGame, rest: Sequence[Token]) -> str | None:
        comers = _comers(after, reader, rest, player)
        if comers is None:
            return None
        return _number(comers) if HOW_MANY in heads else _list(comers)

    return after_choice(game, reader, tokens, player, answered)


def any_comer_meant(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
) -> str | None:
    """Whether any piece of a player can come to a place: `can I attack Shore`; None if it asks for something else.

    Of another player only what holds in all of a few states that look alike to who asks.
    """
    concepts = {concept for token in tokens if not token.values for concept in token.concepts}
    if concepts & (LISTING | {HOW_MANY} | AGAINST) or CAN not in concepts:
        return None

    def answered(after: BaseGame, rest: Sequence[Token]) -> str | None:
        number, rest = _without_number(after, reader, rest)
        comers = _comers(after, reader, rest, player, is_any=True)
        if comers is None:
            return None
        owner = game.ruleset.players[comers.owner]
        if number > 1:
            return _whether_so_many(comers, number) if player in (None, owner) else None
        if player in (None, owner):
            return _whether(comers)
        return _whether_in_all(comers, after, reader, rest, owner)

    return after_choice(game, reader, tokens, player, answered)


def _without_number(
    game: BaseGame, reader: Reader, tokens: Sequence[Token]
) -> tuple[int, Sequence[Token]]:
    """How many pieces a sentence says that are to come, and its other words; 1 if it says no number."""
    for at, token in enumerate(tokens):
        number = 0 if token.values else number_before(tokens, at + 1)
        if number > 1 and counts_pieces(game, reader, tokens, at):
            is_with = at > 0 and tokens[at - 1].text in WITH_WORDS
            begin, end = (at - 1, at + 2) if is_with else (at, at + 1)
            return number, [*tokens[:begin], *tokens[end:]]
    return 1, tokens


def _whether_so_many(comers: Comers, number: int) -> str | None:
    reaching = comers.reaching()
    if reaching is None:
        return None
    comers = evolve(comers, pieces=(*reaching,))
    gettext, played = translator(comers.game.language).gettext, comers.most(number)
    if played is None:
        return None
    is_so = comers.number_there(played.game) >= number
    answer = (gettext("yes") if is_so else gettext("no")).capitalize()
    text = "; ".join(played.actions[:MAX_TOLD])
    if is_so or not text:
        return _when(comers, f"{answer}: {text}" if text else answer)
    reason = _refusal(comers, played.game)
    return "\n".join(filter(None, (_when(comers, f"{answer}: {text}"), reason)))


def _whether(comers: Comers) -> str | None:
    reachable = comers.reaching()
    if reachable is None:
        return None
    gettext = translator(comers.game.language).gettext
    if not reachable:
        names = {form.name for form in comers.game.notation.forms} & comers.names
        cited = with_signs(sections_of(comers.game, sorted(names)))
        return _when(comers, f"{gettext('no').capitalize()} ({cited})")
    shortest = min(reachable.values(), key=lambda played: len(played.actions))
    text = "; ".join(shortest.actions)
    if comers.is_of_now:
        return f"{gettext('yes').capitalize()}: {text}"
    return gettext(
        "Yes, when that can be chosen next, with every piece where it is now: {actions}",
        actions=text,
    )


def _whether_in_all(
    comers: Comers, game: BaseGame, reader: Reader, tokens: Sequence[Token], owner: str
) -> str:
    """Whether it is so in all of a few states that look alike to another player, who is not told which piece."""
    # Late imports: who asks for his own pieces waits for no worlds.
    from hots_rules.observe.worlds import consistent_worlds

    gettext = translator(game.language).gettext
    reachable: set[bool | None] = set()
    worlds: Sequence[BaseGame] = ()
    with suppress(NoConsistentWorld, LimitExceeded):
        worlds = consistent_worlds(game, viewer_of(game, comers.player))
    for world in worlds:
        of_world = _comers(world, reader, tokens, owner, is_any=True)
        reached = None if of_world is None else of_world.reaching()
        reachable.add(None if reached is None else bool(reached))
        if None in reachable or len(reachable) > 1:
            break
    if len(reachable) != 1 or None in reachable:
        return gettext("unknown: depends on hidden information")
    answer = (gettext("yes") if reachable.pop() else gettext("no")).capitalize()
    text = gettext(
        "{answer} (in each of {number} states that you cannot tell from this one)",
        answer=answer,
        number=str(len(worlds)),
    )
    return _when(comers, text)


def _comers(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    *,
    is_any: bool = False,
) -> Comers | None:
    """The pieces and places that a sentence tells of; None if any word says something else.

    With `is_any` it may name the other player, of whom it says no more than that.
    """
    tokens = with_heads(reader, split_phrases(reader, tokens))
    sentence = ArrivalSentence.of(game, reader, tokens, player)
    can = next((at for at, token in enumerate(tokens) if _is_can(token)), None)
    if sentence is None or can is None:
        return None
    subject, rest = tokens[:can], tokens[can + 1 :]
    verbs = verbs_of(reader, game.ruleset)
    is_attack, is_verb = False, False
    goals: frozenset[int] = frozenset()
    sources: list[Token] = []
    before = Token("")
    aside = words_for_kind(GREATEST) | words_for_kind(INSIDE)
    for token in rest:
        if not is_verb and not sentence.is_coming(token) and not token.is_idle:
            subject = [*subject, token]  # `can my foxes reach Shore`
            before = token
            continue
        words, last = {*token.text.split()}, before.text.split()[-1:]
        codes = token.codes(sentence.place_type)
        meant = players_named(game, token)
        country = country_of(game, meant)
        is_from = "from" in before.concepts or not {*last}.isdisjoint(SOURCES)
        if token.values and is_from:
            sources += [Token(min(words_for_kind(INSIDE))), token]
        elif token.values and (len(codes) == 1 or country) and not goals:
            is_headed = "to" in before.concepts or not {*last}.isdisjoint(HEADING)
            is_inside = not {*last}.isdisjoint(words_for_kind(INSIDE))
            if not (is_headed or is_inside or sentence.is_coming(before)):
                return None
            goals = frozenset(codes or country)
        elif token.values or THROUGH in token.concepts:
            return None
        elif sentence.is_coming(token):
            is_verb, is_attack = True, bool(token.concepts & verbs.attacks)
        elif words <= aside or token.text in aside or token.concepts & ASIDE:
            pass
        elif is_speaker(token) and not token.concepts & AGAINST:
            subject = [*subject, token]
        elif token.concepts & AGAINST or binds(token) or not token.is_idle:
            return None
        before = token
    if not goals or not is_verb:
        return None
    described = [*subject, *sources]
    return _of_set(sentence, described, goals, is_attack=is_attack, is_any=is_any)


def _is_can(token: Token) -> bool:
    return CAN in token.concepts and not token.values


def _of_set(
    sentence: ArrivalSentence,
    subject: Sequence[Token],
    goals: frozenset[int],
    *,
    is_attack: bool,
    is_any: bool,
) -> Comers | None:
    """The pieces of a set on the board that are to come somewhere; None if they are of several players, or hidden."""
    game, reader, player = sentence.game, sentence.reader, sentence.player
    if any(not says_nothing(token) and token.concepts & AGAINST for token in subject):
        return None
    question = AskedSet.of(game, reader, subject, player)
    if question is None or not question.is_of_pieces:
        return None
    if is_any and (
        not question.owner or any(token.codes(sentence.piece_type) for token in subject)
    ):
        return None
    if player not in (None, question.owner) and is_any and any(map(question.tells, subject)):
        return None  # of what kind the pieces are is hidden
    if player is not None and not question.owner:
        question = evolve(question, owner=player)
    speaker = Speaker(game, reader, None if is_any else player)
    codes: set[tuple[int, ...]] = set()
    for parts in question.readings():
        expression = question.expression(parts, is_everywhere=False)
        members = speaker.members(expression) if expression is not None else None
        if members is None:
            return None
        codes.add(members)
    if len(codes) != 1:
        return None
    place = reader.types[sentence.place_type]
    pieces = [piece for piece in codes.pop() if sentence.place(piece) not in goals]
    if is_attack:
        held = {
            owner
            for piece in range(len(question.piece.values))
            if place_of(game, sentence.piece_type, piece, place) in goals
            for owner in owners_of(game, sentence.piece_type, piece)
        }
        pieces = [piece for piece in pieces if held.isdisjoint(sentence.sides(piece))]
    owners = {owner for piece in pieces for owner in sentence.sides(piece)}
    if len(owners) != 1 or len(pieces) > MAX_PIECES:
        return None
    [owner] = owners
    if player is not None and game.ruleset.players[owner] != player and not is_any:
        return None
    names = frozenset(going(game, verbs_of(reader, game.ruleset)))
    return Comers(game, player, question.piece, place, (*pieces,), goals, owner, names)


def _list(comers: Comers) -> str | None:
    reachable = comers.reaching()
    if reachable is None:
        return None
    game, labels = comers.game, comers.game.ruleset.labels
    text = ", ".join(labels.format_value(piece, comers.piece) for piece in reachable)
    cited = with_signs(
        sections_of(game, dict.fromkeys(action.name for action in reachable.values()))
    )
    text = text or translator(game.language).gettext("none")
    return _when(comers, f"{text} ({cited})" if cited else text)


def _number(comers: Comers) -> str | None:
    # What cannot come there by itself is in nobody's way.
    reaching = comers.reaching()
    if reaching is None:
        return None
    comers = evolve(comers, pieces=(*reaching,))
    best = comers.most()
    if best is None:
        return None
    number, actions = comers.number_there(best.game), best.actions
    more = "; …" if len(actions) > MAX_TOLD else ""
    text = f"{number}: {'; '.join(actions[:MAX_TOLD])}{more}" if actions else str(number)
    reason = _refusal(comers, best.game)
    return "\n".join(filter(None, (_when(comers, text), reason)))


def _when(comers: Comers, text: str) -> str:
    """What is told, with when that can be."""
    if comers.is_of_now:
        return text
    return translator(comers.game.language).gettext(
        "When that can be chosen next, with every piece where it is now: {answer}", answer=text
    )


def _refusal(comers: Comers, game: BaseGame) -> str:
    """Why the next of the pieces cannot come there any more; empty if all have."""
    left = [piece for piece in comers.pieces if not comers.is_there(game, piece)]
    codes = [*_codes_to_go(comers, game, left[0])] if left else []
    ruling = explain_codes(game, codes, comers.player) if codes else None
    if ruling is None or ruling.is_legal or other_moment(ruling) is not None:
        return ""
    return ruling.text("sentence")


def _codes_to_go(comers: Comers, game: BaseGame, piece: int) -> Iterator[int]:
    """The actions that would bring a piece from where it is to one of the places, whether they are legal or not."""
    here = place_of(game, comers.piece.name, piece, comers.place)
    offered = {form.name for _code, form, _who, _args in legal_actions(game)}
    for form in game.notation.forms:
        kinds = [str(type_) for _, type_ in form.params]
        places = [at for at, kind in enumerate(kinds) if kind in place_types(game)]
        is_known = set(kinds) == {comers.piece.name, comers.place.name} and here is not None
        if form.name not in comers.names & offered or not is_known or len(places) != 2:
            continue
        for goal in sorted(comers.goals):
            args = [piece if at not in places else here for at in range(len(kinds))]
            args[places[-1]] = goal
            yield form.encode(comers.owner, tuple(arg for arg in args if arg is not None))
