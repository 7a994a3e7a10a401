"""The literal answers of tests/answers: a question, the moment of a case, and what is said.

An answer is a heading with the question, the sections that it is derived from, and two fenced blocks:

    case: A block stops where it meets the enemy     the case of tests/cases at whose end it is asked
    file: lords-turns                                 its file, if that is not the name of the answer's own
    ruleset: lords-of-scotland                        the ruleset, if not hots-4.0
    ask: England: move Angus Fife-Mentieth
    depth: sentence                                   or paragraph, or tree

and, as `text`, what is said, word by word.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from attrs import frozen

import hots_rules as hr
from tests.casebook import Case, cases, play_case, start_case
from tests.folders import TESTS

ANSWERS = TESTS / "answers"
_ANSWER = re.compile(r"^## ([^\n]+)\n(.*?)^```answer\n(.*?)```\n\n```text\n(.*?)\n```", re.M | re.S)


@frozen
class Asked:
    """One question with its answer."""

    file: str
    question: str
    sections: tuple[str, ...]
    case: str
    ask: str
    depth: str
    text: str
    ruleset: str = "hots-4.0"


def answers() -> list[Asked]:
    """All questions of tests/answers."""
    found = []
    for path in sorted(ANSWERS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        parts = _ANSWER.findall(text)
        assert len(parts) == len(re.findall("^## ", text, re.M)), path
        for question, words, block, said in parts:
            keys = dict(line.split(": ", 1) for line in block.splitlines())
            sections = tuple(re.findall(r"§(\d+(?:\.\d+)*)", words))
            found.append(
                Asked(
                    **{"file": path.stem, **keys}, question=question, sections=sections, text=said
                )
            )
    return found


ASKED = answers()


@cache
def moment(file: str, title: str, ruleset: str) -> hr.Game:
    """The end of a case."""
    found: list[Case] = [c for c in cases() if (c.file, c.title) == (f"{file}.md", title)]
    assert len(found) == 1, title
    return play_case(found[0], start_case(found[0], hr.load(ruleset)))


def test_there_are_forty_questions_at_least() -> None:
    assert len({asked.question for asked in ASKED}) == len(ASKED) >= 40


@pytest.mark.thorough
@pytest.mark.parametrize("asked", [pytest.param(a, id=a.question) for a in ASKED])
def test_answer(asked: Asked) -> None:
    assert asked.sections
    game = moment(asked.file, asked.case, asked.ruleset)

    assert asked.text == game.why_not(asked.ask).text(asked.depth)
