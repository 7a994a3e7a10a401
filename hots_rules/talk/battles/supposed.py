"""A battle supposed of pieces of the game at hand, such as `would Fox beat Dog?`: the line that makes it up."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from hots_rules.explain.talk_file import BattleForm, Intent, battle_form
from hots_rules.play.game import BaseGame
from hots_rules.talk.battles.battles import OPEN_PLACE, can_be_fought
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import Reader, reader_of
from hots_rules.talk.reading.roles import is_speaker, owners_of
from hots_rules.talk.reading.speaker import Speaker

WINNING = frozenset({"win", "lose", "odds"})
"""Concepts of which a sentence has one that asks how a battle ends."""
FIGHTING = frozenset({"battle", "attack", "defend"})
BESIDE = frozenset({"if", "who", "what", "how", "can", "will", "i", "enemy", "now", "and", "is"})
"""Concepts that such a sentence may have as well."""
MAX_FIGHTERS = 8


@frozen
class _Pieces:
    """The pieces that a sentence names, by the player whose they are, the one first who is named first."""

    by_owner: dict[int, list[int]]
    place: int | None


def supposed_battle(game: BaseGame, line: str, player: str | None) -> str:
    """The line that makes up the battle whose end a sentence asks for; empty if it asks for something else.

    The pieces that the player sees have the strength that they have now, the others all of it.
    """
    form, reader = battle_form(game.ruleset.source), reader_of(game.ruleset)
    tokens = reader.lexicon.read(line)
    concepts = frozenset(concept for token in tokens for concept in token.concepts)
    if form is None or not concepts & WINNING:
        return ""
    pieces, known = _pieces(game, form, tokens), WINNING | FIGHTING | BESIDE
    if pieces is None or not all(_is_beside(form, token, known) for token in tokens):
        return ""
    speaker = Speaker(game, reader, player)
    attackers, defenders = (
        _fighters(speaker, form, owner, codes) for owner, codes in pieces.by_owner.items()
    )
    attacking = game.ruleset.players[next(iter(pieces.by_owner))]
    fought = f"{attackers} {form.against[0]} {defenders}"
    places = (_place(speaker, form, pieces), OPEN_PLACE)
    lines = (f"{attacking} {place}: {fought}" for place in places)
    return next((made_up for made_up in lines if can_be_fought(game.ruleset, form, made_up)), "")


def fight_meant(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> str | None:
    """Whether two pieces of different players are in one place, and where they are: `does Fox fight Dog?`.

    None if a sentence asks for something else, or more.
    """
    form = battle_form(game.ruleset.source)
    if form is None or not any("battle" in token.concepts for token in tokens):
        return None
    pieces = _pieces(game, form, tokens)
    is_no_more = all(
        _is_beside(form, token, frozenset({"battle", "now", "is"})) for token in tokens
    )
    if pieces is None or pieces.place is not None or not is_no_more:
        return None
    [location] = game.ruleset.schema.location_maps
    places, labels = [], []
    for codes in pieces.by_owner.values():
        piece = f"{form.piece}.{_value(reader, form.piece, codes[0])}"
        places.append(f"{location.name}[{piece}]")
        name = game.ruleset.labels.format_value(codes[0], reader.types[form.piece])
        labels.append(f"{name}: <{places[-1]}>")
    is_there = f"{' = '.join(places)} and {places[0]} is {form.place}"
    intent = Intent("", query=is_there, text={"en": "; ".join(labels)})
    return Speaker(game, reader, player).statement(intent)


def _is_beside(form: BattleForm, token: Token, concepts: frozenset[str]) -> bool:
    """Whether a word names something, says nothing, or has one of some meanings."""
    says_more = not (token.values or token.is_idle or token.concepts & concepts)
    return not says_more or is_speaker(token) or token.text in form.against


def _pieces(game: BaseGame, form: BattleForm, tokens: Sequence[Token]) -> _Pieces | None:
    """The pieces of two players that a sentence names; None if it names others, or anything else than a place."""
    by_owner: dict[int, list[int]] = {}
    place: int | None = None
    for before, token in zip((Token(""), *tokens), tokens, strict=False):
        codes, places = token.codes(form.piece), token.codes(form.place)
        if places and (not codes or before.text in form.located):
            if place is not None or len(places) != 1:
                return None
            place = places[0]
        elif codes:
            owners = {*owners_of(game, form.piece, codes[0])}
            if len(codes) != 1 or len(owners) != 1:
                return None
            by_owner.setdefault(next(iter(owners)), []).append(codes[0])
        elif token.values:
            return None
    is_fit = len(by_owner) == 2 and sum(map(len, by_owner.values())) <= MAX_FIGHTERS
    return _Pieces(by_owner, place) if is_fit else None


def _value(reader: Reader, type_name: str, code: int) -> str:
    return reader.types[type_name].values[code][1]


def _fighters(speaker: Speaker, form: BattleForm, owner: int, codes: Sequence[int]) -> str:
    """Some pieces with their strengths, where those can be known and are on the board."""
    fighters = []
    for code in codes:
        piece = f"{form.piece}.{_value(speaker.reader, form.piece, code)}"
        left = form.left.replace("{piece}", piece)
        number = speaker.statement(
            Intent("", query=left.replace("{player}", speaker.game.ruleset.players[owner]))
        )
        is_known = number is not None and number.isdecimal() and number != "0"
        name = speaker.game.ruleset.labels.format_value(code, speaker.reader.types[form.piece])
        fighters.append(f"{name} {number}" if is_known else name)
    return ", ".join(fighters)


def _place(speaker: Speaker, form: BattleForm, pieces: _Pieces) -> str:
    """The place that is named, or where who is attacked stands, if that can be known."""
    type_, labels = speaker.reader.types[form.place], speaker.game.ruleset.labels
    if pieces.place is not None:
        return labels.format_value(pieces.place, type_)
    [location] = speaker.game.ruleset.schema.location_maps
    defender = [*pieces.by_owner.values()][1][0]
    piece = f"{form.piece}.{_value(speaker.reader, form.piece, defender)}"
    stands = speaker.statement(Intent("", query=f"{location.name}[{piece}]"))
    named = {labels.format_value(code, type_) for code in range(len(type_.values))}
    return stands if stands in named else OPEN_PLACE
