"""Questions in the words of the rulebook, answered from the state of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from hots_rules._words import words
from hots_rules.compile.codes import bits
from hots_rules.diagnostics import EngineError, UnreadableQuestion
from hots_rules.play.question import Meaning
from hots_rules.rules import finite as t
from hots_rules.rules.typed import QuestionDef

if TYPE_CHECKING:
    from hots_rules.play.game import Game

MAX_TEXT = 300
_PARAM = re.compile(r"\{(\w+)\}")


@frozen
class Reply:
    """The answer to a question: its name in the ruleset, the answer as plain data and in words, its sections.

    `value` is a name, a number, a truth, None, or a list of names; None too where the question has no
    answer at this moment.
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


def reply(game: Game, text: str, *, language: str = "en") -> Reply:
    """The answer to a question that the ruleset declares, such as `who holds Shore`; it sees everything.

    The question may be in any language that has labels for it; the answer is in `language`.

    Raises:
        UnreadableQuestion: no such question, or a word in it is unknown; the nearest is offered.
        UnknownOption: neither the ruleset nor the library has words in the language.
    """
    known = questions(game, language=language)
    said = " ".join(text[:MAX_TEXT].strip(" \t¿").split()).rstrip("?").rstrip()
    faults: list[str] = []
    languages = dict.fromkeys((language, *game.ruleset.shape.languages))
    for spoken in languages:
        for question in _declared(game).values():
            template = _asked(game, question, spoken)
            for local in _meant(game, question, template, said, faults):
                return _reply(game, question, local, language)
    raise UnreadableQuestion(said, known, faults[0] if faults else "")


def _asked(game: Game, question: QuestionDef, language: str) -> str:
    """A question as it is asked in a language."""
    return game.ruleset.shape.said(f"question {question.name}", question.origin.summary, language)


def _declared(game: Game) -> dict[str, QuestionDef]:
    return game.ruleset.book.typed.questions


def _meant(
    game: Game, question: QuestionDef, template: str, said: str, faults: list[str]
) -> Iterator[dict[str, int]]:
    """The values of the parameters, if the text is this question."""
    pieces = _PARAM.split(template.strip("¿? "))
    pattern = "".join("(.+?)" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces))
    found = re.fullmatch(pattern, said, re.IGNORECASE)
    if found is None:
        return
    types = dict(zip(question.names, question.params, strict=True))
    reading = game.ruleset.shape.reading()
    local: dict[str, int] = {}
    for name, word in zip(pieces[1::2], found.groups(), strict=True):
        value = reading.value(word, types[name].type)
        if value is not None:
            local[types[name].name] = value
    faults += reading.faults
    if not reading.faults:
        yield local


def _reply(game: Game, question: QuestionDef, local: dict[str, int], language: str) -> Reply:
    shape, type_, spoken = game.ruleset.shape, question.body.type, words(language)
    meaning = Meaning(game.ruleset, dict(game.settings))
    origin = question.origin
    source = (origin.edition, origin.sections)
    try:
        code = meaning.code(question.body, game.state.slots, local)
    except EngineError:
        unknown = spoken.phrase("it has no answer at this moment")
        return Reply(question.name, None, unknown, *source)
    value = shape.plain(code, type_)
    if isinstance(type_, t.SetType):
        said = ", ".join(shape.show(one, type_.member, language) for one in bits(code))
        return Reply(question.name, value, said or spoken.phrase("none"), *source)
    return Reply(question.name, value, shape.show(code, type_, language), *source)
