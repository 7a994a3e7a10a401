"""How far one place is from another on the map: `how far is Fox from Shore`."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.compile.facts import MapFacts
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.position.counts import is_one_of, says_nothing, words_for
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import owners_of, place_types

FAR = "far"
"""The concept of words for a distance."""
BETWEEN = frozenset({FAR, "from", "to", "and", "go", "i", "how-many"})
"""Concepts that a sentence has which asks for a distance, and for nothing else."""


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
    said = all(
        says_nothing(token) or token.concepts & BETWEEN or is_one_of(token, kinds)
        for token in tokens
        if not token.values
    )
    ends = [_place(game, token, player) for token in named]
    if len(ends) != 2 or not said or ends[0] is None or ends[1] is None:
        return None
    way = _way(drawn, ends[0], ends[1])
    [type_] = [type_ for name, type_ in reader.types.items() if name in place_types(game)][:1]
    names = " – ".join(game.ruleset.labels.format_value(place, type_) for place in way)
    cited = " ".join(f"§{section}" for section in _sections(game, type_))
    return f"{len(way) - 1}: {names} ({cited})" if way else None


def _place(game: BaseGame, token: Token, player: str | None) -> int | None:
    """The place that a token names, or where the piece is that it names."""
    for name, codes in token.values:
        if name in place_types(game) and len(codes) == 1:
            return codes[0]
    load = game.state.schema.reader(game.state.slots)
    for variable in game.ruleset.schema.location_maps:
        for code in token.codes(str(variable.keys[0]))[:1]:
            owners = {
                game.ruleset.players[owner]
                for owner in owners_of(game, str(variable.keys[0]), code)
            }
            if player is None or player in owners:
                return load(variable.name, (code,))
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
