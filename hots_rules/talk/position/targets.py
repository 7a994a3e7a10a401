"""A sentence about going to a piece of another player, with the place for that piece: `can Fox attack Hen`."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.compile.codes import codes_of
from hots_rules.play.game import BaseGame
from hots_rules.talk.position.members import INSIDE
from hots_rules.talk.reading.acts import going
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import owners_of, place_of, place_types
from hots_rules.talk.reading.verbs import verbs_of

PASSIVE = "passive"
"""The kind of words that turn round who does it: `can Fox be attacked by Hen`."""
TO = Token("to", concepts=frozenset({"to"}))


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
