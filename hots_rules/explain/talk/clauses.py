"""Several questions in one line: each is a sentence of its own."""

from __future__ import annotations

import re

from hots_rules.explain.talk.answers import is_question, reply
from hots_rules.explain.talk.patterns import ASKING
from hots_rules.explain.talk.reader import reader_of
from hots_rules.explain.talk.words import MAX_SENTENCE
from hots_rules.play.game import BaseGame

MOST = 4
_END = re.compile(r"(?<=[.?!;])\s+")
_WORD = re.compile(r"[^\s,]+")


def questions_in(game: BaseGame, line: str) -> tuple[str, ...]:
    """The questions of a line that are understood one by one; the line itself if it is one.

    What only leads to a question is left out, unless the line is understood with it.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.explain.questions_in(game, "whose turn is it and what can I do now?")
    ('whose turn is it', 'what can I do now?')
    >>> hr.explain.questions_in(game, "Nice weather, but cold. Whose turn is it?")
    ('Whose turn is it?',)
    >>> hr.explain.questions_in(game, "who is England and Scotland")
    ('who is England and Scotland',)
    """
    said = _sentences(game, line[:MAX_SENTENCE])
    asked = [each for each in said if is_question(game, each)]
    if len(said) == 1 or not 0 < len(asked) <= MOST:
        return (line,)
    understood = tuple(each for each in asked if reply(game, each) is not None)
    is_whole = len(understood) == len(asked) > 1
    return understood if understood and (is_whole or reply(game, line) is None) else (line,)


def _sentences(game: BaseGame, line: str) -> list[str]:
    """The sentences of a line: they end with a mark, or the next begins with a word such as `who`, after `and`."""
    lexicon = reader_of(game.ruleset).lexicon
    found: list[str] = []
    for sentence in filter(None, map(str.strip, _END.split(line))):
        begin = 0
        words = list(_WORD.finditer(sentence))
        notions = [{n for piece in lexicon.read(w[0]) for n in piece.notions} for w in words]
        for joint, after, word in zip(words, words[1:], range(len(words)), strict=False):
            if word and "and" in notions[word] and notions[word + 1] & ASKING:
                found.append(sentence[begin : joint.start()].rstrip(" ,"))
                begin = after.start()
        found.append(sentence[begin:])
    return found
