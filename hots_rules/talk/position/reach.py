"""What a piece has before it: how far it is to a place, and what a supposed choice such as a card lets it do."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules._text import with_signs
from hots_rules.compile.codes import codes_of
from hots_rules.compile.facts import MapFacts
from hots_rules.explain.explain_action import explain_codes
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.position.asked_sets import INSIDE
from hots_rules.talk.position.counts import is_one_of, says_nothing, words_for
from hots_rules.talk.reading.acts import CHOOSING, MAX_CANDIDATES, OBLIGES, act_meant, going
from hots_rules.talk.reading.choices import legal_now, sections_of
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import own_words, words_for_kind
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    is_speaker,
    owners_of,
    place_of,
    place_types,
    players_named,
)
from hots_rules.talk.reading.verbs import verbs_of

TO = Token("to", concepts=frozenset({"to"}))
FAR = "far"
"""The concept of words for a distance."""
BETWEEN = frozenset({FAR, "from", "to", "and", "go", "i", "how-many"})
"""Concepts that a sentence has which asks for a distance, and for nothing else."""
ASKED_OF_CHOICE = frozenset(
    {"and", "can", "happen", "if", "legal", "now", "what", "will", "with", "played"}
)
"""Concepts of a sentence that supposes a choice, and asks what it does."""
SUPPOSING, PASSIVE = "supposing", "passive"
"""The kinds of words that begin what is supposed: `if`, `with`; and that turn round who does it: `attacked by`."""


def distance_meant(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> str | None:
    """The number of borders on the shortest way between two places or pieces, and the way; None if not asked.

    Where another player's piece is only who sees everything is told.
    """
    drawn = game.ruleset.schema.facts.map
    if drawn is None or not drawn.links or drawn.is_board:
        return None
    if not any(FAR in token.concepts for token in tokens):
        return None
    named = [token for token in tokens if token.values]
    kinds = [word for name in place_types(game) for word in words_for(game, reader, name)]
    is_no_more = all(
        says_nothing(token) or token.concepts & BETWEEN or is_one_of(token, kinds)
        for token in tokens
        if not token.values
    )
    [type_] = [type_ for name, type_ in reader.types.items() if name in place_types(game)][:1]
    ends = [_place(game, token, player, type_) for token in named]
    if len(ends) != 2 or not is_no_more or ends[0] is None or ends[1] is None:
        return None
    way = _way(drawn, ends[0], ends[1])
    names = " – ".join(game.ruleset.labels.format_value(place, type_) for place in way)
    cited = with_signs(_sections(game, type_))
    return f"{len(way) - 1}: {names} ({cited})" if way else None


def _place(
    game: BaseGame, token: Token, player: str | None, place_type: types.WordType
) -> int | None:
    """The place that a token names, or where the piece is that it names."""
    for name, codes in token.values:
        if name in place_types(game) and len(codes) == 1:
            return codes[0]
    for variable in game.ruleset.schema.location_maps:
        piece = str(variable.keys[0])
        for code in token.codes(piece)[:1]:
            owners = {game.ruleset.players[owner] for owner in owners_of(game, piece, code)}
            if player is None or player in owners:
                return place_of(game, piece, code, place_type)
    return None


def _way(drawn: MapFacts, start: int, end: int) -> tuple[int, ...]:
    """The places of the shortest way, with both ends; empty if there is none."""
    ways: dict[int, tuple[int, ...]] = {start: (start,)}
    coming = [start]
    for place in coming:
        for other in _neighbours(drawn, place):
            if other not in ways:
                ways[other] = (*ways[place], other)
                coming.append(other)
    return ways.get(end, ())


def _neighbours(drawn: MapFacts, place: int) -> list[int]:
    return [
        other for link in drawn.links for one, other in (link.ends, link.ends[::-1]) if one == place
    ]


def _sections(game: BaseGame, place: types.WordType) -> Sequence[str]:
    """The sections of the question which places are next to one."""
    declared = game.ruleset.compiled.typed.questions.values()
    asked = (
        question
        for question in declared
        if [param.type for param in question.params] == [place]
        and question.body.type == types.SetType(place)
    )
    neighbours = next(asked, None)
    return neighbours.origin.sections if neighbours is not None else ()


# ---------------------------------------------------------------- what is supposed
def supposed_act(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> str | None:
    """What a player may do once he has chosen what a sentence supposes, or why he cannot choose it now.

    None if it supposes no choice of his by an action with a single argument.
    """
    if player is None or game.is_over or game.is_chance:
        return None
    for form in _choosing(game, player):
        [(_, type_)] = form.params
        for at, token in enumerate(tokens):
            args = _values(game, type_, token)
            is_card = bool(args) and not counts_pieces(game, reader, tokens, at)
            begin = _begin(game, reader, tokens, at, type_) if is_card else None
            if begin is not None:
                rest = (*tokens[:begin], *tokens[at + 1 :])
                return _after(game, reader, form, args, rest, player)
    return None


def card_supposed(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> tuple[tuple[Token, ...], list[int]] | None:
    """A sentence without the choice that it supposes, such as `I play a 3`, and the codes of this choice.

    Of a player who can choose so now, or of the only one who asks and can. None if it supposes none.
    """
    players = [name for name in game.to_move if player in (None, name)]
    for name in players if len(players) == 1 or player is not None else ():
        for form in _choosing(game, name):
            type_ = form.params[0][1]
            for at in range(len(tokens) - 1, -1, -1):  # of `un 2` the last word is the number
                args = _values(game, type_, tokens[at])
                is_card = bool(args) and not counts_pieces(game, reader, tokens, at)
                begin = _begin(game, reader, tokens, at, type_, by_verb=True) if is_card else None
                if begin is not None:
                    number = game.ruleset.players.index(name)
                    codes = [form.encode(number, (arg,)) for arg in args]
                    return (*tokens[:begin], *tokens[at + 1 :]), codes
    return None


def supposed_value(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> tuple[str, str] | None:
    """The label of what a sentence supposes to be chosen, and whether that can be chosen, if that may be told.

    None unless it supposes the choice of one such thing, which is no piece and no place, and asks for no more than what
    that does: `what could I do with a 3?`, `and if I play the Fox?`.
    """
    used = {*map(str, (variable.keys[0] for variable in game.ruleset.schema.location_maps))}
    for form in game.notation.forms:
        type_ = form.params[0][1] if len(form.params) == 1 else None
        if type_ is None or str(type_) in used | place_types(game):
            continue
        named = {
            at: args for at, token in enumerate(tokens) if (args := _values(game, type_, token))
        }
        if len(named) > 1:  # `un` is a number and an article
            named = {at: args for at, args in named.items() if not tokens[at].is_idle}
        if len(named) != 1 or len(next(iter(named.values()))) != 1:
            continue
        [(at, [arg])] = named.items()
        rest = [*tokens[:at], *tokens[at + 1 :]]
        if _only_supposes(game, rest, words_for(game, reader, str(type_))):
            label = game.ruleset.labels.format_value(arg, type_)
            return label, _whether_chosen(game, form, arg, rest, player)
    return None


def _only_supposes(game: BaseGame, tokens: Sequence[Token], kinds: Sequence[Token]) -> bool:
    """Whether words only suppose that somebody chooses something, and ask what that does."""
    supposing = words_for_kind(SUPPOSING)
    if any(token.concepts & OBLIGES for token in tokens) or all(
        supposing.isdisjoint(token.text.split()) and "if" not in token.concepts for token in tokens
    ):
        return False
    beside = supposing | words_for_kind(CHOOSING)
    return all(
        token.is_idle
        or is_speaker(token)
        or players_named(game, token)
        or bool(token.concepts & ASKED_OF_CHOICE and not token.values)
        or not beside.isdisjoint(token.text.split())
        or is_one_of(token, kinds)
        for token in tokens
    )


def _whether_chosen(
    game: BaseGame, form: ActionForm, arg: int, tokens: Sequence[Token], player: str | None
) -> str:
    """That the player who is said to choose can do so now, or why not; empty if that is another moment's, or hidden."""
    actors = [number for token in tokens for number in players_named(game, token)]
    if not actors and player is not None:
        actors = [game.ruleset.players.index(player)]
    if game.is_over or len({*actors}) != 1 or player not in (None, game.ruleset.players[actors[0]]):
        return ""
    if form not in _choosing(game, game.ruleset.players[actors[0]]):
        return ""
    code = form.encode(actors[0], (arg,))
    if code in game.legal_code_set:
        texts = [game.notation.action(code).text]
        return legal_now(game.language, texts, sections_of(game, [form.name]), 1)
    return explain_codes(game, [code], player).text("sentence")


def _choosing(game: BaseGame, player: str) -> list[ActionForm]:
    """The actions with one argument that a player can choose now."""
    names = {action.name for action in game.actions if action.player == player}
    forms = (form for form in game.notation.forms if form.name in names)
    return [form for form in forms if len(form.params) == 1]


def _values(game: BaseGame, type_: types.Type, token: Token) -> tuple[int, ...]:
    """The values of a type that a token names, or those with its number in their names."""
    if codes := token.codes(str(type_)):
        return codes
    number = own_words().numbers.get(token.text, token.text)
    if not str(number).isdecimal() or not isinstance(type_, types.WordType):
        return ()
    words = game.ruleset.labels.words(type_)
    return tuple(code for code in codes_of(type_) if str(number) in words[code].split())


def counts_pieces(game: BaseGame, reader: Reader, tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is the number of some pieces: `three pieces`, `two of my pieces`."""
    located = game.ruleset.schema.location_maps[:1]
    kinds = [
        word for variable in located for word in words_for(game, reader, str(variable.keys[0]))
    ]
    behind = (token for token in tokens[at + 1 :] if not (token.is_idle or is_speaker(token)))
    after = next(behind, Token(""))
    return bool(after.text) and not after.values and is_one_of(after, kinds)


def _begin(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    at: int,
    type_: types.Type,
    *,
    by_verb: bool = False,
) -> int | None:
    """Where what is supposed begins, if every word from there on to the value is a part of it.

    With `by_verb` the first word of a sentence for a choice begins it as well: `I play a 3`.
    """
    kinds = words_for(game, reader, str(type_))
    chosen = None
    for begin in range(at - 1, -1, -1):
        token = tokens[begin]
        words = {*token.text.split()}
        if not words.isdisjoint(words_for_kind(SUPPOSING)):
            return begin
        if words <= words_for_kind(CHOOSING):
            chosen = begin
        is_part = token.is_idle or is_speaker(token) or words <= words_for_kind(CHOOSING)
        if token.values or not (is_part or is_one_of(token, kinds)):
            return None
    return 0 if by_verb and chosen is not None else None


def _after(
    game: BaseGame,
    reader: Reader,
    form: ActionForm,
    args: Sequence[int],
    tokens: tuple[Token, ...],
    player: str,
) -> str | None:
    """What is asked, after the choice; why that cannot be made, if it cannot."""
    number = game.ruleset.players.index(player)
    codes = [form.encode(number, (arg,)) for arg in args]
    legal = [code for code in codes if code in game.legal_code_set]
    if not legal:
        is_asked = act_meant(game, reader, tokens, player) is not None
        ruling = explain_codes(game, codes[:MAX_CANDIDATES], player) if is_asked else None
        return ruling.text("sentence") if ruling is not None else None
    acts = [act_meant(game.play_code(code), reader, tokens, player) for code in legal]
    read = [act for act in acts if act is not None]
    for act in read:
        if act.legal or (act.next is not None and act.next.legal):
            return act.text().partition("\n")[0]
    return read[0].text() if read else None


# ---------------------------------------------------------------- where a piece of another player stands
def with_place_of_target(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> tuple[Token, ...] | None:
    """A sentence with the place where a piece stands for this piece; None if it asks about going to none.

    Empty if the piece is not where the sentence has it. Of a piece that the player cannot know the sentence has to tell
    the place, and another of the same owner must be seen there.
    """
    located, places = game.ruleset.schema.location_maps, sorted(place_types(game))
    if len(located) != 1 or len(places) != 1:
        return None
    piece, place = str(located[0].keys[0]), places[0]
    kinds = ([*map(str, dict(form.params).values())] for form in game.notation.forms)
    if any(listed.count(piece) > 1 for listed in kinds):
        return None  # there one piece may act on another
    known = verbs_of(reader, game.ruleset)
    verbs = known.read(tokens)
    named = [at for at, token in enumerate(tokens) if len(token.codes(piece)) == 1]
    if len(named) != 2 or {*verbs.names}.isdisjoint(going(game, known)):
        return None
    first, second = named
    if any(token.text in words_for_kind(PASSIVE) for token in tokens[first:second]):
        return ()  # it is the second that acts
    [actor], [target] = tokens[first].codes(piece), tokens[second].codes(piece)
    owners = {*owners_of(game, piece, target)}
    is_place = bool(tokens[second].codes(place))
    if is_place or min(verbs.places) > second:
        return None
    if owners & {*owners_of(game, piece, actor)}:
        # A name that is that of a place as well is not where its friend goes.
        return () if tokens[first].codes(place) else None
    rest = [*tokens[second + 1 :]]
    claimed: tuple[int, ...] = ()
    if any(token.values for token in rest):
        while not rest[0].values:
            if not (rest[0].is_idle or rest[0].text in words_for_kind(INSIDE)):
                return ()
            del rest[0]
        claimed = rest.pop(0).codes(place)
        if len(claimed) != 1:
            return ()
    type_ = reader.types[place]
    own_place = place_of(game, piece, actor, type_)
    own = None if player is None else game.ruleset.players.index(player)
    if own is not None and own not in owners_of(game, piece, actor):
        return None  # where it stands must not be told
    is_known = own is None or owners == {own}
    if is_known:
        there = place_of(game, piece, target, type_)
    else:  # that one of its player is there can be seen
        others = (
            code
            for code in codes_of(located[0].keys[0])
            if {*owners_of(game, piece, code)} == owners
        )
        seen = (place_of(game, piece, code, type_) for code in others)
        there = next((stood for stood in seen if (stood,) == claimed), None)
    if there is None or own_place == there or claimed not in ((), (there,)):
        return ()
    before = [*tokens[:second]]
    while before and before[-1].is_idle:
        before.pop()
    return (*before, TO, Token(type_.values[there][1].lower(), values=((place, (there,)),)), *rest)
