"""Phrases that say no more than the rest of a question: `in one move`, `at the start` of a game that has just begun."""

from __future__ import annotations

import re
from functools import cache

from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.own_words import own_words
from hots_rules.talk.reading.words import words_in

IN_A_ROW, AT_THE_START, LISTED_TOO = "in-a-row", "at-the-start", "listed-too"


def without_asides(game: BaseGame, sentence: str, *kinds: str) -> str:
    """A sentence without phrases of some kinds; empty if it has none of them, or nothing else.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> without_asides(game, "Who holds Fife at the start?", AT_THE_START)
    'who holds fife ?'
    """
    words = " ".join(words_in(sentence, own_words().contractions))
    left = words
    for kind in kinds:
        if kind != AT_THE_START or not any(move >= 0 for move in game.moves):
            left = _phrases(kind).sub(" ", left)
    left = " ".join(left.split())
    return f"{left} ?" if left and left != words else ""


@cache
def _phrases(kind: str) -> re.Pattern[str]:
    """The phrases of a kind, the longest first."""
    phrases = {" ".join(words_in(phrase, {})) for phrase in own_words().phrases[kind]}
    listed = "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))
    end = "$" if kind == LISTED_TOO else r"\b"
    return re.compile(rf"\b(?:{listed}){end}")
