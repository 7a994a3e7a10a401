"""The answer of one edition to a sentence, as a part of what several editions answer."""

from __future__ import annotations

import re

from hots_rules.compare.ask import EditionAnswer
from hots_rules.diagnostics import UnreadableQuestion
from hots_rules.explain.query import questions
from hots_rules.play.game import BaseGame
from hots_rules.rules.editions.sections import Citation
from hots_rules.talk.asking import ask
from hots_rules.talk.understood import AnswerKind

_CITED = re.compile(r" ?\((?:[^()§]* )?§[^()]*\)")
_SECTION = re.compile(r"§([\w.]*\w)")


def sentence_answered(game: BaseGame, sentence: str) -> EditionAnswer:
    """What an edition answers to a sentence; its sections stand apart, since editions number them in their own ways.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> sentence_answered(game, "where's wallace?").lines
    ('Fife',)

    Raises:
        UnreadableQuestion: it is not understood, or only rules that come close are known.
    """
    found = ask(game, sentence)
    if found.kind is AnswerKind.CLOSEST:
        raise UnreadableQuestion(sentence, questions(game))
    text = str(found)
    headings = game.ruleset.rulebook.sections.get(game.ruleset.name, {})
    sections = dict.fromkeys(_SECTION.findall(" ".join(_CITED.findall(text))))
    return EditionAnswer(
        game.ruleset.name,
        "answer",
        tuple(_CITED.sub("", text).split("\n")),
        tuple(Citation(game.ruleset.name, name, headings.get(name, "")) for name in sections),
        is_yes=found.is_yes,
    )
