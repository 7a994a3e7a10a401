"""A question asked by a program."""

from __future__ import annotations

from hots_rules.diagnostics import UnreadableQuestion, check_kind
from hots_rules.explain.query import ask as ask_declared
from hots_rules.explain.query import questions
from hots_rules.observe.observer import viewer_of
from hots_rules.play.game import BaseGame
from hots_rules.talk.answering import answer
from hots_rules.talk.understanding import understand
from hots_rules.talk.understood import Action, Answer, Question, Which


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
