"""By which places a piece is to come somewhere: `can Fox reach Shore through Wood`, `Fox Moor - Wood - Shore`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from hots_rules.play.game import BaseGame
from hots_rules.talk.position.mentions import ArrivalSentence, Asked
from hots_rules.talk.position.reach import PASSIVE, TO
from hots_rules.talk.reading.acts import THROUGH
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.roles import HEADING, place_of
from hots_rules.talk.reading.ways import legal_actions

BY_WAY, PASSING, GOING_ON = "by-way", "passing", "going-on"
"""Kinds of words: before a place on the way; verbs before them; and verbs behind such a place."""
MAX_STEPS = 1200
FROM = Token("from", concepts=frozenset({"from"}))


@frozen
class Way:
    """A sentence without the places on the way.

    Attributes:
        tokens: the other words.
        through: the places on the way, in their order.
        start: the place where the way begins; None if that is not said.
    """

    tokens: tuple[Token, ...]
    through: tuple[int, ...] = ()
    start: int | None = None

    def fits(self, sentence: ArrivalSentence, asked: Asked) -> bool:
        """Whether the pieces stand where the way begins, and the places on it are others than its end."""
        starts = {sentence.place(piece) for piece in asked.pieces}
        return self.start in (None, *starts) and asked.place not in self.through


@frozen
class Step:
    """A game after some actions of a piece.

    Attributes:
        game: the game after them.
        actions: their texts.
        passed: how many of the places on the way it has been in.
        is_there: whether it has come to the end by all of them.
    """

    game: BaseGame
    actions: tuple[str, ...]
    passed: int
    is_there: bool


def without_way(sentence: ArrivalSentence) -> Way | None:
    """A sentence without the places on the way that it names; None if that is not clear."""
    tokens = [*sentence.tokens]
    run = _run(sentence)
    if run is not None:
        begin, places = run
        codes = [token.codes(sentence.place_type)[0] for token in places]
        end = begin + len(places)
        left = (*tokens[:begin], FROM, places[0], TO, places[-1], *tokens[end:])
        return Way(left, tuple(codes[1:-1]), codes[0])
    through: list[int] = []
    at = 0
    while at < len(tokens):
        if (goal := _goes_on(sentence, tokens, at)) is not None:
            through += tokens[at].codes(sentence.place_type)
            del tokens[at:goal]
            continue
        behind = at + 1
        if not _is_by_way(tokens[at]):
            at += 1
            continue
        is_named = False
        while behind < len(tokens):
            codes = [*tokens[behind].codes(sentence.place_type)]
            is_joined = is_named and "and" in tokens[behind].concepts
            if is_joined and _names_a_place(sentence, tokens[behind + 1 : behind + 2]):
                del tokens[behind]
            elif len(codes) == 1:
                through += codes
                del tokens[behind]
                is_named = True
            else:
                break
        if not is_named:
            at += 1  # `slip across to Shore`
            continue
        del tokens[at]
        while at and {*tokens[at - 1].text.split()} <= words_for_kind(PASSING):
            at -= 1
            del tokens[at]
        _leave_out_going_on(sentence, tokens, at)
    left = (*tokens,)
    if not through:
        return Way(left)
    # `can Hen be attacked by Fox` has no way.
    is_passive = any({*token.text.split()} & words_for_kind(PASSIVE) for token in left)
    return None if is_passive else Way(left, (*through,))


def _is_by_way(token: Token) -> bool:
    last = token.text.split()[-1:]
    is_word = bool(last) and last[0] in words_for_kind(BY_WAY)
    is_word |= token.text in words_for_kind(BY_WAY)
    return not token.values and (is_word or THROUGH in token.concepts)


def _names_a_place(sentence: ArrivalSentence, tokens: Sequence[Token]) -> bool:
    return any(len(token.codes(sentence.place_type)) == 1 for token in tokens)


def _goes_on(sentence: ArrivalSentence, tokens: Sequence[Token], at: int) -> int | None:
    """Where a sentence goes on to a place behind another one: `to Moor and then to Shore`; None if it does not."""
    if not (
        at and _names_a_place(sentence, tokens[at : at + 1]) and _leads(sentence, tokens[at - 1])
    ):
        return None
    going_on, end, is_said = words_for_kind(GOING_ON), at + 1, False
    while end < len(tokens) and not tokens[end].values:
        words = {*tokens[end].text.split()}
        is_said |= words <= going_on
        is_joining = words <= going_on or "and" in tokens[end].concepts
        if not (is_joining or _leads(sentence, tokens[end])):
            return None
        end += 1
    is_goal = _names_a_place(sentence, tokens[end : end + 1])
    return end if is_said and is_goal and _leads(sentence, tokens[end - 1]) else None


def _leads(sentence: ArrivalSentence, token: Token) -> bool:
    """Whether a word stands before a place where something comes."""
    return sentence.is_coming(token) or _is_heading(token)


def _is_heading(token: Token) -> bool:
    return not token.values and ("to" in token.concepts or token.text.split()[-1] in HEADING)


def _leave_out_going_on(sentence: ArrivalSentence, tokens: list[Token], at: int) -> None:
    """Leave out `and go on`, where a place follows to which that is."""
    if at >= len(tokens) or "and" not in tokens[at].concepts:
        return
    end = at + 1
    while end < len(tokens) and {*tokens[end].text.split()} <= words_for_kind(GOING_ON):
        end += 1
    goal = end + 1 if tokens[end : end + 1] and "to" in tokens[end].concepts else end
    if end > at + 1 and _names_a_place(sentence, tokens[goal : goal + 1]):
        tokens[at:goal] = [TO]


def _run(sentence: ArrivalSentence) -> tuple[int, list[Token]] | None:
    """Three names of places or more in a row, and where they begin; None if there are none."""
    tokens, places = sentence.tokens, list[Token]()
    for at, token in enumerate((*tokens, Token(""))):
        if len(token.codes(sentence.place_type)) == 1:
            places.append(token)
        elif len(places) > 2:
            return at - len(places), places
        else:
            places = []
    return None


def ways_by(
    sentence: ArrivalSentence,
    game: BaseGame,
    asked: Asked,
    names: Sequence[str],
    through: Sequence[int],
) -> Iterator[Step | None]:
    """The games after each row of actions of a piece, until it has come to the end by all places on the way.

    Only by actions of a name that can be chosen at once. None at the end says that not all were tried.
    """
    [piece], [actor] = asked.pieces, {*sentence.sides(asked.pieces[0])}
    type_ = sentence.reader.types[sentence.place_type]
    names = [form.name for _code, form, _who, _args in legal_actions(game) if form.name in names]
    coming = [Step(game, (), 0, is_there=False)]
    for number, step in enumerate(coming):
        if number > MAX_STEPS:
            yield None
            return
        yield step
        for code, form, who, args in legal_actions(step.game):
            kinds = (str(param) for _, param in form.params)
            is_own = (sentence.piece_type, piece) in zip(kinds, args, strict=True)
            if form.name not in names or who != actor or not is_own:
                continue
            after = step.game.play_code(code)
            place = place_of(after, sentence.piece_type, piece, type_)
            passed = step.passed
            if passed < len(through) and place == through[passed]:
                passed += 1
            is_there = passed == len(through) and place == asked.place
            actions = (*step.actions, step.game.notation.text(code))
            coming.append(Step(after, actions, passed, is_there))
