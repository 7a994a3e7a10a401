"""Questions that a ruleset declares, answered from the state of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from hots_rules._text import with_signs
from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError, UnreadableQuestion
from hots_rules.diagnostics.braces import NAMED
from hots_rules.explain.declared.declarations import taking_part
from hots_rules.observe.redact import counted
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import notations
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, QuestionDef
from hots_rules.state.labels import Labels

if TYPE_CHECKING:
    from hots_rules.observe.knowledge import Knowledge

Plain: TypeAlias = Any
"""Plain data: a name, a number, a truth, a list or a mapping of such, or None."""
MAX_TEXT = 300
MAX_REPR = 60


@frozen(repr=False)
class Answer:
    """The answer to a question that a ruleset declares: the result of `Game.ask`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> question = next(question for question in game.questions if "{" not in question)
    >>> answer = game.ask(question)
    >>> answer.edition
    'hots-4.0'
    >>> str(answer) == f"{answer.text} (hots-4.0 §{answer.sections[0]})"
    True

    Attributes:
        question: the name of the question in the ruleset.
        value: the answer as plain data: a name, a number, a truth, a list of names, or None; None also
            if there is no answer now, or none that the player may know. If the question left out its
            subject, a mapping of such values by subject.
        text: the answer in words.
        edition: the edition that declares the question.
        sections: the sections that it cites.
    """

    question: str
    value: Plain
    text: str
    edition: str
    sections: tuple[str, ...]

    def __str__(self) -> str:
        cited = with_signs(self.sections)
        return f"{self.text} ({self.edition} {cited})"

    def __repr__(self) -> str:
        return f"<Answer to {self.question}: {shorten(self.text, MAX_REPR, placeholder='…')}>"


def questions(game: BaseGame) -> tuple[str, ...]:
    """The questions that the ruleset declares, with their parameters in braces."""
    return tuple(_template(game.ruleset.labels, question) for question in _declared(game).values())


def ask(game: BaseGame, text: str, player: str | None = None) -> Answer:
    """The answer to a question that the ruleset declares, such as `who holds Shore`.

    Args:
        game: the game at the moment that is asked about.
        text: the question, in any language of the ruleset; without its last parameter (`who holds`) it
            is asked for every value of that parameter.
        player: the player who asks; the answer reveals nothing hidden from this player. None uses the
            whole state.

    Raises:
        UnreadableQuestion: no such question, or an unknown word; the nearest is suggested.
        UnknownName: no such player.
    """
    templates = questions(game)
    if not isinstance(text, str):
        raise UnreadableQuestion(f"a value of {type(text).__name__}", templates)
    asked = " ".join(text[:MAX_TEXT].strip(" \t¿").split()).rstrip("?").rstrip()
    faults: list[str] = []
    candidates = [
        (question, _template(notation.labels, question))
        for notation in notations(game)
        for question in _declared(game).values()
    ]
    for question, template in candidates:
        for local in _parsed(game, question, template, asked, faults):
            return QuestionAnswerer.of(game, player).answer(question, local)
    for question, template in candidates:
        if _lacks_last_parameter(template, asked):
            return QuestionAnswerer.of(game, player).answer_all(question)
    raise UnreadableQuestion(asked, templates, faults[0] if faults else "")


def _template(labels: Labels, question: QuestionDef) -> str:
    """The text of a question in a language."""
    return labels.label(f"question {question.name}", question.origin.summary)


def _declared(game: BaseGame) -> Mapping[str, QuestionDef]:
    return game.ruleset.compiled.typed.questions


def _lacks_last_parameter(template: str, asked: str) -> bool:
    """Whether the text is a question without its only parameter, at its end."""
    before, *rest = NAMED.split(template.strip("¿? "))
    return len(rest) == 2 and not rest[1] and before.strip().casefold() == asked.casefold()


def _parsed(
    game: BaseGame, question: QuestionDef, template: str, asked: str, faults: list[str]
) -> Iterator[dict[str, int]]:
    """The arguments, if the text is this question; words that are unknown go to `faults`."""
    pieces = NAMED.split(template.strip("¿? "))
    pattern = "".join("(.+?)" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces))
    match = re.fullmatch(pattern, asked, re.IGNORECASE)
    if match is None:
        return
    params = dict(zip(question.names, question.params, strict=True))
    parser = game.ruleset.schema.value_parser()
    local: dict[str, int] = {}
    for name, word in zip(pieces[1::2], match.groups(), strict=True):
        code = parser.value(word, params[name].type)
        if code is not None:
            local[params[name].name] = code
    faults += parser.faults
    if not parser.faults:
        yield local


@frozen
class QuestionAnswerer:
    """Answers questions from the whole state, or for a player from a sampled world.

    Attributes:
        game: the game, or the sampled world.
        evaluator: evaluates expressions in it.
        knowledge: what the player can know; None for the whole state.
    """

    game: BaseGame
    evaluator: Evaluator
    knowledge: Knowledge[BaseGame] | None

    @classmethod
    def of(cls, game: BaseGame, player: str | None) -> QuestionAnswerer:
        """The answerer for a player, or for the whole state."""
        if player is None:
            return cls(game, game.evaluator(), None)
        from hots_rules.observe.knowledge import knowledge_of

        knowledge = knowledge_of(game, player)
        return cls(knowledge.game, knowledge.game.evaluator(), knowledge)

    def answer(self, question: QuestionDef, local: dict[str, int]) -> Answer:
        """The answer for some arguments."""
        origin = question.origin
        value, text = self._value_and_text(question, local)
        return Answer(question.name, value, text, origin.edition, origin.sections)

    def answer_all(self, question: QuestionDef) -> Answer:
        """The answers for all values of the only parameter."""
        origin, [param] = question.origin, question.params
        schema, labels = self.game.ruleset.schema, self.game.ruleset.labels
        values: dict[str, object] = {}
        texts = []
        left_out = frozenset[str]()
        if schema.is_of_players(param.type):
            left_out = frozenset(self.game.ruleset.players) - taking_part(self.game)
        for code in codes_of(param.type):
            if str(schema.to_python(code, param.type)) in left_out:
                continue
            value, text = self._value_and_text(question, {param.name: code})
            values[str(schema.to_python(code, param.type))] = value
            texts.append(f"{labels.format_value(code, param.type)}: {text}")
        return Answer(question.name, values, "; ".join(texts), origin.edition, origin.sections)

    def _value_and_text(self, question: QuestionDef, local: dict[str, int]) -> tuple[object, str]:
        """An answer as plain data, and in words."""
        return self.value_and_text(question.body, local)

    def value_and_text(
        self,
        body: Expr,
        local: dict[str, int],
        comes_before: Callable[[int, int], bool] | None = None,
    ) -> tuple[object, str]:
        """The value of an expression as plain data, and in words; None if there is none that may be known.

        With `comes_before`, the members of a set are sorted by it.
        """
        gettext, type_ = self.game.ruleset.labels.translator.gettext, body.type
        if self.knowledge is not None and not self.knowledge.knows(body, local):
            return None, gettext("unknown: depends on hidden information")
        try:
            code = self.evaluator.value(body, local)
        except EngineError:
            return None, gettext("no answer at this moment")
        if not isinstance(type_, types.SetType):
            return self._plain(code, type_), self._text(code, type_)
        members = [*bits(code)]
        if self.knowledge is not None:
            formatter = self.knowledge.formatter
            members.sort(key=lambda member: formatter.sort_key(member, type_.member))
        if comes_before is not None:
            earlier = {m: sum(comes_before(n, m) for n in members if n != m) for m in members}
            members.sort(key=earlier.__getitem__)
        texts = ", ".join(counted(self._text(member, type_.member) for member in members))
        return [self._plain(member, type_.member) for member in members], texts or gettext("none")

    def _text(self, code: int, type_: types.Type) -> str:
        labels = self.game.ruleset.labels
        formatter = labels if self.knowledge is None else self.knowledge.formatter
        return formatter.format_value(code, type_)

    def _plain(self, code: int, type_: types.Type) -> object:
        """A value as plain data; of a hidden piece what the player sees of it."""
        visibility = None if self.knowledge is None else self.knowledge.formatter.visibility
        if visibility is not None and visibility.hidden_piece(code, type_) is not None:
            return self._text(code, type_)
        return self.game.ruleset.schema.to_python(code, type_)
