"""A question asked by a program, also of one edition among several."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hots_rules.diagnostics import UnreadableQuestion, check_kind
from hots_rules.explain.query import ask as ask_declared
from hots_rules.explain.query import questions
from hots_rules.observe.observer import viewer_of
from hots_rules.play.game import BaseGame
from hots_rules.rules.editions.sections import Citation
from hots_rules.talk.answering import answer
from hots_rules.talk.understanding import understand
from hots_rules.talk.understood import Action, Answer, AnswerKind, Question, Which

if TYPE_CHECKING:
    from hots_rules.compare.ask import EditionAnswer

_CITED = re.compile(r" ?\((?:[^()§]* )?§[^()]*\)")
_SECTION = re.compile(r"§([\w.]*\w)")


def ask(game: BaseGame, question: str, player: str | None = None) -> Answer:
    """The answer to a question, whether the ruleset declares it or it is in words.

    An action is asked about: whether it is legal.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> ask(game, game.actions[0].text).is_yes
    True

    Raises:
        UnreadableQuestion: it is not understood, or has several meanings.
        UnknownName: no such player.
    """
    check_kind("game", game, BaseGame, "a game")
    if player is not None:
        viewer_of(game, player)
    if not isinstance(question, str):
        raise UnreadableQuestion(f"a value of {type(question).__name__}", questions(game))
    understood = understand(question, game, player)
    if isinstance(understood, Action):
        understood = understand(f"why {question}", game, player)
    if isinstance(understood, Question):
        return answer(understood)
    if isinstance(understood, Which):
        raise UnreadableQuestion(question, understood.lines)
    ask_declared(game, question, player)  # which says what is wrong with it
    raise UnreadableQuestion(question, questions(game))


def sentence_answered(game: BaseGame, sentence: str) -> EditionAnswer:
    """What an edition answers to a sentence; its sections stand apart, since editions number them in their own ways.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> sentence_answered(game, "where's wallace?").lines
    ('Fife',)

    Raises:
        UnreadableQuestion: it is not understood, or only rules that come close are known.
    """
    # A late import: other questions compare nothing.
    from hots_rules.compare.ask import EditionAnswer

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
