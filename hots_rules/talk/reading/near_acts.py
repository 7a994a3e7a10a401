"""The rules about an action that a sentence is about, where it says more than that it asks whether it is legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.acts import (
    OBLIGES,
    PERMITS,
    asked_of,
    filled_forms,
    going,
    legal_among,
    names_a_piece,
    nearest_ruling,
    split_phrases,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import Roles
from hots_rules.talk.reading.speaker import rule_sentences
from hots_rules.talk.reading.verbs import verbs_of

OTHERS = frozenset({"enemy", "you"})
"""Concepts of words that do not say who acts."""
ASKED = PERMITS | OBLIGES | {"where"}


def rules_of_the_act(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Iterator[str]:
    """The rules that forbid what a sentence names, as if it asked for nothing more; else that of the action itself."""
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
    filled = filled_forms(game, verb_words, names, roles)
    if not filled:
        return
    rules: list[str] = []
    if not legal_among(game, filled, roles, player):
        ruling = nearest_ruling(game, filled, roles, verbs, player)
        against = () if ruling is None else ruling.against
        rules = [reason.rule for reason in against if reason.kind == "forbid"]
    for name in dict.fromkeys(rules or (names if len(names) == 1 else ())):
        yield from islice(rule_sentences(game, name), 1)
