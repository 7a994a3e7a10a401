"""Questions in the words of the rulebook, answered from the state of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from hots_rules._translate import translator
from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError, UnreadableQuestion
from hots_rules.explain.explain_action import as_imagined
from hots_rules.explain.legality import LegalityChecker
from hots_rules.observe.knowledge import KnowledgeCheck
from hots_rules.observe.redact import counted
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import QuestionDef

if TYPE_CHECKING:
    from hots_rules.play.game import Game

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


def questions(game: Game, *, language: str = "en") -> tuple[str, ...]:
    """What may be asked of a game in words, with its parameters in braces.

    Raises:
        UnknownOption: neither the ruleset nor the library has words in the language.
    """
    game.notation(language)
    return tuple(_asked(game, each, language) for each in _declared(game).values())


def reply(game: Game, text: str, *, player: str | None = None, language: str = "en") -> Answer:
    """The answer to a question that the ruleset declares, such as `who holds Shore`.

    `who holds` alone asks it of every thing that could stand there. Without a `player` it sees everything;
    with one it says only what comes to the same in all that looks alike to that player, as rulings do.

    The question may be in any language that has labels for it; the answer is in `language`.

    Raises:
        UnreadableQuestion: no such question, or a word in it is unknown; the nearest is offered.
        UnknownOption: no such player, or neither the ruleset nor the library has words in the language.
    """
    known = questions(game, language=language)
    if not isinstance(text, str):
        raise UnreadableQuestion(f"a value of {type(text).__name__}", known)
    said = " ".join(text[:MAX_TEXT].strip(" \t¿").split()).rstrip("?").rstrip()
    faults: list[str] = []
    asked = [
        (question, _asked(game, question, spoken))
        for spoken in dict.fromkeys((language, *game.ruleset.schema.languages))
        for question in _declared(game).values()
    ]
    for question, template in asked:
        for local in _meant(game, question, template, said, faults):
            return QuestionAnswerer.of(game, player, language).reply(question, local)
    for question, template in asked:
        if _is_of_all(template, said):
            return QuestionAnswerer.of(game, player, language).replies(question)
    raise UnreadableQuestion(said, known, faults[0] if faults else "")


def _asked(game: Game, question: QuestionDef, language: str) -> str:
    """A question as it is asked in a language."""
    return game.ruleset.schema.said(f"question {question.name}", question.origin.summary, language)


def _declared(game: Game) -> dict[str, QuestionDef]:
    return game.ruleset.book.typed.questions


def _is_of_all(template: str, said: str) -> bool:
    """Whether the text is a question without the one thing that it asks about, at its end."""
    before, *rest = _PARAM.split(template.strip("¿? "))
    return len(rest) == 2 and not rest[1] and before.strip().casefold() == said.casefold()


def _meant(
    game: Game, question: QuestionDef, template: str, said: str, faults: list[str]
) -> Iterator[dict[str, int]]:
    """The values of the parameters, if the text is this question."""
    pieces = _PARAM.split(template.strip("¿? "))
    pattern = "".join("(.+?)" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces))
    found = re.fullmatch(pattern, said, re.IGNORECASE)
    if found is None:
        return
    params = dict(zip(question.names, question.params, strict=True))
    reading = game.ruleset.schema.reading()
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

    game: Game
    language: str
    evaluator: Evaluator
    knowing: KnowledgeCheck | None

    @classmethod
    def of(cls, game: Game, player: str | None, language: str) -> QuestionAnswerer:
        """Somebody who sees what a player may know, or everything."""
        seen = game if player is None else as_imagined(game, player)
        judge = LegalityChecker(seen, language, player)
        return cls(seen, language, judge.evaluator, judge.knowing)

    def reply(self, question: QuestionDef, local: dict[str, int]) -> Answer:
        """The answer about certain things."""
        origin = question.origin
        value, said = self._answer(question, local)
        return Answer(question.name, value, said, origin.edition, origin.sections)

    def replies(self, question: QuestionDef) -> Answer:
        """The answers about all things, each with its name."""
        origin, [param] = question.origin, question.params
        schema = self.game.ruleset.schema
        found, said = {}, []
        for code in codes_of(param.type):
            value, text = self._answer(question, {param.name: code})
            found[str(schema.plain(code, param.type))] = value
            said.append(f"{schema.show(code, param.type, self.language)}: {text}")
        return Answer(question.name, found, "; ".join(said), origin.edition, origin.sections)

    def _answer(self, question: QuestionDef, local: dict[str, int]) -> tuple[Any, str]:
        """An answer as plain data, and in words."""
        say, type_ = translator(self.language), question.body.type
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
        words_of = self.game.ruleset.schema if self.knowing is None else self.knowing.veil
        return words_of.show(code, type_, self.language)

    def _plain(self, code: int, type_: types.Type) -> Any:
        """A value as plain data; of a hidden thing what is seen from behind."""
        look = None if self.knowing is None else self.knowing.veil.look
        if (
            look
            and isinstance(type_, types.WordType)
            and look.hidden_thing(code, type_) is not None
        ):
            return self._shown(code, type_)
        return self.game.ruleset.schema.plain(code, type_)
