"""Questions in the words of the rulebook, answered from the state of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError, UnreadableQuestion
from hots_rules.explain.explain_action import as_imagined
from hots_rules.explain.legality import LegalityChecker
from hots_rules.observe.knowledge import KnowledgeCheck
from hots_rules.observe.redact import counted
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import notations
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import QuestionDef
from hots_rules.state.labels import Labels

MAX_TEXT = 300
_PARAM = re.compile(r"\{(\w+)\}")


@frozen
class Answer:
    """The answer to a question: its name in the ruleset, the answer as plain data and in words, its sections.

    `value` is a name, a number, a truth, None, or a list of names; None too where the question has no
    answer at this moment, or none that the player may know. Where the question left out its thing and all
    were meant, it is an object of such values.
    """

    question: str
    value: Any
    text: str
    edition: str
    sections: tuple[str, ...]

    def __str__(self) -> str:
        cited = " ".join(f"§{section}" for section in self.sections)
        return f"{self.text} ({self.edition} {cited})"


def questions(game: BaseGame) -> tuple[str, ...]:
    """The questions that the ruleset declares, with their parameters in braces."""
    return tuple(_asked(game.ruleset.labels, each) for each in _declared(game).values())


def ask(game: BaseGame, text: str, player: str | None = None) -> Answer:
    """The answer to a question that the ruleset declares, such as `who holds Shore`.

    `who holds` alone asks it of every thing that could stand there. Without a `player` it sees everything;
    with one it says only what comes to the same in all that looks alike to that player, as rulings do.

    The question may be in any language that has labels for it; the answer is in `language`.

    Raises:
        UnreadableQuestion: no such question, or a word in it is unknown; the nearest is offered.
        UnknownOption: no such player, or neither the ruleset nor the library has words in the language.
    """
    known = questions(game)
    if not isinstance(text, str):
        raise UnreadableQuestion(f"a value of {type(text).__name__}", known)
    said = " ".join(text[:MAX_TEXT].strip(" \t¿").split()).rstrip("?").rstrip()
    faults: list[str] = []
    asked = [
        (question, _asked(notation.labels, question))
        for notation in notations(game)
        for question in _declared(game).values()
    ]
    for question, template in asked:
        for local in _meant(game, question, template, said, faults):
            return QuestionAnswerer.of(game, player).answer(question, local)
    for question, template in asked:
        if _is_of_all(template, said):
            return QuestionAnswerer.of(game, player).answer_all(question)
    raise UnreadableQuestion(said, known, faults[0] if faults else "")


def _asked(labels: Labels, question: QuestionDef) -> str:
    """A question as it is asked in a language."""
    return labels.label(f"question {question.name}", question.origin.summary)


def _declared(game: BaseGame) -> dict[str, QuestionDef]:
    return game.ruleset.book.typed.questions


def _is_of_all(template: str, said: str) -> bool:
    """Whether the text is a question without the one thing that it asks about, at its end."""
    before, *rest = _PARAM.split(template.strip("¿? "))
    return len(rest) == 2 and not rest[1] and before.strip().casefold() == said.casefold()


def _meant(
    game: BaseGame, question: QuestionDef, template: str, said: str, faults: list[str]
) -> Iterator[dict[str, int]]:
    """The values of the parameters, if the text is this question."""
    pieces = _PARAM.split(template.strip("¿? "))
    pattern = "".join("(.+?)" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces))
    found = re.fullmatch(pattern, said, re.IGNORECASE)
    if found is None:
        return
    params = dict(zip(question.names, question.params, strict=True))
    reading = game.ruleset.schema.value_parser()
    local: dict[str, int] = {}
    for name, word in zip(pieces[1::2], found.groups(), strict=True):
        value = reading.value(word, params[name].type)
        if value is not None:
            local[params[name].name] = value
    faults += reading.faults
    if not reading.faults:
        yield local


@frozen
class QuestionAnswerer:
    """Who answers: somebody who sees everything, or a player, who reads in an imagined game."""

    game: BaseGame
    evaluator: Evaluator
    knowing: KnowledgeCheck | None

    @classmethod
    def of(cls, game: BaseGame, player: str | None) -> QuestionAnswerer:
        """Somebody who sees what a player may know, or everything."""
        seen = game if player is None else as_imagined(game, player)
        judge = LegalityChecker(seen, player)
        return cls(seen, judge.evaluator, judge.knowing)

    def answer(self, question: QuestionDef, local: dict[str, int]) -> Answer:
        """The answer about certain things."""
        origin = question.origin
        value, said = self._answer(question, local)
        return Answer(question.name, value, said, origin.edition, origin.sections)

    def answer_all(self, question: QuestionDef) -> Answer:
        """The answers about all things, each with its name."""
        origin, [param] = question.origin, question.params
        schema, labels = self.game.ruleset.schema, self.game.ruleset.labels
        found, said = {}, []
        for code in codes_of(param.type):
            value, text = self._answer(question, {param.name: code})
            found[str(schema.to_python(code, param.type))] = value
            said.append(f"{labels.format_value(code, param.type)}: {text}")
        return Answer(question.name, found, "; ".join(said), origin.edition, origin.sections)

    def _answer(self, question: QuestionDef, local: dict[str, int]) -> tuple[Any, str]:
        """An answer as plain data, and in words."""
        say, type_ = self.game.ruleset.labels.translator, question.body.type
        if self.knowing is not None and not self.knowing.knows(question.body, local):
            return None, say.gettext("it hangs on what is hidden")
        try:
            code = self.evaluator.value(question.body, local)
        except EngineError:
            return None, say.gettext("it has no answer at this moment")
        if not isinstance(type_, types.SetType):
            return self._plain(code, type_), self._shown(code, type_)
        members = [*bits(code)]
        if self.knowing is not None:
            veil = self.knowing.veil
            members.sort(key=lambda one: veil.order(one, type_.member))
        said = ", ".join(counted(self._shown(one, type_.member) for one in members))
        return [self._plain(one, type_.member) for one in members], said or say.gettext("none")

    def _shown(self, code: int, type_: types.Type) -> str:
        formatter = self.game.ruleset.labels if self.knowing is None else self.knowing.veil
        return formatter.format_value(code, type_)

    def _plain(self, code: int, type_: types.Type) -> Any:
        """A value as plain data; of a hidden thing what is seen from behind."""
        look = None if self.knowing is None else self.knowing.veil.look
        if (
            look
            and isinstance(type_, types.WordType)
            and look.hidden_thing(code, type_) is not None
        ):
            return self._shown(code, type_)
        return self.game.ruleset.schema.to_python(code, type_)
