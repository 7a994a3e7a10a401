"""What follows now for an action that a sentence names, where it says more than that it asks whether it is legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import evolve

from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.acts import (
    OBLIGES,
    PERMITS,
    asked_of,
    filled_forms,
    going,
    names_a_piece,
    nearest_ruling,
    split_phrases,
)
from hots_rules.talk.reading.choices import legal_now, sections_of
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import Roles
from hots_rules.talk.reading.speaker import rule_sentences
from hots_rules.talk.reading.told_acts import MAX_SHOWN, other_moment
from hots_rules.talk.reading.verbs import KnownVerbs, verbs_of
from hots_rules.talk.reading.ways import Filled, legal_among

OTHERS = frozenset({"enemy", "you"})
"""Concepts of words that do not say who acts."""
MIN_NAMED = 2
"""How many of the names of a sentence an action has at least, if it has not all."""
ASKED = PERMITS | OBLIGES | {"where"}


def near_acts(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Iterator[str]:
    """What follows now for the actions that a sentence names, as if it asked for nothing more.

    The legal ones, or why none is; then the rules that forbid them, else that of the action itself. No answer: the
    sentence may ask about another moment, or under a condition.
    """
    if game.is_over or game.is_chance or not names_a_piece(game, reader, tokens):
        return
    if asked_of(tokens).isdisjoint(ASKED):
        return
    tokens = [
        token
        for token in split_phrases(reader, tokens)
        if token.values or not token.concepts & OTHERS
    ]
    verb_words = verbs_of(reader, game.ruleset)
    verbs = verb_words.read(tokens)
    roles = Roles.of(game, tokens, verbs, player)
    if roles is None:
        return
    names = verbs.names or (going(game, verb_words) if roles.directed else ())
    if not names and "where" in asked_of(tokens):
        offered = {action.name for action in game.actions}
        names = tuple(name for name in going(game, verb_words) if name in offered)
    filled = _filled(game, verb_words, names, roles)
    if not filled:
        return
    legal = legal_among(game, filled, roles, player)
    rules: list[str] = []
    if legal:
        sections = sections_of(game, (action.name for action in legal))
        yield legal_now(game.language, [action.text for action in legal], sections, MAX_SHOWN)
    else:
        ruling = nearest_ruling(game, filled, roles, verbs, player)
        is_now = ruling is not None and other_moment(ruling) is None
        against = ruling.against if ruling is not None and is_now else ()
        rules = [reason.rule for reason in against if reason.kind == "forbid"]
        if ruling is not None and rules:
            forbids = tuple(reason for reason in against if reason.kind == "forbid")
            yield evolve(ruling, against=forbids).text("sentence")
    for name in dict.fromkeys(rules or (names if len(names) == 1 else ())):
        yield from islice(rule_sentences(game, name), 1)


def _filled(
    game: BaseGame, verb_words: KnownVerbs, names: Sequence[str], roles: Roles
) -> list[Filled]:
    """The actions that have room for what is named, or for what is named first."""
    for size in range(len(roles.named), 0, -1):
        filled = filled_forms(game, verb_words, names, evolve(roles, named=roles.named[:size]))
        if filled or size <= MIN_NAMED:
            return filled
    return []
